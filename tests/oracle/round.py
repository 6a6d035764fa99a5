"""A round: sections 3 to 7 of RULES.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oracle.cards import base_card, is_suit_card, legal, score, trick_winner
from oracle.rules import SUITS, RefusedError, Rules


@dataclass
class Trick:
    leader: int
    cards: list[str] = field(default_factory=list)
    winner: int | None = None
    next_leader: int | None = None


class Round:
    """A round from its (possible) deal on. `legal` says who may do what now, `act` does it."""

    def __init__(
        self,
        rules: Rules,
        size: int,
        dealer: int,
        totals_before: list[int],
        hands: list[list[str]],
        turned: str | None,
    ) -> None:
        self.rules = rules
        self.size = size
        self.dealer = dealer
        self.totals_before = list(totals_before)
        self.hands = [list(hand) for hand in hands]
        self.turned = turned
        self.bids: list[int | None] = [None] * rules.players
        self.taken = [0] * rules.players
        self.tricks: list[Trick] = []
        self.leader = self.left_of(dealer)
        self.passing = False
        self.passes: dict[int, str] = {}
        self.cloud_holder: int | None = None
        self.cloud_change: int | None = None

        # Section 3: trump.
        self.trump: str | None = None
        self.trump_choices = list(SUITS)
        self.trump_namer: int | None = None
        holders = [seat for seat, hand in enumerate(self.hands) if "WE" in hand]
        if holders:
            if turned is None:
                raise AssertionError("with special cards there is always a card to turn up")
            holder = holders[0]
            self.hands[holder].remove("WE")
            self.hands[holder].append(turned)
            self.turned = "WE"
            self.trump_namer = holder
            self.trump_choices = [*SUITS, "none"]
        elif turned is None or turned in ("J", "FA", "BO"):
            self.trump = "none"
        elif is_suit_card(turned):
            self.trump = turned[0]
        else:
            self.trump_namer = dealer

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.rules.players

    def phase(self) -> str:
        if self.trump is None:
            return "trump"
        if None in self.bids:
            return "bid"
        if self.passing:
            return "pass"
        finished = [trick for trick in self.tricks if trick.next_leader is not None]
        if len(finished) < self.size:
            return "play"
        if self.cloud_holder is not None and self.cloud_change is None:
            return "cloud"
        return "over"

    def open_trick(self) -> Trick | None:
        """The trick under way: at least one card in it, not yet all."""
        if self.tricks and self.tricks[-1].next_leader is None:
            return self.tricks[-1]
        return None

    def next_to_play(self) -> int:
        trick = self.open_trick()
        if trick is None:
            return self.leader
        return (trick.leader + len(trick.cards)) % self.rules.players

    def next_to_bid(self) -> int:
        """Section 4, open bidding: left of the dealer first, clockwise."""
        seat = self.left_of(self.dealer)
        while self.bids[seat] is not None:
            seat = self.left_of(seat)
        return seat

    def forbidden_bid(self, seat: int) -> int | None:
        """Section 4, plus_minus_one and leader_uneven: the bid that the last bidder may not make
        (a number below 0 forbids nothing)."""
        if self.rules.bid_rule == "free" or self.bids.count(None) != 1:
            return None
        if self.rules.bid_rule == "leader_uneven":
            mine = self.totals_before[seat]
            others = [total for s, total in enumerate(self.totals_before) if s != seat]
            if any(total >= mine for total in others):
                return None
        return self.size - sum(bid for bid in self.bids if bid is not None)

    def legal(self) -> dict[int, list[str]]:
        """The texts of the legal actions of each seat that must decide now."""
        phase = self.phase()
        if phase == "trump":
            if self.trump_namer is None:
                raise AssertionError("somebody names the trump")
            return {self.trump_namer: [f"trump {suit}" for suit in self.trump_choices]}
        if phase == "bid":
            if self.rules.bidding == "open":
                bidders = [self.next_to_bid()]
            else:
                bidders = [seat for seat, bid in enumerate(self.bids) if bid is None]
            return {
                seat: [
                    f"bid {number}"
                    for number in range(self.size + 1)
                    if number != self.forbidden_bid(seat)
                ]
                for seat in bidders
            }
        if phase == "pass":
            return {
                seat: [f"pass {card}" for card in sorted(set(hand))]
                for seat, hand in enumerate(self.hands)
                if seat not in self.passes
            }
        if phase == "play":
            seat = self.next_to_play()
            trick = self.open_trick()
            cards = trick.cards if trick is not None else []
            return {seat: [f"play {card}" for card in legal(self.hands[seat], cards, self.rules)]}
        if phase == "cloud":
            if self.cloud_holder is None:
                raise AssertionError("somebody has the Cloud")
            bid = self.bids[self.cloud_holder]
            if bid is None:
                raise AssertionError("all have bid")
            changes: list[str] = []
            if bid + 1 <= self.size:
                changes.append("cloud +1")
            if bid - 1 >= 0:
                changes.append("cloud -1")
            return {self.cloud_holder: changes}
        return {}

    def act(self, seat: object, text: object) -> None:
        """Takes one action; raises RefusedError (without the place) if it is not legal now."""
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise RefusedError(f"{seat!r} is no seat")
        if not 0 <= seat < self.rules.players:
            raise RefusedError(f"there is no seat {seat}")
        if not isinstance(text, str):
            raise RefusedError(f"{text!r} is no action")
        choices = self.legal()
        if not choices:
            raise RefusedError(f"seat {seat} may not {text}: the round is over")
        if seat not in choices:
            raise RefusedError(
                f"seat {seat} may not {text}: it is for seat {sorted(choices)} to act"
            )
        if text not in choices[seat]:
            raise RefusedError(f"seat {seat} may not {text}: it may {', '.join(choices[seat])}")
        verb, what = text.split(" ")
        if verb == "trump":
            self.trump = what
        elif verb == "bid":
            self.bids[seat] = int(what)
        elif verb == "play":
            self.play(seat, what)
        elif verb == "pass":
            self.pass_card(seat, what)
        else:
            self.cloud_change = int(what)

    def play(self, seat: int, played: str) -> None:
        trick = self.open_trick()
        if trick is None:
            trick = Trick(leader=seat)
            self.tricks.append(trick)
        self.hands[seat].remove(base_card(played))
        trick.cards.append(played)
        if len(trick.cards) < self.rules.players:
            return
        # Sections 5 and 6: the trick is complete.
        if self.trump is None:
            raise AssertionError("the trump is known by now")
        place = trick_winner(trick.cards, self.trump, self.rules)
        winner = (trick.leader + place) % self.rules.players
        trick.next_leader = winner
        self.leader = winner
        names = [base_card(card) for card in trick.cards]
        if "BO" not in names:
            trick.winner = winner
            self.taken[winner] += 1
            if "CL" in names:
                self.cloud_holder = winner
        if "JU" in names and len(self.tricks) < self.size:
            self.passing = True

    def pass_card(self, seat: int, card: str) -> None:
        """Section 6, Juggler: all at once to the left."""
        self.passes[seat] = card
        if len(self.passes) < self.rules.players:
            return
        for giver, given in self.passes.items():
            self.hands[giver].remove(given)
        for giver, given in self.passes.items():
            self.hands[self.left_of(giver)].append(given)
        self.passing = False
        self.passes = {}

    def over(self) -> bool:
        return self.phase() == "over"

    def scored_bids(self) -> list[int]:
        """Section 6, Cloud: the bids that count."""
        bids = [bid for bid in self.bids if bid is not None]
        if self.cloud_holder is not None and self.cloud_change is not None:
            bids[self.cloud_holder] += self.cloud_change
        return bids

    def points(self) -> list[int]:
        return [
            score(bid, taken) for bid, taken in zip(self.scored_bids(), self.taken, strict=True)
        ]

    def totals(self) -> list[int]:
        return [
            before + points
            for before, points in zip(self.totals_before, self.points(), strict=True)
        ]

    def shown(self) -> dict[str, Any]:
        """RECORD.md: what `foretold replay --json` prints for this round."""
        over = self.over()
        return {
            "size": self.size,
            "dealer": self.dealer,
            "trump": self.trump,
            "bids": list(self.bids),
            "scored_bids": self.scored_bids() if over else None,
            "taken": list(self.taken),
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": list(trick.cards),
                    "winner": trick.winner,
                    "next_leader": trick.next_leader,
                }
                for trick in self.tricks
            ],
            "points": self.points() if over else None,
            "totals": self.totals() if over else None,
        }

"""A second, deliberately plain implementation of the rules, used only to test the first one.

Written from RULES.md and RECORD.md alone, without looking at the engine. Cards are their codes
("R4", "W", "JU"), hands are lists, nothing is fast. Section numbers are those of RULES.md.

    python tests/oracle.py --games 500 --seed 1 --out DIR
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SUITS = ["B", "G", "R", "Y"]
SUIT_CARDS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 14)]
SPECIALS = ["DR", "FA", "BO", "WE", "JU", "CL", "SH"]
EDITIONS = [
    "amigo",
    "piatnik-hu",
    "piatnik-pl",
    "piatnik-cs",
    "piatnik-sk",
    "gigamic",
    "fisher",
    "anniversary",
]
MODES = ["standard", "monocolour", "two_player"]
BIDDINGS = ["open", "hidden", "secret"]
BID_RULES = ["free", "plus_minus_one", "leader_uneven"]
CLAIRVOYANCES = ["off", "first_round", "every_round"]
SUITS_AFTER_WIZARD = ["free", "binding"]
DEALERS_BY = ["seat", "random", "high_card"]

# Section 1: every card a record may name, without announcements.
ALL_CODES = [*SUIT_CARDS, "W", "J", *SPECIALS]


class RefusedError(Exception):
    """The record breaks the rules. The message begins with the place, as RECORD.md says."""


# ---------------------------------------------------------------------------------------------
# Rules (sections 2, 4, 6, 8, 9)
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    players: int
    mode: str
    specials: list[str]
    bidding: str
    bid_rule: str
    clairvoyance: str
    dark_wizard: bool
    suit_after_wizard: str
    dealer_by: str
    rounds: str
    sizes: list[int]


def rule_defaults(edition: str | None, mode: str) -> dict[str, Any]:
    """RECORD.md: the defaults; section 9: what an edition changes; section 8: two players."""
    values: dict[str, Any] = {
        "players": 4,
        "mode": "standard",
        "specials": [],
        "bidding": "open",
        "bid_rule": "free",
        "clairvoyance": "off",
        "dark_wizard": False,
        "suit_after_wizard": "free",
        "rounds": "all",
        "dealer_by": "random",
    }
    if edition == "anniversary":
        values["specials"] = list(SPECIALS)
    if edition == "fisher":
        values["dealer_by"] = "high_card"
    if mode == "two_player":
        values["players"] = 2
        values["bidding"] = "secret"
    return values


def largest_size(mode: str, players: int) -> int:
    """Section 2: the largest hand that fits, not counting the two-player sum."""
    if mode == "monocolour":
        return 15
    if mode == "two_player":
        return 29
    return 60 // players


def read_sizes(expression: str, mode: str, players: int) -> list[int]:
    """Section 2: the hand sizes that a `rounds` expression lists."""
    if expression == "all":
        if mode == "monocolour":
            return list(range(4, 16))
        if mode == "two_player":
            return [2, 3, 4, 5, 6, 7]
        return list(range(1, 60 // players + 1))
    sizes: list[int] = []
    for part in expression.split(","):
        match = re.fullmatch(r"([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?", part, re.ASCII)
        if match is None:
            raise RefusedError(f"rounds: {part!r} is neither a size nor a range")
        first = int(match[1])
        last = int(match[2]) if match[2] is not None else first
        step = 1 if last >= first else -1
        sizes.extend(range(first, last + step, step))
    for size in sizes:
        if not 1 <= size <= largest_size(mode, players):
            raise RefusedError(f"rounds: {size} cards do not fit {players} players in mode {mode}")
    if mode == "two_player" and 2 * sum(sizes) + len(sizes) > 60:
        raise RefusedError("rounds: the rounds need more than 60 cards in mode two_player")
    return sizes


def _one_of(values: dict[str, Any], name: str, allowed: list[str]) -> str:
    value = values[name]
    if not isinstance(value, str) or value not in allowed:
        raise RefusedError(f"rules: {name} may not be {value!r}")
    return value


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read_rules(given: object) -> Rules:
    """The rules of a record with every default filled in; refuses conflicting ones."""
    if not isinstance(given, dict):
        raise RefusedError("rules: not an object")
    edition = given.get("edition")
    if "edition" in given and (not isinstance(edition, str) or edition not in EDITIONS):
        raise RefusedError(f"rules: unknown edition {edition!r}")
    mode = given.get("mode", "standard")
    if not isinstance(mode, str) or mode not in MODES:
        raise RefusedError(f"rules: mode may not be {mode!r}")
    values = rule_defaults(edition, mode)
    for name in values:
        if name in given:
            values[name] = given[name]

    players = values["players"]
    if not is_whole(players) or not 2 <= players <= 6:
        raise RefusedError(f"rules: players may not be {players!r}")
    specials = values["specials"]
    if not isinstance(specials, list) or any(card not in SPECIALS for card in specials):
        raise RefusedError(f"rules: specials may not be {specials!r}")
    if len(set(specials)) != len(specials):
        raise RefusedError("rules: specials names a card twice")
    bidding = _one_of(values, "bidding", BIDDINGS)
    bid_rule = _one_of(values, "bid_rule", BID_RULES)
    clairvoyance = _one_of(values, "clairvoyance", CLAIRVOYANCES)
    suit_after_wizard = _one_of(values, "suit_after_wizard", SUITS_AFTER_WIZARD)
    dealer_by = _one_of(values, "dealer_by", DEALERS_BY)
    dark_wizard = values["dark_wizard"]
    if not isinstance(dark_wizard, bool):
        raise RefusedError(f"rules: dark_wizard may not be {dark_wizard!r}")
    rounds = values["rounds"]
    if not isinstance(rounds, str):
        raise RefusedError(f"rules: rounds may not be {rounds!r}")

    # Section 2: how many players each mode takes.
    allowed_players = {"standard": [3, 4, 5, 6], "monocolour": [3, 4], "two_player": [2]}[mode]
    if players not in allowed_players:
        raise RefusedError(f"rules: players {players} does not go with mode {mode}")
    # Section 6: special cards.
    if ("DR" in specials) != ("FA" in specials):
        raise RefusedError("rules: specials: DR and FA only together")
    if specials and mode != "standard":
        raise RefusedError(f"rules: specials do not go with mode {mode}")
    if specials and clairvoyance != "off":
        raise RefusedError(f"rules: specials do not go with clairvoyance {clairvoyance}")
    # Section 4: bid rules and clairvoyance.
    if clairvoyance != "off" and mode != "standard":
        raise RefusedError(f"rules: clairvoyance {clairvoyance} does not go with mode {mode}")
    if bid_rule != "free" and bidding != "open":
        raise RefusedError(f"rules: bid_rule {bid_rule} does not go with bidding {bidding}")
    # Section 8: the two-player game.
    if mode == "two_player" and bidding != "secret":
        raise RefusedError(f"rules: bidding {bidding} does not go with mode two_player")

    return Rules(
        players=players,
        mode=mode,
        specials=list(specials),
        bidding=bidding,
        bid_rule=bid_rule,
        clairvoyance=clairvoyance,
        dark_wizard=dark_wizard,
        suit_after_wizard=suit_after_wizard,
        dealer_by=dealer_by,
        rounds=rounds,
        sizes=read_sizes(rounds, mode, players),
    )


# ---------------------------------------------------------------------------------------------
# Cards and tricks (sections 1, 5, 6, 8). A played card may carry "=X", its announcement.
# ---------------------------------------------------------------------------------------------


def base_card(played: str) -> str:
    """The card itself, without its announcement."""
    return played.split("=")[0]


def is_suit_card(card: str) -> bool:
    return card in SUIT_CARDS


def suit_of(played: str) -> str | None:
    """Section 5: suit cards have a suit; Juggler and Cloud have the announced one."""
    if is_suit_card(played):
        return played[0]
    if base_card(played) in ("JU", "CL") and "=" in played:
        return played.split("=")[1]
    return None


def strength_of(played: str) -> float:
    """Section 1 and 6: the strength of a card that has a suit."""
    if base_card(played) == "JU":
        return 7.5
    if base_card(played) == "CL":
        return 9.75
    return float(played[1:])


def is_wizard_like(played: str) -> bool:
    return played in ("W", "DR", "SH=W")


def is_jester_like(played: str) -> bool:
    return played in ("J", "FA", "BO", "SH=J")


def suit_to_follow(cards: list[str], rules: Rules) -> str | None:
    """Section 5, "the suit to follow", after the cards played so far; section 8: monocolour."""
    if rules.mode == "monocolour":
        return None
    binding = rules.suit_after_wizard == "binding"
    wizard_led = len(cards) > 0 and is_wizard_like(cards[0])
    for card in cards:
        suit = suit_of(card)
        if suit is not None:
            return suit
        if is_wizard_like(card) and not (binding and wizard_led):
            return None
    return None


def announcements(card: str) -> list[str]:
    """Section 6: the ways a card can be played."""
    if card == "SH":
        return ["SH=W", "SH=J"]
    if card in ("JU", "CL"):
        return [f"{card}={suit}" for suit in SUITS]
    return [card]


def legal(hand: list[str], cards: list[str], rules: Rules) -> list[str]:
    """Section 5: what a player with this hand may play onto the cards of the trick."""
    suit = suit_to_follow(cards, rules)
    holds_suit = any(is_suit_card(card) and suit_of(card) == suit for card in hand)
    choices: list[str] = []
    for card in sorted(set(hand)):
        if card == "WE":
            continue  # section 6: never played
        if suit is not None and holds_suit and is_suit_card(card) and suit_of(card) != suit:
            continue
        choices.extend(announcements(card))
    return choices


def monocolour_winner(cards: list[str], dark_wizard: bool) -> int:
    """Section 8: the highest number, the first among equals; Wizards above, Jesters below."""
    wizards = [i for i, card in enumerate(cards) if card == "W"]
    if wizards:
        return wizards[-1] if dark_wizard else wizards[0]
    numbers = [i for i, card in enumerate(cards) if is_suit_card(card)]
    if numbers:
        highest = max(strength_of(cards[i]) for i in numbers)
        return next(i for i in numbers if strength_of(cards[i]) == highest)
    return 0


def trick_winner(cards: list[str], trump: str, rules: Rules) -> int:
    """Section 5, "who wins": the place in the trick of the card that wins (or would have)."""
    if rules.mode == "monocolour":
        return monocolour_winner(cards, rules.dark_wizard)
    if "DR" in cards and "FA" in cards:
        return cards.index("FA")
    if "DR" in cards:
        return cards.index("DR")
    wizards = [i for i, card in enumerate(cards) if is_wizard_like(card)]
    if wizards:
        return wizards[-1] if rules.dark_wizard else wizards[0]
    for suit in (trump, suit_to_follow(cards, rules)):
        of_suit = [i for i, card in enumerate(cards) if suit_of(card) == suit and suit is not None]
        if of_suit:
            return max(of_suit, key=lambda i: strength_of(cards[i]))
    return next(i for i, card in enumerate(cards) if card in ("J", "SH=J"))


def score(bid: int, taken: int) -> int:
    """Section 7."""
    if bid == taken:
        return 20 + 10 * taken
    return -10 * abs(bid - taken)


# ---------------------------------------------------------------------------------------------
# Deals (sections 2, 3, 8)
# ---------------------------------------------------------------------------------------------


def whole_deck(rules: Rules) -> list[str]:
    """Section 1: the cards that are shuffled together (not monocolour)."""
    return [*SUIT_CARDS, *["W"] * 4, *["J"] * 4, *rules.specials]


def deal_fault(
    rules: Rules,
    size: int,
    hands: object,
    turned: object,
    out: list[str],
    own_suits: dict[int, str],
) -> str | None:
    """Why this deal is impossible, or None. `out`: cards out of the two-player game;
    `own_suits`: monocolour, the suits that earlier rounds showed."""
    if not isinstance(hands, list) or len(hands) != rules.players:
        return f"there must be {rules.players} hands"
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list):
            return f"seat {seat} has no list of cards"
        for card in hand:
            if not isinstance(card, str) or card not in ALL_CODES:
                return f"seat {seat} was dealt {card!r}, which is no card"
        if len(hand) != size:
            return f"seat {seat} was dealt {len(hand)} cards, not {size}"
    if turned is not None and (not isinstance(turned, str) or turned not in ALL_CODES):
        return f"{turned!r} is no card to turn up"

    if rules.mode == "monocolour":
        if turned is not None:
            return "monocolour turns up no card"
        return monocolour_fault(hands, own_suits)

    stock = Counter(whole_deck(rules))
    stock.subtract(out)
    for hand in hands:
        stock.subtract(hand)
    if turned is not None:
        stock.subtract([turned])
    for card, left in stock.items():
        if left < 0:
            return f"{card} is dealt more often than this game has it"
    if turned is None and sum(stock.values()) > 0:
        return "a card must be turned up"
    return None


def monocolour_fault(hands: list[list[str]], own_suits: dict[int, str]) -> str | None:
    """Section 8: each player keeps a deck of one suit, one Wizard and one Jester all game."""
    suits = dict(own_suits)
    for seat, hand in enumerate(hands):
        for card in hand:
            if card in SPECIALS:
                return f"monocolour has no {card}"
            if hand.count(card) > 1:
                return f"seat {seat} has one {card} only"
            if is_suit_card(card) and suits.setdefault(seat, card[0]) != card[0]:
                return f"seat {seat} plays {suits[seat]}, not {card}"
    if len(set(suits.values())) != len(suits):
        return "two seats with one suit"
    return None


# ---------------------------------------------------------------------------------------------
# One round
# ---------------------------------------------------------------------------------------------


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


# ---------------------------------------------------------------------------------------------
# The whole game
# ---------------------------------------------------------------------------------------------


class Game:
    def __init__(self, rules: Rules, first_dealer: int) -> None:
        self.rules = rules
        self.first_dealer = first_dealer
        self.rounds: list[Round] = []
        self.out: list[str] = []  # two players: cards used or turned
        self.own_suits: dict[int, str] = {}  # monocolour: the suits shown so far

    def totals(self) -> list[int]:
        """After the last finished round."""
        for one in reversed(self.rounds):
            if one.over():
                return one.totals()
        return [0] * self.rules.players

    def awaits_deal(self) -> bool:
        under_way = bool(self.rounds) and not self.rounds[-1].over()
        return not under_way and len(self.rounds) < len(self.rules.sizes)

    def finished(self) -> bool:
        return len(self.rounds) == len(self.rules.sizes) and self.rounds[-1].over()

    def deal(self, hands: object, turned: object) -> None:
        """Starts the next round; raises RefusedError (without the place) if that is impossible."""
        if len(self.rounds) >= len(self.rules.sizes):
            raise RefusedError("the game has no further round")
        if not self.awaits_deal():
            raise RefusedError("the round before is not over")
        size = self.rules.sizes[len(self.rounds)]
        fault = deal_fault(self.rules, size, hands, turned, self.out, self.own_suits)
        if fault is not None:
            raise RefusedError(fault)
        if not isinstance(hands, list) or not (turned is None or isinstance(turned, str)):
            raise AssertionError("a deal without fault has hands")
        dealer = (self.first_dealer + len(self.rounds)) % self.rules.players
        totals = self.totals()
        self.rounds.append(Round(self.rules, size, dealer, totals, hands, turned))
        if self.rules.mode == "two_player":
            for hand in hands:
                self.out.extend(hand)
            if turned is not None:
                self.out.append(turned)
        if self.rules.mode == "monocolour":
            for seat, hand in enumerate(hands):
                for card in hand:
                    if is_suit_card(card):
                        self.own_suits[seat] = card[0]

    def legal(self) -> dict[int, list[str]]:
        return self.rounds[-1].legal() if self.rounds else {}

    def shown(self) -> dict[str, Any]:
        totals = self.totals()
        finished = self.finished()
        best = max(totals)
        return {
            "status": "finished" if finished else "unfinished",
            "rounds": [one.shown() for one in self.rounds],
            "totals": totals,
            "winners": [s for s, total in enumerate(totals) if finished and total == best],
            "to_act": sorted(self.legal()),
        }


def start_game(record: object) -> Game:
    """Reads what comes before the rounds."""
    if not isinstance(record, dict):
        raise RefusedError("not a record: no JSON object")
    if record.get("format") != "foretold/1":
        raise RefusedError(f"unknown format {record.get('format')!r}")
    rules = read_rules(record.get("rules", {}))
    names = record.get("names")
    if "names" in record and (
        not isinstance(names, list)
        or len(names) != rules.players
        or any(not isinstance(name, str) for name in names)
    ):
        raise RefusedError(f"names: {rules.players} names are needed")
    first_dealer = record.get("first_dealer")
    if not isinstance(first_dealer, int) or isinstance(first_dealer, bool):
        raise RefusedError("first_dealer: not a seat")
    if not 0 <= first_dealer < rules.players:
        raise RefusedError(f"first_dealer: there is no seat {first_dealer}")
    if not isinstance(record.get("rounds"), list):
        raise RefusedError("rounds: not a list")
    return Game(rules, first_dealer)


def run_record(record: dict[str, Any]) -> Game:
    """Replays a record; raises RefusedError with the place of the first fault."""
    game = start_game(record)
    rounds = record["rounds"]
    for k, given in enumerate(rounds, start=1):
        place = f"round {k}"
        try:
            if not isinstance(given, dict):
                raise RefusedError("not an object")
            for name in ("hands", "turned", "actions"):
                if name not in given:
                    raise RefusedError(f"{name} is missing")
            if not isinstance(given["actions"], list):
                raise RefusedError("actions: not a list")
            game.deal(given["hands"], given["turned"])
            for m, action in enumerate(given["actions"], start=1):
                place = f"round {k}, action {m}"
                if not isinstance(action, list) or len(action) != 2:
                    raise RefusedError("not a pair of seat and action")
                game.rounds[-1].act(action[0], action[1])
            place = f"round {k}"
            if k < len(rounds) and not game.rounds[-1].over():
                raise RefusedError("incomplete, but another round follows")
        except RefusedError as refusal:
            raise RefusedError(f"{place}: {refusal}") from None
    return game


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """What `foretold replay --json` must print for this record; raises RefusedError."""
    return run_record(record).shown()


def legal_actions(record: dict[str, Any]) -> dict[int, list[str]]:
    """The texts of the legal actions of each seat to act; empty between rounds and at the end."""
    return run_record(record).legal()


def deal_is_possible(record: dict[str, Any], hands: object, turned: object) -> bool:
    """Whether the record's next round may be dealt like this."""
    try:
        run_record(record).deal(hands, turned)
    except RefusedError:
        return False
    return True


# ---------------------------------------------------------------------------------------------
# Random rules
# ---------------------------------------------------------------------------------------------


def random_size(rng: random.Random, most: int) -> int:
    kind = rng.random()
    if kind < 0.15:
        return most
    if kind < 0.75:
        return rng.randint(1, min(5, most))
    return rng.randint(1, most)


def random_rounds(rng: random.Random, mode: str, players: int) -> str:
    if rng.random() < 0.12:
        return "all"
    most = largest_size(mode, players)
    while True:
        parts: list[str] = []
        for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
            size = random_size(rng, most)
            kind = rng.random()
            if kind < 0.6:
                parts.append(str(size))
            else:
                other = size + rng.choice([-3, -2, -1, 0, 1, 2, 3])
                parts.append(f"{size}-{min(most, max(1, other))}")
        if rng.random() < 0.03:
            parts = [f"1-{most}", f"{most}-1"]
        if mode == "two_player" and rng.random() < 0.1:
            parts = rng.choice([["14", "14-15"], ["14-15"], ["9", "10-9"], ["29"], ["1-6", "1"]])
        expression = ",".join(parts)
        try:
            read_sizes(expression, mode, players)
        except RefusedError:
            continue
        return expression


def random_specials(rng: random.Random) -> list[str]:
    kind = rng.random()
    if kind < 0.35:
        chosen = list(SPECIALS)
    elif kind < 0.45:
        chosen = ["DR", "FA", "BO"]
    elif kind < 0.65:
        chosen = rng.choice([["SH"], ["BO"], ["WE"], ["JU"], ["CL"], ["DR", "FA"], ["JU", "BO"]])
    else:
        chosen = [card for card in ["BO", "WE", "JU", "CL", "SH"] if rng.random() < 0.5]
        if rng.random() < 0.5 or not chosen:
            chosen = [*chosen, "DR", "FA"]
    rng.shuffle(chosen)
    return chosen


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random compatible rules; defaults are often left out, editions sometimes named."""
    mode = rng.choices(MODES, [70, 15, 15])[0]
    values = rule_defaults(None, mode)
    values["mode"] = mode
    if mode == "standard":
        values["players"] = rng.randint(3, 6)
        if rng.random() < 0.55:
            values["specials"] = random_specials(rng)
        else:
            values["clairvoyance"] = rng.choice(CLAIRVOYANCES)
    elif mode == "monocolour":
        values["players"] = rng.randint(3, 4)
    if mode != "two_player":
        values["bidding"] = rng.choices(BIDDINGS, [2, 1, 1])[0]
        if values["bidding"] == "open":
            values["bid_rule"] = rng.choice(BID_RULES)
    values["dark_wizard"] = rng.random() < 0.4
    values["suit_after_wizard"] = rng.choice(SUITS_AFTER_WIZARD)
    values["dealer_by"] = rng.choice(DEALERS_BY)
    values["rounds"] = random_rounds(rng, mode, values["players"])

    edition = rng.choice(EDITIONS) if rng.random() < 0.35 else None
    defaults = rule_defaults(edition, mode)
    standard = mode == "standard" and values["clairvoyance"] == "off"
    if edition == "anniversary" and standard and rng.random() < 0.3:
        values["specials"] = list(SPECIALS)
    wordy = rng.choice([0.0, 0.5, 1.0])
    given = {
        name: value
        for name, value in values.items()
        if value != defaults[name] or rng.random() < wordy
    }
    if edition is not None:
        given["edition"] = edition
    names = list(given)
    rng.shuffle(names)
    given = {name: given[name] for name in names}
    read_rules(given)
    return given


# ---------------------------------------------------------------------------------------------
# Random games
# ---------------------------------------------------------------------------------------------

FAVOURITES = [
    SPECIALS,
    SPECIALS,
    [*SPECIALS, "W", "J"],
    ["J", "FA", "BO", "SH"],
    ["J", "FA", "BO", "SH"],
    ["DR", "FA", "BO"],
    ["J"],
    ["W", "SH", "DR", "FA", "BO"],
    ["W", "J"],
    ["JU", "BO", "CL"],
    ["WE", "W", "J"],
]


def drawn(rng: random.Random, cards: list[str], favoured: list[str], pull: float) -> list[str]:
    """The cards in random order; those favoured tend to come first."""
    keyed = [(rng.random() * (pull if card in favoured else 1.0), card) for card in cards]
    return [card for _, card in sorted(keyed, key=lambda pair: pair[0])]


def random_deal(
    rng: random.Random, game: Game, own_suits: list[str], favour: bool
) -> tuple[list[list[str]], str | None]:
    """A possible deal for the next round. `own_suits` matters in monocolour only."""
    rules = game.rules
    size = rules.sizes[len(game.rounds)]
    favoured = rng.choice(FAVOURITES)
    pull = rng.choice([0.02, 0.1, 0.3, 0.6]) if favour else 1.0
    if rules.mode == "monocolour":
        hands: list[list[str]] = []
        for seat in range(rules.players):
            deck = [f"{own_suits[seat]}{rank}" for rank in range(1, 14)] + ["W", "J"]
            hand = drawn(rng, deck, favoured, pull)[:size]
            rng.shuffle(hand)
            hands.append(hand)
        return hands, None
    stock = Counter(whole_deck(rules))
    stock.subtract(game.out)
    cards = drawn(rng, list(stock.elements()), favoured, pull)
    needed = rules.players * size
    dealt, rest = cards[:needed], cards[needed:]
    if rest:
        # The favoured cards must also come up as the turned card: exchange it now and then.
        place = rng.randrange(needed + 1)
        if favour and place < needed and rng.random() < 0.5:
            dealt[place], rest[0] = rest[0], dealt[place]
    rng.shuffle(dealt)
    hands = [dealt[seat * size : (seat + 1) * size] for seat in range(rules.players)]
    return hands, rest[0] if rest else None


def random_action(
    rng: random.Random, legal_now: dict[int, list[str]], modest: bool
) -> tuple[int, str]:
    """Any seat to act, any legal action; modest players bid low, so that totals come close to r."""
    seat = rng.choice(sorted(legal_now))
    texts = legal_now[seat]
    if modest and texts[0].startswith("bid"):
        return seat, texts[min(rng.randrange(len(texts)) for _ in range(4))]
    return seat, rng.choice(texts)


def all_actions(record: dict[str, Any], verb: str = "") -> list[tuple[int, int]]:
    """Round and action, counted from 0, of all actions (of one kind)."""
    return [
        (k, m)
        for k, one in enumerate(record["rounds"])
        for m, action in enumerate(one["actions"])
        if action[1].startswith(verb)
    ]


def cut_record(rng: random.Random, record: dict[str, Any]) -> None:
    """Ends a finished record early: between two rounds, or before any action; now and then
    preferably one that is not a play."""
    rounds = record["rounds"]
    k = rng.randrange(len(rounds))
    kind = rng.random()
    if kind < 0.2:
        del rounds[k:]
        return
    m = rng.randrange(len(rounds[k]["actions"]))
    verbs = [verb for verb in ("trump", "bid", "pass", "cloud") if all_actions(record, verb)]
    if kind < 0.6:
        k, m = rng.choice(all_actions(record, rng.choice(verbs)))
    del rounds[k + 1 :]
    del rounds[k]["actions"][m:]


def random_record(
    rng: random.Random, rules: dict[str, Any] | None = None, stop_early: float = 0.3
) -> dict[str, Any]:
    """A random legal game, cut short with probability `stop_early`."""
    given = random_rules(rng) if rules is None else rules
    settled = read_rules(given)
    record: dict[str, Any] = {
        "format": "foretold/1",
        "rules": copy.deepcopy(given),
        "names": ["Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz"][: settled.players],
        "first_dealer": rng.randrange(settled.players),
        "rounds": [],
    }
    if rng.random() < 0.1:
        record["played_at"] = "2024-05-01T20:15:00Z"
        record["ratings"] = {"Ana": 1500, "Ben": None}
    favour = rng.random() < (0.5 if settled.specials else 0.3)
    modest = rng.random() < 0.5
    own_suits = rng.sample(SUITS, 4)
    game = Game(settled, record["first_dealer"])
    while not game.finished():
        hands, turned = random_deal(rng, game, own_suits, favour)
        game.deal(hands, turned)
        actions: list[list[Any]] = []
        one: dict[str, Any] = {"hands": hands, "turned": turned, "actions": actions}
        if rng.random() < 0.03:
            one["seconds"] = 31.5
        record["rounds"].append(one)
        while not game.rounds[-1].over():
            seat, text = random_action(rng, game.legal(), modest)
            game.rounds[-1].act(seat, text)
            actions.append([seat, text])
    if rng.random() < stop_early:
        cut_record(rng, record)
    return record


# ---------------------------------------------------------------------------------------------
# Broken records. Each breaker changes its record in place and returns where it must be refused:
# NOT_HERE if it does not apply, ANYWHERE if only the replay can say (if it is refused at
# all).
# ---------------------------------------------------------------------------------------------

NOT_HERE = ""
ANYWHERE = "anywhere"

Record = dict[str, Any]
Breaker = Callable[[random.Random, Record], str]


def at(k: int, m: int | None = None) -> str:
    """The place of round k (and action m), counted from 0 here, from 1 there."""
    return f"round {k + 1}" if m is None else f"round {k + 1}, action {m + 1}"


def before(record: Record, k: int, m: int) -> Game:
    """The game as it stands before action m of round k."""
    cut = {**record, "rounds": copy.deepcopy(record["rounds"][: k + 1])}
    cut["rounds"][k]["actions"] = cut["rounds"][k]["actions"][:m]
    return run_record(cut)


def some_actions(rng: random.Random, record: Record, verb: str = "") -> list[tuple[int, int]]:
    """A few actions of one kind, in random order."""
    places = all_actions(record, verb)
    return rng.sample(places, min(12, len(places)))


def rules_of(record: Record) -> Rules:
    return read_rules(record["rules"])


def spoil_text(
    rng: random.Random,
    record: Record,
    verb: str,
    wrong: Callable[[Round, int], list[str]],
) -> str:
    """Replaces the text of one action with a wrong one for that seat at that moment."""
    for k, m in some_actions(rng, record, verb):
        one = before(record, k, m).rounds[-1]
        action = record["rounds"][k]["actions"][m]
        texts = wrong(one, action[0])
        if texts:
            action[1] = rng.choice(texts)
            return at(k, m)
    return NOT_HERE


def break_revoke(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        allowed = one.legal()[seat]
        every = [f"play {way}" for card in one.hands[seat] for way in announcements(card)]
        return [text for text in every if text not in allowed]

    return spoil_text(rng, record, "play", wrong)


def break_not_held(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        missing = [card for card in ALL_CODES if card not in one.hands[seat]]
        return [f"play {way}" for card in missing for way in announcements(card)]

    return spoil_text(rng, record, "play", wrong)


def break_played_again(rng: random.Random, record: Record) -> str:
    """Plays one's own card a second time in the same round."""

    def wrong(one: Round, seat: int) -> list[str]:
        played = [card for trick in one.tricks for card in trick.cards]
        return [f"play {card}" for card in played if base_card(card) not in one.hands[seat]]

    return spoil_text(rng, record, "play", wrong)


def break_pass_not_held(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        missing = [card for card in ALL_CODES if card not in one.hands[seat]]
        odd = [f"pass {way}" for card in one.hands[seat] for way in announcements(card)]
        odd = [text for text in odd if "=" in text]
        # A card received in this very pass cannot be passed on.
        incoming = [f"pass {card}" for card in one.passes.values() if card in missing]
        return odd or incoming or [f"pass {card}" for card in missing]

    return spoil_text(rng, record, "pass", wrong)


def break_wrong_seat(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        one = before(record, k, m).rounds[-1]
        others = [seat for seat in range(one.rules.players) if seat not in one.legal()]
        if others:
            record["rounds"][k]["actions"][m][0] = rng.choice(others)
            return at(k, m)
    return NOT_HERE


def break_no_seat(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        players = rules_of(record).players
        wrong: list[Any] = [players, -1, 99, None, "0", True, [0]]
        record["rounds"][k]["actions"][m][0] = rng.choice(wrong)
        return at(k, m)
    return NOT_HERE


def break_order(rng: random.Random, record: Record) -> str:
    """Two neighbouring actions swap places."""
    for k, m in some_actions(rng, record):
        actions = record["rounds"][k]["actions"]
        if m + 1 < len(actions) and actions[m] != actions[m + 1]:
            actions[m], actions[m + 1] = actions[m + 1], actions[m]
            return ANYWHERE
    return NOT_HERE


def break_dropped(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        del record["rounds"][k]["actions"][m]
        return ANYWHERE
    return NOT_HERE


def break_twice(rng: random.Random, record: Record) -> str:
    """The same action again, at once."""
    for k, m in some_actions(rng, record):
        actions = record["rounds"][k]["actions"]
        actions.insert(m, list(actions[m]))
        return ANYWHERE
    return NOT_HERE


def break_bid_range(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        return [f"bid {one.size + 1}", f"bid {one.size + 7}", "bid 100000000000000000000"]

    return spoil_text(rng, record, "bid", wrong)


def break_bid_total(rng: random.Random, record: Record) -> str:
    """Section 4: the total that plus_minus_one or leader_uneven forbids."""
    rules = rules_of(record)
    if rules.bid_rule == "free":
        return NOT_HERE
    places = all_actions(record, "bid")
    rng.shuffle(places)
    for k, m in places:
        seat = record["rounds"][k]["actions"][m][0]
        if seat != (record["first_dealer"] + k) % rules.players:
            continue  # the dealer is the last bidder
        one = before(record, k, m).rounds[-1]
        forbidden = one.forbidden_bid(seat)
        if forbidden is not None and forbidden >= 0:
            record["rounds"][k]["actions"][m][1] = f"bid {forbidden}"
            return at(k, m)
    return NOT_HERE


def break_double_bid(rng: random.Random, record: Record) -> str:
    """Hidden and secret bidding: a seat bids a second time while others still think."""
    if rules_of(record).bidding == "open":
        return NOT_HERE
    for k, m in some_actions(rng, record, "bid"):
        actions = record["rounds"][k]["actions"]
        later = [i for i in range(m + 1, len(actions)) if actions[i][1].startswith("bid")]
        if later:
            i = rng.choice(later)
            actions.insert(i, [actions[m][0], f"bid {rng.randint(0, 1)}"])
            return at(k, i)
    return NOT_HERE


def break_double_pass(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record, "pass"):
        actions = record["rounds"][k]["actions"]
        if m + 1 < len(actions) and actions[m + 1][1].startswith("pass"):
            hand = before(record, k, m).rounds[-1].hands[actions[m][0]]
            actions.insert(m + 1, [actions[m][0], f"pass {rng.choice(hand)}"])
            return at(k, m + 1)
    return NOT_HERE


def break_no_announcement(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        open_cards = [card for card in one.hands[seat] if card in ("SH", "JU", "CL")]
        texts = [f"play {card}" for card in open_cards] * 4
        for card in open_cards:
            bad = ["R", "B4", "DR", "none"] if card == "SH" else ["W", "J", "none", "r", "R4"]
            texts += [f"play {card}={value}" for value in ["", *bad]]
        return texts

    return spoil_text(rng, record, "play", wrong)


def break_announcement(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        plain = [card for card in one.hands[seat] if card not in ("SH", "JU", "CL")]
        return [f"play {card}={value}" for card in plain for value in ["R", "W", "J", card]]

    return spoil_text(rng, record, "play", wrong)


def break_text(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        action = record["rounds"][k]["actions"][m]
        text = str(action[1])
        verb, what = text.split(" ")
        action[1] = rng.choice(
            [
                "",
                verb,
                what,
                f"{verb} ",
                f"{verb}  {what}",
                f" {text}",
                f"{text} ",
                f"{text}\n",
                f"{text} {what}",
                text.upper(),
                f"{verb} {what.lower()}x",
                f"{verb}:{what}",
                f"{verb} -1",
                f"{verb} 1.0",
                f"{verb} 01",
                f"{verb} ٣",
                f"{verb} X5",
                f"{verb} R14",
                f"{verb} R0",
                f"{verb} r4",
                f"{verb} null",
                "resign",
                None,
                7,
                ["play", "R4"],
                {"play": "R4"},
            ]
        )
        return at(k, m)
    return NOT_HERE


def break_pair(rng: random.Random, record: Record) -> str:
    """An action that is not a pair at all."""
    for k, m in some_actions(rng, record):
        seat, text = record["rounds"][k]["actions"][m]
        wrong: list[Any] = [[], [seat], [text, seat], text, None, 3, {"seat": seat, "action": text}]
        record["rounds"][k]["actions"][m] = rng.choice(wrong)
        return at(k, m)
    return NOT_HERE


def break_phase(rng: random.Random, record: Record) -> str:
    """The right seat does something that is not due now."""
    for k, m in some_actions(rng, record):
        one = before(record, k, m).rounds[-1]
        seat, text = record["rounds"][k]["actions"][m]
        card = rng.choice([*one.hands[seat], "W"])
        ways = announcements(card)
        texts = ["trump R", "trump none", "bid 0", "bid 1", f"pass {card}", "cloud +1", "cloud -1"]
        texts.append(f"play {rng.choice(ways)}")
        verb = text.split(" ")[0]
        wrong = rng.choice([other for other in texts if not other.startswith(verb)])
        if rng.random() < 0.5:
            record["rounds"][k]["actions"][m][1] = wrong
        else:
            record["rounds"][k]["actions"].insert(m, [seat, wrong])
        return at(k, m)
    return NOT_HERE


def break_trump(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        texts = ["trump W", "trump B5", "trump None", "trump r", "trump X"]
        if "none" not in one.trump_choices:
            texts += ["trump none"] * 10
        return texts

    return spoil_text(rng, record, "trump", wrong)


def break_trump_by_dealer(rng: random.Random, record: Record) -> str:
    """Section 3: whoever was dealt the Werewolf names trump, not the dealer."""
    for k, m in some_actions(rng, record, "trump"):
        one = before(record, k, m).rounds[-1]
        if one.trump_namer != one.dealer:
            record["rounds"][k]["actions"][m][0] = one.dealer
            return at(k, m)
    return NOT_HERE


def break_cloud(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        allowed = one.legal()[seat]
        texts = [text for text in ("cloud +1", "cloud -1") if text not in allowed] * 10
        return [*texts, "cloud 0", "cloud 1", "cloud +2", "cloud", "cloud +0"]

    return spoil_text(rng, record, "cloud", wrong)


def break_play_werewolf(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        return ["play WE", "play WE=R"] if one.turned == "WE" else []

    return spoil_text(rng, record, "play", wrong)


def break_extra_action(rng: random.Random, record: Record) -> str:
    """One more action after the round is complete."""
    game = run_record(record)
    over = [k for k, one in enumerate(game.rounds) if one.over()]
    if not over:
        return NOT_HERE
    k = rng.choice(over)
    actions = record["rounds"][k]["actions"]
    texts = ["play W", "play R4", "pass R4", "bid 0", "bid 1", "trump R", "cloud +1", "cloud -1"]
    actions.append([rng.randrange(game.rules.players), rng.choice(texts)])
    return at(k, len(actions) - 1)


def break_duplicate(rng: random.Random, record: Record) -> str:
    """A card is dealt once more than it exists; of four, a fifth."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    hands = record["rounds"][k]["hands"]
    places = [(seat, i) for seat, hand in enumerate(hands) for i in range(len(hand))]
    mono = rules_of(record).mode == "monocolour"
    rng.shuffle(places)
    for seat, i in places:
        card = hands[seat][i]
        owners = [
            (s, j)
            for s, j in places
            if (s, j) != (seat, i) and hands[s][j] != card and (not mono or s == seat)
        ]
        if card in ("W", "J") and not mono:
            copies = 5 - sum(hand.count(card) for hand in hands)
            if len(owners) < copies or rng.random() < 0.5:
                continue
            for s, j in owners[:copies]:
                hands[s][j] = card
            return at(k)
        if owners:
            s, j = rng.choice(owners)
            hands[s][j] = card
            return at(k)
    return NOT_HERE


def break_hand_size(rng: random.Random, record: Record) -> str:
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    hands = one["hands"]
    kind = rng.randrange(6)
    seat = rng.randrange(len(hands))
    if kind == 0:
        hands[seat].pop()
    elif kind == 1:
        used = [card for hand in hands for card in hand] + [one["turned"]]
        hands[seat].append(rng.choice([card for card in SUIT_CARDS if card not in used] or ["R4"]))
    elif kind == 2:
        hands[seat - 1].append(hands[seat].pop())
    elif kind == 3:
        hands.pop()
    elif kind == 4:
        hands.append(list(hands[0]) if rng.random() < 0.5 else [])
    else:
        hands[seat] = rng.choice([[], None, " ".join(hands[seat])])
    return at(k)


def break_foreign_card(rng: random.Random, record: Record) -> str:
    """A special card that is not in this game's deck, in a hand or turned up."""
    specials = rules_of(record).specials
    foreign = [card for card in SPECIALS if card not in specials]
    if not record["rounds"] or not foreign:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    if one["turned"] is not None and rng.random() < 0.3:
        one["turned"] = rng.choice(foreign)
    else:
        hand = rng.choice(one["hands"])
        hand[rng.randrange(len(hand))] = rng.choice(foreign)
    return at(k)


def break_unknown_card(rng: random.Random, record: Record) -> str:
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    codes: list[Any] = ["R14", "R0", "r4", "X3", "", "R", "R04", " R4", "W1", "Z", "WI", "w"]
    codes += ["JU=R", "CL=G", "SH=W", "SH=J", None, 4, ["R4"], "R4 ", "R4\n", "R٤"]
    code = rng.choice(codes)
    if rng.random() < 0.2:
        one["turned"] = "none" if code is None else code
    else:
        hand = rng.choice(one["hands"])
        hand[rng.randrange(len(hand))] = code
    return at(k)


def break_turned(rng: random.Random, record: Record) -> str:
    """null where a card must be turned up, or a card where none is left."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    if one["turned"] is None:
        one["turned"] = rng.choice([*SUIT_CARDS, "W", "J"])
    else:
        one["turned"] = None
    return at(k)


def break_turned_twin(rng: random.Random, record: Record) -> str:
    """The turned-up card also lies in a hand."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    cards = [card for hand in one["hands"] for card in hand if card not in ("W", "J")]
    if one["turned"] is None or not cards:
        return NOT_HERE
    one["turned"] = rng.choice(cards)
    return at(k)


def break_mono_suit(rng: random.Random, record: Record) -> str:
    """Monocolour: a card of another suit, or two seats that swap suits."""
    if rules_of(record).mode != "monocolour" or not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    hands = record["rounds"][k]["hands"]
    if k > 0 and rng.random() < 0.4:
        a, b = rng.sample(range(len(hands)), 2)
        hands[a], hands[b] = hands[b], hands[a]
        return ANYWHERE
    places = [(s, i) for s, hand in enumerate(hands) for i in range(len(hand))]
    s, i = rng.choice(places)
    hands[s][i] = rng.choice(SUIT_CARDS)
    return ANYWHERE


def break_already_out(rng: random.Random, record: Record) -> str:
    """Two players: a card that an earlier round used or turned up."""
    if rules_of(record).mode != "two_player" or len(record["rounds"]) < 2:
        return NOT_HERE
    k = rng.randrange(1, len(record["rounds"]))
    out: list[str] = []
    for one in record["rounds"][:k]:
        out += [card for hand in one["hands"] for card in hand] + [one["turned"]]
    out = [card for card in out if card not in ("W", "J")]
    if not out:
        return NOT_HERE
    if rng.random() < 0.2:
        record["rounds"][k]["turned"] = rng.choice(out)
    else:
        hand = rng.choice(record["rounds"][k]["hands"])
        hand[rng.randrange(len(hand))] = rng.choice(out)
    return at(k)


def break_extra_round(rng: random.Random, record: Record) -> str:
    """Another round after the end, or after an incomplete one."""
    game = run_record(record)
    rounds = record["rounds"]
    if not rounds:
        return NOT_HERE
    if game.finished():
        if rng.random() < 0.5:
            rounds.append(copy.deepcopy(rng.choice(rounds)))
        else:
            empty: list[list[str]] = [[] for _ in range(game.rules.players)]
            rounds.append({"hands": empty, "turned": None, "actions": []})
        return at(len(rounds) - 1)
    if not game.awaits_deal():
        rounds.append(copy.deepcopy(rounds[-1]))
        return at(len(rounds) - 2)
    return NOT_HERE


def break_cut_inside(rng: random.Random, record: Record) -> str:
    """A round that is not the last one ends too early."""
    if len(record["rounds"]) < 2:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]) - 1)
    actions = record["rounds"][k]["actions"]
    del actions[rng.randrange(len(actions)) :]
    return at(k)


def break_next_deal(rng: random.Random, record: Record) -> str:
    """The next deal comes, but with a card too few."""
    game = run_record(record)
    if not game.awaits_deal():
        return NOT_HERE
    suits = [suit for suit in SUITS if suit not in game.own_suits.values()]
    own = [game.own_suits.get(seat) or suits.pop() for seat in range(min(4, game.rules.players))]
    hands, turned = random_deal(rng, game, own, False)
    rng.choice(hands).pop()
    record["rounds"].append({"hands": hands, "turned": turned, "actions": []})
    return at(len(record["rounds"]) - 1)


BREAKERS: list[Breaker] = [
    break_revoke,
    break_not_held,
    break_played_again,
    break_pass_not_held,
    break_wrong_seat,
    break_no_seat,
    break_order,
    break_dropped,
    break_twice,
    break_bid_range,
    break_bid_total,
    break_double_bid,
    break_double_pass,
    break_no_announcement,
    break_announcement,
    break_text,
    break_pair,
    break_phase,
    break_trump,
    break_trump_by_dealer,
    break_cloud,
    break_play_werewolf,
    break_extra_action,
    break_duplicate,
    break_hand_size,
    break_foreign_card,
    break_unknown_card,
    break_turned,
    break_turned_twin,
    break_mono_suit,
    break_already_out,
    break_extra_round,
    break_cut_inside,
    break_next_deal,
]

# Those that rarely apply are tried more often.
SELDOM: list[Breaker] = [
    break_revoke,
    break_pass_not_held,
    break_bid_total,
    break_double_bid,
    break_double_pass,
    break_no_announcement,
    break_trump,
    break_trump_by_dealer,
    break_cloud,
    break_play_werewolf,
    break_mono_suit,
    break_already_out,
    break_next_deal,
]


def refusal_of(record: Record) -> str | None:
    """The message with which the replay refuses a record, or None."""
    try:
        replay(record)
    except RefusedError as refusal:
        return str(refusal)
    return None


def location_of(message: str) -> str:
    """The place that a message names; "" if it names none."""
    match = re.match(r"(round [0-9]+(?:, action [0-9]+)?): ", message)
    return match[1] if match is not None else ""


def break_record(
    rng: random.Random, record: dict[str, Any], breaker: Breaker | None = None
) -> tuple[dict[str, Any], str]:
    """The record with one thing broken, and where it must be refused."""
    for _ in range(300 if breaker is None else 20):
        chosen = breaker if breaker is not None else rng.choice([*BREAKERS, *SELDOM, *SELDOM])
        broken = copy.deepcopy(record)
        claim = chosen(rng, broken)
        if claim == NOT_HERE:
            continue
        message = refusal_of(broken)
        if message is None:
            if claim == ANYWHERE:
                continue
            raise AssertionError(f"{chosen.__name__}: not refused at {claim}: {broken}")
        location = location_of(message)
        if not location or claim not in (ANYWHERE, location):
            raise AssertionError(f"{chosen.__name__}: {claim} expected: {message}: {broken}")
        return broken, location
    raise ValueError("found no way to break this record")


# ---------------------------------------------------------------------------------------------
# Faults before any round (an extra, not part of the files written below)
# ---------------------------------------------------------------------------------------------


def break_setup(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """The record with a fault before its first round: refused without a place."""
    players = rules_of(record).players
    patches: list[tuple[str, Any]] = [
        ("format", "foretold/0"),
        ("format", None),
        ("first_dealer", players),
        ("first_dealer", -1),
        ("first_dealer", "0"),
        ("names", ["Ana"]),
        ("rounds", {}),
    ]
    rule_patches: list[dict[str, Any]] = [
        {"players": 7},
        {"players": 1},
        {"players": "4"},
        {"mode": "duel"},
        {"edition": "nobody"},
        {"rounds": "0"},
        {"rounds": "1-"},
        {"rounds": ""},
        {"rounds": "31"},
        {"rounds": "1,,2"},
        {"bidding": "closed"},
        {"dark_wizard": "yes"},
        {"dealer_by": "age"},
        {"specials": ["DR"]},
        {"specials": ["FA", "BO"]},
        {"specials": ["XX"]},
        {"specials": ["BO", "BO"]},
        {"specials": ["BO"], "clairvoyance": "every_round"},
        {"specials": ["SH"], "mode": "monocolour", "players": 4},
        {"specials": ["SH"], "mode": "two_player", "players": 2},
        {"clairvoyance": "first_round", "mode": "monocolour", "specials": [], "players": 4},
        {"bid_rule": "plus_minus_one", "bidding": "hidden"},
        {"bid_rule": "leader_uneven", "bidding": "secret"},
        {"mode": "standard", "players": 2, "bidding": "open"},
        {"mode": "monocolour", "players": 5, "specials": []},
        {"mode": "two_player", "players": 3, "specials": [], "bidding": "secret"},
    ]
    broken = copy.deepcopy(record)
    if rng.random() < 0.3:
        name, value = rng.choice(patches)
        broken[name] = value
    else:
        broken["rules"].update(rng.choice(rule_patches))
    message = refusal_of(broken)
    if message is None or location_of(message):
        raise AssertionError(f"not refused at set-up: {message}: {broken}")
    return broken


# ---------------------------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------------------------


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games and what their replay must print.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    records: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    broken: list[dict[str, Any]] = []
    broken_expected: list[dict[str, Any]] = []
    for _ in range(options.games):
        record = random_record(rng)
        records.append(record)
        expected.append(replay(record))
        wrong, location = break_record(rng, record)
        broken.append(wrong)
        broken_expected.append({"location": location})
    options.out.mkdir(parents=True, exist_ok=True)
    write_lines(options.out / "records.jsonl", records)
    write_lines(options.out / "expected.jsonl", expected)
    write_lines(options.out / "broken.jsonl", broken)
    write_lines(options.out / "broken_expected.jsonl", broken_expected)


if __name__ == "__main__":
    main()

"""What a seat may know of a game, and nothing else.

Bots, clients and researchers see a game only through a `View`. It is built only here, field by
field, from what the seat may know: nothing can slip in because somebody forgot to leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from operator import attrgetter

from foretold.actions import Action
from foretold.cards import CARDS, Card, Suit, Trump
from foretold.kernel import Phase
from foretold.kernel.layout import (
    BIDS_MADE,
    PASSED,
    PENDING,
    PHASE,
    TRICKS,
    TRUMP_SUIT,
)
from foretold.position import Position
from foretold.results import Outcome, Round, Trick
from foretold.rules import Mode, Rules

_SUITS = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Pass:
    """The Juggler's pass as one seat saw it: the card it gave to the left, and the one it got."""

    given: Card
    received: Card | None
    """None until all have chosen."""
    after: int
    """How many tricks had been played."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat sees it, or a spectator (`seat` None).

    Between rounds and after the game, the round's fields are those of the round just finished, as
    its cards still lie on the table.
    """

    rules: Rules
    """The options of the game."""
    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Phase
    """What the game is waiting for."""
    to_act: tuple[int, ...]
    """The seats that must decide now, in ascending order; several if they decide simultaneously."""
    legal_actions: tuple[Action, ...]
    """What this seat may do now; empty unless it is among `to_act`."""

    round: int
    """The number of the round, from 1; 0 before the first deal."""
    size: int
    """The number of cards dealt to each player, which is also the number of tricks."""
    dealer: int
    """Who deals the round."""
    hand: tuple[Card, ...] | None
    """The seat's cards, in order of their numbers; None for a spectator, and under clairvoyance
    until all have bid."""
    seen_hands: tuple[tuple[Card, ...] | None, ...]
    """Under clairvoyance, the others' hands as dealt, sorted, by seat, even after the bids;
    None for every hand not seen."""
    turned: Card | None
    """The card that was turned up, if any."""
    werewolf: int | None
    """Who was dealt the Werewolf and swapped it openly for the turned-up card."""
    trump: Trump | None
    """Trump of the round; None until it is named."""

    bids: tuple[int | None, ...]
    """The bids by seat; None if not made or not shown yet. A seat always sees its own bid."""
    taken: tuple[int, ...]
    """The tricks taken, by seat."""
    trick: Trick | None
    """The trick under way; None unless cards are being played."""
    winning: int | None
    """Who would take that trick as it stands; None while no card is played."""
    follow: Suit | None
    """The suit to follow in it, if one is set."""
    tricks: tuple[Trick, ...]
    """The finished tricks of the round, first to last."""
    passes: tuple[Pass, ...]
    """The round's passes that this seat took part in."""
    set_aside: tuple[Card, ...]
    """The cards that the Bomb set aside in this round."""

    suits: tuple[Suit | None, ...]
    """The seats' own suits in the monocolour game; None if there is none, or it is not known."""
    out: tuple[Card, ...]
    """The cards used in earlier rounds of the two-player game."""

    sheet: tuple[Round, ...]
    """The score sheet: every finished round."""
    totals: tuple[int, ...]
    """The points by seat after the last finished round."""
    outcome: Outcome | None
    """How the game ended, once it has."""

    @property
    def last_trick(self) -> Trick | None:
        """The trick that may be looked at: the last one, even if it was in the previous round."""
        return _last_trick(self.tricks, self.sheet)


class Look:
    """What a seat may know of a position, with each field of its `View` computed on demand.

    For callers that often need a few of the fields.
    """

    __slots__ = ("position", "seat")

    def __init__(self, position: Position, seat: int | None) -> None:
        self.position = position
        self.seat = seat

    # The same for everyone

    @property
    def rules(self) -> Rules:
        return self.position.rules

    @property
    def to_act(self) -> tuple[int, ...]:
        return self.position.to_act

    @property
    def tricks(self) -> tuple[Trick, ...]:
        return self.position.tricks

    @property
    def sheet(self) -> tuple[Round, ...]:
        return self.position.sheet

    @property
    def phase(self) -> Phase:
        return self.position.phase

    @property
    def round(self) -> int:
        return len(self.position.past) + (self.position.log is not None)

    @property
    def size(self) -> int:
        return self.position.size

    @property
    def dealer(self) -> int:
        return self.position.dealer

    @property
    def turned(self) -> Card | None:
        return self.position.turned

    @property
    def werewolf(self) -> int | None:
        return self.position.werewolf

    @property
    def trump(self) -> Trump | None:
        return self.position.trump

    @property
    def taken(self) -> tuple[int, ...]:
        return self.position.taken

    @property
    def trick(self) -> Trick | None:
        return self.position.trick

    @property
    def winning(self) -> int | None:
        return self.position.winning

    @property
    def follow(self) -> Suit | None:
        return self.position.follow

    @property
    def last_trick(self) -> Trick | None:
        return _last_trick(self.tricks, self.sheet)

    @property
    def set_aside(self) -> tuple[Card, ...]:
        return tuple(card for trick in self.tricks if trick.is_set_aside for card in trick.cards)

    @property
    def out(self) -> tuple[Card, ...]:
        return self.position.out

    @property
    def totals(self) -> tuple[int, ...]:
        return self.position.totals

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.totals) if self.phase is Phase.OVER else None

    # What only this seat may know

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        if self.seat is None or self.seat not in self.to_act:
            return ()
        return tuple(self.position.legal_actions(self.seat))

    @property
    def hand(self) -> tuple[Card, ...] | None:
        seat, position = self.seat, self.position
        covered = not position.bids_are_made and self._is_clairvoyant
        return None if seat is None or covered else position.hand(seat)

    @property
    def seen_hands(self) -> tuple[tuple[Card, ...] | None, ...]:
        log = self.position.log
        if log is None or self.seat is None or not self._is_clairvoyant:
            return (None,) * self.rules.players
        return tuple(
            tuple(sorted(hand)) if seat != self.seat else None
            for seat, hand in enumerate(log.deal.hands)
        )

    @property
    def bids(self) -> tuple[int | None, ...]:
        return bids_of(self.position, self.seat)

    @property
    def passes(self) -> tuple[Pass, ...]:
        return _passes(self.position, self.seat)

    @property
    def suits(self) -> tuple[Suit | None, ...]:
        return _suits(self.position, self.seat)

    @property
    def _is_clairvoyant(self) -> bool:
        return self.position.log is not None and self.rules.is_clairvoyant(self.position.size)


_all_of = attrgetter(*(field.name for field in fields(View)))


def view_of(position: Position, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    return View(*_all_of(Look(position, seat)))


# What can have changed from one position to the next, by groups of fields: code that shows every
# position to many viewers need not compute the other groups again.


def same_round(before: Position, after: Position) -> bool:
    """Whether the deal, trump and the score sheet are the same."""
    return (
        before.past is after.past
        and before.sheet is after.sheet
        and before.row[TRUMP_SUIT] == after.row[TRUMP_SUIT]
    )


def same_tricks(before: Position, after: Position) -> bool:
    """Whether no trick was finished."""
    return before.tricks is after.tricks and before.sheet is after.sheet


def same_bids(before: Position, after: Position) -> bool:
    """Whether nobody has bid."""
    return before.past is after.past and before.row[BIDS_MADE] == after.row[BIDS_MADE]


def same_secrets(before: Position, after: Position) -> bool:
    """Whether nobody has learned anything that is not public: bids, passes, suits and hands.

    Hands are then the same too, except for the cards just played.
    """
    then, now, rules = before.row[PHASE], after.row[PHASE], after.rules
    if before.past is not after.past:
        return False
    if rules.mode is Mode.MONOCOLOUR and not after.suits_are_public:
        return False  # a card may reveal its seat's suit
    if then == now == Phase.PLAY:
        return True
    if rules.seals_bids or rules.is_clairvoyant(after.size):
        return False
    return then != Phase.PASS != now


def same_but_hands(before: Position, after: Position) -> bool:
    """The same, except that the hands may be others, as after a new deal."""
    rules = after.rules
    return not (
        rules.seals_bids
        or rules.is_clairvoyant(before.size)
        or rules.is_clairvoyant(after.size)
        or (rules.mode is Mode.MONOCOLOUR and not after.suits_are_public)
        or (before.passed_after, after.passed_after) != (None, None)
        or Phase.PASS in (before.row[PHASE], after.row[PHASE])
    )


def has_only_played(before: Position, after: Position) -> bool:
    """Whether a card was played, and neither a decision other than the next card nor the end of the
    round followed from it."""
    return (
        before.row[PHASE] == after.row[PHASE] == Phase.PLAY
        and same_round(before, after)
        and same_secrets(before, after)
    )


def has_only_bid(before: Position, after: Position) -> bool:
    """Whether a bid was made that everyone sees, and the next bid or the first card follows."""
    return (
        before.row[PHASE] == Phase.BID
        and after.row[PHASE] in (Phase.BID, Phase.PLAY)
        and same_round(before, after)
        and same_secrets(before, after)
    )


def between_rounds(view: View) -> View:
    """The table as the last finished round left it, before the next deal."""
    if view.phase is Phase.OVER:
        return view
    line = view.sheet[-1]
    return replace(
        view,
        phase=Phase.DEAL,
        to_act=(),
        legal_actions=(),
        round=len(view.sheet),
        size=line.size,
        dealer=line.dealer,
        hand=(),
        seen_hands=(None,) * view.rules.players,
        turned=line.turned,
        werewolf=None,
        trump=line.trump,
        bids=line.scored_bids,
        taken=line.taken,
        trick=None,
        winning=None,
        follow=None,
        tricks=line.tricks,
        passes=(),
        set_aside=(),
    )


def bids_of(position: Position, seat: int | None) -> tuple[int | None, ...]:
    """The bids that a seat, or a spectator (None), knows."""
    bids = position.bids
    if position.bids_show:
        return bids
    return tuple(bid if other == seat else None for other, bid in enumerate(bids))


def _last_trick(tricks: tuple[Trick, ...], sheet: tuple[Round, ...]) -> Trick | None:
    tricks = tricks or (sheet[-1].tricks if sheet else ())
    return tricks[-1] if tricks else None


def _passes(position: Position, seat: int | None) -> tuple[Pass, ...]:
    if seat is None:
        return ()
    row = position.row
    given = CARDS[row[PASSED + seat]]
    if position.passed_after is not None:
        giver = (seat - 1) % position.rules.players
        return (Pass(given, CARDS[row[PASSED + giver]], position.passed_after),)
    if row[PHASE] == Phase.PASS and not row[PENDING] >> seat & 1:
        return (Pass(given, None, row[TRICKS]),)
    return ()


def _suits(position: Position, seat: int | None) -> tuple[Suit | None, ...]:
    """The players' suits that are public, or that this seat has seen."""
    rules = position.rules
    if rules.mode is not Mode.MONOCOLOUR or position.suits_are_public:
        return position.suits
    seen: list[Suit | None] = [None] * rules.players
    if seat is not None:
        seen[seat] = position.suits[seat]
    under_way = position.trick
    tricks = [trick for line in position.sheet for trick in line.tricks]
    for trick in (*tricks, *position.tricks, *((under_way,) if under_way else ())):
        for player, play in zip(rules.seats_from(trick.leader), trick.plays, strict=False):
            if play.suit is not None:
                seen[player] = play.suit
    return tuple(seen)

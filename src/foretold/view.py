"""What a seat may know of a game, and nothing else.

Bots, clients and researchers see a game only through a `View`. It is built here alone, field by
field, from what the seat may know: nothing reaches it because somebody forgot to leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from foretold.actions import Action
from foretold.cards import CARDS, Card, Suit, Trump
from foretold.kernel import Phase
from foretold.kernel.layout import (
    PASSED,
    PENDING,
    PHASE,
    TRICKS,
)
from foretold.position import Position
from foretold.rules import Mode, Rules
from foretold.sheet import Outcome, Round, Trick

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

    Between two rounds and after the game the fields of the round are those of the last one, as
    the cards still lie on the table.
    """

    rules: Rules
    """The options of the game."""
    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Phase
    """What the game is waiting for."""
    to_act: tuple[int, ...]
    """The seats that must decide now, in rising order; several where all decide at once."""
    legal_actions: tuple[Action, ...]
    """What this seat may do now; empty unless it is among `to_act`."""

    round: int
    """The number of the round, from 1; 0 before the first deal."""
    size: int
    """The number of cards dealt to each player, and of tricks in the round."""
    dealer: int
    """Who deals the round."""
    hand: tuple[Card, ...] | None
    """The own cards, in order of their numbers; None for a spectator, and under clairvoyance until
    all have bid."""
    seen_hands: tuple[tuple[Card, ...] | None, ...]
    """Under clairvoyance the hands of the others as dealt, in order, by seat, also after the bids;
    None for all that was not seen."""
    turned: Card | None
    """The card that was turned up, if any."""
    werewolf: int | None
    """Who was dealt the Werewolf and swapped it openly for the turned-up card."""
    trump: Trump | None
    """Trump of the round; None until it is named."""

    bids: tuple[int | None, ...]
    """The bids by seat; None for one not made yet, or not shown yet. The own bid always shows."""
    taken: tuple[int, ...]
    """The tricks taken, by seat."""
    trick: Trick | None
    """The trick under way; None unless cards are being played."""
    winning: int | None
    """Who would take that trick as it stands; None while it is empty."""
    follow: Suit | None
    """The suit to follow in it, if one is set."""
    tricks: tuple[Trick, ...]
    """The finished tricks of the round, first to last."""
    passes: tuple[Pass, ...]
    """The passes of the round that this seat took part in."""
    set_aside: tuple[Card, ...]
    """The cards that a Bomb set aside in this round."""

    suits: tuple[Suit | None, ...]
    """The own suits of the seats in the monocolour game; None where there is none or not known."""
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
        """The one that may be looked at: until a trick of this round is taken, the last before."""
        tricks = self.tricks or (self.sheet[-1].tricks if self.sheet else ())
        return tricks[-1] if tricks else None


@dataclass(frozen=True, slots=True)
class Own:
    """The fields of a view that differ from seat to seat; all others are the same for everyone."""

    legal_actions: tuple[Action, ...]
    hand: tuple[Card, ...] | None
    seen_hands: tuple[tuple[Card, ...] | None, ...]
    bids: tuple[int | None, ...]
    passes: tuple[Pass, ...]
    suits: tuple[Suit | None, ...]


def own_of(position: Position, seat: int | None) -> Own:
    """What differs in the view of a seat, or of a spectator (None)."""
    rules = position.rules
    if seat is None:
        nothing = (None,) * rules.players
        return Own((), None, nothing, bids_of(position, None), (), _suits(position, None))
    log = position.log
    seen_hands: tuple[tuple[Card, ...] | None, ...] = (None,) * rules.players
    covered = False
    if log is not None and rules.is_clairvoyant(position.size):
        covered = not position.bids_are_made
        seen_hands = tuple(
            tuple(sorted(hand)) if other != seat else None
            for other, hand in enumerate(log.deal.hands)
        )
    return Own(
        legal_actions=tuple(position.legal_actions(seat)) if seat in position.to_act else (),
        hand=None if covered else position.hand(seat),
        seen_hands=seen_hands,
        bids=bids_of(position, seat),
        passes=_passes(position, seat),
        suits=_suits(position, seat),
    )


def view_of(position: Position, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    rules = position.rules
    own = own_of(position, seat)
    outcome = Outcome(position.totals) if position.phase is Phase.OVER else None
    return View(
        rules=rules,
        seat=seat,
        phase=position.phase,
        to_act=position.to_act,
        legal_actions=own.legal_actions,
        round=len(position.logs),
        size=position.size,
        dealer=position.dealer,
        hand=own.hand,
        seen_hands=own.seen_hands,
        turned=position.turned,
        werewolf=position.werewolf,
        trump=position.trump,
        bids=own.bids,
        taken=position.taken,
        trick=position.trick,
        winning=position.winning,
        follow=position.follow,
        tricks=position.tricks,
        passes=own.passes,
        set_aside=tuple(
            card for trick in position.tricks if trick.is_set_aside for card in trick.cards
        ),
        suits=own.suits,
        out=position.out,
        sheet=position.sheet,
        totals=position.totals,
        outcome=outcome,
    )


def between_rounds(view: View) -> View:
    """The table as the last finished round left it, before the next is dealt."""
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
    """The own suits that are public, or that this seat has seen."""
    rules = position.rules
    if rules.mode is not Mode.MONOCOLOUR or position.suits_are_public:
        return position.suits
    seen: list[Suit | None] = [None] * rules.players
    if seat is not None:
        seen[seat] = position.suits[seat]
    under_way = position.trick
    tricks = [trick for line in position.sheet for trick in line.tricks]
    for trick in (*tricks, *position.tricks, *((under_way,) if under_way else ())):
        for index, play in enumerate(trick.plays):
            if play.suit is not None:
                seen[(trick.leader + index) % rules.players] = play.suit
    return tuple(seen)

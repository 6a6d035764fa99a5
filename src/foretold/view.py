"""What a seat may know of a game, and nothing else.

Bots, clients and researchers see a game only through a `View`. It is built only here, field by
field, from what the seat may know: nothing can slip in because somebody forgot to leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from foretold.actions import ACTIONS, Action
from foretold.cards import CARDS, Card, Suit, Trump
from foretold.kernel import Phase, cards_in
from foretold.kernel.layout import (
    ANY_SUIT,
    BEST,
    BIDS,
    BIDS_MADE,
    HAND,
    LAST_POSITION,
    LEADER,
    LED_CARDS,
    NOTHING,
    PASSED,
    PENDING,
    PHASE,
    PLAYED,
    POSITIONS,
    SIZE,
    TAKEN,
    TRICK,
    TRICKS,
    VALUES,
)
from foretold.position import Position
from foretold.rules import Bidding, Mode, Rules
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
        """The trick that may be looked at: this round's last, or the previous round's if none."""
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
    row = position.row
    log = position.log
    seen_hands: tuple[tuple[Card, ...] | None, ...] = (None,) * rules.players
    covered = False
    if log is not None and rules.is_clairvoyant(row[SIZE]):
        covered = row[BIDS_MADE] != rules.players
        seen_hands = tuple(
            tuple(sorted(hand)) if other != seat else None
            for other, hand in enumerate(log.deal.hands)
        )
    return Own(
        legal_actions=tuple(position.legal_actions(seat)) if seat in position.to_act else (),
        hand=None if covered else cards_in(row[HAND + seat]),
        seen_hands=seen_hands,
        bids=bids_of(position, seat),
        passes=_passes(position, seat),
        suits=_suits(position, seat),
    )


def view_of(position: Position, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    rules = position.rules
    row = position.row
    own = own_of(position, seat)
    outcome = Outcome(position.totals) if row[PHASE] == Phase.OVER else None
    return View(
        rules=rules,
        seat=seat,
        phase=position.phase,
        to_act=position.to_act,
        legal_actions=own.legal_actions,
        round=len(position.logs),
        size=row[SIZE],
        dealer=position.dealer,
        hand=own.hand,
        seen_hands=own.seen_hands,
        turned=position.turned,
        werewolf=position.werewolf,
        trump=position.trump,
        bids=own.bids,
        taken=position.by_seat(TAKEN),
        trick=_trick_under_way(row),
        winning=winning(row, rules.players),
        follow=follow(row),
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
    row = position.row
    bidding = position.rules.bidding
    all_shown = (
        bidding is Bidding.OPEN
        or (bidding is Bidding.HIDDEN and row[BIDS_MADE] == position.rules.players)
        or row[TRICKS] == row[SIZE]
    )
    return tuple(
        bid if bid != NOTHING and (all_shown or other == seat) else None
        for other, bid in enumerate(position.by_seat(BIDS))
    )


def _trick_under_way(row: list[int]) -> Trick | None:
    if row[PHASE] != Phase.PLAY:
        return None
    plays = row[TRICK : TRICK + row[PLAYED]]
    return Trick(row[LEADER], tuple(ACTIONS[play] for play in plays))


def winning(row: list[int], players: int) -> int | None:
    """Who would take the trick under way as it stands."""
    if row[PHASE] != Phase.PLAY or not row[PLAYED]:
        return None
    return (row[LEADER] + LAST_POSITION - row[BEST] % POSITIONS) % players


def follow(row: list[int]) -> Suit | None:
    """The suit to follow in that trick."""
    if row[PHASE] != Phase.PLAY or row[ANY_SUIT] or not row[LED_CARDS]:
        return None
    return _SUITS[(row[LED_CARDS].bit_length() - 1) // VALUES]


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
    under_way = _trick_under_way(position.row)
    tricks = [trick for line in position.sheet for trick in line.tricks]
    for trick in (*tricks, *position.tricks, *((under_way,) if under_way else ())):
        for index, play in enumerate(trick.plays):
            if play.suit is not None:
                seen[(trick.leader + index) % rules.players] = play.suit
    return tuple(seen)

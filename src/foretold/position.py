"""The position of a game: the kernel's state, what has happened, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from foretold.actions import ACTIONS, BID, Action, Verb
from foretold.cards import CARDS, Card, Suit, Trump
from foretold.deal import Deal, out_after, own_suits
from foretold.kernel import Phase, State, acting, begin_round, cards_in, legal, new_state
from foretold.kernel.layout import (
    ANY_SUIT,
    BEST,
    BIDS,
    BIDS_MADE,
    DEALER,
    HAND,
    KINDS,
    LAST_POSITION,
    LEADER,
    LED_CARDS,
    MAX_PLAYERS,
    NOTHING,
    PHASE,
    PLAYED,
    POSITIONS,
    ROUND,
    SCORED_BIDS,
    SIZE,
    TAKEN,
    TOTALS,
    TRICK,
    TRICKS,
    TRUMP_SUIT,
    TURN,
    TURNED,
    VALUES,
    WEREWOLF_SEAT,
)
from foretold.legal_actions import LegalActions
from foretold.results import Round, Trick
from foretold.rules import Mode, Rules

_SUITS = tuple(Suit)
_PHASES = {int(phase): phase for phase in Phase}
_TRUMPS = tuple(Trump)
SEATS = tuple(
    tuple(seat for seat in range(MAX_PLAYERS) if seats >> seat & 1)
    for seats in range(1 << MAX_PLAYERS)
)
"""Seats by their bits."""
_MOVES = tuple(tuple((seat, action) for action in ACTIONS) for seat in range(MAX_PLAYERS))
"""The entries of logs, created once: a log is copied with every action."""
_WAYS_TO_PLAY = tuple(
    sum(1 << action for action in ACTIONS if action.verb is Verb.PLAY and action.card == card)
    for card in CARDS
)
"""By card, a bit for each action that plays it."""
_UNANNOUNCED = sum(1 << card for card in CARDS if _WAYS_TO_PLAY[card] == 1 << card)
"""The cards that can only be played by the action with the card's own number."""
_ANNOUNCED = KINDS & ~_UNANNOUNCED


class Standing:
    """What a row of the kernel contains, hidden cards included."""

    __slots__ = ()
    rules: Rules
    row: list[int]

    @property
    def phase(self) -> Phase:
        return _PHASES[self.row[PHASE]]

    @property
    def turn(self) -> int:
        """The seat to act; the first if there are several."""
        return self.row[TURN]

    @property
    def rounds_finished(self) -> int:
        return self.row[ROUND]

    @property
    def size(self) -> int:
        return self.row[SIZE]

    @property
    def turned(self) -> Card | None:
        turned = self.row[TURNED]
        return None if turned == NOTHING else CARDS[turned]

    @property
    def werewolf(self) -> int | None:
        seat = self.row[WEREWOLF_SEAT]
        return None if seat == NOTHING else seat

    @property
    def trump(self) -> Trump | None:
        trump = self.row[TRUMP_SUIT]
        return None if trump == NOTHING else _TRUMPS[trump]

    @property
    def totals(self) -> tuple[int, ...]:
        return self._by_seat(TOTALS)

    @property
    def taken(self) -> tuple[int, ...]:
        return self._by_seat(TAKEN)

    @property
    def bids(self) -> tuple[int | None, ...]:
        """The bids made, whoever may see them."""
        bids = self.row[BIDS : BIDS + self.rules.players]
        return tuple([None if bid == NOTHING else bid for bid in bids])

    @property
    def bids_are_made(self) -> bool:
        return self.row[BIDS_MADE] == self.rules.players

    @property
    def bids_show(self) -> bool:
        """Whether everyone may see the bids."""
        row = self.row
        return self.rules.bids_show(
            all_made=self.bids_are_made, all_played=row[TRICKS] == row[SIZE]
        )

    @property
    def is_decided_at_once(self) -> bool:
        """Whether everyone decides now without seeing the others' choices."""
        phase = self.phase
        return phase is Phase.PASS or (phase is Phase.BID and self.rules.seals_bids)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat, in order of their numbers."""
        return cards_in(self.row[HAND + seat])

    def lowest_of(self, suit: Suit, seat: int) -> Card:
        """The lowest card of a suit in the hand of a seat, which has one."""
        held = self.row[HAND + seat] >> suit * VALUES & (1 << VALUES) - 1
        return CARDS[suit * VALUES + (held & -held).bit_length() - 1]

    def kinds_held(self, seat: int) -> tuple[int, int]:
        """The kinds of cards in the hand of a seat, and in all others together, a bit each."""
        hands = self.row[HAND : HAND + self.rules.players]
        own, others = hands.pop(seat) & KINDS, 0
        for hand in hands:
            others |= hand
        return own, others & KINDS

    @property
    def trick(self) -> Trick | None:
        """The trick under way; None unless cards are being played."""
        row = self.row
        if row[PHASE] != Phase.PLAY:
            return None
        plays = row[TRICK : TRICK + row[PLAYED]]
        return Trick(row[LEADER], tuple([ACTIONS[play] for play in plays]))

    @property
    def leads(self) -> bool:
        """Whether the next card begins a trick."""
        return self.row[PHASE] == Phase.PLAY and not self.row[PLAYED]

    @property
    def winning(self) -> int | None:
        """Who would take the trick under way as it stands."""
        row = self.row
        if row[PHASE] != Phase.PLAY or not row[PLAYED]:
            return None
        return (row[LEADER] + LAST_POSITION - row[BEST] % POSITIONS) % self.rules.players

    @property
    def follow(self) -> Suit | None:
        """The suit to follow in it."""
        row = self.row
        if row[PHASE] != Phase.PLAY or row[ANY_SUIT] or not row[LED_CARDS]:
            return None
        return _SUITS[(row[LED_CARDS].bit_length() - 1) // VALUES]

    def _by_seat(self, field: int) -> tuple[int, ...]:
        return tuple(self.row[field : field + self.rules.players])


@dataclass(frozen=True, slots=True)
class Row(Standing):
    """A row by itself."""

    rules: Rules
    row: list[int]


class RoundLog(msgspec.Struct, frozen=True):
    """Everything that went into a round: its deal and the actions, in the order taken.

    Like a position, it never changes.
    """

    deal: Deal
    actions: tuple[tuple[int, Action], ...] = ()


class Position(Standing, msgspec.Struct):
    """Everything about a game at one moment, hidden cards included.

    It never changes; a game is a stack of positions.
    """

    rules: Rules
    state: State
    row: list[int]
    """The state again, as plain Python integers."""
    dealer: int
    """Who deals the round, or dealt the last one."""
    sheet: tuple[Round, ...]
    """The finished rounds."""
    past: Sequence[RoundLog]
    """The logs of the rounds before the current one."""
    log: RoundLog | None
    """The log of the current round, or of the last one while waiting for the next deal."""
    tricks: tuple[Trick, ...]
    """The finished tricks of that round."""
    passed_after: int | None
    """After how many of its tricks cards were passed, if they were."""
    suits: tuple[Suit | None, ...]
    """The seats' own suits in the monocolour game, as far as the deals show them."""
    suits_are_public: bool
    """Whether they were drawn openly before the game, as is usual at a table."""
    out: tuple[Card, ...]
    """The cards used in earlier rounds of the two-player game."""
    to_act: tuple[int, ...]
    """The seats that must decide now, in ascending order."""
    # Read many times per position, so computed once.
    _legal: dict[int, LegalActions] = {}
    claim: bool | None = None
    """Whether the seat on lead may claim the rest of the round; None until `claim.py` has judged.
    If it were judged each time, how long that takes could tell about the other hands."""

    @property
    def logs(self) -> tuple[RoundLog, ...]:
        return tuple(self.past) if self.log is None else (*self.past, self.log)

    def legal_actions(self, seat: int) -> LegalActions:
        found = self._legal.get(seat)
        if found is None:
            words = legal(self.state, seat) if seat in self.to_act else (0, 0, 0)
            found = self._legal[seat] = LegalActions(seat, words)
        return found

    def barred(self, seat: int) -> int:
        """The cards held and bids in range that a seat may not choose now, one bit per action."""
        row, wanted = self.row, 0
        if row[PHASE] == Phase.PLAY:
            hand = row[HAND + seat]
            wanted = hand & _UNANNOUNCED
            for card in cards_in(hand & _ANNOUNCED):
                wanted |= _WAYS_TO_PLAY[card]
        elif row[PHASE] == Phase.BID:
            wanted = (1 << row[SIZE] + 1) - 1 << BID
        return wanted & ~self.legal_actions(seat).mask


def first_position(rules: Rules, first_dealer: int, suits: tuple[Suit, ...] | None) -> Position:
    """A game before its first deal; `suits` where they were drawn openly."""
    state = new_state(rules, first_dealer)
    return Position(
        rules=rules,
        state=state,
        row=state.tolist(),
        dealer=first_dealer,
        sheet=(),
        past=(),
        log=None,
        tricks=(),
        passed_after=None,
        suits=suits or (None,) * rules.players,
        suits_are_public=suits is not None,
        out=(),
        to_act=(),
    )


def out_next(position: Position) -> tuple[Card, ...]:
    """The cards that are out when the next round is dealt."""
    if position.log is None:
        return ()
    return out_after(position.rules, position.out, position.log.deal)


def after_deal(before: Position, deal: Deal) -> Position:
    """The position that a deal leads to."""
    rules = before.rules
    state = before.state.copy()
    cards = np.array(deal.cards, dtype=np.int64)
    size = rules.sizes[len(before.sheet)]
    begin_round(state, size, cards, 0, size, deal.turned is not None)
    suits = before.suits
    if rules.mode is Mode.MONOCOLOUR:
        suits = own_suits(deal, suits)
    return Position(
        rules=rules,
        state=state,
        row=state.tolist(),
        dealer=before.row[DEALER],
        sheet=before.sheet,
        past=before.logs,
        log=RoundLog(deal),
        tricks=(),
        passed_after=None,
        suits=suits,
        suits_are_public=before.suits_are_public,
        out=out_next(before),
        to_act=SEATS[acting(state)],
    )


def after_action(before: Position, state: State, acts: int, seat: int, action: Action) -> Position:
    """The position that an action leads to: its state, and the seats that act then, as bits."""
    assert before.log is not None
    row: list[int] = state.tolist()
    tricks, passed_after, sheet = before.tricks, before.passed_after, before.sheet
    if before.row[PHASE] == Phase.PLAY:
        if row[TRICKS] != before.row[TRICKS]:
            tricks = (*tricks, _finished_trick(before.row, row, action))
    elif before.row[PHASE] == Phase.PASS and row[PHASE] != Phase.PASS:
        passed_after = row[TRICKS]
    after = Position(
        before.rules,
        state,
        row,
        before.dealer,
        sheet,
        before.past,
        RoundLog(before.log.deal, (*before.log.actions, _MOVES[seat][action])),
        tricks,
        passed_after,
        before.suits,
        before.suits_are_public,
        before.out,
        SEATS[acts],
    )
    if row[ROUND] != before.row[ROUND]:
        after.sheet = (*sheet, _finished_round(before, after))
    return after


def _finished_trick(before: list[int], after: list[int], last: Action) -> Trick:
    plays = before[TRICK : TRICK + before[PLAYED]]
    leader = after[LEADER]
    taken = after[TAKEN + leader] > before[TAKEN + leader]
    return Trick(
        before[LEADER],
        (*(ACTIONS[play] for play in plays), last),
        leader if taken else None,
        leader,
    )


def _finished_round(before: Position, after: Position) -> Round:
    assert after.trump is not None
    totals = after.totals
    return Round(
        size=after.size,
        dealer=after.dealer,
        turned=after.turned,
        trump=after.trump,
        bids=after._by_seat(BIDS),
        scored_bids=after._by_seat(SCORED_BIDS),
        taken=after.taken,
        tricks=after.tricks,
        points=tuple(now - then for now, then in zip(totals, before.totals, strict=True)),
        totals=totals,
    )

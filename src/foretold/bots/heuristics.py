"""Rules of thumb, compiled: what a careful player does, in well under a microsecond.

The functions see a whole row of the kernel but look only at what the seat may know: its own hand
and what lies open. The simple bot and the search's playouts use them.

All decisions follow one idea. Each card has a *worth*, the chance that it takes a trick; their sum
is what the hand should still take. A good decision brings that sum close to the number of tricks
still needed.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Final

import numpy as np

from foretold.actions import (
    BID,
    PASS,
    TRUMP,
)
from foretold.cards import CARDS
from foretold.kernel.after import changed_bid, tricks_off
from foretold.kernel.bits import how_many, lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ANY_SUIT,
    BEST,
    BID_SUM,
    BIDDING,
    BIDS,
    BIDS_MADE,
    CHANGING_BID,
    HAND,
    IN_TRICK,
    JESTER,
    KINDS,
    LAST_BASE_CARD,
    LAST_POSITION,
    NAMING_TRUMP,
    NO_TRUMP,
    NOTHING,
    ONE_SUIT,
    PASSING,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    POSITIONS,
    SEALED,
    SETS_ASIDE,
    SIZE,
    SUIT_CARDS,
    TAKEN,
    TRUMP_CARDS,
    VALUES,
    WEREWOLF,
    WIZARD,
)
from foretold.kernel.plays import CARD_OF, STANDS_FOR
from foretold.kernel.state import State
from foretold.kernel.step import legal
from foretold.kernel.tricks import DRAGON_ALONE, WIZARD_LIKE, strength_of
from foretold.rules import PLAYERS_OF, Mode, Rules

CLASSES: Final = 2 * VALUES + max(set(CARDS) - {WEREWOLF}) + 1 - SUIT_CARDS
"""Classes of cards: 13 of a plain suit, 13 trumps, then the cards without a suit."""

# The worth of cards by number of players (2 to 6), size of the round, kind of round, and class of
# card. It is fitted by playing: see benchmarks/fit_worth.py. Until then, a new card is worth 0.
WORTH_FILE: Final = Path(__file__).with_name("worth.npy")
_LOADED: Final = np.load(WORTH_FILE)
FITTED: Final = np.pad(_LOADED, [(0, 0)] * 3 + [(0, CLASSES - _LOADED.shape[-1])])
_LARGEST: Final = (
    Rules(mode=Mode.TWO_PLAYER).largest_size,
    *(Rules(players=players).largest_size for players in PLAYERS_OF[Mode.STANDARD]),
)
"""The largest round, by number of players."""

# Only rounds that exist: a GPU has 64 KB for all constants.
WORTH: Final = np.concatenate(
    [table[: largest + 1] for table, largest in zip(FITTED, _LARGEST, strict=True)]
)
FIRST_ROW: Final = np.cumsum([0, *(largest + 1 for largest in _LARGEST[:-1])])

RECEIVED: Final = 0.25
"""The worth of an unseen card received from the right."""


@compiled
def class_of(state: State, card: int) -> int:
    if card >= SUIT_CARDS:
        return 2 * VALUES + card - SUIT_CARDS
    value = card % VALUES
    return value + VALUES if (state[TRUMP_CARDS] >> card) & 1 else value


@compiled
def kind_of(state: State) -> int:
    """The kind of round: without trump, with trump, or monocolour."""
    if state[ANY_SUIT]:
        return 2
    return 1 if state[TRUMP_CARDS] != 0 else 0


@compiled
def worth(state: State, card: int) -> float:
    """The chance that a card takes a trick."""
    row = FIRST_ROW[state[PLAYERS] - 2] + state[SIZE]
    return float(WORTH[row, kind_of(state), class_of(state, card)])


@compiled
def hand_worth(state: State, seat: int) -> float:
    """How many tricks a hand should take."""
    hand = state[HAND + seat]
    total = 0.0
    kinds = hand & KINDS
    while kinds != 0:
        card = lowest(kinds)
        kinds &= kinds - 1
        copies = how_many(hand, card) if card == WIZARD or card == JESTER else 1
        total += copies * worth(state, card)
    return total


@compiled
def choose(state: State, seat: int) -> int:
    """What a careful player does."""
    return fittest(state, seat, aim_of(state, seat))


@compiled
def fittest(state: State, seat: int, aim: float) -> int:
    """The legal action that best fits the aim; the first among equals."""
    word, second, third = legal(state, seat)
    if second | third == 0 and word & (word - 1) == 0:
        return lowest(word)
    best = 1.0e9
    chosen = 0
    offset = 0
    while True:
        while word != 0:
            action = offset + lowest(word)
            word &= word - 1
            off = misfit(state, seat, action, aim)
            if off < best:
                best = off
                chosen = action
        if second == 0 and third == 0:
            return chosen
        word, second, third = second, third, 0
        offset += 64


@compiled
def likelihood(state: State, seat: int, action: int, temper: float) -> float:
    """How likely a player is to take a legal action: the worse it fits, the less likely."""
    word, second, third = legal(state, seat)
    if second | third == 0 and word & (word - 1) == 0:
        return 1.0
    aim = aim_of(state, seat)
    total = 0.0
    offset = 0
    while True:
        while word != 0:
            other = offset + lowest(word)
            word &= word - 1
            total += exp(-misfit(state, seat, other, aim) / temper)
        if second == 0 and third == 0:
            return exp(-misfit(state, seat, action, aim) / temper) / total
        word, second, third = second, third, 0
        offset += 64


@compiled
def aim_of(state: State, seat: int) -> float:
    """What a decision aims at: a bid, or how many more tricks are needed than the hand is worth."""
    phase = state[PHASE]
    if phase == NAMING_TRUMP or phase == CHANGING_BID:
        return 0.0
    value = hand_worth(state, seat)
    if phase == BIDDING:
        return expected_tricks(state, value)
    need = float(state[BIDS + seat] - state[TAKEN + seat])
    if phase == PASSING:
        return need - value - RECEIVED
    return need - value


@compiled
def misfit(state: State, seat: int, action: int, aim: float) -> float:
    """How far from the aim an action leaves the hand, in tricks."""
    phase = state[PHASE]
    if phase == PLAYING:
        kept, takes = weigh(state, action)
        return takes * abs(aim - 1.0 + kept) + (1.0 - takes) * abs(aim + kept)
    if phase == BIDDING:
        return abs(action - BID - aim)
    if phase == PASSING:
        return abs(aim + worth(state, action - PASS))
    if phase == NAMING_TRUMP:
        return -worth_under(state, seat, action - TRUMP)
    changed = changed_bid(state[BIDS + seat], action)
    return float(abs(tricks_off(changed, state[TAKEN + seat])))


@compiled
def worth_under(state: State, seat: int, trump: int) -> float:
    """What a hand would be worth with that trump."""
    before = state[TRUMP_CARDS]
    state[TRUMP_CARDS] = 0 if trump == NO_TRUMP else ONE_SUIT << (VALUES * trump)
    value = hand_worth(state, seat)
    state[TRUMP_CARDS] = before
    return value


@compiled
def expected_tricks(state: State, value: float) -> float:
    """What a hand should take: a little less than its worth if the others have bid high."""
    if state[SEALED] or state[BIDS_MADE] == 0:
        return value
    share = state[SIZE] * state[BIDS_MADE] / state[PLAYERS]
    return value + 0.12 * (share - state[BID_SUM])


@compiled
def weigh(state: State, action: int) -> tuple[float, float]:
    """The worth of the card played, and the chance that it takes this trick."""
    if action <= LAST_BASE_CARD:
        value = worth(state, action)
        alone = value
    else:
        value = worth(state, CARD_OF[action])
        like = STANDS_FOR[action]
        alone = 0.0 if like == NOTHING else worth(state, like)
    strength = strength_of(state, action)
    if strength * POSITIONS + LAST_POSITION - state[PLAYED] <= state[BEST]:
        return value, 0.0
    if state[IN_TRICK] & SETS_ASIDE:
        return value, 0.0
    if strength >= DRAGON_ALONE:
        return value, 0.98
    if strength >= WIZARD_LIKE:
        return value, 0.97
    later = (state[PLAYERS] - 1 - state[PLAYED]) / (state[PLAYERS] - 1)
    return value, 1.0 - (1.0 - alone) * later

"""Rules of thumb, compiled: what a careful player does, in well under a microsecond.

The functions see a whole row of the kernel but look only at what the seat may know: its own hand
and what lies open. They are the mind of the simple bot, and of the players in the search's
playouts.

All decisions follow one idea. Each card has a *worth*, the chance that it takes a trick; their sum
is what the hand should still take. A good decision brings that sum, and the tricks still needed,
together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from foretold.actions import (
    BID,
    CLOUD_DOWN,
    CLOUD_UP,
    PASS,
    PLAY_CLOUD,
    PLAY_JUGGLER,
    PLAY_SHAPESHIFTER,
    TRUMP,
)
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ANY_SUIT,
    BEST,
    BID_SUM,
    BIDDING,
    BIDS,
    BIDS_MADE,
    CLOUD,
    DEALING,
    FURTHER,
    HAND,
    HAS_BOMB,
    IN_TRICK,
    JESTER,
    JUGGLER,
    KINDS,
    LAST_POSITION,
    NAMING_TRUMP,
    NO_TRUMP,
    NOTHING,
    ONE_SUIT,
    OVER,
    PASSING,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    POSITIONS,
    SEALED,
    SHAPESHIFTER,
    SIZE,
    SUIT_CARDS,
    TAKEN,
    TRUMP_CARDS,
    TURN,
    VALUES,
    WEREWOLF_SEAT,
    WIZARD,
)
from foretold.kernel.state import State
from foretold.kernel.step import legal, step
from foretold.kernel.tricks import DRAGON_ALONE, WIZARD_LIKE, strength_of

# The worth of cards by number of players (2 to 6), size of the round, kind of round, and class of
# card: 13 of a plain suit, 13 trumps, then W, J, DR, FA, BO, SH, JU, CL. It is fitted by playing:
# see benchmarks/fit_worth.py.
WORTH: Final = np.load(Path(__file__).with_name("worth.npy"))


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
    return WORTH[state[PLAYERS] - 2, state[SIZE], kind_of(state), class_of(state, card)]


@compiled
def hand_worth(state: State, seat: int) -> float:
    """How many tricks a hand should take."""
    hand = state[HAND + seat]
    total = 0.0
    kinds = hand & KINDS
    while kinds != 0:
        card = lowest(kinds)
        kinds &= kinds - 1
        copies = 1
        if card == WIZARD or card == JESTER:
            copies += (hand >> (2 * card + FURTHER)) & 3
        total += copies * worth(state, card)
    return total


@compiled
def choose(state: State, seat: int) -> int:
    """What a careful player does."""
    phase = state[PHASE]
    if phase == PLAYING:
        return choose_play(state, seat)
    if phase == BIDDING:
        return choose_bid(state, seat)
    if phase == NAMING_TRUMP:
        return choose_trump(state, seat)
    if phase == PASSING:
        return choose_pass(state, seat)
    return choose_cloud(state, seat)


@compiled
def choose_trump(state: State, seat: int) -> int:
    """The suit that makes the hand worth most."""
    best = -1.0
    chosen = TRUMP
    last = NO_TRUMP if state[WEREWOLF_SEAT] == NOTHING else NO_TRUMP + 1
    before = state[TRUMP_CARDS]
    for trump in range(last):
        state[TRUMP_CARDS] = 0 if trump == NO_TRUMP else ONE_SUIT << (VALUES * trump)
        value = hand_worth(state, seat)
        if value > best:
            best = value
            chosen = TRUMP + trump
    state[TRUMP_CARDS] = before
    return chosen


@compiled
def choose_bid(state: State, seat: int) -> int:
    """What the hand should take, a little less if the others want much."""
    return nearest_bid(state, seat, expected_tricks(state, seat, hand_worth(state, seat)))


@compiled
def expected_tricks(state: State, seat: int, value: float) -> float:
    if state[SEALED] or state[BIDS_MADE] == 0:
        return value
    share = state[SIZE] * state[BIDS_MADE] / state[PLAYERS]
    return value + 0.12 * (share - state[BID_SUM])


@compiled
def nearest_bid(state: State, seat: int, wanted: float) -> int:
    """The legal bid nearest to what is wanted."""
    mask = legal(state, seat)[1]
    best = 1000.0
    chosen = BID
    for bid in range(state[SIZE] + 1):
        if (mask >> (BID - 64 + bid)) & 1 and abs(bid - wanted) < best:
            best = abs(bid - wanted)
            chosen = BID + bid
    return chosen


@compiled
def choose_play(state: State, seat: int) -> int:
    """The play after which the hand fits best what is still needed."""
    first, second, _ = legal(state, seat)
    if second == 0 and first & (first - 1) == 0:
        return lowest(first)
    need = float(state[BIDS + seat] - state[TAKEN + seat])
    value = hand_worth(state, seat)
    players = state[PLAYERS]
    later = (players - 1 - state[PLAYED]) / (players - 1)
    best = 1.0e9
    chosen = 0
    word = first
    offset = 0
    while True:
        while word != 0:
            action = offset + lowest(word)
            word &= word - 1
            kept, takes = weigh(state, action, later)
            gap_won = abs(need - 1.0 - value + kept)
            gap_lost = abs(need - value + kept)
            gap = takes * gap_won + (1.0 - takes) * gap_lost
            if gap < best:
                best = gap
                chosen = action
        if offset != 0 or second == 0:
            return chosen
        word = second
        offset = 64


@compiled
def weigh(state: State, action: int, later: float) -> tuple[float, float]:
    """The worth of the card played, and the chance that it takes this trick."""
    card = action
    alone = 0.0
    if action < PLAY_SHAPESHIFTER:
        value = worth(state, action)
        alone = value
    elif action < PLAY_JUGGLER:
        value = worth(state, SHAPESHIFTER)
        alone = worth(state, WIZARD) if action == PLAY_SHAPESHIFTER else 0.0
    else:
        is_cloud = action >= PLAY_CLOUD
        suit = action - (PLAY_CLOUD if is_cloud else PLAY_JUGGLER)
        value = worth(state, CLOUD if is_cloud else JUGGLER)
        card = VALUES * suit + (8 if is_cloud else 6)
        alone = worth(state, card)
    strength = strength_of(state, action)
    if strength * POSITIONS + LAST_POSITION - state[PLAYED] <= state[BEST]:
        return value, 0.0
    if state[IN_TRICK] & HAS_BOMB:
        return value, 0.0
    if strength >= DRAGON_ALONE:
        return value, 0.98
    if strength >= WIZARD_LIKE:
        return value, 0.97
    return value, 1.0 - (1.0 - alone) * later


@compiled
def choose_pass(state: State, seat: int) -> int:
    """The card without which the hand fits best; one comes back, of middling worth."""
    need = float(state[BIDS + seat] - state[TAKEN + seat])
    gap_now = need - hand_worth(state, seat) - 0.25
    best = 1.0e9
    chosen = 0
    kinds = state[HAND + seat] & KINDS
    while kinds != 0:
        card = lowest(kinds)
        kinds &= kinds - 1
        gap = abs(gap_now + worth(state, card))
        if gap < best:
            best = gap
            chosen = PASS + card
    return chosen


@compiled
def choose_cloud(state: State, seat: int) -> int:
    """Towards the tricks taken."""
    bid = state[BIDS + seat]
    if bid == 0 or (bid < state[TAKEN + seat] and bid < state[SIZE]):
        return CLOUD_UP
    return CLOUD_DOWN


@compiled
def play_round(state: State) -> None:
    """Play a round to its end, everyone by rules of thumb."""
    while state[PHASE] != DEALING and state[PHASE] != OVER:
        seat = state[TURN]
        step(state, seat, choose(state, seat))

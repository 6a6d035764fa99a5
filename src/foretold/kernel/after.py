"""After a trick: taking it, the Juggler's pass, the Cloud's change, the score (RULES 5 to 7)."""

from __future__ import annotations

import numpy as np

from foretold.actions import CLOUD_UP, PASS
from foretold.kernel.bits import lowest, with_card, without_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BEST,
    BIDS,
    CHANGES_BID,
    CHANGING_BID,
    CLOUD_SEAT,
    DEALER,
    DEALING,
    HAND,
    IN_TRICK,
    KINDS,
    LAST_POSITION,
    LEADER,
    NOTHING,
    OVER,
    PASSED,
    PASSES,
    PASSING,
    PENDING,
    PHASE,
    PLAYERS,
    PLAYING,
    ROUND,
    ROUNDS,
    SCORED_BIDS,
    SETS_ASIDE,
    SIZE,
    STATE_SIZE,
    TAKEN,
    TOTALS,
    TRICKS,
    TURN,
)
from foretold.kernel.rounds import begin_trick, left_of
from foretold.kernel.state import State

CLOUD_WORD_BIT = CLOUD_UP - 64
PASS_WORD_BIT = PASS - 64
PASS_LOW_KINDS = 64 - PASS_WORD_BIT


@compiled
def end_trick(state: State) -> None:
    winner = state[LEADER] + LAST_POSITION - (state[BEST] & LAST_POSITION)
    if winner >= state[PLAYERS]:
        winner -= state[PLAYERS]
    in_trick = state[IN_TRICK]
    state[TRICKS] += 1
    last = state[TRICKS] == state[SIZE]
    if in_trick & SETS_ASIDE == 0:
        state[TAKEN + winner] += 1
        if in_trick & CHANGES_BID:
            state[CLOUD_SEAT] = winner
    begin_trick(state, winner)
    if last:
        if state[CLOUD_SEAT] == NOTHING:
            end_round(state)
        else:
            state[PHASE] = CHANGING_BID
            state[TURN] = state[CLOUD_SEAT]
    elif in_trick & PASSES:
        state[PHASE] = PASSING
        state[PENDING] = (1 << state[PLAYERS]) - 1
        state[TURN] = 0


@compiled
def legal_passes(state: State, seat: int) -> tuple[int, int, int]:
    kinds = state[HAND + seat] & KINDS
    return 0, kinds << PASS_WORD_BIT, kinds >> PASS_LOW_KINDS


@compiled
def apply_pass(state: State, seat: int, action: int) -> None:
    state[PASSED + seat] = action - PASS
    state[PENDING] &= ~(1 << seat)
    if state[PENDING] != 0:
        state[TURN] = lowest(state[PENDING])
        return
    for giver in range(state[PLAYERS]):
        state[HAND + giver] = without_card(state[HAND + giver], state[PASSED + giver])
    for giver in range(state[PLAYERS]):
        taker = left_of(state, giver)
        state[HAND + taker] = with_card(state[HAND + taker], state[PASSED + giver])
    state[PHASE] = PLAYING
    state[TURN] = state[LEADER]


@compiled
def legal_clouds(state: State, seat: int) -> tuple[int, int, int]:
    up = 1 if state[BIDS + seat] < state[SIZE] else 0
    down = 2 if state[BIDS + seat] > 0 else 0
    return 0, (up | down) << CLOUD_WORD_BIT, 0


def bids_after_cloud(bid: int, size: int) -> tuple[int, int, int]:
    """The same without a game: how the Cloud can change a bid, as a mask of actions."""
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    state[SIZE], state[BIDS] = size, bid
    return legal_clouds(state, 0)


@compiled
def apply_cloud(state: State, seat: int, action: int) -> None:
    state[SCORED_BIDS + seat] = changed_bid(state[BIDS + seat], action)
    end_round(state)


@compiled
def changed_bid(bid: int, action: int) -> int:
    """A bid after a change by the Cloud."""
    return bid + 1 if action == CLOUD_UP else bid - 1


@compiled
def end_round(state: State) -> None:
    for seat in range(state[PLAYERS]):
        if state[SCORED_BIDS + seat] == NOTHING:
            state[SCORED_BIDS + seat] = state[BIDS + seat]
        state[TOTALS + seat] += points(state[SCORED_BIDS + seat], state[TAKEN + seat])
    state[ROUND] += 1
    if state[ROUND] == state[ROUNDS]:
        state[PHASE] = OVER
    else:
        state[DEALER] = left_of(state, state[DEALER])
        state[PHASE] = DEALING


@compiled
def points(bid: int, taken: int) -> int:
    off = tricks_off(bid, taken)
    return 20 + 10 * taken if off == 0 else -10 * abs(off)


@compiled
def tricks_off(bid: int, taken: int) -> int:
    """How many tricks too many were taken for a bid: below 0 too few, 0 if the bid is met."""
    return taken - bid

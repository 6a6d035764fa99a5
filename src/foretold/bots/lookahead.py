"""The compiled part of the search: worlds weighed by the bids, choices tried in them."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from foretold.bots.thumb import hand_worth, play_round
from foretold.kernel.bits import lowest, with_card, without_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BIDDING,
    BIDS,
    DEALING,
    HAND,
    NAMING_TRUMP,
    NOTHING,
    OVER,
    PHASE,
    PLAYERS,
    PLAYING,
    SIZE,
    STATE_SIZE,
    TOTALS,
    TRICKS,
    TURN,
)
from foretold.kernel.state import State
from foretold.kernel.step import legal, step


@compiled
def copy(source: State, target: State) -> None:
    for field in range(STATE_SIZE):
        target[field] = source[field]


@compiled
def dealt_hands(
    hands: NDArray[np.int64],
    passed: NDArray[np.int64],
    played: NDArray[np.int64],
    dealt: NDArray[np.int64],
) -> None:
    """What every seat held when it bid: what it has now, played and passed, less what it got."""
    players = hands.shape[1]
    for world in range(hands.shape[0]):
        for seat in range(players):
            cards = hands[world, seat]
            for index in range(played.shape[1]):
                if played[seat, index] >= 0:
                    cards = with_card(cards, played[seat, index])
            if passed[world, seat] >= 0:
                cards = with_card(cards, passed[world, seat])
                giver = seat - 1 if seat > 0 else players - 1
                cards = without_card(cards, passed[world, giver])
            dealt[world, seat] = cards


@compiled
def likelihoods(
    row: State,
    scratch: State,
    dealt: NDArray[np.int64],
    seat: int,
    spread: float,
    weights: NDArray[np.float64],
) -> None:
    """How well each world explains the bids that the others made.

    `spread` is how far bids lie from what a hand is worth.
    """
    copy(row, scratch)
    for world in range(dealt.shape[0]):
        off = 0.0
        for other in range(row[PLAYERS]):
            if other != seat and row[BIDS + other] != NOTHING:
                scratch[HAND + other] = dealt[world, other]
                gap = (row[BIDS + other] - hand_worth(scratch, other)) / spread
                off += gap * gap
        weights[world] = exp(-0.5 * off) + 1.0e-9


@compiled
def try_all(
    row: State,
    scratch: State,
    hands: NDArray[np.int64],
    dealt: NDArray[np.int64],
    seat: int,
    exact: int,
    stack: NDArray[np.int64],
    masks: NDArray[np.int64],
    values: NDArray[np.float64],
    actions: NDArray[np.int64],
    alive: NDArray[np.bool_],
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Try every choice that is alive in every world, and add up what it brings.

    With no more than `exact` tricks left the rest is solved, else played by rules of thumb.
    """
    for world in range(hands.shape[0]):
        for index in range(len(actions)):
            if not alive[index]:
                continue
            copy(row, scratch)
            if row[PHASE] != BIDDING and row[PHASE] != NAMING_TRUMP:
                guess_bids(scratch, dealt, world)
            for other in range(row[PLAYERS]):
                scratch[HAND + other] = hands[world, other]
            step(scratch, seat, actions[index])
            if tricks_left(scratch) <= exact and scratch[PHASE] == PLAYING:
                value = solve(row, scratch, seat, stack, masks, values)
            else:
                play_round(scratch)
                value = points_since(row, scratch, seat)
            sums[index] += value
            squares[index] += value * value


@compiled
def guess_bids(state: State, dealt: NDArray[np.int64], world: int) -> None:
    """Where bids are secret, suppose that everyone bid what the hand was worth."""
    for seat in range(state[PLAYERS]):
        if state[BIDS + seat] == NOTHING:
            state[HAND + seat] = dealt[world, seat]
            state[BIDS + seat] = min(int(hand_worth(state, seat) + 0.5), state[SIZE])


@compiled
def points_since(before: State, after: State, seat: int) -> float:
    return float(after[TOTALS + seat] - before[TOTALS + seat])


@compiled
def tricks_left(state: State) -> int:
    """Tricks of the round that are not finished; none between rounds."""
    return state[SIZE] - state[TRICKS]


@compiled
def solve(
    before: State,
    start: State,
    seat: int,
    stack: NDArray[np.int64],
    masks: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """What a seat gets if everyone sees all cards and does the best for itself.

    `stack`, `masks` and `values` are room for one state, its actions not tried yet, and what every
    seat gets by the best one so far, for each card to come.
    """
    players = before[PLAYERS]
    level = 0
    copy(start, stack[0])
    enter(stack[0], masks[0], values[0])
    while True:
        state = stack[level]
        if state[PHASE] == DEALING or state[PHASE] == OVER:
            for other in range(players):
                values[level, other] = points_since(before, state, other)
        else:
            word = 0
            while word < 3 and masks[level, word] == 0:
                word += 1
            if word < 3:
                action = 64 * word + lowest(masks[level, word])
                masks[level, word] &= masks[level, word] - 1
                copy(state, stack[level + 1])
                step(stack[level + 1], state[TURN], action)
                level += 1
                enter(stack[level], masks[level], values[level])
                continue
        # All that follows from here is known: tell it to the level above.
        if level == 0:
            return values[0, seat]
        level -= 1
        mover = stack[level, TURN]
        if values[level + 1, mover] > values[level, mover]:
            for other in range(players):
                values[level, other] = values[level + 1, other]


@compiled
def enter(state: State, mask: NDArray[np.int64], value: NDArray[np.float64]) -> None:
    mask[0], mask[1], mask[2] = legal(state, state[TURN])
    for other in range(len(value)):
        value[other] = -1.0e9

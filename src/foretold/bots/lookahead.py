"""The compiled part of the search: choices tried in worlds, and the last tricks solved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.bots.likelihood import guess_bids
from foretold.bots.tree import ROOT, Tree, play_out, points_since
from foretold.kernel import Phase
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BID_SUM,
    BIDDING,
    BIDS,
    BIDS_MADE,
    DEALING,
    HAND,
    MAX_PLAYERS,
    NAMING_TRUMP,
    NOTHING,
    OVER,
    PENDING,
    PHASE,
    PLAYERS,
    PLAYING,
    SIZE,
    STATE_SIZE,
    TRICKS,
    TURN,
)
from foretold.kernel.state import State
from foretold.kernel.step import legal, step
from foretold.view import View


class Ending(NamedTuple):
    """Work space for solving the last tricks: for each card to come a state, its untried
    actions, and what every seat gets from the best action so far.
    """

    stack: NDArray[np.int64]
    masks: NDArray[np.int64]
    values: NDArray[np.float64]


def room_for(tricks: int) -> Ending:
    # A level for every card still played, every card passed, and the change of the Cloud.
    levels = MAX_PLAYERS * (tricks + 1) + 3
    return Ending(
        np.empty((levels, STATE_SIZE), dtype=np.int64),
        np.empty((levels, 3), dtype=np.int64),
        np.empty((levels, MAX_PLAYERS), dtype=np.float64),
    )


def undecided(row: State, view: View) -> State:
    """A row in which the others' decisions that are not yet shown are still open."""
    everyone = (1 << view.rules.players) - 1
    if view.phase is Phase.PASS:
        row[PENDING] = everyone
    if view.phase is Phase.BID and view.rules.seals_bids:
        row[PENDING] = everyone
        row[BIDS : BIDS + MAX_PLAYERS] = NOTHING
        row[BIDS_MADE] = 0
        row[BID_SUM] = 0
    return row


@compiled
def copy(source: State, target: State) -> None:
    for field in range(STATE_SIZE):
        target[field] = source[field]


@compiled
def try_all(
    row: State,
    scratch: State,
    hands: NDArray[np.int64],
    dealt: NDArray[np.int64],
    seat: int,
    exact: int,
    ending: Ending,
    tree: Tree,
    actions: NDArray[np.int64],
    alive: NDArray[np.bool_],
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Try every remaining choice in every world, and add up its points.

    With at most `exact` tricks left, the rest is solved; otherwise it is played out through the
    tree.
    """
    for world in range(hands.shape[0]):
        for index in range(len(actions)):
            if not alive[index]:
                continue
            copy(row, scratch)
            if row[PHASE] != BIDDING and row[PHASE] != NAMING_TRUMP:
                guess_bids(scratch, dealt[world])
            for other in range(row[PLAYERS]):
                scratch[HAND + other] = hands[world, other]
            step(scratch, seat, actions[index])
            if tricks_left(scratch) <= exact and scratch[PHASE] == PLAYING:
                value = solve(row, scratch, seat, ending)
            else:
                play_out(row, scratch, seat, ROOT + 1 + index, tree)
                value = points_since(row, scratch, seat)
            sums[index] += value
            squares[index] += value * value


@compiled
def tricks_left(state: State) -> int:
    """The tricks left in the round; none between rounds."""
    return state[SIZE] - state[TRICKS]


@compiled
def solve(before: State, start: State, seat: int, ending: Ending) -> float:
    """What a seat gets if everyone sees all cards and plays their best."""
    stack, masks, values = ending
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
        # This subtree is solved: report it to the level above.
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

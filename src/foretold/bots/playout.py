"""The compiled part of looking ahead with the network: rounds in many worlds, a row each.

The seats see only what they may know, as at a table (`foretold.env`), and the kernel steps the
rows. A row stops where the network is asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.frame import inverse, restored_action
from foretold.env.memory import Memory, step_and_remember
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see_seat
from foretold.env.writer import Mask, Observation
from foretold.kernel.compile import compiled
from foretold.kernel.layout import DEALING, HAND, MAX_PLAYERS, OVER, PHASE, PLAYERS, TOTALS, TURN
from foretold.kernel.state import State
from foretold.kernel.step import is_single, legal, only

Indices = NDArray[np.int64]


class Rounds(NamedTuple):
    """One row per world, or per world and choice, or per hand of one seat."""

    states: State
    memories: Memory
    blank: Observation
    """What the observations of all rows begin with."""

    def repeated(self, rows: Indices) -> Rounds:
        """Copies of some rows, in this order."""
        return Rounds(self.states[rows], self.memories[rows], self.blank)

    def totals(self) -> Indices:
        """The points of every seat."""
        return self.states[:, TOTALS : TOTALS + MAX_PLAYERS].copy()

    def leads(self, seat: int, before: Indices) -> NDArray[np.float64]:
        """A seat's points since then less the mean of the others'."""
        points = self.totals() - before
        own = points[:, seat]
        others = (points.sum(axis=1) - own) / (self.states[:, PLAYERS] - 1)
        leads: NDArray[np.float64] = own - others
        return leads


def with_hands(row: State, hands: Indices) -> State:
    """A copy of a row for each row of hands."""
    states = np.repeat(row[np.newaxis], len(hands), axis=0)
    states[:, HAND : HAND + hands.shape[1]] = hands
    return states


class Looks(NamedTuple):
    """What the seats to act see, a row each; actions are called as in their frames."""

    rows: Indices
    observations: Observation
    masks: Mask
    orders: Indices
    keys: Indices
    """Equal for equal observations."""

    def only(self, chosen: Indices) -> Looks:
        """Some of them."""
        return Looks(*(field[chosen] for field in self))  # type: ignore[arg-type]


def look(rounds: Rounds, rows: Indices) -> Looks:
    """What the seats to act see in some rows."""
    looks = Looks(
        rows,
        np.zeros((len(rows), OBSERVATION_SIZE), dtype=np.int8),
        np.empty((len(rows), ACTION_COUNT), dtype=np.int8),
        np.empty(len(rows), dtype=np.int64),
        np.zeros(len(rows), dtype=np.int64),
    )
    _look(rounds, looks)
    return looks


FACTOR = 0x5851F42D4C957F2D
"""Odd, and without a pattern."""


@compiled
def _look(rounds: Rounds, looks: Looks) -> None:
    for index in range(len(looks.rows)):
        row = looks.rows[index]
        state = rounds.states[row]
        seen = looks.observations[index]
        looks.orders[index] = see_seat(
            state, rounds.memories[row], state[TURN], rounds.blank, seen, looks.masks[index]
        )
        key = looks.keys[index]
        for entry in range(len(seen)):
            key = (key + seen[entry]) * FACTOR
            key ^= key >> 29
        looks.keys[index] = key


@compiled
def replay(rounds: Rounds, rows: Indices, minds: Indices, at: Indices, script: Indices) -> None:
    """Replay the script, what happened so far, in some rows: each up to the next decision of its
    seat in `minds`, or to the end of the script.

    `at` says how far each row has got.
    """
    for row in rows:
        state = rounds.states[row]
        while at[row] < len(script) and state[TURN] != minds[row]:
            step_and_remember(state, rounds.memories[row], state[TURN], script[at[row]])
            at[row] += 1


@compiled
def play_on(rounds: Rounds, rows: Indices, is_asked: NDArray[np.bool_]) -> None:
    """Play single legal actions until a seat has a choice, or the round is over."""
    for row in rows:
        state = rounds.states[row]
        is_asked[row] = False
        while state[PHASE] != DEALING and state[PHASE] != OVER:
            words = legal(state, state[TURN])
            if not is_single(words):
                is_asked[row] = True
                break
            step_and_remember(state, rounds.memories[row], state[TURN], only(words))


@compiled
def decide(rounds: Rounds, rows: Indices, actions: Indices) -> None:
    """Let the seat to act in each of some rows take an action."""
    for index in range(len(rows)):
        state = rounds.states[rows[index]]
        step_and_remember(state, rounds.memories[rows[index]], state[TURN], actions[index])


@compiled
def rename(looks: Looks, actions: Indices) -> None:
    """Call actions, one per look, as in the frames of their seats."""
    for index in range(len(actions)):
        actions[index] = restored_action(actions[index], inverse(looks.orders[index]))


@compiled
def restore(looks: Looks, actions: Indices) -> None:
    """Give actions, one per look, their true numbers."""
    for index in range(len(actions)):
        actions[index] = restored_action(actions[index], looks.orders[index])

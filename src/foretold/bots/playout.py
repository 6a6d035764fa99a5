"""The compiled part of looking ahead with the network: rounds in many worlds, a row each.

Every row knows all hands of its world. The seats see only what they may know, as at a table
(`foretold.env`), and the kernel steps the rows. A row stops where the network is asked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT, PASS
from foretold.env.frame import inverse, restored_action
from foretold.env.memory import Memory, step_and_remember
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see_seat
from foretold.env.writer import Mask, Observation
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BIDDING,
    DEALING,
    HAND,
    MAX_PLAYERS,
    NOTHING,
    OVER,
    PASSING,
    PHASE,
    PLAYERS,
    TOTALS,
    TURN,
)
from foretold.kernel.state import State
from foretold.kernel.step import is_single, legal, only

Indices = NDArray[np.int64]

UNKNOWN: Final = NOTHING
"""A decision of the past that nobody saw, such as a secret bid."""

# Which decisions of the others worlds are weighed by.
NO_DECISIONS: Final = 0
BIDS_ONLY: Final = 1
ALL_DECISIONS: Final = 2


class Rounds(NamedTuple):
    """One row per world, or per world and choice."""

    states: State
    memories: Memory
    seats: Indices
    """The seat that looks ahead."""
    kinds: Indices
    """Which row of `blanks` the observations of a row begin with."""
    blanks: Observation
    passed: Indices
    """The card that every seat passed in this world; -1 where none was."""
    at: Indices
    """Which decision of the past comes next, as an index into the script."""
    ends: Indices
    """Where the past of the row ends in the script."""

    def repeated(self, rows: Indices) -> Rounds:
        """Copies of some rows, in this order."""
        return Rounds(
            self.states[rows],
            self.memories[rows],
            self.seats[rows],
            self.kinds[rows],
            self.blanks,
            self.passed[rows],
            self.at[rows],
            self.ends[rows],
        )

    def movers(self, rows: Indices) -> Indices:
        """The seats to act."""
        movers: Indices = self.states[rows, TURN]
        return movers

    def totals(self) -> Indices:
        """The points of every seat."""
        return self.states[:, TOTALS : TOTALS + MAX_PLAYERS].copy()

    def leads(self, before: Indices) -> NDArray[np.float64]:
        """The seat's points since then less the mean of the others'."""
        points = self.totals() - before
        own = points[np.arange(len(points)), self.seats]
        others = (points.sum(axis=1) - own) / (self.states[:, PLAYERS] - 1)
        leads: NDArray[np.float64] = own - others
        return leads


def with_hands(row: State, hands: NDArray[np.int64]) -> State:
    """A copy of a row for each world, with its hands."""
    states = np.repeat(row[np.newaxis], len(hands), axis=0)
    states[:, HAND : HAND + hands.shape[1]] = hands
    return states


class Looks(NamedTuple):
    """What the seats to act see, a row each; actions are called as in their frames."""

    rows: Indices
    observations: Observation
    masks: Mask
    orders: Indices

    def only(self, chosen: NDArray[np.bool_]) -> Looks:
        """Some of them."""
        return Looks(*(field[chosen] for field in self))  # type: ignore[arg-type]


def look(rounds: Rounds, rows: Indices) -> Looks:
    """What the seats to act see in some rows."""
    looks = Looks(
        rows,
        np.zeros((len(rows), OBSERVATION_SIZE), dtype=np.int8),
        np.empty((len(rows), ACTION_COUNT), dtype=np.int8),
        np.empty(len(rows), dtype=np.int64),
    )
    _look(rounds, looks)
    return looks


@compiled
def _look(rounds: Rounds, looks: Looks) -> None:
    for index in range(len(looks.rows)):
        row = looks.rows[index]
        state = rounds.states[row]
        looks.orders[index] = see_seat(
            state,
            rounds.memories[row],
            state[TURN],
            rounds.blanks[rounds.kinds[row]],
            looks.observations[index],
            looks.masks[index],
        )


@compiled
def replay(
    rounds: Rounds,
    rows: Indices,
    script: Indices,
    weighing: int,
    is_asked: NDArray[np.bool_],
    actions: Indices,
) -> None:
    """Replay the past of some rows up to the next decision that the network is asked about, or to
    its end.

    `actions` gets what was decided there, or UNKNOWN.
    """
    for row in rows:
        state = rounds.states[row]
        is_asked[row] = False
        while not is_asked[row]:
            mover = state[TURN]
            if state[PHASE] == PASSING:
                card = rounds.passed[row, mover]
                if card == NOTHING:
                    break
                action = PASS + card
            elif rounds.at[row] == rounds.ends[row]:
                break
            else:
                action = script[rounds.at[row]]
            words = legal(state, mover)
            weighs = weighing == ALL_DECISIONS or (
                weighing == BIDS_ONLY and state[PHASE] == BIDDING
            )
            if is_single(words):
                decide(rounds, row, only(words))
            elif action == UNKNOWN or (weighs and mover != rounds.seats[row]):
                actions[row] = action
                is_asked[row] = True
            else:
                decide(rounds, row, action)


@compiled
def decide(rounds: Rounds, row: int, action: int) -> None:
    """Let the seat to act take an action."""
    state = rounds.states[row]
    if state[PHASE] != PASSING:
        rounds.at[row] += 1
    step_and_remember(state, rounds.memories[row], state[TURN], action)


@compiled
def begin(rounds: Rounds, actions: Indices) -> None:
    """Let the seat that looks ahead take an action in every row, even if several are to act."""
    for row in range(len(actions)):
        seat = rounds.seats[row]
        step_and_remember(rounds.states[row], rounds.memories[row], seat, actions[row])


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
            decide(rounds, row, only(words))


@compiled
def rename(looks: Looks, actions: Indices) -> None:
    """Call actions, one per look, as in the frames of their seats; UNKNOWN stays."""
    for index in range(len(actions)):
        if actions[index] != UNKNOWN:
            actions[index] = restored_action(actions[index], inverse(looks.orders[index]))


@compiled
def decide_all(rounds: Rounds, looks: Looks, seen: Indices) -> None:
    """Take an action in each row looked at, called as in the frame of its seat."""
    for index in range(len(seen)):
        decide(rounds, looks.rows[index], restored_action(seen[index], looks.orders[index]))

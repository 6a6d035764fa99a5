"""Perft: how many sequences of legal actions there are, to pin the rules down as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foretold.kernel.bits import lowest, popcount
from foretold.kernel.compile import compiled
from foretold.kernel.layout import STATE_SIZE, TURN
from foretold.kernel.state import State
from foretold.kernel.step import legal, step


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` actions within the round.

    Where all decide at once, the seats are taken in rising order.
    """
    if depth == 0:
        return 1
    rows = np.empty((depth, STATE_SIZE), dtype=np.int64)
    rows[0] = state
    return _count(rows, np.zeros((depth, 3), dtype=np.int64), depth)


@compiled
def _count(rows: NDArray[np.int64], masks: NDArray[np.int64], depth: int) -> int:
    leaves = 0
    level = 0
    masks[0, 0], masks[0, 1], masks[0, 2] = legal(rows[0], rows[0, TURN])
    while level >= 0:
        if level == depth - 1:
            for word in range(3):
                leaves += popcount(masks[level, word])
            level -= 1
            continue
        word = 0
        while word < 3 and masks[level, word] == 0:
            word += 1
        if word == 3:
            level -= 1
            continue
        action = lowest(masks[level, word])
        masks[level, word] &= masks[level, word] - 1
        below = rows[level + 1]
        for field in range(STATE_SIZE):
            below[field] = rows[level, field]
        step(below, below[TURN], 64 * word + action)
        level += 1
        masks[level, 0], masks[level, 1], masks[level, 2] = legal(below, below[TURN])
    return leaves

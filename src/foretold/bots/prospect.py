"""The chance to win the game, as the score sheet stands.

What the rounds to come bring every seat is taken for chance, of a spread that grows with the cards
dealt. Then the chance to win is a softmax of the totals, the flatter the more rounds are left; with
none left it is who has won.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.env.observation import AT
from foretold.kernel.layout import MAX_PLAYERS
from foretold.rules import Mode, Rules

SPREAD: Final = 16.0
SPREAD_A_CARD: Final = 1.6
"""The standard deviation of a seat's points in a round: so much, and so much more a card."""
GUMBEL: Final = 0.78
"""A softmax decides as noise of Gumbel's distribution does: its scale for a deviation of 1."""
MOST_LEFT: Final = 128
DECIDED: Final = 0.1
"""The scale with no rounds left: a point decides, equals share."""
FLATTEST: Final = 0.1
"""The least that p (1 - p) is taken for: where all seems lost or won, a point still counts."""


class Prospect(NamedTuple):
    """How a seat stood before the round: the chance to win, and what a point adds to it."""

    chance: NDArray[np.float64]
    slope: NDArray[np.float64]


@cache
def scales() -> NDArray[np.float64]:
    """The scale of the softmax by mode, number of players and rounds to come."""
    table = np.full((len(Mode), MAX_PLAYERS + 1, MOST_LEFT + 1), DECIDED)
    for index, mode in enumerate(Mode):
        for players in _players(mode):
            sizes = Rules(mode=mode, players=players).sizes
            variance = 0.0
            for left in range(1, MOST_LEFT + 1):
                size = sizes[-1 - (left - 1) % len(sizes)]
                variance += (SPREAD + SPREAD_A_CARD * size) ** 2
                table[index, players, left] = GUMBEL * sqrt(variance)
    return table


def _players(mode: Mode) -> range:
    if mode is Mode.TWO_PLAYER:
        return range(2, 3)
    return range(3, 5) if mode is Mode.MONOCOLOUR else range(3, MAX_PLAYERS + 1)


def prospect(observations: NDArray[np.int8]) -> Prospect:
    """How the own seat stood before the round that is observed, a row each."""
    mode = observations[:, AT["mode"] : AT["mode"] + len(Mode)].argmax(axis=1)
    players = 2 + observations[:, AT["players"] : AT["players"] + MAX_PLAYERS - 1].argmax(axis=1)
    to_come = observations[:, AT["rounds_left"]].astype(np.int64) + 1
    scale = scales()[mode, players, to_come]
    totals = 10.0 * observations[:, AT["totals"] : AT["totals"] + MAX_PLAYERS]
    totals[np.arange(MAX_PLAYERS) >= players[:, np.newaxis]] = -np.inf
    weights = np.exp((totals - totals.max(axis=1, keepdims=True)) / scale[:, np.newaxis])
    chance = weights[:, 0] / weights.sum(axis=1)
    return Prospect(chance, np.maximum(chance * (1 - chance), FLATTEST) / scale)

"""Worlds drawn for a view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.kernel import cards_in
from foretold.kernel.chance import Chance, draw
from foretold.rules import Mode
from foretold.sampling.cases import cases_of
from foretold.sampling.filling import Filling, OwnDecks, own_decks
from foretold.sampling.places import FRACTION, OWNERS, S11
from foretold.sampling.story import Story
from foretold.sampling.worlds import Draw, World
from foretold.view import View

Weigher: TypeAlias = Callable[[Draw], NDArray[np.float64]]
"""The relative likelihood of each world, above 0."""

DRAWN_FOR_ONE = 4
"""How many worlds are drawn and weighed for each that is kept."""


class Sampler:
    """Draws worlds that fit a view.

    >>> from foretold import Game
    >>> sampler = Sampler(Game("amigo", players=3, seed=7).view(0))
    >>> len(sampler.worlds(10))
    10
    """

    def __init__(self, view: View, seed: int = 0) -> None:
        if view.seat is None or view.round == 0:
            raise ValueError("worlds are drawn for a seat in a round that has been dealt")
        self.view = view
        self._chance: Chance = np.array([seed], dtype=np.uint64)
        self._story = Story(view)
        fillings: Iterator[Filling | OwnDecks]
        if view.rules.mode is Mode.MONOCOLOUR:
            fillings = own_decks(self._story)
        else:
            fillings = map(Filling, cases_of(self._story))
        self._fillings = [one for one in fillings if one.ways > 0]

    @property
    def ways(self) -> float:
        """How many consistent worlds there are."""
        return sum(one.ways for one in self._fillings)

    def draw(self, count: int, weigh: Weigher | None = None) -> Draw:
        """That many worlds, as arrays.

        With `weigh`, worlds come in proportion to their weights: more are drawn than requested, and
        some of them are chosen by weight. A world of great weight may be chosen several times. The
        more worlds are requested at once, the closer the proportions.
        """
        if weigh is None:
            return self._draw(count)
        drawn = self._draw(count * DRAWN_FOR_ONE)
        kept = choose_by_weight(weigh(drawn), count, float(draw(self._chance) >> S11) * FRACTION)
        return Draw(drawn.hands[kept], drawn.passed[kept])

    def worlds(self, count: int, weigh: Weigher | None = None) -> list[World]:
        """That many worlds; `weigh` as for `draw`."""
        drawn = self.draw(count, weigh)
        return [
            self._story.world([cards_in(word) for word in hands], passed)
            for hands, passed in zip(drawn.hands.tolist(), drawn.passed.tolist(), strict=True)
        ]

    def _draw(self, count: int) -> Draw:
        """Worlds that are all equally likely."""
        players = self.view.rules.players
        hands = np.zeros((count, OWNERS), dtype=np.int64)
        passed = np.full((count, OWNERS), -1, dtype=np.int64)
        which = self._which(count)
        for index, filling in enumerate(self._fillings):
            rows = np.flatnonzero(which == index)
            if len(rows):
                filling.fill(rows, hands, passed, self._chance)
        for seat, card in self._story.passes_seen.items():
            passed[:, seat] = card
        # Copies, so that the arrays have one layout and compiled code needs one version.
        return Draw(hands[:, :players].copy(), passed[:, :players].copy())

    def _which(self, count: int) -> NDArray[np.int64]:
        """The case of every world."""
        if len(self._fillings) == 1:
            return np.zeros(count, dtype=np.int64)
        ends = np.cumsum([one.ways for one in self._fillings]) / self.ways
        seed = int(draw(self._chance))
        points = np.random.Generator(np.random.PCG64(seed)).random(count)
        return np.minimum(np.searchsorted(ends, points, side="right"), len(ends) - 1)


def choose_by_weight(weights: NDArray[np.float64], count: int, start: float) -> NDArray[np.int64]:
    """That many indices in proportion to weights; `start`, from 0 to 1, decides which.

    They are found at evenly spaced points along the cumulative weights, so each index comes up its
    exact share of times, rounded up or down.
    """
    ends = np.cumsum(weights)
    points = (np.arange(count) + start) / count
    found: NDArray[np.int64] = np.searchsorted(ends, points * ends[-1], side="right")
    return np.minimum(found, len(ends) - 1)

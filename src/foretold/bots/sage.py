"""The player that learned by playing itself: it does what its network leans to most."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, Action
from foretold.bots.prospect import TRICK_COUNTS, win_chances
from foretold.bots.sight import Sage, settled, shipped
from foretold.env.observation import AT
from foretold.env.reading import see
from foretold.kernel import Phase
from foretold.view import View

AIMS: Final = ("win", "points")
A_POINT: Final = 0.0025
"""What a point adds to the chance to win, about, in an even game."""
POINTS_TOO: Final = 0.5
"""What the points of the round count beside it: the chance is reckoned, points were learned."""


class SageBot:
    """Instant: about a millisecond a decision.

    `noise` makes it weaker: an action that it values so many points less is taken e times as seldom
    as the best. `aim` is what it plays for: to win the game, or for the points of the round.
    """

    def __init__(
        self, seed: int = 0, noise: float = 0.0, aim: str = "win", sage: Sage | None = None
    ) -> None:
        if not isinstance(noise, int | float) or not 0 <= noise <= 1000:
            raise ValueError(f"noise is {noise}: expected points from 0 to 1000")
        if aim not in AIMS:
            raise ValueError(f"aim is {aim!r}: expected {' or '.join(AIMS)}")
        self.noise = noise
        self.aim = aim
        self._sage = shipped() if sage is None else sage
        self._random = np.random.default_rng(seed)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        if view.phase is Phase.TRUMP:
            values = self._sage.values([view])[0].values
            return ACTIONS[int(np.nanargmax(self._noisy(values)))]
        seen = see(view)
        rows = seen.observation[np.newaxis], seen.mask[np.newaxis]
        worth = worths(self._sage, *rows, to_win=self.aim == "win")[0]
        return seen.frame.restore(int(self._noisy(worth).argmax()))

    def _noisy(self, worth: NDArray[np.floating]) -> NDArray[np.floating]:
        if not self.noise:
            return worth
        return worth + self.noise * self._random.gumbel(size=len(worth))


def worths(
    sage: Sage, observations: NDArray[np.int8], masks: NDArray[np.int8], *, to_win: bool
) -> NDArray[np.float64]:
    """What every action is worth in points, a row an observation, in the frames of their seats.

    What is not legal is worth minus infinity.
    """
    outlook = settled(sage.judge(observations, tricks=to_win), masks)
    worth = np.where(masks, outlook.values, -np.inf)
    if to_win and (told := np.flatnonzero(observations[:, AT["size"]] < TRICK_COUNTS)).size:
        chances = win_chances(observations[told], outlook.of(told))
        worth[told] = (chances / A_POINT + POINTS_TOO * worth[told]) / (1 + POINTS_TOO)
    return worth

"""The player that learned by playing itself: it does what its network values most."""

from __future__ import annotations

from typing import Final

import numpy as np

from foretold.actions import ACTIONS, Action
from foretold.bots.sight import Floats, Sage, shipped
from foretold.env.reading import see
from foretold.kernel import Phase
from foretold.view import View

AIMS: Final = ("points", "win")


class SageBot:
    """Instant: about a millisecond a decision.

    `noise` makes it weaker: an action that it values so many points less is taken e times as seldom
    as the best. `aim` is what it plays for: points, or to win the game.
    """

    def __init__(
        self, seed: int = 0, noise: float = 0.0, aim: str = "points", sage: Sage | None = None
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
            sight = self._sage.values([view])[0]
            worth = sight.values if self.aim == "points" else sight.wins
            return ACTIONS[int(np.nanargmax(self._noisy(worth)))]
        seen = see(view)
        judged = self._sage.judge(seen.observation[np.newaxis], tricks=False)
        worth = self._noisy((judged.values if self.aim == "points" else judged.wins)[0])
        return seen.frame.restore(int(np.where(seen.mask, worth, -np.inf).argmax()))

    def _noisy(self, worth: Floats) -> Floats:
        if not self.noise:
            return worth
        noise: Floats = self._random.gumbel(size=len(worth)).astype(np.float32)
        return worth + np.float32(self.noise) * noise

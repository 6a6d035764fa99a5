"""The player trained by self-play: it takes its network's favourite action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, Action
from foretold.bots.network import Sage, shipped
from foretold.view import View


class SageBot:
    """Instant: about a millisecond a decision.

    `noise` makes it weaker: an action worth that many points less is e times less likely than the
    best.
    """

    def __init__(self, seed: int = 0, noise: float = 0.0, sage: Sage | None = None) -> None:
        if not isinstance(noise, int | float) or not 0 <= noise <= 1000:
            raise ValueError(f"noise is {noise}: expected points from 0 to 1000")
        self.noise = noise
        self._sage = shipped() if sage is None else sage
        self._random = np.random.default_rng(seed)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        values = self._sage.values([view], tricks=False)[0].values
        return ACTIONS[int(np.nanargmax(self._noisy(values)))]

    def _noisy(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.noise:
            return values
        noise = self._random.gumbel(size=len(values)).astype(np.float32)
        noisy: NDArray[np.float32] = values + np.float32(self.noise) * noise
        return noisy

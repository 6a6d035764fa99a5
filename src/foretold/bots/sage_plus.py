"""The player that looks ahead with its network before it decides."""

from __future__ import annotations

import time
from typing import Final

from foretold.actions import Action
from foretold.bots.foresight import Foresight, Seer
from foretold.bots.network import Sage, shipped
from foretold.bots.search import require_time
from foretold.view import View

FIRST_WORLDS: Final = 2

PART: Final = 0.9
"""The share of the time left that the next worlds may take, at the pace of the last."""

FORESIGHT: Final = Foresight()


class SagePlusBot:
    """Thinks for at most a set time, 200 ms by default; most decisions take a millisecond, since
    the network has no doubt.

    With a number of worlds instead, it decides the same on any machine, however busy.
    """

    def __init__(
        self,
        seed: int = 0,
        ms: float = 200.0,
        worlds: int | None = None,
        sage: Sage | None = None,
    ) -> None:
        require_time(ms, worlds)
        self.seconds = ms / 1000
        self.worlds = worlds
        self._seer = Seer(shipped() if sage is None else sage, FORESIGHT, seed)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        end = time.perf_counter() + self.seconds
        seer = self._seer
        if self.worlds is not None:
            return seer.choose([view], self.worlds)[0]
        (trial,) = seer.begin([view])
        worlds = FIRST_WORLDS if len(trial.actions) > 1 else 0
        now = time.perf_counter()
        while worlds > 0:
            before = now
            seer.try_in([trial], worlds)
            now = time.perf_counter()
            pace = (now - before) / worlds
            worlds = min(2 * worlds, int(PART * max(0.0, end - now) / pace))
        return trial.best(seer.foresight)

"""The trained player that looks ahead with its network in the last tricks of a round."""

from __future__ import annotations

import time
from collections import defaultdict
from functools import cache
from typing import Final

from foretold.actions import Action
from foretold.bots.belief import PARTIAL, Belief
from foretold.bots.foresight import Foresight, Seer, Trial
from foretold.bots.network import Sage, shipped
from foretold.bots.sage import SageBot
from foretold.bots.thinking_time import keep_compiled, require_time
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Rules
from foretold.view import View

HANDS_FOR_ONE: Final = 3
"""How many hands of every other seat are weighed for each world that is tried."""

WEIGHING: Final = 0.5
"""The share of its time that weighing hands may take; the rest is for trying its choices."""

WORTHWHILE: Final = 0.3
"""It begins anew only if this share of its time is left."""

FEWEST_HANDS: Final = 8
FEWEST_WORLDS: Final = 4
MOST_WORLDS: Final = 200
"""At a time."""

SLOW: Final = 0.001
"""The seconds that a hand, or a choice in a world, is thought to take before any was timed."""


class Pace:
    """How long one of many things takes, by how long they took before."""

    def __init__(self) -> None:
        self.seconds = SLOW

    def fit(self, seconds: float) -> int:
        """How many fit into this time."""
        return int(max(0.0, seconds) / self.seconds)

    def took(self, count: int, seconds: float) -> None:
        """Note that this many were done."""
        self.seconds = 0.5 * self.seconds + 0.5 * seconds / count


class SagePlusBot:
    """Thinks for about a set time, 50 ms by default, with up to `first` tricks left. All other
    decisions, and those of which the network has no doubt, take a millisecond.

    With a number of worlds instead, it decides the same on any machine, however busy.
    """

    def __init__(
        self,
        seed: int = 0,
        ms: float = 50.0,
        worlds: int | None = None,
        first: int = Foresight.first,
        sage: Sage | None = None,
    ) -> None:
        require_time(ms, worlds, PARTIAL)
        if not isinstance(first, int) or not 1 <= first <= 30:
            raise ValueError(f"first is {first}: expected 1 to 30 tricks")
        sage = shipped() if sage is None else sage
        self.seconds = ms / 1000
        self.worlds = worlds
        self._sage = SageBot(seed, sage=sage)
        self._seer = Seer(sage, Foresight(first=first), seed)
        # By the tricks left.
        self._hands: dict[int, Pace] = defaultdict(Pace)
        self._choices: dict[int, Pace] = defaultdict(Pace)
        _warm_up(sage)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        begun = time.perf_counter()
        if view.phase is not Phase.PLAY:
            return self._sage.choose(view)
        seer = self._seer
        trial = seer.begin(view)
        if trial.belief is not None and self.worlds is not None:
            trial.belief.weigh(HANDS_FOR_ONE * self.worlds, seer.shares)
            seer.try_in(trial, self.worlds)
        elif trial.belief is not None:
            self._look(trial, trial.belief, begun + self.seconds)
        return trial.best(seer.foresight.trust)

    def _look(self, trial: Trial, belief: Belief, end: float) -> None:
        """Look ahead until the time is up: weigh hands, and try the choices in worlds of them."""
        left = belief.view.size - len(belief.view.tricks)
        hands, choices = self._hands[left], self._choices[left]
        each = len(trial.actions)
        now = time.perf_counter()
        while True:
            count = max(FEWEST_HANDS, hands.fit(WEIGHING * (end - now)))
            belief.weigh(count, self._seer.shares)
            now, before = time.perf_counter(), now
            if not belief.is_complete:
                hands.took(count, now - before)
            worlds = choices.fit(end - now) // each
            worlds = min(max(FEWEST_WORLDS, worlds), MOST_WORLDS)
            new = self._seer.try_in(trial, worlds)
            now, before = time.perf_counter(), now
            if 2 * new > worlds:
                choices.took(worlds * each, now - before)
            if belief.is_complete or end - now < WORTHWHILE * self.seconds:
                return


@cache
def _warm_up(sage: Sage) -> None:
    """Compile, or load, all that a decision needs before the first one is timed."""
    seer = Seer(sage, Foresight(least=0.0))
    game = Game(Rules(players=3, rounds="3"), seed=1)
    while game.outcome() is None:
        view = game.view(game.to_act[0])
        if view.phase is Phase.PLAY and len(view.legal_actions) > 1:
            trial = seer.begin(view)
            if trial.belief is not None:
                trial.belief.weigh(2, seer.shares)
                seer.try_in(trial, 1)
        game.push(view.legal_actions[0])
    keep_compiled()

"""A player that looks ahead.

It samples worlds that fit what it knows, weighted by how well they explain the others' bids. It
tries each of its choices in each world: everyone plays on by a search tree shared by all worlds,
and beyond the tree by rules of thumb. It takes the choice with the most points on average.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import Action
from foretold.bots.likelihood import PastWeigher, dealt_hands, past_plays
from foretold.bots.lookahead import room_for, try_all, undecided
from foretold.bots.thinking_time import keep_compiled, require_time
from foretold.bots.tree import new_tree
from foretold.game import Game
from foretold.rows import row_of
from foretold.rules import Rules
from foretold.sampling import Sampler
from foretold.view import View

FIRST_WORLDS: Final = 4

EXACT: Final = 2
"""With this many tricks left or fewer, the rest of a world is solved."""

SURE: Final = 3.0
"""A choice is dropped when it is this many standard errors behind the best."""

PART: Final = 0.08
"""The share of its time that one batch of worlds may take, so that it stops in time."""

RESERVE: Final = 0.001
"""Seconds reserved for what comes after the last batch."""


class SearchBot:
    """Thinks for a set time, 100 ms by default.

    With a number of worlds instead, it decides the same on any machine, however busy.
    """

    def __init__(self, seed: int = 0, ms: float = 100.0, worlds: int | None = None) -> None:
        require_time(ms, worlds)
        self.seconds = ms / 1000
        self.worlds = worlds
        self._chance = np.random.Generator(np.random.PCG64(seed))
        _warm_up()

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        start = time.perf_counter()
        trial = Trial(view, self._chance)
        if self.worlds is None:
            means = trial.run(start, self.seconds)
        else:
            means = trial.run_in(self.worlds)
        return view.legal_actions[int(np.argmax(means))]


class Trial:
    """All choices of one decision, tried in ever more worlds."""

    def __init__(self, view: View, chance: np.random.Generator) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.actions = np.array([int(action) for action in view.legal_actions], dtype=np.int64)
        self.sampler = Sampler(view, seed=int(chance.integers(1 << 63)))
        # The others' plays say little: weighing bids alone leaves time for more worlds.
        self.weigh = PastWeigher(view, plays=False)
        self.past = past_plays(view)
        self.row = undecided(row_of(view), view)
        self.scratch = np.empty_like(self.row)
        self.ending = room_for(EXACT)
        self.tree = new_tree(len(self.actions))
        self.sums = np.zeros(len(self.actions))
        self.squares = np.zeros(len(self.actions))
        self.counts = np.zeros(len(self.actions))
        self.alive = np.ones(len(self.actions), dtype=np.bool_)

    def run(self, start: float, seconds: float) -> NDArray[np.float64]:
        """The mean points of each choice; minus infinity for those dropped."""
        deadline = start + seconds - RESERVE
        worlds = FIRST_WORLDS
        while True:
            before = time.perf_counter()
            self.try_in(worlds)
            now = time.perf_counter()
            pace = (now - before) / worlds
            worlds = min(2 * worlds, int(PART * seconds / pace) + 1)
            if self.alive.sum() == 1 or now + 1.2 * worlds * pace > deadline:
                return self.means()

    def run_in(self, worlds: int) -> NDArray[np.float64]:
        """The same, after a set number of worlds."""
        batch = FIRST_WORLDS
        while worlds > 0 and self.alive.sum() > 1:
            self.try_in(min(batch, worlds))
            worlds -= batch
            batch *= 2
        return self.means()

    def means(self) -> NDArray[np.float64]:
        return np.where(self.alive, self.sums / self.counts, -np.inf)

    def try_in(self, worlds: int) -> None:
        """Try all remaining choices in that many new worlds."""
        drawn = self.sampler.draw(worlds, self.weigh or None)
        try_all(
            self.row,
            self.scratch,
            drawn.hands,
            dealt_hands(drawn, self.past),
            self.seat,
            EXACT,
            self.ending,
            self.tree,
            self.actions,
            self.alive,
            self.sums,
            self.squares,
        )
        self.counts[self.alive] += worlds
        means = self.sums / self.counts
        error = np.sqrt(np.maximum(self.squares / self.counts - means**2, 1.0) / self.counts)
        best = int(np.argmax(np.where(self.alive, means, -np.inf)))
        self.alive &= means[best] - means <= SURE * np.hypot(error, error[best])


@cache
def _warm_up() -> None:
    """Compile, or load, all that a decision needs before the first one is timed."""
    chance = np.random.Generator(np.random.PCG64(0))
    for rules in (Rules(players=3, rounds="2"), Rules(mode="monocolour", rounds="2")):
        game = Game(rules, seed=1)
        while game.outcome() is None:
            Trial(game.view(game.to_act[0]), chance).try_in(1)
            game.push(game.legal_actions()[0])
    keep_compiled()

"""Whole games of one player among others, every deal played once from each seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.env.writer import Mask, Observation
from foretold.report.stats import Estimate, Tally
from foretold.rules import Rules
from foretold.train.opponents import SIMPLE, Temper, rows
from foretold.train.seating import AS_SEATED, BY_RULE, NETWORK, SNAPSHOT
from foretold.train.vector_env import VectorEnv

Decide: TypeAlias = Callable[[Observation, Mask], NDArray[np.int64]]
"""A legal action for every observation."""


class Strength(NamedTuple):
    """The results of one player among others, per game; 95 % limits over the deals."""

    points: Estimate
    wins: Estimate
    exact: Estimate
    games: int

    def __str__(self) -> str:
        half = 0.0 if self.points.low is None else self.points.value - self.points.low
        return (
            f"{self.points.value:.0f} ± {half:.0f} points, {self.wins.value:.1%} wins, "
            f"{self.exact.value:.1%} exact"
        )


class Duel(NamedTuple):
    """The results of the player in question: one row per deal, one column per seat."""

    points: NDArray[np.int64]
    shares: NDArray[np.float64]
    """Its share of the win."""
    exact: NDArray[np.float64]
    """The share of its bids that were exact."""

    def strength(self) -> Strength:
        tallies = Tally(), Tally(), Tally()
        for tally, values in zip(tallies, self, strict=True):
            for deal, row in enumerate(values.tolist()):
                for value in row:
                    tally.add(deal, value)
        points, wins, exact = tallies
        return Strength(points.mean(), wins.rate(), exact.rate(), self.points.size)


def duel(
    player: Decide,
    against: Decide | Temper,
    rules: Rules,
    deals: int,
    seed: int,
    threads: int | None = None,
) -> Duel:
    players = rules.players
    count = deals * players
    env = VectorEnv(
        [rules],
        np.full(count, AS_SEATED, dtype=np.int64),
        rows([against if isinstance(against, Temper) else SIMPLE]),
        seed=seed,
        from_start=True,
        restarts=False,
        threads=threads,
    )
    everyone, place = np.arange(count), np.arange(count) % players
    env.arrays.chances[:] = np.repeat(env.arrays.chances[::players], players)
    env.players.seated[:] = BY_RULE if isinstance(against, Temper) else SNAPSHOT
    env.players.seated[everyone, place] = NETWORK
    deciders = {NETWORK: player}
    if not isinstance(against, Temper):
        deciders[SNAPSHOT] = against
    asked = env.begin()
    actions = np.zeros(count, dtype=np.int64)
    while (due := np.flatnonzero(asked.whom >= 0)).size:
        for who, decide in deciders.items():
            mine = due[asked.whom[due] == who]
            if mine.size:
                actions[mine] = decide(asked.observations[mine], asked.masks[mine])
        env.step(actions)
    totals = asked.totals[:, :players].astype(np.int64)
    best = totals == totals.max(axis=1, keepdims=True)
    table = (deals, players)
    return Duel(
        totals[everyone, place].reshape(table),
        (best[everyone, place] / best.sum(axis=1)).reshape(table),
        (env.players.exact[everyone, place] / len(rules.sizes)).reshape(table),
    )

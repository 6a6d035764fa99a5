"""Thousands of rounds or games side by side, for training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foretold.env.tables import Step, Tables
from foretold.rules import Rules


class BatchEnv:
    """Episodes of the same rules side by side, observed and stepped on all cores or on a GPU.

    >>> env = BatchEnv(Rules(players=3), games=1000, seed=1)
    >>> step = env.reset()
    >>> step = env.step(env.random_actions())
    >>> step.observations.shape, step.masks.shape, step.rewards.shape
    ((1000, 1496), (1000, 164), (1000, 3))

    An episode is a whole game, or one round of it (drawn each time, with `round_weights` as the
    weights of the rounds; all totals then start at 0). When an episode ends, another starts at
    once. Every game has its own random generator, so neither the number of threads nor other games
    affect it.

    With ``device="cuda"`` everything stays on the GPU and is the same, episode for episode. The
    arrays of a step support DLPack (``torch.from_dlpack(step.observations)`` copies nothing), and
    actions may come from any library that supports DLPack or ``__cuda_array_interface__``. Nothing
    waits for the device, so an illegal action may be reported by a later step, or by `synchronize`.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        episode: Literal["round", "game"] = "round",
        round_weights: Sequence[float] | None = None,
        device: str = "cpu",
    ) -> None:
        if games < 1:
            raise ValueError(f"games is {games}: expected at least 1")
        self.rules = rules
        self.games = games
        self._tables = Tables(
            rules,
            games,
            seed=seed,
            threads=threads,
            round_chances=round_chances(rules, episode, round_weights),
            restarts=True,
            device=device,
        )
        self._seed: int | None = seed
        self._actions = self._tables.actions_to_fill()

    @property
    def states(self) -> Any:
        """The rows of the kernel, hidden cards included: not for players."""
        return self._tables.states

    @property
    def final_totals(self) -> Any:
        """The points of each seat at the end of the last finished episode, one row per game."""
        return self._tables.final_totals

    def reset(self, seed: int | None = None) -> Step:
        """Start all episodes over; with a seed, as a new environment of that seed would."""
        chosen = self._seed if seed is None else seed
        self._seed = None
        if chosen is not None:
            self._tables.reseed(chosen)
        self._tables.restart()
        return self._tables.seen

    def step(self, actions: Any) -> Step:
        """Take one action in every game, as numbered in the frame of the seat to act."""
        self._tables.take(actions)
        return self._tables.seen

    def random_actions(self) -> Any:
        """A legal action for every game, each equally likely; the array is overwritten later."""
        self._tables.pick(self._actions)
        return self._actions

    def synchronize(self) -> None:
        """Wait until all steps are done; raises an error for an illegal action."""
        self._tables.synchronize()


def round_chances(
    rules: Rules, episode: Literal["round", "game"], weights: Sequence[float] | None = None
) -> NDArray[np.float64] | None:
    """How likely each round is to be an episode; None if an episode is a whole game."""
    if episode == "game":
        if weights is not None:
            raise ValueError("round_weights are for episodes of one round")
        return None
    if episode != "round":
        raise ValueError(f"episode is {episode!r}: expected round or game")
    chances = np.array([1] * len(rules.sizes) if weights is None else weights, dtype=np.float64)
    if chances.shape != (len(rules.sizes),):
        raise ValueError(
            f"there are {len(chances)} round_weights for the {len(rules.sizes)} rounds of the rules"
        )
    if not np.isfinite(chances).all() or (chances < 0).any() or chances.sum() <= 0:
        raise ValueError("round_weights must be numbers of at least 0, and not all 0")
    normal: NDArray[np.float64] = chances / chances.sum()
    return normal

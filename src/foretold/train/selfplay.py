"""Self-play: the network at many tables with itself, earlier snapshots and rule-based players."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from torch import Tensor

from foretold.train.fusing import fused
from foretold.train.network import Network
from foretold.train.opponents import draw_tempers, rows
from foretold.train.outcomes import Chunk, tensors_of
from foretold.train.policy import leanings, noise_of
from foretold.train.seating import ALONE, NETWORK, SNAPSHOT, WITH_RULES, WITH_SNAPSHOT
from foretold.train.settings import Settings
from foretold.train.variety import some_rules
from foretold.train.vector_env import VectorEnv

STRAY_TABLES: Final = 5
"""At one table in this many the network sometimes acts at random."""


class SelfPlay:
    """The tables of a run, on the device on which the network is."""

    def __init__(self, settings: Settings, device: torch.device, threads: int | None) -> None:
        self.settings, self.device = settings, device
        games = settings.games
        seating = np.full(games, ALONE, dtype=np.int64)
        # The slowest tables come first: everything waits for those that a GPU starts last.
        by_rule = round(games * settings.with_rules)
        self._older = by_rule, by_rule + round(games * settings.with_snapshots)
        seating[:by_rule] = WITH_RULES
        seating[slice(*self._older)] = WITH_SNAPSHOT
        self._env = VectorEnv(
            some_rules(settings.rules, settings.seed),
            seating,
            rows(draw_tempers(settings.tempers, settings.seed)),
            seed=0,
            from_start=False,
            threads=threads,
            device=device.type,
        )
        self._asked = tensors_of(self._env.asked, device)
        self._chance = torch.Generator(device)
        strays = torch.arange(games, device=device) % STRAY_TABLES == 0
        self._straying = strays * settings.straying
        self._lean = fused(leanings, device)
        self._lean_older = fused(_older_leanings, device, sizes_vary=True)
        self._decide = fused(_decide, device)

    def begin(self, seed: int) -> None:
        """Start all games over; from here on the seed decides everything."""
        self._env.reseed(seed)
        self._env.begin()
        self._chance.manual_seed(seed)

    @torch.no_grad()
    def collect(self, network: Network, snapshots: list[Network]) -> Chunk:
        """Play on for some decisions at every table."""
        steps = self.settings.steps
        chunk = Chunk.empty(steps, self.settings.games, self.device)
        for time in range(steps):
            chunk.take(time, self._asked)
            observations, masks = chunk.observations[time], chunk.masks[time]
            logits = self._lean(network, observations, masks)
            self._ask_snapshots(snapshots, logits, observations, masks, chunk.whom[time])
            strayed = self._strayed(chunk.whom[time])
            chunk.strayed[time] = strayed
            noise = noise_of(logits, self._chance)
            actions, chunk.chances[time] = self._decide(logits, masks, strayed, noise)
            chunk.actions[time] = actions
            self._env.step(actions)
        chunk.take_ends(steps, self._asked)
        return chunk

    def _strayed(self, whom: Tensor) -> Tensor:
        """Where the network takes a random legal action."""
        drawn = torch.rand(len(whom), generator=self._chance, device=self.device)
        return (drawn < self._straying) & (whom == NETWORK)

    def _ask_snapshots(
        self,
        snapshots: list[Network],
        logits: Tensor,
        observations: Tensor,
        masks: Tensor,
        whom: Tensor,
    ) -> None:
        """Let each snapshot, and each guest, decide at its tables."""
        if not snapshots:
            return
        cuts = np.linspace(*self._older, len(snapshots) + 1).astype(int)
        for older, first, last in zip(snapshots, cuts[:-1], cuts[1:], strict=True):
            part = slice(int(first), int(last))
            theirs = (whom[part] == SNAPSHOT)[:, None]
            told = self._lean_older(older, observations[part], masks[part])
            logits[part] = torch.where(theirs, told, logits[part])


def _older_leanings(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """(Separate, or the version compiled for variable sizes would be used at all tables.)"""
    return leanings(network, observations, masks)


def _decide(logits: Tensor, masks: Tensor, strayed: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Actions and their log probabilities."""
    logits = torch.where(strayed[:, None] & (masks != 0), 0.0, logits)
    actions = (logits + noise).argmax(dim=1)
    taken = logits.gather(1, actions[:, None]).squeeze(1)
    return actions, taken - logits.logsumexp(dim=1)

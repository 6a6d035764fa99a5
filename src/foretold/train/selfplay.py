"""Self-play: the network at many tables, among its likes, its older selves and players by rule."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from torch import Tensor

from foretold.train.company import draw_tempers, rows
from foretold.train.hall import ALONE, NETWORK, SNAPSHOT, WITH_RULES, WITH_SNAPSHOT, Hall
from foretold.train.network import Network
from foretold.train.outcomes import Chunk, tensors_of
from foretold.train.policy import draw, leanings
from foretold.train.settings import Settings
from foretold.train.variety import some_rules

STRAY_TABLES: Final = 5
"""At one table of so many the network strays now and then."""


class SelfPlay:
    """The tables of a run, on the device on which the network is."""

    def __init__(self, settings: Settings, device: torch.device, threads: int | None) -> None:
        self.settings, self.device = settings, device
        games = settings.games
        seating = np.full(games, ALONE, dtype=np.int64)
        self._first_snapshot = games - round(games * settings.with_snapshots)
        first_by_rule = self._first_snapshot - round(games * settings.with_rules)
        seating[first_by_rule : self._first_snapshot] = WITH_RULES
        seating[self._first_snapshot :] = WITH_SNAPSHOT
        self._hall = Hall(
            some_rules(settings.rules, settings.seed),
            seating,
            rows(draw_tempers(settings.tempers, settings.seed)),
            seed=0,
            by_round=True,
            threads=threads,
            device=device.type,
        )
        self._asked = tensors_of(self._hall.asked, device)
        self._chance = torch.Generator(device)
        strays = torch.arange(games, device=device) % STRAY_TABLES == 0
        self._straying = strays * settings.straying
        self._lean = torch.compile(leanings) if device.type == "cuda" else leanings

    def begin(self, seed: int) -> None:
        """Begin all games anew: from here on the seed decides everything."""
        self._hall.reseed(seed)
        self._hall.begin()
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
            logits = torch.where(strayed[:, None] & (masks != 0), 0.0, logits)
            actions = draw(logits, self._chance)
            chunk.actions[time] = actions
            chunk.chances[time] = _chances(logits, actions)
            self._hall.step(actions)
        chunk.take_ends(steps, self._asked)
        return chunk

    def _strayed(self, whom: Tensor) -> Tensor:
        """Where the network takes any legal action, each as likely."""
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
        """Let each older self, and each guest, decide at its tables."""
        if not snapshots:
            return
        cuts = np.linspace(self._first_snapshot, len(whom), len(snapshots) + 1).astype(int)
        for older, first, last in zip(snapshots, cuts[:-1], cuts[1:], strict=True):
            part = slice(int(first), int(last))
            theirs = (whom[part] == SNAPSHOT)[:, None]
            told = leanings(older, observations[part], masks[part])
            logits[part] = torch.where(theirs, told, logits[part])


def _chances(logits: Tensor, actions: Tensor) -> Tensor:
    taken = logits.gather(1, actions[:, None]).squeeze(1)
    return taken - logits.logsumexp(dim=1)

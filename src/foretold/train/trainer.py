"""A network that learns at its own tables: what one machine does in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any, Final, Protocol

import torch

from foretold.train.learner import Learner
from foretold.train.network import Network, State
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings

SLOWEST: Final = 0.003
"""The final learning rate, as a share of the highest."""
WARM_UP: Final = 0.01
"""The share of the run that is warm-up."""


@dataclass
class Learned:
    """The size of a lesson, and its losses."""

    played: int = 0
    decisions: int = 0
    rounds: int = 0
    losses: dict[str, float] = field(default_factory=dict)


class Learning(Protocol):
    """One trainer here, or several on other machines that learn together."""

    @property
    def learner(self) -> Learner:
        """The network after the last lesson."""

    def begin(self, seed: int, older: Sequence[State]) -> None:
        """Start all games over with these opponents; the seed decides everything."""

    def lesson(self, share: float, *, critic_alone: bool = False) -> Learned:
        """Play on until there is something to learn from, and learn it."""

    def settle(self) -> dict[str, Any]:
        """What is needed to resume."""

    def close(self) -> None: ...


class Trainer:
    """One network with its tables: it plays there, and learns from what was played."""

    def __init__(
        self,
        settings: Settings,
        device: torch.device,
        threads: int | None,
        learned: dict[str, Any] | None = None,
    ) -> None:
        self.settings, self.device = settings, device
        torch.manual_seed(settings.seed)
        torch.set_float32_matmul_precision("high")
        self.learner = Learner(settings, device)
        if learned is not None:
            self.learner.load(learned)
        self._play = SelfPlay(settings, device, threads)
        self._older: list[Network] = []
        self._chance = torch.Generator(device)

    def begin(self, seed: int, older: Sequence[State]) -> None:
        self._play.begin(seed)
        self._chance.manual_seed(seed)
        self._older = [Network.of(state).to(self.device).requires_grad_(False) for state in older]

    def lesson(self, share: float, *, critic_alone: bool = False) -> Learned:
        settings = self.settings
        chunk = self._play.collect(self.learner.network, self._older)
        decisions, losses = self.learner.learn(
            chunk,
            rate(settings, share),
            curiosity(settings, share),
            self._chance,
            critic_alone=critic_alone,
        )
        return Learned(chunk.actions.numel(), decisions, chunk.rounds, losses)

    def settle(self) -> dict[str, Any]:
        return self.learner.state()

    def close(self) -> None:
        """There is nothing to close."""


def curiosity(settings: Settings, progress: float) -> float:
    """The weight of the entropy bonus, which decays."""
    return settings.curiosity * float((settings.calm / settings.curiosity) ** progress)


def rate(settings: Settings, progress: float) -> float:
    """The learning rate: a short warm-up, then a cosine decay."""
    share = (1 + cos(pi * progress)) / 2
    return settings.rate * (SLOWEST + (1 - SLOWEST) * share) * min(1.0, 0.1 + progress / WARM_UP)

"""A network that learns at its own tables: what one machine does in a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any, Final, Protocol

import torch

from foretold.train.learner import Learner
from foretold.train.network import Network, State
from foretold.train.outcomes import Chunk, lesson
from foretold.train.policy import Curiosity
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings

SLOWEST: Final = 0.003
"""The learning rate of the end, as a share of that of the beginning."""


@dataclass
class Learned:
    """What a lesson was, and how far off the network had been."""

    played: int = 0
    decisions: int = 0
    rounds: int = 0
    losses: dict[str, float] = field(default_factory=dict)


class Learning(Protocol):
    """One pupil here, or several on other machines that learn together."""

    @property
    def learner(self) -> Learner:
        """As it stands after the last lesson."""

    def begin(self, seed: int, company: Sequence[State]) -> None:
        """Begin all games anew, in company of these networks; the seed decides all."""

    def lesson(self, share: float) -> Learned:
        """Play on until there is something to learn from, and learn it."""

    def settle(self) -> dict[str, Any]:
        """What is needed to go on from here."""

    def close(self) -> None: ...


class Pupil:
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
        network = Network(settings.width, settings.blocks).to(device)
        self.learner = Learner(network, device, settings.rate)
        if learned is not None:
            self.learner.load(learned)
        self._play = SelfPlay(settings, device, threads)
        self._company: list[Network] = []
        self._chunks: deque[Chunk] = deque()
        self._chance = torch.Generator(device)

    def begin(self, seed: int, company: Sequence[State]) -> None:
        self._play.begin(seed)
        self._chance.manual_seed(seed)
        self._chunks.clear()
        self._company = [
            Network.of(state).to(self.device).requires_grad_(False) for state in company
        ]

    def lesson(self, share: float) -> Learned:
        settings, learned = self.settings, Learned()
        while len(self._chunks) <= settings.behind:
            self._chunks.append(
                self._play.collect(self.learner.network, self._company, curiosity(settings, share))
            )
            learned.played += self._chunks[-1].actions.numel()
        taught = lesson(self._chunks)
        learned.losses = self.learner.learn(
            taught, settings.batch, rate(settings, share), self._chance
        )
        learned.decisions = len(taught.rows)
        learned.rounds = int((self._chunks.popleft().ended & 1).sum())
        return learned

    def settle(self) -> dict[str, Any]:
        return self.learner.state()

    def close(self) -> None:
        self._play.close()


def curiosity(settings: Settings, progress: float) -> Curiosity:
    """Ever less: fast at first, since a decision that strays also spoils the lesson of others."""
    cooling = (settings.coolness / settings.warmth) ** min(1.0, 1.5 * progress)
    return Curiosity(settings.warmth * cooling, settings.whim * (1 - 0.9 * progress))


def rate(settings: Settings, progress: float) -> float:
    """The learning rate: a cosine down to a small rest."""
    share = (1 + cos(pi * progress)) / 2
    return settings.rate * (SLOWEST + (1 - SLOWEST) * share)

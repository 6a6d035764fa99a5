"""Training on a Ray cluster: trainers on many machines, averaged after every lesson.

Each plays at its own tables and learns from them; then weights and optimiser states are averaged.
So the lessons of all trainers together count as one large lesson.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from foretold.errors import UnreadableError
from foretold.train.learner import Learner
from foretold.train.network import State
from foretold.train.settings import Settings
from foretold.train.trainer import Learned, Trainer


class RemoteTrainer:
    """A trainer on another machine; its state is transferred through CPU memory."""

    def __init__(
        self, settings: Settings, device: str, threads: int | None, learned: dict[str, Any] | None
    ) -> None:
        self._trainer = Trainer(settings, torch.device(device), threads, learned)

    def begin(self, seed: int, older: Sequence[State]) -> None:
        self._trainer.begin(seed, older)

    def lesson(self, share: float, critic_alone: bool) -> tuple[Learned, dict[str, Any]]:
        learned = self._trainer.lesson(share, critic_alone=critic_alone)
        return learned, _on_cpu(self._trainer.settle())

    def agree(self, state: dict[str, Any]) -> None:
        self._trainer.learner.load(state)


class Crew:
    """Several trainers that learn together."""

    def __init__(
        self,
        ray: Any,
        trainers: int | None,
        settings: Settings,
        device: torch.device,
        threads: int | None,
        learned: dict[str, Any] | None,
    ) -> None:
        """As many trainers as requested, or one for each GPU of the cluster, or each machine."""
        self._ray = ray
        self.learner = Learner(settings, device)
        if learned is not None:
            self.learner.load(learned)
        by_gpu = device.type == "cuda"
        gpus = int(ray.cluster_resources().get("GPU", 0))
        machines = sum(bool(node["Alive"]) for node in ray.nodes())
        count = trainers or (gpus if by_gpu else machines)
        if by_gpu and count > gpus:
            raise UnreadableError(f"{count} trainers need a GPU each: the cluster has {gpus}")
        share = {"num_gpus": 1} if by_gpu else {"num_cpus": threads or 1}
        # Spread over the machines: each uses all cores of its own, unless told otherwise.
        remote: Any = ray.remote(scheduling_strategy="SPREAD", **share)(RemoteTrainer)
        self._trainers = [
            remote.remote(settings, device.type, threads, learned) for _ in range(count)
        ]

    def begin(self, seed: int, older: Sequence[State]) -> None:
        kept = self._ray.put([_on_cpu(state) for state in older])
        begun = [
            trainer.begin.remote(seed_of(seed, number), kept)
            for number, trainer in enumerate(self._trainers)
        ]
        self._ray.get(begun)

    def lesson(self, share: float, *, critic_alone: bool = False) -> Learned:
        asked = [trainer.lesson.remote(share, critic_alone) for trainer in self._trainers]
        found = self._ray.get(asked)
        agreed = mean_of([state for _, state in found])
        self.learner.load(agreed)
        shared = self._ray.put(agreed)
        self._ray.get([trainer.agree.remote(shared) for trainer in self._trainers])
        together = Learned()
        for learned, _ in found:
            together.played += learned.played
            together.decisions += learned.decisions
            together.rounds += learned.rounds
            for name, loss in learned.losses.items():
                together.losses[name] = together.losses.get(name, 0.0) + loss / len(found)
        return together

    def settle(self) -> dict[str, Any]:
        return self.learner.state()

    def close(self) -> None:
        for trainer in self._trainers:
            self._ray.kill(trainer)


def seed_of(seed: int, number: int) -> int:
    """A seed for each trainer, different in every leg."""
    return seed + (number << 32)


def mean_of(states: Sequence[Any]) -> Any:
    """The element-wise mean of states of the same shape."""
    first = states[0]
    if isinstance(first, torch.Tensor):
        return torch.stack([state.double() for state in states]).mean(dim=0).to(first.dtype)
    if isinstance(first, dict):
        return {key: mean_of([state[key] for state in states]) for key in first}
    return first


def _on_cpu(state: Any) -> Any:
    if isinstance(state, torch.Tensor):
        return state.detach().cpu().clone()
    if isinstance(state, dict):
        return {key: _on_cpu(one) for key, one in state.items()}
    return state

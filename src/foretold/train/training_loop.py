"""A training run: self-play and lessons in turn, in legs that can each be resumed.

Every leg starts fresh games from its own seed, so a killed run continues from its last checkpoint
as if nothing had happened.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import torch

from foretold.errors import UnreadableError
from foretold.rules import Rules
from foretold.train import checkpoint
from foretold.train.checkpoint import Standing, write_whole
from foretold.train.curves import picture
from foretold.train.learner import Learner
from foretold.train.network import Network, State
from foretold.train.opponents import SIMPLE, STRANGER
from foretold.train.settings import Settings
from foretold.train.strength import strength
from foretold.train.trainer import Learned, Learning, Trainer, rate
from foretold.train.weights import write_weights

CHECKPOINT: Final = "checkpoint.pt"
WEIGHTS: Final = "weights.npz"
CURVES: Final = "curves.svg"
SNAPSHOTS_KEPT: Final = 4
SNAPSHOTS_MET: Final = 2
FIXED: Final = ("seed", "width", "blocks", "critic_width", "critic_blocks")
"""What cannot be changed in a run."""


def device_of(name: str) -> torch.device:
    """A device by name; `auto` is a GPU where there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name not in ("cpu", "cuda"):
        raise UnreadableError(f"device is {name!r}: expected auto, cuda or cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise UnreadableError("there is no GPU that torch can use: take --device cpu")
    return torch.device(name)


def seed_of_leg(settings: Settings, leg: int) -> int:
    return int(np.random.SeedSequence((settings.seed, leg)).generate_state(1)[0])


class TrainingRun:
    """A run in a folder, new or resumed."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        device: torch.device,
        threads: int | None = None,
        changes: Mapping[str, Any] | None = None,
        hire: Callable[[Settings, dict[str, Any] | None], Learning] | None = None,
        guests: Sequence[State] | None = None,
        start: State | None = None,
    ) -> None:
        """`settings` are for a new run; one that is resumed keeps its own, except for `changes`.

        `hire` makes the learner; by default it learns in this process. `guests` are other networks
        that play in the same role as earlier snapshots; a run that is resumed keeps those it had. A
        new run starts from the network `start`.
        """
        self.folder, self.device, self.threads = folder, device, threads
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / CHECKPOINT
        learned: dict[str, Any] | None = None
        if path.exists():
            self.standing, learned = checkpoint.load(path, device)
            self.standing.settings = _changed(self.standing.settings, changes or {})
        else:
            self.standing = Standing(settings)
            if start is not None:
                beginner = Learner(settings, device)
                beginner.start_from(start)
                learned = beginner.state()
        if guests is not None:
            self.standing.guests = [
                {name: one.half() for name, one in state.items()} for state in guests
            ]
        self.settings = self.standing.settings
        if hire is None:
            self._learning: Learning = Trainer(self.settings, device, threads, learned)
        else:
            self._learning = hire(self.settings, learned)

    @property
    def network(self) -> Network:
        """The network for playing."""
        return self._learning.learner.player()

    def run(
        self,
        *,
        lessons: int | None = None,
        seconds: float | None = None,
        pause: float | None = None,
    ) -> Iterator[dict[str, float]]:
        """Continue until the whole run has had `lessons` lessons, or has taken `seconds` seconds.

        With `pause` it stops after that many seconds of this call, to be resumed later. Yields the
        measurements of every leg once its checkpoint is saved.
        """
        if (lessons is None) == (seconds is None):
            raise ValueError("give lessons or seconds")
        standing = self.standing

        def progress() -> float:
            if lessons is not None:
                return standing.lessons / lessons
            assert seconds is not None
            return standing.seconds / seconds

        begun = time.perf_counter()

        def is_over() -> bool:
            paused = pause is not None and time.perf_counter() - begun >= pause
            return paused or progress() >= 1

        try:
            while not is_over():
                if self._leg(progress, is_over):
                    self._keep()
                    yield standing.curve[-1]
        finally:
            self._learning.close()

    def _leg(self, progress: Callable[[], float], is_over: Callable[[], bool]) -> bool:
        """Some lessons from fresh games, then a measurement of strength.

        False if there was no time for any.
        """
        standing, settings = self.standing, self.settings
        seed = seed_of_leg(settings, standing.leg)
        self._learning.begin(seed, [*self._older_selves(seed), *standing.guests])
        begun = time.perf_counter()
        before = standing.seconds
        sums = Learned()
        for _ in range(settings.leg):
            if is_over():
                break
            critic_alone = standing.lessons < settings.critic_first
            now = self._learning.lesson(min(progress(), 1.0), critic_alone=critic_alone)
            sums.played += now.played
            sums.rounds += now.rounds
            sums.decisions += now.decisions
            sums.losses = now.losses
            standing.lessons += 1
            standing.decisions += now.decisions
            standing.seconds = before + time.perf_counter() - begun
        if sums.played == 0:
            return False
        took = standing.seconds - before
        standing.leg += 1
        strengths = self._strengths()
        standing.seconds = before + time.perf_counter() - begun
        point = {
            "leg": float(standing.leg),
            "lessons": float(standing.lessons),
            "decisions": float(standing.decisions),
            "seconds": round(standing.seconds, 1),
            "rate": rate(settings, min(progress(), 1.0)),
            "played_a_second": sums.played / took,
            "learned_a_second": sums.decisions / took,
            "rounds_a_second": sums.rounds / took,
            **sums.losses,
            **strengths,
        }
        standing.curve.append(point)
        return True

    def _strengths(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, other in (("simple", SIMPLE), ("stranger", STRANGER)):
            now = strength(
                self.network,
                Rules(players=4),
                self.settings.duels,
                self.settings.seed,
                self.device,
                against=other,
                threads=self.threads,
            )
            found[f"points_{name}"] = now.points.value
            found[f"wins_{name}"] = now.wins.value
            found[f"exact_{name}"] = now.exact.value
        return found

    def _older_selves(self, seed: int) -> list[State]:
        """Some of the snapshots, for a leg."""
        kept = self.standing.snapshots
        count = min(SNAPSHOTS_MET, len(kept))
        return [kept[index] for index in sorted(Random(seed).sample(range(len(kept)), count))]

    def _keep(self) -> None:
        """Save a checkpoint, and sometimes add the current network to the snapshots."""
        standing = self.standing
        # Ever rarer, so that snapshots are spread over the whole run.
        if standing.leg & (standing.leg - 1) == 0 or standing.leg % 16 == 0:
            state = self.network.state_dict()
            standing.snapshots.append({name: one.bfloat16() for name, one in state.items()})
            while len(standing.snapshots) > SNAPSHOTS_KEPT:
                standing.snapshots.pop(0 if standing.leg % 32 else 1)
        checkpoint.save(self.folder / CHECKPOINT, standing, self._learning.settle())
        write_weights(self.folder / WEIGHTS, self.network)
        svg = picture(standing.curve)
        write_whole(self.folder / CURVES, lambda partial: partial.write_text(svg))


def _changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    for name in FIXED:
        begun = getattr(settings, name)
        if changes.get(name, begun) != begun:
            raise UnreadableError(f"this run was begun with {name} {begun}: take another folder")
    return replace(settings, **changes)

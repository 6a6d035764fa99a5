"""A run as the command line asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from foretold.cluster import cluster
from foretold.errors import UnreadableError
from foretold.train.on_ray import Crew
from foretold.train.settings import Settings
from foretold.train.trainer import Learning
from foretold.train.training_loop import TrainingRun, device_of
from foretold.train.weights import read_weights


@dataclass(frozen=True)
class Point:
    """The progress of a run after a leg."""

    data: dict[str, float]

    def __str__(self) -> str:
        now = self.data
        return (
            f"{now['seconds']:7.0f} s  {now['decisions'] / 1e6:9.1f} M decisions  "
            f"{now['learned_a_second'] / 1e3:7.0f} k/s learned  "
            f"{now['rounds_a_second'] / 1e3:6.1f} k rounds/s  loss {now.get('value', 0):.3f}  "
            f"simple: {now['points_simple']:5.0f} points {now['wins_simple']:4.0%} wins "
            f"{now['exact_simple']:4.0%} exact  "
            f"stranger: {now['points_stranger']:5.0f} {now['wins_stranger']:4.0%}"
        )


def run(
    folder: Path,
    device: str,
    seed: int | None,
    changes: Mapping[str, str],
    threads: int | None,
    lessons: int | None,
    seconds: float | None,
    pause: float | None = None,
    ray: bool = False,
    trainers: int | None = None,
    guests: Sequence[Path] = (),
    start: Path | None = None,
) -> Iterator[Point]:
    """Train, and report progress after every leg; with `ray`, on a cluster.

    `guests` are weights of other networks, met at some tables; without any a run keeps its own. A
    new run starts from the weights `start`.
    """
    on = device_of(device)
    if threads is not None:
        torch.set_num_threads(threads)
    given = numbers_of(changes)
    if seed is not None:
        given["seed"] = seed
    invited = [read_weights(path) for path in guests] or None
    settings = Settings(**given) if on.type == "cuda" else Settings.small(**given)
    with ExitStack() as stack:
        hire = None
        if ray:
            joined = stack.enter_context(cluster())

            def hire(settings: Settings, learned: dict[str, Any] | None) -> Learning:
                return Crew(joined, trainers, settings, on, threads, learned)

        begun = None if start is None else read_weights(start)
        training = TrainingRun(folder, settings, on, threads, given, hire, invited, begun)
        for data in training.run(lessons=lessons, seconds=seconds, pause=pause):
            yield Point(data)


def numbers_of(changes: Mapping[str, str]) -> dict[str, Any]:
    """Settings as they are written on the command line."""
    kinds = {name: type(value) for name, value in Settings().to_data().items()}
    given: dict[str, Any] = {}
    for name, text in changes.items():
        if name not in kinds:
            raise UnreadableError(f"unknown setting {name!r}: there are {', '.join(kinds)}")
        try:
            given[name] = kinds[name](text)
        except ValueError:
            raise UnreadableError(f"{name} is {text!r}: expected a number") from None
    return given

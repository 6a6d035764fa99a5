"""A run as the command line asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from foretold.errors import UnreadableError
from foretold.train.course import Course, device_of
from foretold.train.settings import Settings


@dataclass(frozen=True)
class Point:
    """How a run stands after a leg."""

    data: dict[str, float]

    def __str__(self) -> str:
        now = self.data
        return (
            f"{now['seconds']:7.0f} s  {now['decisions'] / 1e6:9.1f} M decisions  "
            f"{now['learned_a_second'] / 1e3:7.0f} k/s learned  "
            f"{now['rounds_a_second'] / 1e3:6.1f} k rounds/s  loss {now['value']:.3f}  "
            f"simple: {now['points_simple']:5.0f} points {now['wins_simple']:4.0%} wins "
            f"{now['exact_simple']:4.0%} exact  "
            f"stranger: {now['points_stranger']:5.0f} {now['wins_stranger']:4.0%}"
        )


def run(
    folder: Path,
    device: str,
    seed: int,
    changes: Mapping[str, str],
    threads: int | None,
    lessons: int | None,
    seconds: float | None,
) -> Iterator[Point]:
    """Train, and tell after every leg how it stands."""
    try:
        on = device_of(device)
    except RuntimeError as error:
        raise UnreadableError(f"no device {device!r}: {str(error).splitlines()[0]}") from None
    if threads is not None:
        torch.set_num_threads(threads)
    settings = settings_of(on.type == "cuda", seed, changes)
    course = Course(folder, settings, on, threads)
    for data in course.run(lessons=lessons, seconds=seconds):
        yield Point(data)


def settings_of(large: bool, seed: int, changes: Mapping[str, str]) -> Settings:
    kinds = {name: type(value) for name, value in Settings().to_data().items()}
    given: dict[str, Any] = {"seed": seed}
    for name, text in changes.items():
        if name not in kinds:
            raise UnreadableError(f"unknown setting {name!r}: there are {', '.join(kinds)}")
        try:
            given[name] = kinds[name](text)
        except ValueError:
            raise UnreadableError(f"{name} is {text!r}: expected a number") from None
    return Settings(**given) if large else Settings.small(**given)

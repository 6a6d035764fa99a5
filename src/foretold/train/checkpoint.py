"""The state of a run as one file, written atomically."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch

from foretold.errors import UnreadableError
from foretold.train.settings import Settings

FORMAT: Final = 3


@dataclass
class Standing:
    """The progress of a run."""

    settings: Settings
    leg: int = 0
    """Legs finished."""
    lessons: int = 0
    decisions: int = 0
    """Decisions learned from."""
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)
    """Measurements at the end of each leg."""
    snapshots: list[dict[str, torch.Tensor]] = field(default_factory=list)
    """Earlier snapshots of the network, oldest first, in half precision."""
    guests: list[dict[str, torch.Tensor]] = field(default_factory=list)
    """Other networks, met at the same tables, in the precision of their files."""


def save(path: Path, standing: Standing, learned: dict[str, Any]) -> None:
    content = {
        "format": FORMAT,
        "settings": standing.settings.to_data(),
        "leg": standing.leg,
        "lessons": standing.lessons,
        "decisions": standing.decisions,
        "seconds": standing.seconds,
        "curve": standing.curve,
        "snapshots": standing.snapshots,
        "guests": standing.guests,
        "learned": learned,
    }
    write_whole(path, lambda partial: torch.save(content, partial))


def load(path: Path, device: torch.device) -> tuple[Standing, dict[str, Any]]:
    try:
        content = torch.load(path, map_location=device, weights_only=True)
    except Exception as error:
        raise UnreadableError(f"{path} is no checkpoint: {error}".splitlines()[0]) from None
    if content.get("format") != FORMAT:
        raise UnreadableError(f"{path} was written by another version of foretold train")
    standing = Standing(
        settings=Settings(**content["settings"]),
        leg=content["leg"],
        lessons=content["lessons"],
        decisions=content["decisions"],
        seconds=content["seconds"],
        curve=content["curve"],
        snapshots=content["snapshots"],
        guests=content.get("guests", []),
    )
    return standing, content["learned"]


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write to a temporary file and rename it, so a kill at any moment does no harm."""
    partial = path.with_name(f"{path.name}.part")
    write(partial)
    with open(partial, "rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)

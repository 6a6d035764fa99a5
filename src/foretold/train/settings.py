"""What a training run is made of; two runs of the same settings are the same run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """The defaults are for one large GPU; `small` is for processors."""

    seed: int = 1
    width: int = 512
    blocks: int = 2

    games: int = 65536
    """Tables played side by side."""
    steps: int = 32
    """Decisions a table between two lessons."""
    behind: int = 3
    """Lessons are so many times `steps` late, so that all rounds in them have ended."""
    leg: int = 100
    """Lessons between two checkpoints; a run can be resumed from each."""
    rules: int = 2048
    """How many rules are drawn to be played."""
    tempers: int = 64
    """How many players by rule are drawn as company."""
    with_rules: float = 0.2
    """The share of tables with players by rule."""
    with_snapshots: float = 0.2
    """The share of tables with older selves and guests."""

    batch: int = 32768
    rate: float = 1e-3
    warmth: float = 6.0
    """At first a decision that seems so many points worse is taken e times as seldom."""
    coolness: float = 0.7
    """The same in the end."""
    whim: float = 0.02
    """How often, at first, just anything is done."""

    duels: int = 1024
    """Deals to measure the strength with; each is played once from every seat."""

    @classmethod
    def small(cls, **changes: Any) -> Settings:
        fit: dict[str, Any] = {
            "width": 128,
            "blocks": 1,
            "games": 1024,
            "leg": 10,
            "rules": 256,
            "batch": 1024,
            "duels": 64,
        }
        return cls(**{**fit, **changes})

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

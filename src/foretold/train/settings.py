"""The settings of a training run; two runs with the same settings are identical."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """The defaults are for one large GPU; `small` is for CPUs."""

    seed: int = 1
    width: int = 640
    blocks: int = 3
    critic_width: int = 512
    critic_blocks: int = 2

    games: int = 65536
    """Tables played side by side."""
    steps: int = 64
    """Decisions per table between two lessons."""
    leg: int = 50
    """Lessons between two checkpoints; a run can be resumed from each."""
    rules: int = 4096
    """How many sets of rules are drawn."""
    tempers: int = 128
    """How many rule-based players are drawn as opponents."""
    with_rules: float = 0.2
    """The share of tables with rule-based players."""
    with_snapshots: float = 0.2
    """The share of tables with snapshots and guests."""

    batch: int = 65536
    rate: float = 5e-4
    trace: float = 0.95
    """How a decision is judged: 1 by the end of its round alone, 0 by the seat's next decision."""
    winning: float = 200.0
    """What winning the game is worth, in points, on top of those of the round."""
    critic_first: int = 0
    """Lessons at the start in which only the critic learns: for a run that starts from weights."""
    curiosity: float = 0.02
    """The weight of the entropy bonus at the start."""
    calm: float = 0.001
    """The same at the end."""

    straying: float = 0.1
    """The share of decisions taken at random, at one table of `STRAY_TABLES`: otherwise actions
    that nobody takes would have arbitrary values.
    """

    duels: int = 1024
    """Deals for measuring strength; each is played once from every seat."""

    @classmethod
    def small(cls, **changes: Any) -> Settings:
        fit: dict[str, Any] = {
            "width": 128,
            "blocks": 1,
            "critic_width": 128,
            "critic_blocks": 1,
            "games": 1024,
            "steps": 32,
            "leg": 10,
            "rules": 256,
            "batch": 1024,
            "duels": 64,
        }
        return cls(**{**fit, **changes})

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

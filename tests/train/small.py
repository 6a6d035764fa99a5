"""Environments, settings and runs small enough for a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from foretold.rules import Rules
from foretold.train import checkpoint
from foretold.train.opponents import draw_tempers, rows
from foretold.train.seating import ALONE, WITH_RULES, WITH_SNAPSHOT
from foretold.train.settings import Settings
from foretold.train.training_loop import CHECKPOINT
from foretold.train.variety import some_rules
from foretold.train.vector_env import VectorEnv

CPU = torch.device("cpu")
torch.set_num_threads(1)  # more tests run in parallel than there are cores
TINY = Settings.small(width=16, critic_width=16, games=48, rules=32, leg=2, batch=128, duels=1)


def some_env(
    games: int = 120, seed: int = 1, *, from_start: bool = False
) -> tuple[VectorEnv, list[Rules]]:
    pool = some_rules(80, seed)
    seating = np.array([(ALONE, WITH_RULES, WITH_SNAPSHOT)[game % 3] for game in range(games)])
    tempers = rows(draw_tempers(16, seed))
    return VectorEnv(pool, seating, tempers, seed=seed, from_start=from_start, threads=1), pool


def any_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    drawn: NDArray[np.int64] = (masks * (1 + chance.random(masks.shape))).argmax(axis=1)
    return drawn


def weights(folder: Path) -> dict[str, torch.Tensor]:
    _, learned = checkpoint.load(folder / CHECKPOINT, CPU)
    found: dict[str, torch.Tensor] = learned["network"]
    return found


def command(folder: Path, lessons: int) -> list[str]:
    """The arguments of `foretold` for such a run."""
    settings = [f"--set={name}={value}" for name, value in TINY.to_data().items() if name != "seed"]
    call = ["train", str(folder), "--lessons", str(lessons), "--device", "cpu", "--threads", "1"]
    return [*call, *settings]

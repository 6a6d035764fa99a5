"""The training loop for researchers, on a CPU and with the shortest rounds."""

from __future__ import annotations

import runpy
from itertools import islice
from pathlib import Path

import torch

from foretold import Rules

EXAMPLE = Path(__file__).parents[2] / "examples" / "ppo.py"


def test_the_example_learns() -> None:
    ppo = runpy.run_path(str(EXAMPLE))
    torch.manual_seed(1)
    rules = Rules(players=3, rounds="1-2")
    before = ppo["strength"](ppo["Actor"](64), rules, "cpu", 100)
    size = {"games": 256, "steps": 32, "batch": 256, "width": 64, "rate": 5e-3}
    *_, (decisions, actor) = islice(ppo["train"](rules, "cpu", 3600, **size), 5)
    assert decisions > 5 * 256 * 16
    after = ppo["strength"](actor, rules, "cpu", 100)
    assert after.points.low > before.points.high
    assert after.wins.low > before.wins.high

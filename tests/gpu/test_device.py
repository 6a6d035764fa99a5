"""The kernel as compiled for a GPU, in Numba's simulator; ``make test-gpu`` uses a real one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from foretold.env import BatchEnv
from foretold.errors import DeviceError
from foretold.kernel.batch import Batch
from foretold.rules import Rules
from gpu.compare import SHORT

HERE = Path(__file__).parent
SCRIPT = """
import numpy as np
import pytest
from foretold.env import BatchEnv
from foretold.rules import Rules

env = BatchEnv(Rules(players=3), 3, seed=1, device="cuda")
before = env.reset().observations.copy_to_host()
actions = np.array([163, 163, 163])
with pytest.raises(ValueError, match="not legal in game [0-2]: that game was not stepped"):
    env.step(actions)
    env.synchronize()
assert (env._step.observations.copy_to_host() == before).all()
env.step(env.random_actions())
env.synchronize()
with pytest.raises(ValueError, match=r"there are \\(2,\\) actions for 3 games"):
    env.step(actions[:2])
"""


def simulated(*command: str) -> str:
    found = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_every_mode_is_played_and_observed_as_on_the_cpu() -> None:
    told = simulated(str(HERE / "compare.py"), "--short", "--games", "2", "--steps", "12")
    assert told.count("the same: ") == len(SHORT)


def test_an_illegal_action_leaves_its_game_as_it_was() -> None:
    simulated("-c", SCRIPT)


@pytest.mark.parametrize("make", [Batch, BatchEnv])
def test_a_device_that_does_not_exist_is_refused(make: type[Batch] | type[BatchEnv]) -> None:
    with pytest.raises(DeviceError, match="device is 'tpu': expected cpu or cuda"):
        make(Rules(), 2, device="tpu")

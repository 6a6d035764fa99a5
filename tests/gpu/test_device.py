"""The kernel as compiled for a GPU, in Numba's simulator; ``make test-gpu`` uses a real one."""

from __future__ import annotations

import dis
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foretold.env import BatchEnv, tables
from foretold.errors import DeviceError
from foretold.kernel import batch
from foretold.kernel.batch import Batch
from foretold.kernel.compile import SOURCES
from foretold.rules import Rules
from foretold.train import vector_env
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
assert (env._tables.seen.observations.copy_to_host() == before).all()
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
    assert told.count("the same: ") == len(SHORT) + 1


def test_an_illegal_action_leaves_its_game_as_it_was() -> None:
    simulated("-c", SCRIPT)


@pytest.mark.parametrize("make", [Batch, BatchEnv])
def test_a_device_that_does_not_exist_is_refused(make: type[Batch] | type[BatchEnv]) -> None:
    with pytest.raises(DeviceError, match="device is 'tpu': expected cpu or cuda"):
        make(Rules(), 2, device="tpu")


CONSTANT_MEMORY = 64 * 1024
"""The bytes that CUDA has for the constants of a kernel."""


def works() -> Iterator[Callable[..., Any]]:
    """The functions that are run for a part of the games each, or on a GPU for a single one."""
    for module in (batch, tables, vector_env):
        for value in vars(module).values():
            source = SOURCES.get(value) if callable(value) else None
            if source is not None and source.__code__.co_varnames[:2] == ("first", "last"):
                yield source


def constants(source: Callable[..., Any], seen: set[Callable[..., Any]]) -> int:
    """The bytes of global arrays in a function and all that it calls: a copy for each mention, as
    numba-cuda has them."""
    seen.add(source)
    found = 0
    for instruction in dis.get_instructions(source):
        value = (
            source.__globals__.get(instruction.argval)
            if instruction.opname == "LOAD_GLOBAL"
            else None
        )
        if isinstance(value, np.ndarray):
            found += value.nbytes
        elif callable(value) and value in SOURCES and SOURCES[value] not in seen:
            found += constants(SOURCES[value], seen)
    return found


@pytest.mark.parametrize(
    "work", list(works()), ids=lambda work: f"{work.__module__}.{work.__name__}"
)
def test_the_tables_fit_into_the_constant_memory_of_a_gpu(work: Callable[..., Any]) -> None:
    assert constants(work, set()) <= CONSTANT_MEMORY

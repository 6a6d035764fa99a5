"""For all tests: one thread for each of the parallel test processes; the long ones begin.

With more threads, they would take the cores from each other and wait. Set before NumPy and PyTorch
are loaded, and inherited by every process that a test starts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import pytest

assert not {"numpy", "torch"} & set(sys.modules), "too late: they have read it"
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

TESTS: Final = Path(__file__).parent
LONG: Final = (
    "cluster/test_on_ray.py",
    "server/test_operating.py",
    "train/test_runs.py",
    "server/test_outage.py",
    "server/test_kill.py",
    "arena/test_journal.py",
    "browser/test_learn.py",
    "browser/test_languages.py",
    "cli/test_cli.py",
    "browser/test_tablet_kept.py",
    "browser/test_table_absence.py",
    "browser/test_axe.py",
)
"""The modules with the longest tests, longest first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let every process begin with its share of the long modules.

    One that began last would keep a core idle at the end. Each process gets a stretch of the list,
    and takes from others' when it is done (xdist's worksteal).
    """
    processes: int = getattr(config, "workerinput", {}).get("workercount", 1)
    places = {TESTS / name: index for index, name in enumerate(LONG)}
    shares: list[list[pytest.Item]] = [[] for _ in range(processes)]
    rest: list[pytest.Item] = []
    for item in sorted(items, key=lambda one: places.get(one.path, len(LONG))):
        place = places.get(item.path)
        (rest if place is None else shares[place % processes]).append(item)
    for index, share in enumerate(shares):
        size = (len(items) - sum(map(len, shares[:index]))) // (processes - index)
        missing = max(0, size - len(share))
        share += rest[:missing]
        del rest[:missing]
    items[:] = [item for share in shares for item in share] + rest

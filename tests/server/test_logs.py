"""What is told of a failure."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

FAILS = """
from foretold.server.logs import logger, set_up_logs
set_up_logs()
def fail(hand):
    raise ValueError("broken")
try:
    fail("ten of " + "elves")
except ValueError:
    logger().exception("a table failed")
"""


@pytest.mark.parametrize("on_a_terminal", [True, False])
def test_a_failure_is_told_without_the_values_of_names(on_a_terminal: bool) -> None:
    reads, writes = pty.openpty() if on_a_terminal else os.pipe()
    subprocess.run([sys.executable, "-c", FAILS], stderr=writes, check=True)
    told = os.read(reads, 100_000).decode()
    os.close(reads)
    os.close(writes)
    assert "broken" in told
    assert "a table failed" in told
    assert "ten of elves" not in told

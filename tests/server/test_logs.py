"""What is logged about a failure."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

FAILS = """
from foretold.server.observing.logs import logger, set_up_logs
set_up_logs()
def fail(hand):
    raise ValueError("broken")
try:
    fail("ten of " + "elves")
except ValueError:
    logger().exception("a table failed")
"""


FAILS_ON = """
import sys
from foretold.server.observing import logs
logs.set_up_logs()
def fail(kind, event):
    try:
        raise kind("broken")
    except Exception:
        logs.logger().exception(event, table=str(id(kind)))
for _ in range(1000):
    fail(ValueError, "a table failed")
fail(KeyError, "a table failed")
fail(ValueError, "a request failed")
logs.QUIET_SECONDS = 0
fail(ValueError, "a table failed")
"""


def test_what_fails_on_and_on_is_told_once_and_then_counted() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAILS_ON], stderr=subprocess.PIPE, text=True, check=True
    )
    told = [json.loads(line) for line in done.stderr.splitlines()]
    kinds = [one["exception"].splitlines()[-1].split(":")[0] for one in told]
    assert kinds == ["ValueError", "KeyError", "ValueError", "ValueError"]
    assert [one["event"] for one in told] == [
        "a table failed",
        "a table failed",
        "a request failed",
        "a table failed",
    ]
    assert [one.get("untold") for one in told] == [None, None, None, 999]


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

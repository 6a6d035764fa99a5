"""One deadline for everything that waits while a process stops."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from foretold.server import ending
from foretold.server.ending import SECONDS_TO_CLOSE, SECONDS_TO_END, SECONDS_TO_EXIT, Ending
from server.test_limits import Clock

DRAIN = 30.0
PROMISED = 10.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(ending, "time", clock)
    return clock


def test_there_is_no_end_until_one_is_asked_for_and_then_it_stays(clock: Clock) -> None:
    end = Ending()
    assert end.at == math.inf
    end.begin()
    asked = clock.now
    assert end.left() == SECONDS_TO_END < PROMISED
    clock.now += 2
    end.begin()  # a second signal
    assert end.at == asked + SECONDS_TO_END


def test_waits_one_after_the_other_do_not_add_up(clock: Clock) -> None:
    end = Ending()
    end.begin()
    asked = clock.now
    for spare in (SECONDS_TO_CLOSE, SECONDS_TO_EXIT, 0.0, 0.0):
        clock.now += end.left(spare)  # each waits as long as it may
        clock.now += 0.01  # and the machine is busy
    assert clock.now - asked < SECONDS_TO_END + 0.1


def test_a_database_that_was_silent_before_grants_no_time(clock: Clock) -> None:
    end = Ending()
    silent_since = clock.now
    clock.now += 2
    end.begin()
    end.hand_over(DRAIN, lambda: silent_since)
    assert end.left() == SECONDS_TO_END


def test_tables_are_handed_over_as_long_as_the_database_answers(clock: Clock) -> None:
    end = Ending()
    end.begin()
    asked = answered = clock.now
    end.hand_over(DRAIN, lambda: answered)
    for _ in range(10):
        clock.now += 1
        answered = clock.now
        assert end.left() == SECONDS_TO_END
    clock.now += 3  # from now on it is silent
    assert end.at == answered + SECONDS_TO_END
    answered = asked + 10 * DRAIN
    assert end.at == asked + DRAIN + SECONDS_TO_END


SUSPENDED = """
import signal, sys, time
from pathlib import Path
from foretold.server import processes
from foretold.server.net.siblings import Siblings
from foretold.server.settings import ServerSettings

processes.SECONDS_TO_END = processes.SECONDS_TO_KILL = 0.0

def never_ends(at, settings, ready):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ready()
    while True:
        time.sleep(60)

settings = ServerSettings(data=Path(), processes=2, drain=0.0)
with Siblings(2) as siblings:
    parent = processes.Parent(settings, [], siblings, never_ends)
    parent.run(lambda: signal.raise_signal(signal.SIGTERM))
"""


def test_a_node_that_cannot_end_is_ended_by_its_parent() -> None:
    done = subprocess.run([sys.executable, "-c", SUSPENDED], timeout=60, check=False)
    assert done.returncode == 0

"""Several workers that work through jobs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice

import pytest

from foretold.workers.crew import work_through
from foretold.workers.failures import EndedError
from foretold.workers.process import Process
from foretold.workers.starting import command


class Squarer:
    """Squares numbers; odd ones only when it may."""

    def __init__(self, may: threading.Event) -> None:
        self._may = may
        self.done = 0

    def do(self, job: int) -> int:
        if job % 2:
            self._may.wait(60)
        self.done += 1
        return job * job

    def stop(self) -> None:
        self._may.set()


def test_every_job_is_done_once_each_result_as_soon_as_it_is_there() -> None:
    may = threading.Event()
    crew = [Squarer(may) for _ in range(3)]
    results = []
    for result in work_through(crew, [1, 2, 4, 6]):
        results.append(result)
        if len(results) == 3:
            may.set()
    assert results[-1] == 1
    assert sorted(results) == [1, 4, 16, 36]
    assert sum(hand.done for hand in crew) == 4


def test_results_come_in_the_order_of_the_jobs_if_asked_for() -> None:
    may = threading.Event()
    crew = [Squarer(may) for _ in range(3)]
    threading.Timer(0.05, may.set).start()
    assert list(work_through(crew, range(20), in_order=True)) == [one * one for one in range(20)]


@pytest.mark.parametrize("in_order", [False, True])
def test_jobs_without_end_are_taken_as_results_are_read(in_order: bool) -> None:
    taken = 0

    def jobs() -> Iterator[int]:
        nonlocal taken
        for taken in count():
            yield 2 * taken

    crew = [Squarer(threading.Event()) for _ in range(2)]
    with closing(work_through(crew, jobs(), in_order=in_order)) as results:
        assert len(list(islice(results, 10))) == 10
    assert taken < 10 + 2 * len(crew)


def test_a_worker_that_dies_ends_all() -> None:
    crew = [Process(command("workers.odd_worker")) for _ in range(2)]
    try:
        with pytest.raises(EndedError, match="exit status 4"):
            list(work_through(crew, [b"hang", b"exit 4"]))
    finally:
        for process in crew:
            process.close()

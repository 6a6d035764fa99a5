"""Several workers that work through jobs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from typing import Final, Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
Job_contra = TypeVar("Job_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)

_AHEAD: Final = 2
"""Jobs per worker, running or queued, so that none is idle while a result is read."""


class Hand(Protocol[Job_contra, Result_co]):
    """One of a crew."""

    def do(self, job: Job_contra, /) -> Result_co: ...

    def stop(self) -> None:
        """Stop it, from any thread; it raises or returns soon, and does no other job."""


def work_through(
    crew: Sequence[Hand[Job, Result]], jobs: Iterable[Job], *, in_order: bool = False
) -> Generator[Result, None, None]:
    """The results of jobs, each as soon as it is available, or in the order of the jobs.

    Each hand works in its own thread. An exception in one stops all, and so does closing the
    generator.
    """
    todo: queue.SimpleQueue[tuple[int, Job] | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Result] | Exception] = queue.SimpleQueue()

    def work(hand: Hand[Job, Result]) -> None:
        try:
            while (task := todo.get()) is not None:
                number, job = task
                done.put((number, hand.do(job)))
        except Exception as error:
            done.put(error)

    threads = [threading.Thread(target=work, args=(hand,), daemon=True) for hand in crew]
    tasks = enumerate(jobs)
    try:
        for thread in threads:
            thread.start()
        pending = 0
        for task in islice(tasks, _AHEAD * len(crew)):
            todo.put(task)
            pending += 1
        finished: dict[int, Result] = {}
        number = 0
        while pending:
            arrived = done.get()
            if isinstance(arrived, Exception):
                raise arrived
            finished[arrived[0]] = arrived[1]
            while finished:
                number = number if in_order else next(iter(finished))
                if number not in finished:
                    break
                following = next(tasks, None)
                if following is None:
                    pending -= 1
                else:
                    todo.put(following)
                yield finished.pop(number)
                number += 1
    finally:
        for hand in crew:
            hand.stop()
        for _ in crew:
            todo.put(None)
        for thread in threads:
            if thread.ident is not None:
                thread.join()

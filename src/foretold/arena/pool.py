"""Deal sets on the cores of this machine: a thread and a worker process for each."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Generator, Sequence

from foretold.arena.match import Job, Settings
from foretold.arena.referee import Referee
from foretold.arena.results import Lost, SetResult


def all_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_here(
    settings: Settings, jobs: Sequence[Job], workers: int | None
) -> Generator[SetResult | Lost, None, None]:
    """Play deal sets, in whatever order they are finished; closing the iterator ends all work."""
    todo: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        todo.put(job)
    done: queue.SimpleQueue[SetResult | Lost | Exception] = queue.SimpleQueue()
    referees = [Referee(settings) for _ in range(min(workers or all_cores(), len(jobs)))]

    def work(referee: Referee) -> None:
        try:
            while not referee.stopped:
                done.put(referee.play(todo.get_nowait()))
        except queue.Empty:
            pass
        except Exception as error:
            done.put(error)

    threads = [threading.Thread(target=work, args=(one,), daemon=True) for one in referees]
    try:
        # One checks the bots and gets the rules compiled before the others start.
        referees[0].check()
        for thread in threads:
            thread.start()
        for _ in jobs:
            result = done.get()
            if isinstance(result, Exception):
                raise result
            yield result
    finally:
        for referee in referees:
            referee.stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        for referee in referees:
            referee.close()

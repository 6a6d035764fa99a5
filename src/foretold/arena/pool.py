"""Deal sets on the cores of this machine: a thread and a worker process for each."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from foretold.arena.match import Job, Settings
from foretold.arena.referee import Referee
from foretold.arena.results import Lost, SetResult
from foretold.workers.crew import work_through
from foretold.workers.starting import all_cores


def play_here(
    settings: Settings, jobs: Sequence[Job], workers: int | None
) -> Generator[SetResult | Lost, None, None]:
    """Play deal sets; yields results as they finish. Closing the iterator stops all work."""
    referees = [Referee(settings) for _ in range(min(workers or all_cores(), len(jobs)))]
    try:
        # One checks the bots, and compiles the rules, before the others start.
        referees[0].check()
        yield from work_through(referees, jobs)
    finally:
        for referee in referees:
            referee.close()

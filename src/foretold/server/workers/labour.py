"""Longer work outside the event loop: one piece at a time, with the addresses taking turns.

Only one thread: several would each keep the event loop waiting for the interpreter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused
from foretold.workers.fair_queue import FairQueue

Answer = TypeVar("Answer")

MOST_OF_ONE: Final = 1000
"""Pieces of work that may wait for one address: more than it may have sockets."""


class Turnstile(FairQueue[None]):
    """Lets one through at a time; the sources of those waiting take turns."""

    def __init__(self, most: float, most_of_one: int) -> None:
        super().__init__(most, most_of_one, refused_turn)
        self.put(None)


def refused_turn(is_greedy: bool) -> Refused:
    return Refused("too_fast" if is_greedy else "too_many")


class Labour:
    """A thread for computation, and an account of how much each address has used."""

    def __init__(self, budgets: Budgets | None = None) -> None:
        self._budgets = budgets or Budgets(ServerSettings())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="labour")
        self._turns = Turnstile(float("inf"), MOST_OF_ONE)

    async def do(self, work: Callable[[], Answer]) -> Answer:
        """Do it when its turn comes; raises `Refused` if the asker's budget is used up."""
        self.check()
        async with self._turns.turn(asked_by.get()):
            job = _Job(work)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, job.do)
            finally:
                self.charge(job.seconds)

    def check(self) -> None:
        """Raise `Refused` if the asker's budget is used up."""
        self._budgets.check_work(asked_by.get())

    def charge(self, seconds: float) -> None:
        """Charge the asker for work done elsewhere."""
        self._budgets.has_worked(asked_by.get(), seconds)

    def close(self) -> None:
        self._thread.shutdown()


class _Job(Generic[Answer]):
    """A piece of work, and the processor time it took."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self.seconds = 0.0

    def do(self) -> Answer:
        begun = time.thread_time()
        try:
            return self._work()
        finally:
            self.seconds = time.thread_time() - begun

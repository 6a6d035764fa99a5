"""Work that takes longer, beside the event loop: one piece at a time, the addresses in turn.

A thread, and only one: several would each keep the event loop waiting for the interpreter.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, Generic, TypeVar

from foretold.server.budgets import Budgets, asked_by
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused

Answer = TypeVar("Answer")

MOST_OF_ONE: Final = 1000
"""Pieces of work that may wait for one address: as many as it may have sockets, and more."""


class Turnstile:
    """Lets one through at a time; of those who wait, the sources take turns."""

    def __init__(self, most: float, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._count = 0
        self._is_taken = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, source: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it; raises `Refused` if too many wait already."""
        if self._is_taken:
            await self._wait(source)
        self._is_taken = True
        try:
            yield
        finally:
            self._let_next()

    async def _wait(self, source: str) -> None:
        waiting = self._waiting.get(source)
        is_full = waiting is not None and len(waiting) >= self._most_of_one
        if is_full:
            raise Refused("too_fast")
        if self._count >= self._most:
            raise Refused("too_many")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(source, deque()).append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had the turn already
                self._let_next()
            raise
        finally:
            self._count -= 1

    def _let_next(self) -> None:
        while self._waiting:
            source, waiting = self._waiting.popitem(last=False)
            turn = next((one for one in _taken_out(waiting) if not one.done()), None)
            if waiting:
                self._waiting[source] = waiting  # behind all others
            if turn is not None:
                turn.set_result(None)
                return
        self._is_taken = False


def _taken_out(waiting: deque[asyncio.Future[None]]) -> Iterator[asyncio.Future[None]]:
    """Those who wait, each taken out of the queue."""
    while waiting:
        yield waiting.popleft()


class Labour:
    """A thread for what the server works out, and what each address has had of it."""

    def __init__(self, budgets: Budgets | None = None) -> None:
        self._budgets = budgets or Budgets(ServerSettings())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="labour")
        self._turns = Turnstile(float("inf"), MOST_OF_ONE)

    async def do(self, work: Callable[[], Answer]) -> Answer:
        """Do it when its turn has come; raises `Refused` for one who has had too much."""
        self.check()
        async with self._turns.turn(asked_by.get()):
            job = _Job(work)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, job.do)
            finally:
                self.charge(job.seconds)

    def check(self) -> None:
        """Raise `Refused` if whoever asks has had too much."""
        self._budgets.check_work(asked_by.get())

    def charge(self, seconds: float) -> None:
        """Count work that was done elsewhere for whoever asks."""
        self._budgets.has_worked(asked_by.get(), seconds)

    def close(self) -> None:
        self._thread.shutdown()


class _Job(Generic[Answer]):
    """A piece of work, and how much of a core it took."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self.seconds = 0.0

    def do(self) -> Answer:
        begun = time.thread_time()
        try:
            return self._work()
        finally:
            self.seconds = time.thread_time() - begun

"""A queue for a scarce resource, within an event loop: its users take turns."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from foretold.workers.failures import WorkerError

Thing = TypeVar("Thing")


class FullError(WorkerError):
    """Too many are waiting already."""

    def __init__(self, of_one: bool = False) -> None:
        super().__init__("too many from one source wait" if of_one else "too many wait")


class FairQueue(Generic[Thing]):
    """Resources used by one at a time; the sources of waiting requests take turns."""

    def __init__(
        self,
        most: float = float("inf"),
        most_of_one: float = float("inf"),
        full: Callable[[bool], Exception] = FullError,
    ) -> None:
        """`most` may wait, and `most_of_one` source. `full` makes the error for anyone else, from
        whether their source alone has too many waiting."""
        self._most = most
        self._most_of_one = most_of_one
        self._full = full
        self._count = 0
        self._free: deque[Thing] = deque()
        self._waiting: OrderedDict[str, deque[asyncio.Future[Thing]]] = OrderedDict()

    def put(self, thing: Thing) -> None:
        """Give it to the next in line, or keep it."""
        while self._waiting:
            source, waiting = self._waiting.popitem(last=False)
            turn = None
            while waiting and turn is None:
                first = waiting.popleft()
                turn = None if first.done() else first  # or it has gone
            if waiting:
                self._waiting[source] = waiting  # behind all others
            if turn is not None:
                turn.set_result(thing)
                return
        self._free.append(thing)

    async def take(self, source: str = "") -> Thing:
        """Wait for a resource, and take it until it is put back."""
        if self._free:
            return self._free.popleft()
        waiting = self._waiting.get(source)
        is_greedy = waiting is not None and len(waiting) >= self._most_of_one
        if is_greedy or self._count >= self._most:
            raise self._full(is_greedy)
        turn: asyncio.Future[Thing] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(source, deque()).append(turn)
        self._count += 1
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had been given one already
                self.put(turn.result())
            raise
        finally:
            self._count -= 1

    @asynccontextmanager
    async def turn(self, source: str = "") -> AsyncIterator[Thing]:
        """Wait for a resource, and use it within a context."""
        thing = await self.take(source)
        try:
            yield thing
        finally:
            self.put(thing)

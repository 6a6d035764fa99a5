"""Queries that arrive one by one and are answered in lots.

While one lot is being read, further queries gather for the next: after a restart, when everybody
comes back at once, hundreds of queries become a few statements.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Lots(Generic[Key, Answer]):
    """Queries of one kind, each about a key; the sources of those waiting take turns."""

    def __init__(
        self,
        read: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Answer]]],
        most: int,
        most_of_one: float = float("inf"),
        full: Callable[[bool], Exception] = lambda _: OverflowError(),
    ) -> None:
        """`read` answers all of up to `most` keys. `most_of_one` queries of a source may wait;
        `full` makes the error for further ones.
        """
        self._read = read
        self._most = most
        self._most_of_one = most_of_one
        self._full = full
        self._waiting: OrderedDict[str, deque[tuple[Key, asyncio.Future[Answer]]]] = OrderedDict()
        self._reading: asyncio.Task[None] | None = None

    async def ask(self, key: Key, source: str = "") -> Answer:
        """The answer about a key, when it has been read."""
        waiting = self._waiting.get(source)
        if waiting is None:
            waiting = self._waiting[source] = deque()
        elif len(waiting) >= self._most_of_one:
            raise self._full(True)
        asked: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        waiting.append((key, asked))
        if self._reading is None:
            # It starts in the next round of the loop, so it gets everything asked in this one.
            self._reading = asyncio.create_task(self._read_on())
        return await asked

    async def _read_on(self) -> None:
        while lot := self._next_lot():
            try:
                found = await self._read([key for key, _ in lot])
            except Exception as error:
                for _, asked in lot:
                    if not asked.done():
                        asked.set_exception(error)
            else:
                for key, asked in lot:
                    if not asked.done():
                        asked.set_result(found[key])
        self._reading = None

    def _next_lot(self) -> list[tuple[Key, asyncio.Future[Answer]]]:
        lot: list[tuple[Key, asyncio.Future[Answer]]] = []
        while self._waiting and len(lot) < self._most:
            source, waiting = self._waiting.popitem(last=False)
            one = waiting.popleft()
            if waiting:
                self._waiting[source] = waiting  # behind all others
            if not one[1].done():  # or whoever asked has gone
                lot.append(one)
        return lot

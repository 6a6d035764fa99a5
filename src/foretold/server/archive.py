"""Records, replays and reviews: of a finished game each is worked out once, and kept.

Short games are worked out in a thread, in a moment. That of a long one would keep the event loop
waiting for the interpreter again and again: it goes to the process that makes hints.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from foretold.server.kept import Kept, Packed
from foretold.server.reading import Rows, finished_record, packed, packed_record, packed_replay
from foretold.server.rooms import Rooms
from foretold.server.store import Store
from foretold.server.study import Study
from foretold.table.refusals import Refused

LONG: Final = 1000
"""Entries of a log; a standard game has some 600, and its replay takes a thirtieth of a second."""


class Archive:
    """What can be read of games; what is asked for twice at once is worked out once."""

    def __init__(self, kept: Kept, rooms: Rooms, store: Store, study: Study) -> None:
        self._kept = kept
        self._rooms = rooms
        self._store = store
        self._study = study
        self._under_way: dict[str, asyncio.Task[Packed]] = {}

    async def record(self, code: str, player: str | None) -> Packed:
        """The record of a game; while it is under way, of its finished rounds."""
        make = partial(packed_record, code, player=player)
        return await self._read(code, f"{code}-record", make)

    async def replay(self, code: str, viewer: int | None, player: str | None) -> Packed:
        """The game step by step, all hands open or as one seat saw it."""
        make = partial(packed_replay, code, viewer=viewer, player=player)
        return await self._read(code, f"{code}-replay-{'open' if viewer is None else viewer}", make)

    async def review(self, code: str) -> Packed:
        """What the decisions of a finished game gave away."""
        if not await self._is_over(code):
            raise Refused("not_over")
        return await self._once(f"{code}-review", lambda: self._review(code))

    async def close(self) -> None:
        for task in tuple(self._under_way.values()):
            task.cancel()
        await self._kept.close()

    async def _is_over(self, code: str) -> bool:
        return bool((await self._rooms.summary(code))["state"] == "over")

    async def _review(self, code: str) -> bytes:
        rows = await self._rooms.rows_of(code)
        record = await self._store.run(lambda: finished_record(code, rows))
        told = await self._study.review(record)
        return await self._store.run(lambda: packed(told))

    async def _read(self, code: str, key: str, make: Callable[[Rows], bytes]) -> Packed:
        """What is kept, if the game is over; else it is worked out anew, for it goes on."""
        if await self._is_over(code):
            return await self._once(key, lambda: self._make(code, make))
        return Packed.of(await self._make(code, make))

    async def _make(self, code: str, make: Callable[[Rows], bytes]) -> bytes:
        rows = await self._rooms.rows_of(code)
        work = partial(make, rows)
        return await (self._store.run(work) if len(rows) < LONG else self._study.work(work))

    async def _once(self, key: str, work_out: Callable[[], Awaitable[bytes]]) -> Packed:
        found = await self._kept.get(key)
        if found is not None:
            return found
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(self._keep(key, work_out))
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        # Shielded: others may be waiting for it too.
        return await asyncio.shield(task)

    async def _keep(self, key: str, work_out: Callable[[], Awaitable[bytes]]) -> Packed:
        found = Packed.of(await work_out())
        await self._kept.put(key, found)
        return found

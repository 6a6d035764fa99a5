"""Records, replays and reviews: computed once for a finished game, and cached.

Records and replays of short games are computed in a thread, in a moment. Those of a long game would
keep taking the interpreter from the event loop, so the process that makes hints computes them, and
all reviews.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from foretold.server.replays.kept import Kept, Packed
from foretold.server.rooms.rooms import Rooms
from foretold.server.storage.reading import (
    Rows,
    finished_record,
    packed,
    packed_record,
    packed_replay,
)
from foretold.server.storage.store import Store
from foretold.server.workers.study import Study
from foretold.table.refusals import Refused

LONG: Final = 1000
"""Entries of a log; a standard game has about 600, and its replay takes a thirtieth of a second."""


class Archive:
    """Reads games; simultaneous requests for the same thing are computed once."""

    def __init__(self, kept: Kept, rooms: Rooms, store: Store, study: Study) -> None:
        self._kept = kept
        self._rooms = rooms
        self._store = store
        self._study = study
        self._under_way: dict[str, dict[str, asyncio.Task[Packed]]] = {}
        """By code, then by key; without those that began before `forget`."""
        self._tasks: set[asyncio.Task[Packed]] = set()

    async def record(self, code: str, player: str | None) -> Packed:
        """A game's record; while it is under way, of its finished rounds."""
        make = partial(packed_record, code, player=player)
        return await self._read(code, "record", make)

    async def replay(self, code: str, viewer: int | None, player: str | None) -> Packed:
        """The game step by step, all hands open or as one seat saw it."""
        make = partial(packed_replay, code, viewer=viewer, player=player)
        return await self._read(code, f"replay-{'open' if viewer is None else viewer}", make)

    async def review(self, code: str) -> Packed:
        """What the decisions of a finished game gave away."""
        names = await self._names_at_end(code)
        if names is None:
            is_closed = (await self._rooms.summary(code))["state"] == "closed"
            raise Refused("closed" if is_closed else "not_over")
        return await self._once(code, f"{names}-review", lambda: self._review(code))

    def forget(self, code: str) -> None:
        """Drop what is cached of a game: it is outdated or must go."""
        self._under_way.pop(code, None)
        self._kept.drop_all(code)

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await self._kept.close()

    async def _names_at_end(self, code: str) -> str | None:
        """A fingerprint of the names at a finished table; None if it is not finished."""
        summary = await self._rooms.summary(code)
        if summary["state"] != "over":
            return None
        names = [seat.get("name", "") for seat in summary["seats"]]
        return hashlib.sha256(msgspec.json.encode(names)).hexdigest()[:8]

    async def _review(self, code: str) -> bytes:
        rows = await self._rooms.rows_of(code)
        told = await self._study.review(partial(finished_record, code, rows))
        return await self._store.run(lambda: packed(told))

    async def _read(self, code: str, key: str, make: Callable[[Rows], bytes]) -> Packed:
        """The cached result if the game is over; otherwise a new one, since the game goes on."""
        names = await self._names_at_end(code)
        if names is not None:
            return await self._once(code, f"{names}-{key}", lambda: self._make(code, make))
        return Packed.of(await self._make(code, make))

    async def _make(self, code: str, make: Callable[[Rows], bytes]) -> bytes:
        rows = await self._rooms.rows_of(code)
        work = partial(make, rows)
        is_long = len(rows.entries) >= LONG
        return await (self._study.work(work) if is_long else self._store.run(work))

    async def _once(self, code: str, key: str, work_out: Callable[[], Awaitable[bytes]]) -> Packed:
        found = await self._kept.get(f"{code}-{key}")
        if found is not None:
            return found
        task = self._under_way.get(code, {}).get(key)
        if task is None:
            task = asyncio.create_task(self._keep(code, key, work_out))
            self._under_way.setdefault(code, {})[key] = task
            self._tasks.add(task)
            task.add_done_callback(partial(self._has_ended, code, key))
        # Shielded: others may be waiting for it as well.
        return await asyncio.shield(task)

    async def _keep(self, code: str, key: str, work_out: Callable[[], Awaitable[bytes]]) -> Packed:
        task = asyncio.current_task()

        def is_true() -> bool:
            return self._under_way.get(code, {}).get(key) is task

        found = Packed.of(await work_out())
        if is_true():
            await self._kept.put(f"{code}-{key}", found, is_true)
        return found

    def _has_ended(self, code: str, key: str, task: asyncio.Task[Packed]) -> None:
        self._tasks.discard(task)
        under_way = self._under_way.get(code, {})
        if under_way.get(key) is task:
            del under_way[key]
            if not under_way:
                del self._under_way[code]

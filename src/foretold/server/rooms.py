"""All live tables. A table is taken into memory when somebody comes, and put to sleep when all
have gone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from foretold.server.bots import BotPool
from foretold.server.connection import Connection
from foretold.server.metrics import Metrics
from foretold.server.room import Room
from foretold.server.settings import ServerSettings
from foretold.server.store import ConflictError, Found, Listed, Store, now_ms
from foretold.server.summaries import listed_of, summary_data
from foretold.table.audience import Audience
from foretold.table.creation import new_code
from foretold.table.entries import Created, Entry, Logged
from foretold.table.refusals import Refused
from foretold.table.table import Table

TRIES: Final = 10
BYE: Final = msgspec.json.encode({"t": "bye", "reason": "the server stops"})


class Rooms:
    """The live tables by code."""

    def __init__(
        self, settings: ServerSettings, store: Store, bots: BotPool, metrics: Metrics
    ) -> None:
        self.settings = settings
        self.store = store
        self.bots = bots
        self.metrics = metrics
        self._rooms: dict[str, Room] = {}
        self._waking: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        metrics.tables.set_function(lambda: len(self._rooms))

    async def join(self, code: str, connection: Connection, since: int | None) -> Room:
        """Bring somebody to a table; raises `Refused` if there is none."""
        while True:
            room = await self._room(code)
            if await room.join(connection, since):
                return room

    async def open_table(self, created: Created, *more: Entry) -> str:
        """Make a new table; answers its code."""
        for _ in range(TRIES):
            code = new_code()
            entries = [Logged(n, now_ms(), one) for n, one in enumerate((created, *more), start=1)]
            try:
                await self.store.add_table(code, entries, listed_of(Table.replayed(code, entries)))
            except ConflictError:
                continue
            return code
        raise Refused("too_many")

    async def summary(self, code: str, player: str | None) -> dict[str, Any]:
        found = await self.store.table(code, player)
        if found is None:
            raise Refused("no_table")
        return (await self._current([found]))[0]

    async def summaries_of(self, player: str) -> list[dict[str, Any]]:
        return await self._current(await self.store.tables_of(player))

    async def public_summaries(self, player: str | None) -> list[dict[str, Any]]:
        return await self._current(await self.store.public_tables(player))

    async def log_of(self, code: str) -> Sequence[Logged]:
        log = await self.store.log_of(code)
        if not log:
            raise Refused("no_table")
        return log

    def forget(self, room: Room) -> None:
        """Put a table to sleep, if it is idle or given up."""
        if self._rooms.get(room.code) is not room:
            return
        if room.is_open:
            if not room.is_idle:
                return
            self._start(room.summarise())
            del self._rooms[room.code]
            room.close()
        else:
            del self._rooms[room.code]

    async def stop(self) -> None:
        """Finish what is being written, and say goodbye to everyone."""
        self._is_stopping = True
        await asyncio.gather(*(room.say_goodbye(BYE) for room in list(self._rooms.values())))
        await asyncio.gather(*self._tasks)

    async def _room(self, code: str) -> Room:
        room = self._rooms.get(code)
        if room is not None:
            return room
        if self._is_stopping or len(self._rooms) >= self.settings.max_tables:
            raise Refused("too_many")
        waking = self._waking.get(code)
        if waking is None:
            waking = self._waking[code] = asyncio.create_task(self._wake(code))
            waking.add_done_callback(lambda _: self._waking.pop(code, None))
        # Shielded: others may be waiting for it too.
        return await asyncio.shield(waking)

    async def _wake(self, code: str) -> Room:
        log = await self.log_of(code)
        room = Room(self, await self.store.run(lambda: _audience(code, log)))
        if self._is_stopping:
            raise Refused("too_many")
        self._rooms[code] = room
        return room

    async def _current(self, found: Iterable[Found]) -> list[dict[str, Any]]:
        return [summary_data(await self._listed(one), one.seat) for one in found]

    async def _listed(self, found: Found) -> Listed:
        """What lists say of a table, from memory or from its log where that has gone on."""
        room = self._rooms.get(found.code)
        if room is not None:
            return listed_of(room.table)
        if found.is_current:
            return found.listed
        log = await self.log_of(found.code)
        listed = listed_of(await self.store.run(lambda: Table.replayed(found.code, log)))
        await self.store.summarise(found.code, listed)
        return listed

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _audience(code: str, log: Sequence[Logged]) -> Audience:
    """The table of a log, and what those who come back have missed."""
    audience = Audience(Table(code, log[0]))
    for logged in log[1:]:
        audience.advance(logged, ())
    return audience

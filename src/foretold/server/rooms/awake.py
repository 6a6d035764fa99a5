"""The rooms in memory, by code: which are there, and who waits for one that is being read."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Generic, TypeVar

from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.rooms.connection import TRY_AGAIN, Connection
from foretold.server.rooms.live import LiveRoom, saving
from foretold.server.settings import ServerSettings
from foretold.server.storage.store import Store
from foretold.table.refusals import Refused

Kind = TypeVar("Kind", bound=LiveRoom)
Found = TypeVar("Found")


class LiveRooms(ABC, Generic[Kind]):
    """Rooms by code: taken into memory when somebody comes, put to sleep when all have gone."""

    def __init__(
        self,
        settings: ServerSettings,
        store: Store,
        metrics: Metrics,
        budgets: Budgets,
        doors: Doors,
    ) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.doors = doors
        self._budgets = budgets
        self._rooms: dict[str, Kind] = {}
        self._waking: dict[str, asyncio.Task[Kind]] = {}
        self._missed: dict[str, list[Callable[[Kind], None]]] = {}
        """What rooms that are being taken into memory are to be told when they are there."""
        self._joining: set[Connection] = set()
        """Those who wait for a room."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        self.saves = True

    def tell_saving(self, works: bool) -> None:
        """Tell everyone whether what they do can be saved, now that this has changed."""
        self.saves = works
        for room in self._rooms.values():
            room.tell(saving(works))

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def codes(self) -> Collection[str]:
        """Of those in memory, or soon there."""
        return self._rooms.keys() | self._waking.keys()

    @property
    def players(self) -> set[str | None]:
        """Of all connections."""
        return {player for room in self._rooms.values() for player in room.players}

    def renew(self, code: str) -> None:
        """The log of a room was written to elsewhere."""
        room = self._rooms.get(code)
        if room is not None:
            room.renew()
        elif code in self._missed:
            self._missed[code].append(lambda woken: woken.renew())

    def rename(self, player: str, name: str) -> None:
        """Somebody has another name now, wherever they are."""
        for connection in self._joining:
            connection.renamed(player, name)
        for room in self._rooms.values():
            room.rename(player, name)
        for missed in self._missed.values():
            missed.append(lambda woken: woken.rename(player, name))

    def send_away(self, is_meant: Callable[[Connection], bool]) -> None:
        for connection in self._joining:
            if is_meant(connection):
                connection.close(TRY_AGAIN)
        for room in tuple(self._rooms.values()):
            room.send_away(is_meant)

    @abstractmethod
    async def wake(self, code: str) -> Kind:
        """The room as its log says; raises `Refused` if there is none."""

    async def join(self, code: str, connection: Connection, since: int | None) -> Kind:
        """Let somebody in; raises `Refused` if there is no such room."""
        self._joining.add(connection)
        try:
            return await self._join(code, connection, since)
        finally:
            self._joining.discard(connection)

    async def _join(self, code: str, connection: Connection, since: int | None) -> Kind:
        while True:
            room = await self.found(connection.source, self._room(code))
            try:
                room.check(connection.visitor)
            except Refused:
                self.let_sleep(room)
                raise
            if await room.join(connection, since):
                if not self.saves:
                    connection.send(saving(False))
                return room

    async def found(self, source: str, finding: Coroutine[Any, Any, Found]) -> Found:
        """What is found by a code; a code that nothing has is counted against whoever tried it."""
        try:
            return await finding
        except Refused as refused:
            if refused.code in ("no_table", "no_sheet"):
                raise self.doors.missed(source, refused) from None
            raise

    def charge(self, source: str, size: int) -> None:
        """Count what is to be written for a source; raises `Refused` if it had enough today."""
        if source and not self._budgets.disk.take(source, size):
            raise Refused("used_up")

    def charge_new(self, size: int) -> None:
        """The same for a new room, of which a source may also open only so many."""
        source = asked_by.get()
        if source and not self._budgets.tables.take(source):
            raise Refused("too_fast")
        self.charge(source, size)

    def let_sleep(self, room: Kind) -> None:
        """Put a room to sleep in a while, unless somebody comes."""
        asyncio.get_running_loop().call_later(self.settings.linger, self.forget, room)

    def forget(self, room: Kind) -> None:
        """Put a room to sleep, if it is idle or given up."""
        if self._rooms.get(room.code) is not room:
            return
        if room.is_open:
            if not room.is_idle:
                if room.is_empty:  # something is being written: later
                    self.let_sleep(room)
                return
            self.start(room.summarise())
            del self._rooms[room.code]
            room.close()
        else:
            del self._rooms[room.code]

    async def stop(self) -> None:
        """Finish what is being written, and say goodbye to everyone."""
        self._is_stopping = True
        await asyncio.gather(*(room.say_goodbye() for room in list(self._rooms.values())))
        await asyncio.gather(*self._tasks)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside what else happens."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger().error("something failed", exc_info=task.exception())

    async def _room(self, code: str) -> Kind:
        room = self._rooms.get(code)
        if room is not None:
            return room
        if self._is_stopping:
            raise Refused("restarting")
        if len(self._rooms) >= self.settings.max_tables:
            raise Refused("too_many")
        waking = self._waking.get(code)
        if waking is None:
            waking = self._waking[code] = asyncio.create_task(self._wake(code))
            waking.add_done_callback(lambda _: self._waking.pop(code, None))
        # Shielded: others may be waiting for it too.
        return await asyncio.shield(waking)

    async def _wake(self, code: str) -> Kind:
        """The room as it is now, whatever was noticed while it was read."""
        while True:
            missed = self._missed[code] = []
            try:
                room = await self.wake(code)
            finally:
                del self._missed[code]
            if self._is_stopping:
                raise Refused("restarting")
            self._rooms[code] = room
            for notice in missed:
                notice(room)
            if room.is_open:
                return room

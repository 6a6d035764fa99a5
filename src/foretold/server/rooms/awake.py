"""The rooms in memory, by code, and who is waiting for one being loaded."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Iterator
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.quotas.limits import Places
from foretold.server.rooms.connection import TRY_AGAIN, Connection
from foretold.server.rooms.live import LiveRoom, saving
from foretold.server.settings import ServerSettings
from foretold.server.storage.store import Store
from foretold.server.storage.writer import OUTAGES, Then, settle
from foretold.server.storage.writes import ConflictError
from foretold.table.refusals import Refused

SETTLE_SECONDS: Final = 10.0
"""How long after a start bots may have to wait until everybody is back."""

MOST_CONFIRMING: Final = 1000
"""Answers that may wait until the database confirms whose their rooms are."""

HAND_OVER_AT_ONCE: Final = 4
"""Rooms that a stopping node hands over at a time: as many as others can take on without slowing
their own."""


class ElsewhereError(Exception):
    """Another node has the room."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node


class Claims(Protocol):
    """Which rooms belong to this node, if there are several."""

    async def claim(self, code: str) -> int | None:
        """Take a room: returns the epoch, or None if there is no such room. Raises
        `ElsewhereError`, or `Refused` if that cannot be known now."""

    def drop(self, code: str) -> None:
        """The room is no longer in memory."""

    async def release(self, code: str, epoch: int) -> None:
        """Let another node have a room, which is no longer in memory here."""

    async def prepare(self, code: str) -> bool:
        """Let another node save a snapshot of a table; False if there is none that could."""


Kind = TypeVar("Kind", bound=LiveRoom)
Found = TypeVar("Found")


class LiveRooms(ABC, Generic[Kind]):
    """Rooms by code: loaded when somebody comes, put to sleep when everyone has gone."""

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
        """What rooms being loaded must be told once they are loaded."""
        self._joining: set[Connection] = set()
        """Connections waiting for a room."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        self._settles_until = time.monotonic() + SETTLE_SECONDS
        self.saves = True
        self.claims: Claims | None = None
        # One for each of an address's sockets, so that its refusals leave others theirs.
        self._confirming = Places(MOST_CONFIRMING, settings.max_connections_per_address)

    def confirm(self, room: Kind, source: str, then: Then) -> None:
        if room.epoch is None:
            then(None)
        elif self._confirming.enter(source):
            confirmed = partial(self._confirmed, room, source, then)
            self.store.confirm(room.code, room.epoch, confirmed)
        else:
            then(Refused("unavailable"))

    def _confirmed(self, room: Kind, source: str, then: Then, error: Exception | None) -> None:
        self._confirming.leave(source)
        if error is not None:
            room.give_up()
        then(error)

    def tell_saving(self, works: bool) -> None:
        """Tell everyone that saving works again, or no longer does."""
        self.saves = works
        for room in self._rooms.values():
            room.tell(saving(works))

    def __len__(self) -> int:
        return len(self._rooms)

    def is_settling(self) -> bool:
        """Whether the server has just started, and people are coming back to their tables."""
        return bool(self._waking) and time.monotonic() < self._settles_until

    @property
    def codes(self) -> Collection[str]:
        """The codes of rooms in memory, or being loaded."""
        return self._rooms.keys() | self._waking.keys()

    @property
    def players(self) -> set[str | None]:
        """The players of all connections."""
        return {player for room in self._rooms.values() for player in room.players}

    def renew(self, code: str) -> None:
        """Reload a room whose log was written to elsewhere."""
        room = self._rooms.get(code)
        if room is not None:
            room.renew()
        elif code in self._missed:
            self._missed[code].append(lambda woken: woken.renew())

    def rename(self, player: str, name: str) -> None:
        """Give a player a new name, wherever they are."""
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
        """The room, loaded from its log if needed; raises `Refused` if there is none."""

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
                if await self._is_ours(room, connection.source):
                    raise
                continue
            if await room.join(connection, since):
                if not self.saves:
                    connection.send(saving(False))
                return room

    async def _is_ours(self, room: Kind, source: str) -> bool:
        """Whether no other node has claimed a room; raises `Refused` if that cannot be known."""
        confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.confirm(room, source, partial(settle, confirmed))
        try:
            await confirmed
        except (ConflictError, *OUTAGES):
            return False
        return True

    async def found(self, source: str, finding: Coroutine[Any, Any, Found]) -> Found:
        """Look something up by its code; a code that finds nothing counts against the source."""
        try:
            return await finding
        except Refused as refused:
            if refused.code in ("no_table", "no_sheet"):
                raise self.doors.missed(source, refused) from None
            raise

    def charge(self, source: str, size: int) -> None:
        """Charge a source for a write; raises `Refused` if it is over today's limit."""
        if source and not self._budgets.disk.take(source, size):
            raise Refused("used_up")

    def charge_time(self, source: str, seconds: float) -> None:
        """Charge a source for time in the event loop."""
        self._budgets.pays(source, seconds)

    def charge_new(self, size: int) -> None:
        """The same for a new room; the number of rooms a source may open is limited too."""
        source = asked_by.get()
        if source and not self._budgets.tables.take(source):
            raise Refused("too_fast")
        self.charge(source, size)

    def let_sleep(self, room: Kind) -> None:
        """Put a room to sleep after a while, unless somebody comes."""
        asyncio.get_running_loop().call_later(self.settings.linger, self.forget, room)

    def forget(self, room: Kind) -> None:
        """Put a room to sleep, if it is idle or given up."""
        if self._rooms.get(room.code) is not room:
            return
        if room.is_open:
            if not room.is_idle:
                if room.is_empty:  # a write is pending: later
                    self.let_sleep(room)
                return
            self.start(room.summarise())
            del self._rooms[room.code]
            room.close()
            # Whichever node somebody comes to next may have it.
            self.start(self._release(room))
        else:
            del self._rooms[room.code]
        if self.claims is not None:
            self.claims.drop(room.code)

    async def _release(self, room: Kind) -> None:
        if self.claims is not None and room.epoch is not None:
            await self.claims.release(room.code, room.epoch)

    async def stop(self, hands_over: bool = False) -> None:
        """Finish pending writes, and say goodbye to everyone.

        If it hands over, the rooms are made ready for other nodes, a few at a time.
        """
        self._is_stopping = True
        rooms = list(self._rooms.values())
        if hands_over:
            # Each of these takes the next room when done with one; the others are played meanwhile.
            left = iter(rooms)
            await asyncio.gather(*(self._hand_over(left) for _ in range(HAND_OVER_AT_ONCE)))
        else:
            await asyncio.gather(*map(self._end, rooms))
        await asyncio.gather(*self._tasks)

    async def _end(self, room: Kind) -> None:
        await room.finish()
        await self._release(room)
        room.say_goodbye()

    async def _hand_over(self, rooms: Iterator[Kind]) -> None:
        for room in rooms:
            if not room.is_empty:
                await self.prepare_elsewhere(room)
            await self._end(room)

    async def prepare_elsewhere(self, room: Kind) -> None:
        """Get a room ready for its next owner, so that waking it takes no time."""

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background."""
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
        # Shielded: others may be waiting for it as well.
        return await asyncio.shield(waking)

    async def _claimed(self, code: str) -> Kind:
        """Load a room of this node."""
        assert self.claims is not None
        epoch = await self.claims.claim(code)
        try:
            room = await self.wake(code)  # only now, so that nothing is written elsewhere after it
            if epoch is None:
                raise Refused("busy")  # it was made a moment ago
        except BaseException:
            self.claims.drop(code)
            raise
        room.epoch = epoch
        return room

    async def _wake(self, code: str) -> Kind:
        """Load a room, including whatever changed during loading."""
        while True:
            missed = self._missed[code] = []
            try:
                room = await (self.wake if self.claims is None else self._claimed)(code)
            finally:
                del self._missed[code]
            if self._is_stopping:
                if self.claims is not None:
                    self.claims.drop(code)
                await self._release(room)
                raise Refused("restarting")
            self._rooms[code] = room
            for notice in missed:
                notice(room)
            if room.is_open:
                return room

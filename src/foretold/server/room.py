"""A live table: people at their sockets, what they say, and the log between them.

One thing happens at a time. Whatever happens is on disk before anyone is told of it. Should
anything go wrong on the way, the room is given up, everyone is sent away, and whoever comes back
finds the table as its log says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, Protocol

import msgspec

from foretold.server.bots import BotPool
from foretold.server.connection import TRY_AGAIN, Connection
from foretold.server.logs import logger
from foretold.server.metrics import Metrics
from foretold.server.options import PHRASES
from foretold.server.pulse import Pulse
from foretold.server.settings import ServerSettings
from foretold.server.store import Store, now_ms
from foretold.server.summaries import listed_of
from foretold.server.timing import Timing
from foretold.table.answers import answer, check_rematch
from foretold.table.audience import Audience
from foretold.table.creation import rematch_of
from foretold.table.entries import Acted, CameBack, Created, Entry, Logged, PlayerSeat, Rematched
from foretold.table.messages import Message, Ping, Rematch, Request, Say, Sync, id_of, read_message
from foretold.table.refusals import Refused
from foretold.table.table import Table

encode = msgspec.json.Encoder().encode
PONG: Final = encode({"t": "pong"})


class Server(Protocol):
    """What a room needs of the house around it."""

    settings: ServerSettings
    store: Store
    bots: BotPool
    metrics: Metrics

    async def open_table(self, created: Created) -> str: ...
    def forget(self, room: Room) -> None: ...


class Room:
    """One live table."""

    def __init__(self, server: Server, audience: Audience) -> None:
        self._server = server
        self.table: Table = audience.table
        self._audience = audience
        self._timing = Timing(self.table, server.settings)
        self._pulse = Pulse(self.table, self._timing, server.bots, self.happen)
        self._connections: list[Connection] = []
        self._lock = asyncio.Lock()
        self._told_presence: object = None
        self.is_open = True

    @property
    def code(self) -> str:
        return self.table.code

    @property
    def is_idle(self) -> bool:
        """Whether nobody is there and nothing is happening."""
        return not self._connections and not self._lock.locked()

    # Coming and going

    async def join(self, connection: Connection, since: int | None) -> bool:
        """Let somebody in; False if the room was given up meanwhile."""
        async with self._lock:
            if not self.is_open:
                return False
            seat = self.table.seat_of(connection.player)
            if seat is not None:
                self._timing.arrives(seat, self._people())
            self._connections.append(connection)
            self._welcome(connection, since)
            if seat is not None and self._is_away(seat):
                await self._commit(CameBack(seat=seat))
            self._plan()
        return True

    def leave(self, connection: Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
        if not self.is_open:
            return
        seat = connection.seat
        if seat is not None and seat not in self._people():
            self._timing.leaves(seat)
        self._plan()
        if not self._connections:
            delay = self._server.settings.linger
            asyncio.get_running_loop().call_later(delay, self._server.forget, self)

    def _people(self) -> set[int]:
        """The seats whose players are there."""
        return {one.seat for one in self._connections if one.seat is not None}

    def _watching(self) -> int:
        return sum(one.seat is None for one in self._connections)

    def _is_away(self, seat: int) -> bool:
        one = self.table.seats[seat]
        return isinstance(one, PlayerSeat) and one.stand_in == "absent"

    # What people say

    async def hear(self, connection: Connection, frame: str) -> None:
        """Answer a message of a client."""
        try:
            message = read_message(frame)
        except Refused as refused:
            self.refuse(connection, id_of(frame), refused)
            return
        try:
            await self._answer(connection, message)
        except Refused as refused:
            self.refuse(connection, message.id, refused)

    def refuse(self, connection: Connection, ask_id: str | None, refused: Refused) -> None:
        self._server.metrics.refusals.labels(refused.code).inc()
        connection.send(encode({"t": "refused", "id": ask_id, **refused.to_data()}))

    async def _answer(self, connection: Connection, message: Message) -> None:
        if isinstance(message, Ping):
            connection.send(PONG)
        elif isinstance(message, Sync):
            async with self._lock:
                self._welcome(connection, message.since)
        elif connection.player is None or connection.name is None:
            raise Refused("no_name")
        elif isinstance(message, Say):
            self._say(connection, message)
        else:
            async with self._lock:
                if self.is_open:
                    await self._grant(connection, connection.player, connection.name, message)

    def _say(self, connection: Connection, message: Say) -> None:
        seat = self.table.seat_of(connection.player)
        if seat is None:
            raise Refused("not_seated")
        if message.phrase not in PHRASES:
            raise Refused("unknown_phrase")
        self._tell(encode({"t": "said", "seat": seat, "phrase": message.phrase}))

    async def _grant(
        self, connection: Connection, player: str, name: str, request: Request
    ) -> None:
        """Do what is asked, once. The lock is held."""
        n = self.table.done(player, request.id)
        if n is not None:
            connection.send(_done(request.id, n))
        elif isinstance(request, Rematch):
            connection.send(_done(request.id, await self._rematch(player, request)))
        else:
            await self._commit(answer(self.table, player, name, request), connection)
            self._plan()

    async def _rematch(self, player: str, request: Rematch) -> int:
        check_rematch(self.table, player)
        if self.table.rematch is None:
            code = await self._server.open_table(rematch_of(self.table, player))
            await self._commit(Rematched(code=code, asked_by=player, ask_id=request.id))
        return self.table.n

    # What happens

    async def happen(self, entries: Callable[[], Iterable[Entry]]) -> None:
        """Let something happen that nobody asked for."""
        async with self._lock:
            if self.is_open:
                for entry in entries():
                    await self._commit(entry)
                self._plan()

    async def _commit(self, entry: Entry, asker: Connection | None = None) -> None:
        """Write an entry down, then let it happen and tell everyone. The lock is held."""
        table = self.table
        logged = Logged(table.n + 1, now_ms(), entry)
        try:
            await self._server.store.append(table.code, logged)
            before = self._timing.progress()
            told = self._audience.advance(logged, {one.seat for one in self._connections})
            ended_round = self._timing.goes_on(entry, before)
        except BaseException:
            self.give_up()
            raise
        if asker is not None:
            asker.send(_done(entry.ask_id, logged.n))
        for connection in self._connections:
            connection.send(told[connection.seat])
        self._server.metrics.entries.labels(type(entry).__name__).inc()
        if not isinstance(entry, Acted):
            self._welcome_changed()
        if ended_round or not isinstance(entry, Acted):
            self._pulse.start(self.summarise())

    async def summarise(self) -> None:
        """Write down what lists say of the table."""
        try:
            await self._server.store.summarise(self.code, listed_of(self.table))
        except Exception:
            logger().exception("no summary", table=self.code)  # lists will replay the log

    def _welcome(self, connection: Connection, since: int | None) -> None:
        connection.seat = self.table.seat_of(connection.player)
        connection.is_host = connection.seat is not None and connection.seat == self.table.host
        presence = self._timing.presence(self._people(), self._watching())
        connection.send(self._audience.welcome(connection.player, connection.name, since, presence))

    def _welcome_changed(self) -> None:
        """Greet those anew who are someone else at the table than they were."""
        for connection in self._connections:
            seat = self.table.seat_of(connection.player)
            is_host = seat is not None and seat == self.table.host
            if seat != connection.seat or is_host != connection.is_host:
                if seat is not None and seat != connection.seat:
                    self._timing.arrives(seat, self._people())
                self._welcome(connection, None)

    def _tell(self, frame: bytes) -> None:
        for connection in self._connections:
            connection.send(frame)

    def _plan(self) -> None:
        """See to what is due next, and tell who is there if that has changed."""
        if not self.is_open:
            return
        if not self._connections:
            self._pulse.pause()
            return
        people, watching = self._people(), self._watching()
        presence = self._timing.presence_key(people, watching)
        if presence != self._told_presence:
            self._told_presence = presence
            told = self._timing.presence(people, watching)
            self._tell(encode({"t": "presence", "presence": told}))
        self._pulse.plan(people)

    # The end

    def give_up(self) -> None:
        """Something went wrong: what is in memory may not be what is on disk."""
        if self.is_open:
            self._server.metrics.resets.inc()
            self.close()
            for connection in self._connections:
                connection.close(TRY_AGAIN)

    def close(self) -> None:
        """Nothing happens here any more; the table sleeps in the database."""
        self.is_open = False
        self._pulse.stop()
        self._server.forget(self)

    async def say_goodbye(self, frame: bytes) -> None:
        """Finish what is being written, then tell everyone that the server stops."""
        async with self._lock:
            self.close()
            for connection in self._connections:
                connection.send(frame)
                connection.close(TRY_AGAIN)


def _done(ask_id: str, n: int) -> bytes:
    return encode({"t": "done", "id": ask_id, "n": n})

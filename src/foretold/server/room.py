"""A live table: people at their sockets, what they say, and the log between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from foretold.server.bots import BotPool
from foretold.server.connection import Connection
from foretold.server.live import PONG, Keeper, LiveRoom, done, encode
from foretold.server.logs import logger
from foretold.server.options import PHRASES
from foretold.server.pulse import Pulse
from foretold.server.store import now_ms
from foretold.server.summaries import listed_of
from foretold.server.timing import Timing
from foretold.table.answers import answer, check_rematch
from foretold.table.audience import Audience
from foretold.table.creation import rematch_of
from foretold.table.entries import Acted, CameBack, Created, Entry, Logged, PlayerSeat, Rematched
from foretold.table.messages import Message, Ping, Rematch, Request, Say, Sync, read_message
from foretold.table.refusals import Refused
from foretold.table.table import Table


class Server(Keeper, Protocol):
    """What a table needs of the house around it."""

    bots: BotPool

    async def open_table(self, created: Created) -> str: ...


class Room(LiveRoom):
    """One live table."""

    def __init__(self, server: Server, audience: Audience) -> None:
        super().__init__(server, audience.table.code)
        self._server = server
        self.table: Table = audience.table
        self._audience = audience
        self._timing = Timing(self.table, server.settings)
        self._pulse = Pulse(self.table, self._timing, server.bots, self.happen)
        self._told_presence: object = None

    # Coming and going

    async def join(self, connection: Connection, since: int | None) -> bool:
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
        super().leave(connection)
        if self.is_open:
            seat = connection.seat
            if seat is not None and seat not in self._people():
                self._timing.leaves(seat)
            self._plan()

    @property
    def has_players(self) -> bool:
        return any(one.seat is not None for one in self._connections)

    def _people(self) -> set[int]:
        """The seats whose players are there."""
        return {one.seat for one in self._connections if one.seat is not None}

    def _watching(self) -> int:
        return sum(one.seat is None for one in self._connections)

    def _is_away(self, seat: int) -> bool:
        one = self.table.seats[seat]
        return isinstance(one, PlayerSeat) and one.stand_in == "absent"

    # What people say

    def read(self, frame: str) -> Message:
        return read_message(frame)

    async def answer(self, connection: Connection, message: Message) -> None:
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
        self.tell(encode({"t": "said", "seat": seat, "phrase": message.phrase}))

    async def _grant(
        self, connection: Connection, player: str, name: str, request: Request
    ) -> None:
        """Do what is asked, once. The lock is held."""
        n = self.table.done(player, request.id)
        if n is not None:
            connection.send(done(request.id, n))
        elif isinstance(request, Rematch):
            connection.send(done(request.id, await self._rematch(player, request)))
        else:
            entry = answer(self.table, player, name, request)
            if entry is None:
                connection.send(done(request.id, self.table.n))
            else:
                await self._commit(entry, connection)
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
            before, host = self._timing.progress(), table.host
            told = self._audience.advance(logged, {one.seat for one in self._connections})
            ended_round = self._timing.goes_on(entry, before)
        except BaseException:
            self.give_up()
            raise
        for connection in self._connections:
            if connection is asker:
                connection.send(done(entry.ask_id, logged.n), told[connection.seat])
            else:
                connection.send(told[connection.seat])
        if isinstance(entry, Acted):
            self._server.metrics.moves.inc()
        else:
            self._server.metrics.entries.labels(type(entry).__name__).inc()
        if table.host != host or not isinstance(entry, Acted):
            self._welcome_changed()
        if ended_round or not isinstance(entry, Acted):
            self._pulse.start(self.summarise())

    async def summarise(self) -> None:
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
            self.tell(encode({"t": "presence", "presence": told}))
        self._pulse.plan(people)

    def close(self) -> None:
        self._pulse.stop()
        super().close()

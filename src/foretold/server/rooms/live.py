"""What live tables and score sheets have in common: connections, one thing at a time, and shutting
down.

Everything that happens is on disk before anyone is told. If something goes wrong on the way, the
room is given up and everyone is disconnected; those who reconnect find it as its log says.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol

import msgspec

from foretold.protocol import requests
from foretold.protocol.messages import Bye, Done, Pong, RefusedTold, Saving
from foretold.protocol.messages import Knocks as KnocksTold
from foretold.protocol.requests import Ping
from foretold.protocol.tables import Knocking
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import is_on, span
from foretold.server.people.doors import Doors, Visitor
from foretold.server.rooms.connection import REFUSED, TRY_AGAIN, Connection
from foretold.server.rooms.knocks import Knock, Knocks
from foretold.server.rooms.lines import Lines
from foretold.server.rooms.turns import Turns
from foretold.server.settings import ServerSettings
from foretold.server.storage.failures import refused_by
from foretold.server.storage.store import Store
from foretold.server.storage.writer import Then
from foretold.server.workers.bots import BotPool
from foretold.table.entries import Created, Entry
from foretold.table.messages import id_of
from foretold.table.refusals import Refused

encode = msgspec.json.Encoder().encode
PONG: Final = encode(Pong())
BYE: Final = encode(Bye(reason="the server stops"))
MOST_WAITING: Final = 32
"""Messages from one address that may wait for their turn at one table during a write."""


class Asked(Protocol):
    """A client's message."""

    @property
    def id(self) -> str: ...


class Keeper(Protocol):
    """What a room needs from its surroundings."""

    settings: ServerSettings
    store: Store
    metrics: Metrics
    doors: Doors
    saves: bool
    """Whether writes are saved promptly."""

    def charge(self, source: str, size: int) -> None: ...
    def charge_time(self, source: str, seconds: float) -> None: ...
    def forget(self, room: Any) -> None: ...
    def confirm(self, room: Any, source: str, then: Then) -> None:
        """Call back once it is certain that, since this call, the room has been no other node's: at
        once, if there is no other. If it is not certain, call back with the reason. It counts
        against an address."""

    def let_sleep(self, room: Any) -> None: ...
    def start(self, work: Coroutine[Any, Any, None]) -> None: ...


class Server(Keeper, Protocol):
    """What a table needs of the house around it."""

    bots: BotPool
    lines: Lines

    def is_settling(self) -> bool: ...
    def summarise_soon(self, room: Any) -> None: ...

    async def open_table(self, created: Created, *more: Entry) -> str: ...


class LiveRoom(ABC):
    """One table or sheet in memory."""

    def __init__(self, keeper: Keeper, code: str) -> None:
        self._keeper = keeper
        self.code = code
        self._connections: list[Connection] = []
        self._turns = Turns()
        self._waiting: Counter[str] = Counter()
        """How many messages wait for their turn, by address."""
        self._knocks = Knocks()
        self.is_open = True
        self.epoch: int | None = None
        """That of this node's ownership, if there are several nodes."""

    @property
    def is_empty(self) -> bool:
        return not self._connections

    @property
    def players(self) -> set[str | None]:
        """The players here; None for those without a name."""
        return {one.player for one in self._connections}

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is happening."""
        return self.is_empty and not self._turns.is_taken

    @abstractmethod
    def check(self, visitor: Visitor) -> None:
        """Raise `Refused` unless the visitor may come in."""

    @abstractmethod
    async def join(self, connection: Connection, since: int | None) -> bool:
        """Let somebody in; False if the room was given up in the meantime."""

    @abstractmethod
    def read(self, frame: str) -> Asked:
        """Decode a frame; raises `Refused` if it is not a message."""

    @abstractmethod
    def answer(self, connection: Connection, message: Any) -> None:
        """Do what a message from `read` asks for, or refuse it, now or when its turn comes."""

    @abstractmethod
    async def summarise(self) -> None:
        """Save its list entry."""

    def hear(self, connection: Connection, frame: str) -> None:
        """Handle a frame from a client."""
        if self._waiting and self._waiting[connection.source] >= MOST_WAITING:
            self._tell_refused(connection, id_of(frame), Refused("unavailable"))
            return
        try:
            message = self.read(frame)
        except Exception as error:
            refusing = partial(self.refuse, connection, id_of(frame), error)
            self._take_turn_for(connection, self._turns.end_after, refusing)
        else:
            if not self._keeper.saves and isinstance(message, Ping):
                connection.send(PONG)  # its turn would come only when writes work again
            elif is_on():
                with span("message", kind=type(message).__name__, code=self.code):
                    self.answer(connection, message)
            else:
                self.answer(connection, message)

    def hear_guest(self, connection: Connection, frame: str) -> None:
        """Handle a frame that came through another node, which cannot measure what it costs."""
        self._timed(connection.source, self.hear, connection, frame)

    def _take_turn_for(self, connection: Connection, work: Callable[..., None], *args: Any) -> None:
        """Start what a client asked for when its turn comes.

        If that is now, the caller of `hear` measures its time; if later, it is measured here.
        """
        if self._turns.is_taken:
            self._waiting[connection.source] += 1
            self._turns.take(self._has_waited, connection.source, work, *args)
        else:
            self._turns.take(work, *args)

    def _has_waited(self, source: str, work: Callable[..., None], *args: Any) -> None:
        self._waiting[source] -= 1
        if not self._waiting[source]:
            del self._waiting[source]
        self._timed(source, work, *args)

    def _timed(self, source: str, work: Callable[..., None], *args: Any) -> None:
        """Do something, and charge an address for the time it takes."""
        begun = time.perf_counter()
        try:
            work(*args)
        finally:
            self._keeper.charge_time(source, time.perf_counter() - begun)

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do something once all earlier messages are answered."""
        self._turns.do(work)

    def leave(self, connection: Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
        if self._knocks.forget(connection):
            self._tell_knocks()
        if self.is_open and not self._connections:
            self._keeper.let_sleep(self)

    def refuse(self, connection: Connection, ask_id: str | None, error: Exception) -> None:
        """Tell the client why something was not done: it was `Refused`, or it failed."""
        refused = refused_by(error)
        if refused is not error:
            logger().error("a message failed", code=self.code, exc_info=error)
        self._count_refusal(refused)
        self.say(connection, refused_told(ask_id, refused))

    def say(self, connection: Connection, told: bytes) -> None:
        """Send an answer that comes from memory alone, with nothing written.

        Another node may have claimed the room, and more may have happened there. So the database
        is asked first; if it cannot confirm the answer, whoever asked reconnects and asks again.
        """
        then = partial(self._say_if_confirmed, connection, told)
        self._keeper.confirm(self, connection.source, then)

    def _say_if_confirmed(
        self, connection: Connection, told: bytes, error: Exception | None
    ) -> None:
        if error is None:
            connection.send(told)
        else:
            connection.close(TRY_AGAIN)

    def _tell_refused(self, connection: Connection, ask_id: str | None, refused: Refused) -> None:
        """Refuse what needs no confirming: it follows from an entry, or from somebody's answer."""
        self._count_refusal(refused)
        connection.send(refused_told(ask_id, refused))

    def _count_refusal(self, refused: Refused) -> None:
        self._keeper.metrics.refusals.labels(refused.code).inc()

    # Requests to be let in

    def _knock(
        self, connection: Connection, player: str, name: str, message: requests.Knock
    ) -> None:
        """Pass a request to be let in on to the host, who will answer it."""
        self._keeper.doors.check_knock(connection.source)
        self._knocks.add(connection, message.id, player, name, message.seat)
        self._tell_knocks()

    def _turn_down(self, knock: Knock) -> None:
        self._knocks.turn_down(knock)
        self._tell_refused(knock.connection, knock.ask_id, Refused("turned_down"))
        self._tell_knocks()

    def _refuse_knocks(self, why: Refused) -> None:
        """Refuse all requests: nobody can be let in any more."""
        for knock in self._knocks:
            self._knocks.take(knock.player)
            self._tell_refused(knock.connection, knock.ask_id, why)

    def _has_let_in(self, player: str, n: int) -> None:
        """Answer the requests of a player who has been let in."""
        taken = self._knocks.take(player)
        for knock in taken:
            knock.connection.send(done(knock.ask_id, n))
        if taken:
            self._tell_knocks()

    def _tell_knocks(self) -> None:
        for connection in self._connections:
            if connection.is_host:
                connection.send(self._knocks_told())

    def _knocks_told(self) -> bytes:
        told = [
            Knocking(knock=one.number, name=one.name, seat=one.seat, like=self._like(one))
            for one in self._knocks
        ]
        return encode(KnocksTold(knocks=told))

    def _like(self, knock: Knock) -> list[str]:
        """Other players the server has seen on the same connection."""
        return []

    def _send_strangers_away(self) -> None:
        """Disconnect everyone who would no longer be let in."""
        for connection in self._connections:
            try:
                self.check(connection.visitor._replace(source=""))  # this is not a guess
            except Refused as refused:
                self._tell_refused(connection, None, refused)
                connection.close(REFUSED)

    def tell(self, frame: bytes) -> None:
        for connection in self._connections:
            connection.send(frame)

    def give_up(self) -> None:
        """Discard the room after an error: memory and disk may differ."""
        if self.is_open:
            self._keeper.metrics.resets.inc()
            self.renew()

    def renew(self) -> None:
        """Its log was written to elsewhere: those who reconnect find the new state."""
        if self.is_open:
            self.close()
            for connection in self._connections:
                connection.close(TRY_AGAIN)

    def rename(self, player: str, name: str) -> None:
        """Give a player, who may be here, a new name."""
        for connection in self._connections:
            connection.renamed(player, name)

    def send_away(self, is_meant: Callable[[Connection], bool]) -> None:
        """Close the selected connections; they may reconnect if they are let in."""
        for connection in tuple(self._connections):
            if is_meant(connection):
                connection.close(TRY_AGAIN)

    def close(self) -> None:
        """Stop everything here; the room now sleeps in the database."""
        self.is_open = False
        self._keeper.forget(self)

    async def finish(self) -> None:
        """Finish pending writes, and stop; nobody is told yet."""
        async with self._turns:
            self.close()
            self._keeper.start(self.summarise())

    def say_goodbye(self) -> None:
        """Tell everyone that the server is stopping."""
        for connection in self._connections:
            connection.send(BYE)
            connection.close(TRY_AGAIN)


def saving(works: bool) -> bytes:
    return encode(Saving(works=works))


def done(ask_id: str, n: int) -> bytes:
    return encode(Done(id=ask_id, n=n))


def refused_told(ask_id: str | None, refused: Refused) -> bytes:
    return encode(RefusedTold(id=ask_id, **refused.to_data()))

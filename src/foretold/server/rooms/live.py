"""What tables and score sheets have in common while people are there: connections, one thing at a
time, and an end.

Whatever happens is on disk before anyone is told of it. Should anything go wrong on the way, the
room is given up, everyone is sent away, and whoever comes back finds it as its log says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
from foretold.server.observing.tracing import span
from foretold.server.people.doors import Doors, Visitor
from foretold.server.rooms.connection import REFUSED, TRY_AGAIN, Connection
from foretold.server.rooms.knocks import Knock, Knocks
from foretold.server.rooms.turns import Turns
from foretold.server.settings import ServerSettings
from foretold.server.storage.failures import refused_by
from foretold.server.storage.store import Store
from foretold.table.messages import id_of
from foretold.table.refusals import Refused

encode = msgspec.json.Encoder().encode
PONG: Final = encode(Pong())
BYE: Final = encode(Bye(reason="the server stops"))
MOST_WAITING: Final = 100
"""Messages that wait for their turn at one table while something is being written."""


class Asked(Protocol):
    """A message of a client."""

    @property
    def id(self) -> str: ...


class Keeper(Protocol):
    """What a room needs of those around it."""

    settings: ServerSettings
    store: Store
    metrics: Metrics
    doors: Doors
    saves: bool
    """Whether what happens is saved in good time."""

    def charge(self, source: str, size: int) -> None: ...
    def forget(self, room: Any) -> None: ...
    def let_sleep(self, room: Any) -> None: ...
    def start(self, work: Coroutine[Any, Any, None]) -> None: ...


class LiveRoom(ABC):
    """One table or sheet in memory."""

    def __init__(self, keeper: Keeper, code: str) -> None:
        self._keeper = keeper
        self.code = code
        self._connections: list[Connection] = []
        self._turns = Turns()
        self._knocks = Knocks()
        self.is_open = True

    @property
    def is_empty(self) -> bool:
        return not self._connections

    @property
    def players(self) -> set[str | None]:
        """Who is here; None for those without a name."""
        return {one.player for one in self._connections}

    @property
    def is_idle(self) -> bool:
        """Whether nobody is there and nothing is happening."""
        return self.is_empty and not self._turns.is_taken

    @abstractmethod
    def check(self, visitor: Visitor) -> None:
        """Raise `Refused` unless somebody may come in."""

    @abstractmethod
    async def join(self, connection: Connection, since: int | None) -> bool:
        """Let somebody in; False if the room was given up meanwhile."""

    @abstractmethod
    def read(self, frame: str) -> Asked:
        """The message of a frame; raises `Refused` if it is none."""

    @abstractmethod
    def answer(self, connection: Connection, message: Any) -> None:
        """Do what a message of `read` asks for, or refuse it, now or when it is its turn."""

    @abstractmethod
    async def summarise(self) -> None:
        """Write down what lists say of it."""

    def hear(self, connection: Connection, frame: str) -> None:
        """Answer a message of a client."""
        if self._turns.waiting >= MOST_WAITING:
            self.refuse(connection, id_of(frame), Refused("unavailable"))
            return
        try:
            message = self.read(frame)
        except Exception as error:
            self.in_turn(partial(self.refuse, connection, id_of(frame), error))
        else:
            if not self._keeper.saves and isinstance(message, Ping):
                connection.send(PONG)  # its turn comes when something can be written again
            else:
                with span("message", kind=type(message).__name__, code=self.code):
                    self.answer(connection, message)

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do something when all that was said before is answered."""
        self._turns.do(work)

    def leave(self, connection: Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
        if self._knocks.forget(connection):
            self._tell_knocks()
        if self.is_open and not self._connections:
            self._keeper.let_sleep(self)

    def refuse(self, connection: Connection, ask_id: str | None, error: Exception) -> None:
        """Say why something is not done: it is `Refused`, or it failed."""
        refused = refused_by(error)
        if refused is not error:
            logger().error("a message failed", code=self.code, exc_info=error)
        self._keeper.metrics.refusals.labels(refused.code).inc()
        connection.send(refused_told(ask_id, refused))

    # Who asks to be let in

    def _knock(
        self, connection: Connection, player: str, name: str, message: requests.Knock
    ) -> None:
        """Let the host know; the answer is the host's."""
        self._keeper.doors.check_knock(connection.source)
        self._knocks.add(connection, message.id, player, name, message.seat)
        self._tell_knocks()

    def _turn_down(self, knock: Knock) -> None:
        self._knocks.turn_down(knock)
        self.refuse(knock.connection, knock.ask_id, Refused("turned_down"))
        self._tell_knocks()

    def _refuse_knocks(self, why: Refused) -> None:
        """Nobody can be let in any more."""
        for knock in self._knocks:
            self._knocks.take(knock.player)
            self.refuse(knock.connection, knock.ask_id, why)

    def _has_let_in(self, player: str, n: int) -> None:
        """Answer what somebody asked for, who has been let in."""
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
        """Whom else the server has seen come from the same connection."""
        return []

    def _send_strangers_away(self) -> None:
        """Nobody stays who could not come in now."""
        for connection in self._connections:
            try:
                self.check(connection.visitor._replace(source=""))  # it is no guess
            except Refused as refused:
                self.refuse(connection, None, refused)
                connection.close(REFUSED)

    def tell(self, frame: bytes) -> None:
        for connection in self._connections:
            connection.send(frame)

    def give_up(self) -> None:
        """Something went wrong: what is in memory may not be what is on disk."""
        if self.is_open:
            self._keeper.metrics.resets.inc()
            self.renew()

    def renew(self) -> None:
        """Its log was written to elsewhere: whoever comes back finds it as that says."""
        if self.is_open:
            self.close()
            for connection in self._connections:
                connection.close(TRY_AGAIN)

    def rename(self, player: str, name: str) -> None:
        """Somebody who may be here has another name now."""
        for connection in self._connections:
            connection.renamed(player, name)

    def send_away(self, is_meant: Callable[[Connection], bool]) -> None:
        """Close the connections that are meant; they may come back, if they are let in."""
        for connection in tuple(self._connections):
            if is_meant(connection):
                connection.close(TRY_AGAIN)

    def close(self) -> None:
        """Nothing happens here any more; it sleeps in the database."""
        self.is_open = False
        self._keeper.forget(self)

    async def say_goodbye(self) -> None:
        """Finish what is being written, then tell everyone that the server stops."""
        async with self._turns:
            self.close()
            self._keeper.start(self.summarise())
            for connection in self._connections:
                connection.send(BYE)
                connection.close(TRY_AGAIN)


def saving(works: bool) -> bytes:
    return encode(Saving(works=works))


def done(ask_id: str, n: int) -> bytes:
    return encode(Done(id=ask_id, n=n))


def refused_told(ask_id: str | None, refused: Refused) -> bytes:
    return encode(RefusedTold(id=ask_id, **refused.to_data()))

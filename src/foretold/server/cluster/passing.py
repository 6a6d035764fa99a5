"""Passing on: a socket at one node, its table at another.

The node with the socket keeps the handshake, identity, limits and slow readers; the owner of the
table sees a `Connection` like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from foretold.server.cluster.messages import (
    End,
    Frame,
    Item,
    Join,
    Joined,
    Leave,
    NotHere,
    Text,
    Unwelcome,
)
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import asked_by
from foretold.server.rooms.awake import ElsewhereError, LiveRooms
from foretold.server.rooms.connection import TRY_AGAIN, Connection
from foretold.server.rooms.live import LiveRoom, refused_told
from foretold.server.storage.failures import refused_by
from foretold.table.refusals import Refused

JOIN_SECONDS: Final = 1.0
"""How long to wait for the owner before checking whether the room has a new one."""

Send: TypeAlias = Callable[[str, Item], None]
Places: TypeAlias = Mapping[str, LiveRooms[Any]]
"""Tables and sheets, by the name they have in paths."""


class RemoteRoom:
    """A room at another node, as the socket sees it."""

    def __init__(self, passing: Passing, node: str, guest: int, connection: Connection) -> None:
        self._passing = passing
        self.node = node
        self._guest = guest
        self.connection = connection
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, _: Connection, frame: str) -> None:
        self._passing.send(self.node, Frame(self._guest, frame))

    def in_turn(self, work: Callable[[], None]) -> None:
        """What is still on its way is not known here, so there is nothing to wait for."""
        work()

    def refuse(self, connection: Connection, ask_id: str | None, error: Exception) -> None:
        connection.send(refused_told(ask_id, refused_by(error)))

    def leave(self, _: Connection) -> None:
        if self._passing.forget(self._guest):
            self._passing.send(self.node, Leave(self._guest))


class Passing:
    """The sockets here whose rooms are at other nodes."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self._rooms: dict[int, RemoteRoom] = {}
        self._count = 0

    def has(self, node: str) -> bool:
        """Whether any room is at that node."""
        return any(room.node == node for room in self._rooms.values())

    async def join(
        self, node: str, place: str, code: str, connection: Connection, since: int | None
    ) -> RemoteRoom:
        """Join a room at another node; raises `Refused`, or `ElsewhereError` if it must be
        looked for again."""
        self._count += 1
        guest = self._count
        room = self._rooms[guest] = RemoteRoom(self, node, guest, connection)
        player, key, source = connection.visitor
        self.send(node, Join(guest, place, code, player, connection.name, source, key, since))
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                await room.joined
        except TimeoutError:
            room.leave(connection)
            raise ElsewhereError(node) from None
        except BaseException:
            room.leave(connection)
            raise
        return room

    def forget(self, guest: int) -> bool:
        return self._rooms.pop(guest, None) is not None

    def hear(self, node: str, item: Joined | Unwelcome | NotHere | Text | End) -> None:
        """A message from a room."""
        room = self._rooms.get(item.guest)
        if room is None or room.node != node:
            return  # its socket is gone
        if isinstance(item, Text):
            room.connection.send(item.data)
        elif isinstance(item, End):
            del self._rooms[item.guest]
            if room.joined.done():
                room.connection.close(item.code)
            else:
                room.joined.set_exception(ElsewhereError(node))
        elif not room.joined.done():
            if isinstance(item, Joined):
                room.joined.set_result(None)
            else:
                del self._rooms[item.guest]
                room.joined.set_exception(
                    Refused(item.code, **item.params)
                    if isinstance(item, Unwelcome)
                    else ElsewhereError(node)
                )

    def lose(self, is_meant: Callable[[str], bool], most: int | None = None) -> bool:
        """Send away those at rooms of these nodes: they reconnect, and find the new owner.

        Returns whether there were any.
        """
        meant = [(guest, room.node) for guest, room in self._rooms.items() if is_meant(room.node)]
        for guest, node in meant[:most]:
            self.hear(node, End(guest, TRY_AGAIN))
        return bool(meant)


class GuestLine:
    """Where a room writes to a socket of another node, whose own limits apply."""

    has_room = True

    def __init__(self, send: Send, node: str, guest: int, ended: Callable[[], None]) -> None:
        self._send = send
        self._node = node
        self._guest = guest
        self._ended = ended
        self.is_open = True

    def write(self, text: bytes) -> None:
        if self.is_open:
            self._send(self._node, Text(self._guest, text))

    def hang_up(self, code: int) -> None:
        if self.is_open:
            self._send(self._node, End(self._guest, code))
            self.is_open = False
            # Later, as with a socket: the room is iterating over its connections.
            asyncio.get_running_loop().call_soon(self._ended)

    def abort(self) -> None:
        self.hang_up(TRY_AGAIN)


class Guests:
    """Connections to rooms here whose sockets are at other nodes."""

    def __init__(self, places: Places, send: Send, backlog: int) -> None:
        self._places = places
        self._send = send
        self._backlog = backlog
        self._rooms: dict[tuple[str, int], tuple[LiveRoom, Connection]] = {}
        self._joining: dict[tuple[str, int], asyncio.Task[None]] = {}

    def has(self, node: str) -> bool:
        """Whether any socket is at that node."""
        return any(one == node for guests in (self._rooms, self._joining) for one, _ in guests)

    def hear(self, node: str, item: Join | Frame | Leave) -> None:
        """A message from a guest."""
        guest = (node, item.guest)
        if isinstance(item, Frame):
            if guest in self._rooms:
                room, connection = self._rooms[guest]
                room.hear_guest(connection, item.text)
        elif isinstance(item, Leave):
            self._leave(guest)
        else:
            task = self._joining[guest] = asyncio.create_task(self._join(node, item))
            task.add_done_callback(lambda _: self._joining.pop(guest, None))

    async def _join(self, node: str, asked: Join) -> None:
        asked_by.set(asked.source)
        line = GuestLine(self._send, node, asked.guest, lambda: self._leave((node, asked.guest)))
        connection = Connection(
            asked.player, asked.name, line, self._backlog, asked.source, asked.key
        )
        try:
            with _told(asked.code):
                room = await self._places[asked.place].join(asked.code, connection, asked.since)
        except ElsewhereError:
            self._send(node, NotHere(asked.guest))
        except Refused as refused:
            if refused.code == "restarting":  # another node has it in a moment
                self._send(node, NotHere(asked.guest))
            else:
                self._send(node, Unwelcome(asked.guest, refused.code, refused.params))
        else:
            self._rooms[node, asked.guest] = room, connection
            self._send(node, Joined(asked.guest))

    def _leave(self, guest: tuple[str, int]) -> None:
        task = self._joining.pop(guest, None)
        if task is not None:
            task.cancel()
        if guest in self._rooms:
            room, connection = self._rooms.pop(guest)
            room.leave(connection)

    def lose(self, is_meant: Callable[[str], bool]) -> None:
        """The sockets of these nodes are gone."""
        for guest in [*self._rooms, *self._joining]:
            if is_meant(guest[0]):
                self._leave(guest)


@contextmanager
def _told(code: str) -> Iterator[None]:
    """Turn any failure into a refusal."""
    try:
        yield
    except (Refused, ElsewhereError):
        raise
    except Exception as error:
        logger().error("nobody can join", code=code, exc_info=error)
        raise refused_by(error) from None

"""The socket of a table or sheet, as thin as ASGI allows: no framework before the room."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from foretold.server.connection import REFUSED, TRY_AGAIN, Connection
from foretold.server.house import House
from foretold.server.identity import COOKIE
from foretold.server.limits import Bucket, source_of
from foretold.server.live import LiveRoom, LiveRooms
from foretold.server.logs import logger
from foretold.server.origin import is_own_origin
from foretold.server.protocol import LINE, SocketProtocol
from foretold.table.messages import id_of
from foretold.table.refusals import Refused

PATH: Final = re.compile(r"/api/(tables|sheets)/([A-Za-z]{6})/socket")
BURST_SECONDS: Final = 3
PATIENCE: Final = 100
"""How many messages that come too fast are answered before the connection is closed."""


async def serve_socket(house: House, scope: Scope, receive: Receive, send: Send) -> None:
    """One connection, from its handshake to its end."""
    await receive()  # websocket.connect
    headers = Headers(scope=scope)
    if not is_own_origin(headers, house.settings.allowed_origins):
        await send({"type": "websocket.close"})  # the handshake is answered with status 403
        return
    await send({"type": "websocket.accept"})
    place = PATH.fullmatch(scope["path"])
    source = source_of(scope)
    with suppress(ClientDisconnected):
        if place is None:
            await _send_away(house, send, Refused("not_available"))
        elif not house.requests.take(source):
            await _send_away(house, send, Refused("too_fast"))
        elif not house.places.enter(source):
            await _send_away(house, send, Refused("too_many"))
        else:
            try:
                await _visit(house, place[1], place[2].upper(), scope, receive)
            except Refused as refused:
                await _send_away(house, send, refused)
            finally:
                house.places.leave(source)


async def _send_away(house: House, send: Send, refused: Refused) -> None:
    """Say why there is no welcome; a browser would not tell its page about a failed handshake."""
    house.metrics.refusals.labels(refused.code).inc()
    frame = msgspec.json.encode({"t": "refused", "id": None, **refused.to_data()})
    await send({"type": "websocket.send", "text": frame.decode()})
    code = TRY_AGAIN if refused.code == "unavailable" else REFUSED
    await send({"type": "websocket.close", "code": code})


async def _visit(house: House, kind: str, code: str, scope: Scope, receive: Receive) -> None:
    player = house.identity.player(_cookie(Headers(scope=scope)))
    name = None if player is None else await house.store.name_of(player)
    line: SocketProtocol = scope["extensions"][LINE]
    connection = Connection(None if name is None else player, name, line, house.settings.backlog)
    line.on_writable = connection.go_on
    rooms: LiveRooms[Any] = house.sheets if kind == "sheets" else house.rooms
    try:
        room: LiveRoom = await rooms.join(code, connection, _since(scope))
    except Refused:
        raise
    except Exception:
        logger().exception("nobody can join", code=code)
        raise Refused("internal") from None
    house.metrics.connections.inc()
    ear = _Ear(room, connection, house.settings.messages_per_second)
    line.on_text = ear.hear
    try:
        while True:
            message = await receive()  # what was said before, what is no text, and the end
            if message["type"] == "websocket.disconnect":
                break
            ear.hear(message.get("text", ""))
    finally:
        line.on_text = line.on_writable = None
        house.metrics.connections.dec()
        room.leave(connection)
        if connection.was_cut:
            house.metrics.cut_off.inc()


class _Ear:
    """Hears what a client says, as long as it does not say too much."""

    def __init__(self, room: LiveRoom, connection: Connection, rate: float) -> None:
        self._room = room
        self._connection = connection
        self._bucket = Bucket(rate, rate * BURST_SECONDS)
        self._patience = PATIENCE

    def hear(self, frame: str) -> None:
        room, connection = self._room, self._connection
        if self._patience == 0:
            return  # it is about to be closed
        if self._bucket.take():
            room.hear(connection, frame)
            return
        room.in_turn(partial(room.refuse, connection, id_of(frame), Refused("too_fast")))
        self._patience -= 1
        if self._patience == 0:
            room.in_turn(partial(connection.close, REFUSED))


def _cookie(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if found is None else found.value


def _since(scope: Scope) -> int | None:
    values = parse_qs(scope["query_string"].decode("latin-1")).get("since", [])
    return int(values[-1]) if values and values[-1].isdecimal() and len(values[-1]) < 10 else None

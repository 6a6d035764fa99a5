"""The socket of a table or sheet, as thin as ASGI allows: no framework before the room."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from foretold.refusals import RETRY_AFTER
from foretold.server.house import House
from foretold.server.net.cookies import cookie_of
from foretold.server.net.origin import is_own_origin
from foretold.server.net.protocol import CLOSE_SECONDS, LINE, SocketProtocol
from foretold.server.observing.logs import logger
from foretold.server.observing.timed import Timed
from foretold.server.people.doors import CODE, shown_key
from foretold.server.quotas.budgets import HANDSHAKE, MESSAGE, Budgets, asked_by
from foretold.server.quotas.limits import Bucket, source_of
from foretold.server.rooms.awake import LiveRooms
from foretold.server.rooms.connection import REFUSED, TRY_LATER, Connection
from foretold.server.rooms.live import LiveRoom, refused_told
from foretold.server.storage.failures import refused_by
from foretold.table.messages import id_of
from foretold.table.refusals import Refused

PATH: Final = re.compile(f"/api/(tables|sheets)/({CODE})/socket")
BURST_SECONDS: Final = 3
PATIENCE: Final = 100
"""How many messages that come too fast are answered before the connection is closed."""


async def serve_socket(house: House, scope: Scope, receive: Receive, send: Send) -> None:
    """One connection, from its handshake to its end."""
    await receive()  # websocket.connect
    source, budgets = source_of(scope), house.budgets
    asked_by.set(source)
    line: SocketProtocol = scope["extensions"][LINE]
    line.source = source
    pays = budgets.pays(source, HANDSHAKE)
    if not is_own_origin(scope, house.settings.allowed_origins):
        await send({"type": "websocket.close"})  # the handshake is answered with status 403
        return
    await send({"type": "websocket.accept"})
    place = PATH.fullmatch(scope["path"])
    with suppress(ClientDisconnected):
        try:
            if place is None:
                raise Refused("not_available")
            if not (pays and budgets.requests.take(source)):
                raise Refused("too_fast")
            house.caretaker.bans.check(source)
            house.pace.check(source)
            await house.pace.turn(source)
            if not budgets.places.enter(source):
                raise Refused("too_many" if budgets.places.is_full else "too_many_open")
            try:
                await _visit(house, place[1], place[2].upper(), scope, receive)
            finally:
                budgets.places.leave(source)
        except Refused as refused:
            await _send_away(house, line, send, refused)


async def _send_away(house: House, line: SocketProtocol, send: Send, refused: Refused) -> None:
    """Say why there is no welcome; a browser would not tell its page about a failed handshake."""
    house.metrics.refusals.labels(refused.code).inc()
    await send({"type": "websocket.send", "text": refused_told(None, refused).decode()})
    line.hang_up(TRY_LATER if refused.code in RETRY_AFTER else REFUSED)


async def _visit(house: House, kind: str, code: str, scope: Scope, receive: Receive) -> None:
    source = asked_by.get()
    line: SocketProtocol = scope["extensions"][LINE]
    rooms: LiveRooms[Any] = house.sheets if kind == "sheets" else house.rooms
    try:
        player = house.identity.player(cookie_of(scope))
        name = None if player is None else await house.store.name_of(player)
        for subject in (player, source):  # from here on they are told of new bans
            house.caretaker.bans.check(subject)
        known = None if name is None else player
        key = shown_key(scope)
        connection = Connection(known, name, line, house.settings.backlog, source, key)
        line.on_writable = connection.go_on
        joined: Timed[LiveRoom] = Timed(rooms.join(code, connection, _since(scope)))
        room = await joined
        house.budgets.pays(source, joined.seconds)
    except Exception as error:
        refused = refused_by(error)
        if refused is not error:
            logger().error("nobody can join", code=code, exc_info=error)
        raise refused from None
    house.metrics.connections.inc()
    ear = _Ear(room, connection, house.settings.messages_per_second, house.budgets)
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

    def __init__(
        self, room: LiveRoom, connection: Connection, rate: float, budgets: Budgets
    ) -> None:
        self._room = room
        self._connection = connection
        self._budgets = budgets
        self._bucket = Bucket(rate, rate * BURST_SECONDS)
        self._patience = PATIENCE
        self._pays = True
        """Whether its address has time left."""

    def hear(self, frame: str) -> None:
        room, connection = self._room, self._connection
        if self._patience == 0:  # it is about to be closed
            if not self._budgets.bears(connection.source, MESSAGE):
                connection.cut_off()
            return
        begun = time.perf_counter()
        if self._pays and self._bucket.take():
            room.hear(connection, frame)
        else:
            room.in_turn(partial(room.refuse, connection, id_of(frame), Refused("too_fast")))
            self._patience -= 1
            if self._patience == 0:
                room.in_turn(partial(connection.close, TRY_LATER))
                # One that does not read would be closed when it has read all, and so never.
                asyncio.get_running_loop().call_later(CLOSE_SECONDS, connection.cut_off)
        spent = MESSAGE + time.perf_counter() - begun
        self._pays = self._budgets.pays(connection.source, spent)


def _since(scope: Scope) -> int | None:
    values = parse_qs(scope["query_string"].decode("latin-1")).get("since", [])
    return int(values[-1]) if values and values[-1].isdecimal() and len(values[-1]) < 10 else None

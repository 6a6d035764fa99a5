"""The socket of a table or sheet, as thin as ASGI allows: no framework in between."""

from __future__ import annotations

import asyncio
import re
import time
from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.types import Receive, Scope

from foretold.refusals import RETRY_AFTER
from foretold.server.cluster.passing import RemoteRoom
from foretold.server.house import House
from foretold.server.net.cookies import cookie_of
from foretold.server.net.origin import is_own_origin
from foretold.server.net.protocol import CLOSE_SECONDS, LINE, SocketProtocol
from foretold.server.observing.logs import logger
from foretold.server.observing.timed import Timed
from foretold.server.people.doors import CODE, shown_key
from foretold.server.quotas.budgets import HANDSHAKE, MESSAGE, Budgets, asked_by
from foretold.server.quotas.limits import Bucket, source_of
from foretold.server.rooms.connection import REFUSED, TRY_LATER, Connection
from foretold.server.rooms.live import LiveRoom, refused_told
from foretold.server.storage.failures import refused_by
from foretold.table.messages import id_of
from foretold.table.refusals import Refused

PATH: Final = re.compile(f"/api/(tables|sheets)/({CODE})/socket")
BURST_SECONDS: Final = 3
PATIENCE: Final = 100
"""How many messages over the rate limit are answered before the connection is closed."""


async def serve_socket(house: House, scope: Scope, receive: Receive) -> None:
    """One connection, from its handshake to its end."""
    source, budgets = source_of(scope), house.budgets
    asked_by.set(source)
    line: SocketProtocol = scope["extensions"][LINE]
    line.source = source
    pays = budgets.pays(source, HANDSHAKE)
    if not is_own_origin(scope, house.settings.allowed_origins):
        line.refuse(HTTPStatus.FORBIDDEN)
        return
    if not line.accept():
        return
    place = PATH.fullmatch(scope["path"])
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
        _send_away(house, line, refused)


def _send_away(house: House, line: SocketProtocol, refused: Refused) -> None:
    """Say why the socket is refused; a browser would not tell its page why a handshake failed."""
    house.metrics.refusals.labels(refused.code).inc()
    line.write(refused_told(None, refused))
    line.hang_up(TRY_LATER if refused.code in RETRY_AFTER else REFUSED)


async def _visit(house: House, kind: str, code: str, scope: Scope, receive: Receive) -> None:
    source = asked_by.get()
    line: SocketProtocol = scope["extensions"][LINE]
    try:
        player = house.identity.player(cookie_of(scope))
        name = None if player is None else await house.store.name_of(player)
        for subject in (player, source):  # from now on, new bans reach them
            house.caretaker.bans.check(subject)
        known = None if name is None else player
        key = shown_key(scope)
        connection = Connection(known, name, line, house.settings.backlog, source, key)
        line.on_writable = connection.go_on
        joined = Timed(house.enter(kind, code, connection, _since(scope)))
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
            message = await receive()  # earlier messages, non-text messages, and the end
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
    """Receives a client's messages, within its limits."""

    def __init__(
        self,
        room: LiveRoom | RemoteRoom,
        connection: Connection,
        rate: float,
        budgets: Budgets,
    ) -> None:
        self._room = room
        self._connection = connection
        self._budgets = budgets
        self._bucket = Bucket(rate, rate * BURST_SECONDS)
        self._patience = PATIENCE
        self._pays = True
        """Whether its address has time left in its budget."""

    def hear(self, frame: str) -> None:
        room, connection = self._room, self._connection
        if self._patience == 0:  # about to be closed
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
                # A normal close waits until the client has read everything, which may be never.
                asyncio.get_running_loop().call_later(CLOSE_SECONDS, connection.cut_off)
        spent = MESSAGE + time.perf_counter() - begun
        self._pays = self._budgets.pays(connection.source, spent)


def _since(scope: Scope) -> int | None:
    values = parse_qs(scope["query_string"].decode("latin-1")).get("since", [])
    return int(values[-1]) if values and values[-1].isdecimal() and len(values[-1]) < 10 else None

"""Scripted clients for the load benchmark: many sockets in one process, as lean as Python allows.

They speak the WebSocket protocol by hand and read only what they need, so
that the server is what is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import struct
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from typing import Any

Heard = Callable[["Socket", bytes], None]


class Socket(asyncio.Protocol):
    """The client end of a WebSocket."""

    def __init__(self, path: str, host: str, cookie: str, heard: Heard) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seat = 0
        self.sent_at = 0.0
        self.action = b""
        """The first action it may take, as last told."""
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )
        self._heard = heard
        self._buffer = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("no handshake"))
        if not self.lost.done():
            self.lost.set_result(None)

    def send(self, payload: bytes) -> None:
        """A text frame; its mask is zero, which leaves the payload unchanged."""
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self.sent_at = time.perf_counter()
        self._transport.write(head + bytes(4) + payload)

    def close(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self.opened.set_result(None)
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                if end - at < 4:
                    break
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                if end - at < 10:
                    break
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if end - start < size:
                break
            kind = data[at]
            at = start + size
            if kind == 0x81:
                self._heard(self, data[start:at])
            elif kind == 0x88:
                self._transport.close()
            elif kind == 0x89:
                self._transport.write(bytes((0x8A, 0x80 | size)) + bytes(4) + data[start:at])
        self._buffer = data[at:]


class Group:
    """Four clients at a table, or in a group of the bare application."""

    def __init__(self, plan: dict[str, Any], host: str, period: float) -> None:
        self.plan = plan
        self.host = host
        self.period = period
        self.sockets: list[Socket] = []
        self.actions = 0
        self.latencies: list[float] = []
        """From sending an action until all four clients have seen it."""
        self.done: list[float] = []
        """... until it is acknowledged."""
        self.is_stopped = True
        """Until `begin`; otherwise the first tables would be over before the last are opened."""
        self._hearing = 0
        self._ids = 0
        self._next_at = 0.0
        self._actor: Socket | None = None

    async def open(self) -> None:
        hosts = self.plan.get("hosts") or [self.host] * len(self.plan["cookies"])
        loop = asyncio.get_running_loop()
        heard = self.heard_bare if self.plan["bare"] else self.heard
        source = self.plan.get("source")
        own = None if source is None else (source, 0)
        for seat, cookie in enumerate(self.plan["cookies"]):
            host, port = hosts[seat].split(":")
            socket = Socket(self.plan["path"], hosts[seat], cookie, heard)
            await loop.create_connection(partial(_same, socket), host, int(port), local_addr=own)
            socket.seat = seat
            self.sockets.append(socket)
            await socket.opened

    def begin(self, now: float) -> None:
        self.is_stopped = False
        self._next_at = now + random.random() * self.period
        if self.plan["bare"]:
            self._say_bare(self.sockets[0])
        else:
            for socket in self.sockets:
                socket.send(b'{"t":"sync","id":"s","since":0}')

    # A table

    def heard(self, socket: Socket, payload: bytes) -> None:
        if payload.startswith(b'{"t":"done"'):
            if socket is self._actor:
                self.done.append(time.perf_counter() - socket.sent_at)
            return
        if payload.startswith(b'{"t":"event"'):
            self._count()
        elif payload.startswith(b'{"t":"refused"') and b"too_fast" in payload:
            sys.exit("the server's limits get in the way of the benchmark")
        at = payload.find(b'"legal":[')
        if at >= 0:
            socket.action = payload[at + 10 : payload.index(b"]", at)].partition(b'"')[0]
        # Who has played one of two Wizards and leads next has a new hand, but may do the same.
        is_due = socket.action and (at >= 0 or b'"hand":[' in payload)
        if is_due and not self.is_stopped:
            at = payload.index(b'"turn":') + 7
            turn = payload[at : payload.index(b",", at)]
            self._ids += 1
            frame = b'{"t":"act","id":"%d-%d","turn":%b,"action":"%b"}' % (
                socket.seat,
                self._ids,
                turn,
                socket.action,
            )
            self._when_due(socket, frame)

    def _count(self) -> None:
        self._hearing += 1
        if self._hearing == len(self.sockets):
            self._hearing = 0
            self.actions += 1
            if self._actor is not None:
                self.latencies.append(time.perf_counter() - self._actor.sent_at)

    def _when_due(self, socket: Socket, frame: bytes) -> None:
        def send() -> None:
            if self.is_stopped:
                return
            self._actor = socket
            socket.send(frame)

        if not self.period:
            send()
            return
        now = asyncio.get_running_loop().time()
        self._next_at = max(now, self._next_at + self.period)
        asyncio.get_running_loop().call_at(self._next_at, send)

    # The bare application

    def heard_bare(self, socket: Socket, payload: bytes) -> None:
        self._count()
        if socket.seat == payload[0] - 48 and not self.is_stopped:
            self._say_bare(socket)

    def _say_bare(self, socket: Socket) -> None:
        following = (socket.seat + 1) % len(self.sockets)
        self._when_due(
            socket, b'%d {"t":"act","id":"1-100","turn":100,"action":"play R4"}' % following
        )


def _same(socket: Socket) -> Socket:
    return socket


async def main(plan: dict[str, Any]) -> None:
    groups = [Group(one, plan["host"], plan["period"]) for one in plan["groups"]]
    for group in groups:
        await group.open()
    print("open", flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    for group in groups:
        group.begin(loop.time())
    await asyncio.sleep(plan["warm_up"])
    for group in groups:
        group.actions = 0
        group.latencies.clear()
        group.done.clear()
    start = time.perf_counter()
    await asyncio.sleep(plan["seconds"])
    seconds = time.perf_counter() - start
    actions = sum(group.actions for group in groups)
    for group in groups:
        group.is_stopped = True
    answer = {
        "actions": actions,
        "seconds": seconds,
        "latencies": [round(one, 6) for group in groups for one in group.latencies],
        "done": [round(one, 6) for group in groups for one in group.done],
    }
    print(json.dumps(answer), flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    for group in groups:
        for socket in group.sockets:
            socket.close()
    await asyncio.sleep(0.2)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(json.loads(sys.stdin.readline())))

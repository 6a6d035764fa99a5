"""One malicious stranger at one address: how it connects, asks, and counts what it got.

Whenever it is cut off, it comes back at once. `done` counts how often an attack reached what it
attacks, so that one whose requests are all refused can be told from one that is harmless.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import selectors
import socket
import time
from base64 import b64encode
from collections import Counter
from contextlib import ExitStack, closing, suppress
from typing import Any

ATTACKER = "127.0.0.2"
CHUNK = 64 << 10
LONG_ROUNDS = "20," * 59 + "20"
"""As long as games can be."""
WELCOME = b'"t":"welcome"'
OK = b"HTTP/1.1 200"
READY = "ready"
"""What the attacker prints when its attack begins."""
LAST_ANSWER = 20.0
"""Seconds to wait after an attack for the first answer of those that were asked for."""
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Attacker:
    """Where the server is, until when to attack it, and what the attacker has prepared."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.port: int = plan["port"]
        self.seconds: float = plan["seconds"]
        self.finished: list[str] = plan["finished"]
        """Codes of long finished games, which are public."""
        self.cookie: str = plan["cookie"]
        """Of the player who played them."""
        self.until = 0.0
        """When to stop; set by `begin`."""
        self.done = 0
        """How often the attacker got what it wanted."""
        self.cut = 0
        """How often its connection was cut."""
        self.statuses: Counter[str] = Counter()
        """Of the answers it got."""

    def begin(self) -> None:
        """All is prepared: honest moves are measured from now on."""
        self.until = time.monotonic() + self.seconds
        print(READY, flush=True)

    @property
    def goes_on(self) -> bool:
        if not self.until:
            self.begin()
        return time.monotonic() < self.until

    def connect(self, timeout: float = 0.5) -> socket.socket:
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout, source_address=(ATTACKER, 0)
        )

    def pour(self, head: bytes, blob: bytes, first: bytes = b"", awaited: bytes = b"") -> None:
        """Send the blob for as long as the server accepts it, and reconnect when it does not.

        With `awaited`, only once the answer to the head contains that.
        """
        while self.goes_on:
            with suppress(OSError), closing(self.connect()) as line:
                line.sendall(head)
                if awaited and not self.hears(line, awaited):
                    continue
                line.sendall(first)
                while self.goes_on:
                    line.sendall(blob)
                    self.done += 1
            self.cut += 1

    def hears(self, line: socket.socket, awaited: bytes) -> bool:
        """Whether that comes before the connection ends or times out."""
        heard = b""
        while awaited not in heard:
            data = line.recv(CHUNK)
            if not data:
                break
            heard += data
        self.statuses.update(status.decode() for status in _STATUS.findall(heard))
        return awaited in heard

    def handshake(self, path: str, cookie: str = "") -> bytes:
        key = b64encode(os.urandom(16)).decode()
        return (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Origin: http://127.0.0.1:{self.port}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        ).encode()

    def socket(self, code: str, cookie: str = "", kind: str = "tables") -> socket.socket:
        """A WebSocket to a table that has been welcomed; raises `OSError` if it is not."""
        line = self.connect(5.0)
        try:
            line.sendall(self.handshake(f"/api/{kind}/{code}/socket", cookie))
            if not self.hears(line, WELCOME):
                raise ConnectionError("not welcomed")
        except BaseException:
            line.close()
            raise
        return line

    def call(self, method: str, path: str, body: object = None, cookie: str = "") -> Any:
        """A single request; the status, the answer, and the cookie it sets."""
        way = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=10, source_address=(ATTACKER, 0)
        )
        with closing(way):
            text = None if body is None else json.dumps(body)
            way.request(method, path, text, {"cookie": cookie, "content-type": "application/json"})
            answer = way.getresponse()
            data = answer.read()
            given = (answer.getheader("set-cookie") or "").split(";")[0]
        self.statuses[str(answer.status)] += 1
        return answer.status, json.loads(data) if data[:1] == b"{" else {}, given

    def asks(self, method: str, path: str, body: object = None, cookie: str = "") -> Any:
        """The same where it counts: the answer, or None; waits a moment if it is refused."""
        try:
            status, answer, given = self.call(method, path, body, cookie)
        except OSError:
            self.cut += 1
            status = 0
        if status != 200:
            time.sleep(0.02)
            return None
        self.done += 1
        return {**answer, "cookie": given}

    def somebody(self) -> str:
        """A new player's cookie."""
        return str(self.call("PUT", "/api/me", {"name": "Eve"})[2])

    def table(self, cookie: str, **rules: object) -> str:
        body = {"rules": rules, "settings": {"public": True}}
        return str(self.call("POST", "/api/tables", body, cookie)[1]["code"])

    def sync_on(self, places: list[tuple[str, str, str]], *, reads: bool = True) -> None:
        """A socket at each place (code, cookie, kind) asks for everything as often as it may."""
        ask = frame(1, b'{"t":"sync","id":"s","since":0}')
        with ExitStack() as held:
            lines = []
            for code, cookie, kind in places:
                with suppress(OSError):
                    lines.append(held.enter_context(self.socket(code, cookie, kind)))
                    lines[-1].setblocking(False)
            while self.goes_on:
                time.sleep(0.05)
                for line in lines:
                    with suppress(OSError):
                        line.send(ask)
                        self.done += 1
                    while reads:
                        try:
                            if not line.recv(1 << 20):
                                break
                        except OSError:
                            break

    @property
    def _awaits_first(self) -> bool:
        return not self.done and time.monotonic() < self.until + LAST_ANSWER

    def ask_on(self, requests: list[bytes], lines: int = 8, wanted: bytes = OK) -> None:
        """Keep that many connections busy, sending each request when the last is answered.

        The answer to what was asked for may come only after the end.
        """
        with selectors.DefaultSelector() as chosen, ExitStack() as opened:

            def begin() -> None:
                with suppress(OSError):
                    line = opened.enter_context(closing(self.connect()))
                    line.setblocking(False)
                    line.send(random.choice(requests))
                    chosen.register(line, selectors.EVENT_READ)

            for _ in range(lines):
                begin()
            while self.goes_on or self._awaits_first:
                if not chosen.get_map():
                    time.sleep(0.01)
                    begin()
                for key, _ in chosen.select(0.2):
                    line = key.fileobj
                    assert isinstance(line, socket.socket)
                    data = b""
                    with suppress(OSError):
                        data = line.recv(1 << 20)
                        self.done += data.count(wanted)
                        if found := _STATUS.findall(data):
                            self.statuses.update(status.decode() for status in found)
                            line.send(random.choice(requests))
                    if not data:
                        self.cut += 1
                        chosen.unregister(line)
                        line.close()
                        begin()


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame with a mask of zero."""
    size = len(payload)
    head = bytes((opcode | 0x80 * is_last,))
    head += bytes((0x80 | size,)) if size < 126 else bytes((0xFE,)) + size.to_bytes(2, "big")
    return head + bytes(4) + payload


def said(message: dict[str, object]) -> bytes:
    return frame(1, json.dumps(message).encode())


def get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n{more}\r\n".encode()


def with_body(method: str, path: str, body: object, cookie: str = "") -> bytes:
    text = json.dumps(body)
    more = f"content-type: application/json\r\ncontent-length: {len(text)}\r\ncookie: {cookie}\r\n"
    return get(path, more).replace(b"GET", method.encode(), 1) + text.encode()

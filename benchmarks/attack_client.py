"""One malicious stranger, from one address: each attack is a function that runs until the end.

The bytes are prepared once, so that the attacker itself uses as little of the cores as possible.
Whenever it is cut off, it comes back at once.

It runs in its own process, and reads its plan as JSON from standard input.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import selectors
import socket
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

ATTACKER = "127.0.0.2"
CHUNK = 64 << 10


class Attacker:
    """Where the server is, until when to attack it, and what the attacker has prepared."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.port: int = plan["port"]
        self.seconds: float = plan["seconds"]
        self.finished: list[str] = plan["finished"]
        """Codes of long finished games."""
        self.until: float = time.monotonic() + self.seconds
        self.done = 0
        """How often the attacker got what it wanted, where that can be counted."""
        self.cut = 0
        """How often its connection was cut."""

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    @contextmanager
    def line(self, timeout: float = 0.5) -> Iterator[socket.socket]:
        """A connection; any failure of it is ignored."""
        with suppress(OSError), self.connect(timeout) as line:
            yield line
            return
        self.cut += 1

    def connect(self, timeout: float = 0.5) -> socket.socket:
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout, source_address=(ATTACKER, 0)
        )

    def pour(self, head: bytes, blob: bytes) -> None:
        """Send the blob for as long as the server accepts it, and reconnect when it does not."""
        while self.goes_on:
            with suppress(OSError), closing(self.connect()) as line:
                line.sendall(head)
                while self.goes_on:
                    line.sendall(blob)
            self.cut += 1

    def handshake(self, path: str, cookie: str = "") -> bytes:
        key = b64encode(os.urandom(16)).decode()
        return (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Origin: http://127.0.0.1:{self.port}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        ).encode()

    def socket(self, code: str, cookie: str = "") -> socket.socket:
        """An open WebSocket to a table."""
        line = self.connect(5.0)
        line.sendall(self.handshake(f"/api/tables/{code}/socket", cookie))
        line.recv(1)
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
        return answer.status, json.loads(data) if data[:1] == b"{" else {}, given

    def somebody(self) -> str:
        """A new player's cookie."""
        return str(self.call("PUT", "/api/me", {"name": "Eve"})[2])

    def table(self, cookie: str, **rules: object) -> str:
        body = {"rules": rules, "settings": {"public": True}}
        return str(self.call("POST", "/api/tables", body, cookie)[1]["code"])

    def ask_on(self, requests: list[bytes], lines: int = 8) -> None:
        """Keep that many connections busy, sending each request when the last is answered."""
        with selectors.DefaultSelector() as chosen, ExitStack() as opened:

            def begin() -> None:
                with suppress(OSError):
                    line = opened.enter_context(closing(self.connect()))
                    line.setblocking(False)
                    line.send(random.choice(requests))
                    chosen.register(line, selectors.EVENT_READ)

            for _ in range(lines):
                begin()
            while self.goes_on:
                if not chosen.get_map():
                    time.sleep(0.01)
                    begin()
                for key, _ in chosen.select(0.2):
                    line = key.fileobj
                    assert isinstance(line, socket.socket)
                    data = b""
                    with suppress(OSError):
                        data = line.recv(1 << 20)
                        if b"HTTP/1.1 " in data:
                            self.done += data.count(b"HTTP/1.1 200")
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


def get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n{more}\r\n".encode()


# Frames


def flood(one: bytes, first: bytes = b"") -> Callable[[Attacker], None]:
    def attack(attacker: Attacker) -> None:
        head = attacker.handshake("/api/tables/BBBBBB/socket") + first
        attacker.pour(head, one * (CHUNK // len(one)))

    return attack


def seated_flood(one: bytes, first: bytes = b"") -> Callable[[Attacker], None]:
    """The same at a table, where its room reads it."""

    def attack(attacker: Attacker) -> None:
        code = attacker.table(attacker.somebody())
        blob = one * (CHUNK // len(one))
        while attacker.goes_on:
            with suppress(OSError), closing(attacker.socket(code)) as line:
                line.sendall(first)
                while attacker.goes_on:
                    line.sendall(blob)
            attacker.cut += 1

    return attack


# Requests


def header_lines(attacker: Attacker) -> None:
    attacker.pour(b"GET / HTTP/1.1\r\n", b"a: b\r\n" * (CHUNK // 6))


def header_value(attacker: Attacker) -> None:
    attacker.pour(b"GET / HTTP/1.1\r\na: ", b"b" * CHUNK)


def address(attacker: Attacker) -> None:
    attacker.pour(b"GET /", b"b" * CHUNK)


def blank_lines(attacker: Attacker) -> None:
    attacker.pour(b"", b"\r\n" * (CHUNK // 2))


def pipelined(attacker: Attacker) -> None:
    one = get("/healthz")
    attacker.pour(b"", one * (CHUNK // len(one)))


def bodies(attacker: Attacker) -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    attacker.pour(head, b"1;" + b"x" * 500 + b"\r\nx\r\n")


def connections(attacker: Attacker) -> None:
    while attacker.goes_on:
        with suppress(OSError):
            attacker.connect().close()
            attacker.cut += 1


def garbage(attacker: Attacker) -> None:
    while attacker.goes_on:
        with suppress(OSError), closing(attacker.connect()) as line:
            line.send(b"no request at all\r\n\r\n")
            line.recv(100)
            attacker.cut += 1


def handshakes(attacker: Attacker) -> None:
    request = attacker.handshake(f"/api/tables/{attacker.finished[0]}/socket")
    while attacker.goes_on:
        with suppress(OSError), closing(attacker.connect()) as line:
            line.send(request)
            line.recv(1000)
        attacker.cut += 1


def pages(attacker: Attacker) -> None:
    attacker.ask_on([get("/"), get("/t/BBBBBB"), get("/nothing.js")])


def refused(attacker: Attacker) -> None:
    attacker.ask_on([get("/api/me"), get("/api/options")])


# Costly reads


def replays(attacker: Attacker) -> None:
    views = ("open", *range(3))
    attacker.ask_on(
        [get(f"/api/tables/{code}/replay?as={one}") for code in attacker.finished for one in views]
    )


def reviews(attacker: Attacker) -> None:
    attacker.ask_on([get(f"/api/tables/{code}/review") for code in attacker.finished])


def records(attacker: Attacker) -> None:
    attacker.ask_on([get(f"/api/tables/{code}/record") for code in attacker.finished])


def rules(attacker: Attacker) -> None:
    body = json.dumps({"players": 3, "rounds": "20," * 59 + "20"})
    more = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    attacker.ask_on([get("/api/rules", more).replace(b"GET", b"POST") + body.encode()])


def lists(attacker: Attacker) -> None:
    cookie = attacker.somebody()
    with ExitStack() as held:
        for _ in range(20):
            code = attacker.table(cookie)
            held.enter_context(attacker.socket(code, cookie))
        attacker.ask_on([get("/api/tables"), get("/api/me/games", f"cookie: {cookie}\r\n")])


def waking(attacker: Attacker) -> None:
    """Sockets to long sleeping games, one after another."""
    while attacker.goes_on:
        for code in attacker.finished:
            with suppress(OSError), closing(attacker.socket(code)) as line:
                line.recv(1 << 16)
                attacker.done += 1


# Many sockets


def crowd(attacker: Attacker, *, reads: bool = True) -> None:
    """As many sockets as possible, each asking for everything as often as it may."""
    ask = frame(1, b'{"t":"sync","id":"s","since":0}')
    with ExitStack() as held:
        lines = []
        for _ in range(100):
            with suppress(OSError):
                lines.append(held.enter_context(attacker.socket(attacker.finished[0])))
                lines[-1].setblocking(False)
        while attacker.goes_on:
            time.sleep(0.05)
            for line in lines:
                with suppress(OSError):
                    line.send(ask)
                    attacker.done += 1
                while reads:
                    try:
                        if not line.recv(1 << 20):
                            break
                    except OSError:
                        break


def deaf(attacker: Attacker) -> None:
    crowd(attacker, reads=False)


def deaf_requests(attacker: Attacker) -> None:
    """Large answers on many connections, none of them read."""
    ask = get(f"/api/tables/{attacker.finished[0]}/replay").replace(b"gzip", b"nothing")
    with ExitStack() as held:
        for _ in range(300):
            with suppress(OSError):
                line = held.enter_context(closing(attacker.connect()))
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.send(ask)
        time.sleep(max(0.0, attacker.until - time.monotonic()))


# Disk


def lobby(attacker: Attacker) -> None:
    """Rules changed and changed back, at one new table after another."""
    long = "20," * 59 + "20"
    cookie = attacker.somebody()
    while attacker.goes_on:
        try:
            code = attacker.table(cookie, players=3, rounds=long)
        except KeyError:
            cookie = attacker.somebody() or cookie
            time.sleep(0.05)
            continue
        with suppress(OSError), closing(attacker.socket(code, cookie)) as line:
            for number in range(1000):
                change = {"players": 3, "rounds": long, "bidding": ("open", "hidden")[number % 2]}
                text = {"t": "settings", "id": f"{code}{number}", "rules": change}
                line.sendall(frame(1, json.dumps(text).encode()))
                attacker.done += 1
                heard = line.recv(1 << 20)
                if not attacker.goes_on or not heard or b'"refused"' in heard:
                    break


def names(attacker: Attacker) -> None:
    body = json.dumps({"name": "x" * 20})
    more = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    attacker.ask_on([get("/api/me", more).replace(b"GET", b"PUT") + body.encode()])


JUNK = frame(1, b"\xff" * 20)

ATTACKS: dict[str, Callable[[Attacker], None]] = {
    "pongs": flood(frame(10)),
    "pings": flood(frame(9)),
    "empty texts": flood(frame(1)),
    "continuations": flood(frame(0, is_last=False), frame(1, is_last=False)),
    "junk": flood(JUNK),
    "pongs at a table": seated_flood(frame(10)),
    "continuations at a table": seated_flood(frame(0, is_last=False), frame(1, is_last=False)),
    "messages at a table": seated_flood(frame(1, b'{"t":"sync","id":"s"}')),
    "header lines": header_lines,
    "header value": header_value,
    "address": address,
    "blank lines": blank_lines,
    "pipelined": pipelined,
    "bodies": bodies,
    "connections": connections,
    "garbage": garbage,
    "handshakes": handshakes,
    "pages": pages,
    "requests": refused,
    "replays": replays,
    "reviews": reviews,
    "records": records,
    "rules": rules,
    "lists": lists,
    "waking": waking,
    "crowd": crowd,
    "deaf sockets": deaf,
    "deaf requests": deaf_requests,
    "lobby": lobby,
    "names": names,
}


def main() -> None:
    plan = json.loads(sys.stdin.readline())
    attacker = Attacker(plan)
    ATTACKS[plan["attack"]](attacker)
    print(json.dumps({"done": attacker.done, "cut": attacker.cut}), flush=True)


if __name__ == "__main__":
    main()

"""One stranger at one address who sends more than anybody should: bounded, and told why.

Every test uses its own address, since budgets are kept by address.
"""

from __future__ import annotations

import base64
import os
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from websockets.frames import Frame, Opcode

from foretold.server.bounds import markdown
from foretold.server.net import guard
from server.client import Client, Person, RefusedError, run
from server.process import ServerProcess

ADDRESSES = (f"127.0.9.{number}" for number in count(1))
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with its usual limits, except a few that would take long to reach."""
    with ServerProcess(
        tmp_path_factory.mktemp("strict"),
        messages_per_second=20,
        requests_per_second=20,
        core_share_per_address=0.2,
        tables_per_minute=2,
        megabytes_per_day=0.3,
    ) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


@pytest.fixture
def source() -> str:
    """An address that nobody else uses."""
    return next(ADDRESSES)


def line_to(server: ServerProcess, source: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 10, source_address=(source, 0))


def handshake(server: ServerProcess, code: str = "BBBBBB") -> bytes:
    return (
        f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: {server.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
    ).encode()


def new_table(server: ServerProcess, source: str = "127.0.0.1") -> str:
    way = httpx.HTTPTransport(local_address=source)
    with httpx.Client(base_url=server.url, transport=way) as http:
        http.put("/api/me", json={"name": "Eve"})
        code: str = http.post("/api/tables", json={}).json()["code"]
        return code


def is_cut(line: socket.socket, blob: bytes, most: int) -> bool:
    """Whether a connection is cut, and soon, when that many bytes are sent to it."""
    line.settimeout(5)
    try:
        for _ in range(max(1, most // len(blob))):
            line.sendall(blob)
        while line.recv(1 << 16):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def status_of(line: socket.socket) -> int | None:
    """The status of the next response; None if the connection ends without one."""
    try:
        head = line.recv(1 << 16)
    except ConnectionError:
        return None
    return int(head.split()[1]) if head else None


# Frames

EMPTY = {
    "pongs": (Frame(Opcode.PONG, b""), b""),
    "pings": (Frame(Opcode.PING, b""), b""),
    "texts": (Frame(Opcode.TEXT, b""), b""),
    "continuations": (
        Frame(Opcode.CONT, b"", fin=False),
        Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True),
    ),
}


@pytest.mark.parametrize("is_at_a_table", [True, False])
@pytest.mark.parametrize("kind", EMPTY)
def test_frames_of_any_kind_are_counted_and_a_flood_is_cut_off(
    strict: ServerProcess, source: str, kind: str, is_at_a_table: bool
) -> None:
    frame, first = EMPTY[kind]
    code = new_table(strict, source) if is_at_a_table else "BBBBBB"
    with line_to(strict, source) as line:
        line.sendall(handshake(strict, code))
        assert status_of(line) == 101
        line.sendall(first)
        assert is_cut(line, frame.serialize(mask=True) * 2000, 1 << 20)


def test_a_message_comes_in_so_many_pieces_and_no_more(server: ServerProcess) -> None:
    """Even if they come so slowly that no budget is spent: they would be kept forever."""
    with line_to(server, "127.0.0.1") as line:
        line.sendall(handshake(server, new_table(server)))
        assert status_of(line) == 101
        line.sendall(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
        assert is_cut(line, Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 100, 1)


def test_what_is_no_text_ends_the_connection_and_is_no_news(server: ServerProcess) -> None:
    with line_to(server, "127.0.0.1") as line:
        line.sendall(handshake(server, new_table(server)))
        assert status_of(line) == 101
        assert is_cut(line, Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True), 1)
    assert "UTF-8" not in server.log


# Requests

LONG = guard.MOST_HEAD + 2 * guard.PIECE
HEADS = {
    "lines": (b"GET / HTTP/1.1\r\n", b"a: b\r\n", 431),
    "values": (b"GET / HTTP/1.1\r\na: ", b"b", 431),
    "names": (b"GET / HTTP/1.1\r\n", b"a", 431),
    "addresses": (b"GET /", b"b", 414),
    "queries": (b"GET /?", b"b=c&", 414),
    "blank lines": (b"", b"\r\n", 431),
    "cookies": (b"GET /api/me HTTP/1.1\r\nCookie: ", b"a=b; ", 431),
}


@pytest.mark.parametrize("kind", HEADS)
def test_heads_without_end_are_refused_before_they_take_memory(
    strict: ServerProcess, source: str, kind: str
) -> None:
    first, more, status = HEADS[kind]
    with line_to(strict, source) as line:
        line.sendall(first + more * (LONG // len(more)))
        assert status_of(line) == status
        assert line.recv(1) == b""
    with line_to(strict, source) as line:
        line.sendall(first)
        assert is_cut(line, more * (LONG // len(more)), 1 << 20)


def test_what_browsers_send_is_within_the_bounds(strict: ServerProcess, source: str) -> None:
    fields = "".join(f"x-{number}: {'v' * 100}\r\n" for number in range(50))
    with line_to(strict, source) as line:
        line.sendall(f"GET /?{'q' * 3000} HTTP/1.1\r\nHost: x\r\n{fields}\r\n".encode())
        assert status_of(line) in (200, 503)  # without a built client there is no page


@pytest.mark.parametrize(
    ("head", "more"),
    [
        ("GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n", b"x" * 1000),
        (
            "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1;" + b"x" * 1000 + b"\r\nx\r\n",
        ),
    ],
)
def test_bodies_without_end_are_cut_off(strict: ServerProcess, head: str, more: bytes) -> None:
    """Even from a proxy, whose connections have no budget."""
    with line_to(strict, "127.0.0.1") as line:
        line.sendall(head.encode())
        assert is_cut(line, more * 50, 1 << 20)


def test_only_so_many_requests_wait_for_the_one_before(strict: ServerProcess) -> None:
    asked = 10 * guard.MOST_PIPELINED
    with line_to(strict, "127.0.0.1") as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * asked)
        heard = b""
        try:
            while piece := line.recv(1 << 16):
                heard += piece
        except ConnectionError:
            pass
    assert heard.count(b"HTTP/1.1 200") <= guard.MOST_PIPELINED + 1


def test_a_socket_does_not_overtake_the_request_before_it(strict: ServerProcess) -> None:
    """Its answer would be written among the socket's frames."""
    before = f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\n\r\n".encode()
    with line_to(strict, "127.0.0.1") as line:
        line.sendall(before + handshake(strict))
        assert status_of(line) is None


def test_a_request_has_one_host(strict: ServerProcess) -> None:
    with line_to(strict, "127.0.0.1") as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n")
        assert status_of(line) == 400


def test_one_address_has_only_so_many_connections(strict: ServerProcess, source: str) -> None:
    lines = [line_to(strict, source) for _ in range(guard.MOST_OF_ONE + 20)]
    try:
        assert status_of(lines[-1]) is None
        with line_to(strict, next(ADDRESSES)) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert status_of(other) == 200
    finally:
        for line in lines:
            line.close()


# Disk, tables and phrases


def test_an_address_writes_only_so_much_in_a_day(strict: ServerProcess, source: str) -> None:
    async def story() -> None:
        eve = await Person.named(strict.url, "Eve", source)
        body = {"rules": {"players": 3, "rounds": ",".join(["20"] * 60)}}
        bots = [None, "novice", "novice"]
        code = (await eve.call("POST", "/api/tables", {**body, "bots": bots}))["code"]
        async with Client(eve, code) as client:
            with pytest.raises(RefusedError) as refused:
                await client.ask("start")  # such a long game is more than a day's worth here
            assert refused.value.code == "used_up"
            await client.ask("settings", settings={"pace": 1})  # a little is still possible
        answers = [await eve.http.post("/api/play") for _ in range(4)]  # 100 kB each
        assert [one.status_code for one in answers[::3]] == [200, 429]
        assert answers[-1].json()["code"] == "used_up"
        assert int(answers[-1].headers["retry-after"]) > 1000

    run(story)


def test_a_rematch_is_a_new_table_too(strict: ServerProcess, source: str) -> None:
    async def story() -> None:
        eve = await Person.named(strict.url, "Eve", source)
        code = await eve.new_table(rules={"rounds": "1"}, bots=[None, *["novice"] * 3])
        async with Client(eve, code) as client:
            await client.ask("start")
            await client.play_on()
            for _ in range(10):  # all that it may open, and more
                answer = await eve.http.post("/api/tables", json={})
            assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
            with pytest.raises(RefusedError) as refused:
                await client.ask("rematch")
            assert refused.value.code == "too_fast"

    run(story)


def test_nobody_drowns_a_table_in_phrases(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        async with Client(ana, await ana.new_table()) as client:
            for _ in range(50):
                await client.say("hello")
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "too_fast"
            await client.ask("settings", settings={"pace": 1})  # once everything is answered
            assert len(client.said) in (5, 6)

    run(story)


# What is logged about it


def test_the_bounds_are_in_the_manual() -> None:
    assert markdown() in (DOCS / "server.md").read_text()

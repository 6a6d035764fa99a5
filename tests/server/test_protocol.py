"""Socket messages, whole or in pieces, one by one or many at once: all are read, in order."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
from collections.abc import Callable
from itertools import pairwise
from typing import Any, cast

import pytest
import uvicorn
import uvloop
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from foretold.server.api import socket as sockets
from foretold.server.net.frames import FrameCounter, framed, short_text
from foretold.server.net.protocol import MOST_UNSENT, SocketProtocol, file_of, socket_protocol
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.live import LiveRoom
from foretold.server.settings import ServerSettings
from server.client import Person, run
from server.process import ServerProcess
from server.test_connection import SlowLine

TEXTS = st.text(max_size=200)
FRAMES = st.builds(
    Frame,
    st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT]),
    st.binary(max_size=300),
    st.booleans(),
)


def masked(frame: Frame) -> bytes:
    return frame.serialize(mask=True)


class Wire:
    """A transport that counts what it is given, or is broken."""

    def __init__(self, *, broken: bool) -> None:
        self.broken = broken
        self.written = b""
        self.aborted = False

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, data: bytes) -> None:
        if self.broken:
            raise OSError("no such wire")
        self.written += data

    def abort(self) -> None:
        self.aborted = True


def line_on(wire: Wire | asyncio.Transport, kind: type[SocketProtocol]) -> SocketProtocol:
    """A connection after its handshake; call within an event loop."""
    config = uvicorn.Config(lambda: None, log_config=None, lifespan="off")
    line = kind(config, ServerState(), {})
    line.transport = cast(asyncio.Transport, wire)
    return line


def test_short_messages_count_as_frames_too() -> None:
    asyncio.run(short_messages())


async def short_messages() -> None:
    """Even though they are read by a separate fast path."""
    budgets = Budgets(ServerSettings())
    wire = Wire(broken=False)
    line = line_on(wire, socket_protocol(budgets))
    line._frames, line._budget = FrameCounter(), budgets.frames()
    heard: list[str] = []
    line.on_text = heard.append
    most = int(budgets.frames().brim)
    for _ in range(2 * most):
        line.data_received(masked(Frame(Opcode.TEXT, b"{}")))
        if wire.aborted:
            break
    assert wire.aborted
    assert most / 2 < len(heard) <= most


def test_who_is_to_be_closed_pays_and_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that does not read could otherwise wait forever with its backlog."""

    class Room:
        """Answers everything."""

        def hear(self, connection: Connection, frame: str) -> None:
            connection.send(b"done")

        def refuse(self, connection: Connection, *_: object) -> None:
            connection.send(b"no")

        def in_turn(self, work: Callable[[], None]) -> None:
            work()

    async def story() -> None:
        for seconds, more in ((0.0, 0), (60.0, 1_000_000)):
            monkeypatch.setattr(sockets, "CLOSE_SECONDS", seconds)
            line = SlowLine()
            connection = Connection(None, None, line, 1000, "203.0.113.7")
            budgets = Budgets(ServerSettings())
            ear = sockets._Ear(cast(LiveRoom, Room()), connection, 1.0, budgets)
            for _ in range(200):
                ear.hear("{}")
            ended_before = line.ended
            for _ in range(more):
                if line.ended is None:
                    ear.hear("{}")
            async with asyncio.timeout(5):
                while line.ended is None:
                    await asyncio.sleep(0)
            assert (ended_before, line.ended) == (None, "aborted")

    asyncio.run(story())


def test_a_connection_that_fails_does_not_keep_others_from_being_written_to() -> None:
    async def story() -> None:
        kind = socket_protocol(Budgets(ServerSettings()))
        wires = [Wire(broken=True), Wire(broken=False)]
        lines = [line_on(wire, kind) for wire in wires]
        for line in lines * MOST_UNSENT:  # the last is sent at once, not together with others
            line.write(b"hello")
        lines[1].write(b"again")
        await asyncio.sleep(0)
        assert [wire.aborted for wire in wires] == [True, False]
        assert wires[1].written.count(b"hello") == MOST_UNSENT
        assert wires[1].written.endswith(b"again")

    asyncio.run(story())


@pytest.mark.parametrize("runner", [asyncio.run, uvloop.run])
def test_what_the_system_does_not_take_at_once_follows_in_order(
    runner: Callable[[Any], None],
) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        near, far = socket.socketpair()
        near.setblocking(False)
        far.setblocking(False)
        transport, _ = await loop.create_unix_connection(asyncio.Protocol, sock=near)
        line = line_on(transport, socket_protocol(Budgets(ServerSettings())))
        line._file = file_of(transport)
        assert line._file is not None
        messages = [b"%d" % n * 150_000 for n in range(20)]  # more than the system buffers
        for message in messages[:10]:
            line.write(message)
            line.flush()
        assert transport.get_write_buffer_size() > 0
        await asyncio.sleep(0)
        whole, got = b"".join(map(framed, messages)), b""
        async with asyncio.timeout(10):
            while len(got) < len(whole):
                got += await loop.sock_recv(far, 100_000)
                if messages[10:]:  # now there is room, now there is not
                    line.write(messages.pop(10))
                    line.flush()
        is_same = got == whole  # a report of three megabytes would take minutes
        assert is_same
        transport.close()
        far.close()

    runner(story())


@given(TEXTS)
def test_a_short_text_is_read_as_it_was_said(text: str) -> None:
    data = text.encode()
    found = short_text(masked(Frame(Opcode.TEXT, data)))
    assert found == (text if len(data) < 126 else None)


@given(FRAMES, st.binary(max_size=4))
def test_nothing_else_is_taken_for_a_short_text(frame: Frame, more: bytes) -> None:
    is_text = frame.opcode is Opcode.TEXT and frame.fin and len(frame.data) < 126
    try:
        bytes(frame.data).decode()
    except UnicodeDecodeError:
        is_text = False
    assert (short_text(masked(frame) + more) is not None) == (is_text and not more)
    assert short_text(frame.serialize(mask=False)) is None  # clients must mask


@given(st.lists(FRAMES, max_size=6), st.data())
def test_frames_are_counted_in_whatever_pieces_they_come(
    frames: list[Frame], data: st.DataObject
) -> None:
    whole = [masked(frame) for frame in frames]
    together = b"".join(whole)
    begins = [sum(map(len, whole[:count])) for count in range(len(whole) + 1)]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(together)))))
    counter = FrameCounter()
    for at, end in pairwise([0, *cuts, len(together)]):
        counted = counter.count(together[at:end], 100)
        assert counted == sum(at <= begin < end for begin in begins[:-1])
        assert counter.is_between == (end in begins)


def test_no_more_frames_are_counted_than_matter() -> None:
    assert FrameCounter().count(masked(Frame(Opcode.PONG, b"")) * 100_000, 10) == 11


def test_whatever_the_pieces_every_message_is_heard_in_order(server: ServerProcess) -> None:
    """Each piece is sent by itself, with frames of other kinds in between."""

    async def story() -> None:
        person = await Person.named(server.url, "Pia")
        code = await person.new_table()
        reader, writer = await opened(server, person, code)
        assert (await message(reader))["t"] == "welcome"
        short = [masked(Frame(Opcode.TEXT, said(number))) for number in range(12)]
        long = masked(Frame(Opcode.TEXT, said(12, "x" * 300)))
        first = masked(Frame(Opcode.TEXT, said(13)[:7], fin=False))
        rest = masked(Frame(Opcode.CONT, said(13)[7:]))
        ping = masked(Frame(Opcode.PING, b"?"))
        for piece in (
            short[0],
            short[1][:1],  # a header in two pieces
            short[1][1:],
            short[2][:2],  # a header, then its message
            short[2][2:],
            short[3] + short[4],  # two at once
            ping,
            short[5],
            short[6] + short[7][:9],  # one, and a piece of another
            short[7][9:] + short[8],
            short[9],
            ping + short[10],
            short[11],
            long[:50],
            long[50:],
            first,  # a message of two frames, with a ping in between
            ping,
            rest,
            masked(Frame(Opcode.TEXT, said(14))),
        ):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.01)
        heard: list[str] = []
        while len(heard) < 15:
            told = await message(reader)
            if told["t"] == "refused":
                heard.append(told["id"])
        assert heard == [str(number) for number in range(15)]
        writer.close()

    run(story)


def test_who_pings_on_without_reading_is_cut_off(server: ServerProcess) -> None:
    """Answers to pings must not pile up in the server's memory."""

    async def story() -> None:
        person = await Person.named(server.url, "Pia")
        _, writer = await opened(server, person, await person.new_table())
        pings = masked(Frame(Opcode.PING, b"?" * 125)) * 1000

        async def ping_on() -> None:
            for _ in range(2000):
                writer.write(pings)
                await writer.drain()

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(ping_on(), 60)

    run(story)


def said(number: int, more: str = "") -> bytes:
    """A message that is refused under its own number."""
    return json.dumps({"t": "say", "id": str(number), "phrase": f"nothing {more}"}).encode()


async def opened(
    server: ServerProcess, person: Person, code: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection to a table, after the handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 16)
    writer.write(
        f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: {server.url}\r\nCookie: {person.cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def message(reader: asyncio.StreamReader) -> dict[str, str]:
    """The next text message."""
    while True:
        head = await asyncio.wait_for(reader.readexactly(2), 10)
        size = head[1]
        if size == 126:
            size = int.from_bytes(await reader.readexactly(2), "big")
        body = await reader.readexactly(size)
        if head[0] & 0x0F == Opcode.TEXT:
            found: dict[str, str] = json.loads(body)
            return found

"""Many connections at once: those that ask for nothing keep nobody else out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import httpx
import pytest
import sqlalchemy as sa
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from foretold.server.net import guard
from foretold.server.observing.metrics import Metrics
from foretold.server.operation import health
from foretold.server.operation.health import Health
from foretold.server.quotas.budgets import Budgets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store
from server.client import Client, Person, run
from server.nursery import NurseryServer

MOST = 20


def is_open(line: socket.socket) -> bool:
    """Whether the other end has not closed it."""
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def test_connections_without_a_request_make_room_for_others(tmp_path: Path) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table()
        async with Client(ana, code) as client:
            with ExitStack() as held:
                silent = []
                for number in range(3 * MOST):
                    line = socket.create_connection(("127.0.0.1", server.port))
                    silent.append(held.enter_context(line))
                    if number % 2:
                        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")  # and never the rest
                answer = await asyncio.to_thread(httpx.get, server.url + "/healthz")
                assert answer.json() == {"status": "ok"}
                assert not any(map(is_open, silent[: 2 * MOST]))
                assert all(map(is_open, silent[-MOST // 2 :]))
            # Someone at a table does not count as part of that crowd.
            await client.ask("settings", settings={"pace": 1})
            assert client.welcomes == 1

    with NurseryServer(tmp_path, max_waiting=MOST) as server:
        run(story)


def test_a_request_must_come_in_whole_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "REQUEST_SECONDS", 0.3)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def story() -> None:
        protocol = guard.http_protocol(MOST, Budgets(ServerSettings()))
        config = uvicorn.Config(app, log_config=None, lifespan="off")

        def answer() -> asyncio.Protocol:
            return protocol(config, ServerState(), {})

        server = await asyncio.get_running_loop().create_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        slow_reader, slow = await asyncio.open_connection("127.0.0.1", port)
        reader, quick = await asyncio.open_connection("127.0.0.1", port)
        for letter in b"GET / HTTP/1.1\r\nHost: " + b"x" * 60:
            if slow_reader.at_eof():
                break
            slow.write(bytes([letter]))  # something all the time, but never the end
            quick.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204")
            await asyncio.sleep(0.02)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await slow_reader.readexactly(1)
        for line in (slow, quick):
            line.close()
        server.close()

    asyncio.run(story())


def test_who_does_not_read_an_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "REQUEST_SECONDS", 0.3)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1000):
            await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})

    async def story() -> None:
        lost = asyncio.Event()
        protocol = guard.http_protocol(MOST, Budgets(ServerSettings()))
        config = uvicorn.Config(app, log_config=None, lifespan="off")

        class Watched(protocol):  # type: ignore[misc, valid-type]
            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                lost.set()

        def answer() -> asyncio.Protocol:
            watched: asyncio.Protocol = Watched(config, ServerState(), {})
            return watched

        server = await asyncio.get_running_loop().create_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.wait_for(lost.wait(), 10)
        server.close()

    asyncio.run(story())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    yield engine
    engine.dispose()


def test_health_is_asked_seldom_however_many_want_to_know(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    sa.event.listen(engine, "before_cursor_execute", lambda *query: asked.append(query[2]))
    monkeypatch.setattr(health, "FRESH", 1000.0)

    async def story() -> None:
        store = Store(engine, Metrics())
        watched = Health(store)
        assert all(await asyncio.gather(*(watched.is_good() for _ in range(1000))))
        assert len(asked) == 2  # it writes and reads
        watched._stale_at = 0.0
        assert await watched.is_good()
        assert len(asked) == 4
        await store.close()

    asyncio.run(story())


def test_a_database_that_hangs_is_not_well(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()
    sa.event.listen(engine, "before_cursor_execute", lambda *_: goes_on.wait(10))
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    monkeypatch.setattr(health, "FRESH", 0.0)

    async def story() -> None:
        store = Store(engine, Metrics())
        watched = Health(store)
        assert not await watched.is_good()
        goes_on.set()
        monkeypatch.setattr(health, "PATIENCE", 10.0)
        assert await watched.is_good()
        await store.close()

    asyncio.run(story())

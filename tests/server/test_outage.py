"""A database that is locked, full or silent: moves are kept, people are told, nothing is reset."""

from __future__ import annotations

import asyncio
import re
import resource
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from server.client import Client, Person, RefusedError, run
from server.process import ServerProcess

Outage = Callable[[ServerProcess], AbstractAsyncContextManager[None]]
"""While it lasts, nothing can be written."""


class Proxy:
    """Stands in front of a database, and can swallow traffic in either direction."""

    def __init__(self, url: str) -> None:
        self._target = make_url(url)
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()
        self.is_silent = False
        self.port = 0

    @property
    def url(self) -> str:
        return self._target.set(port=self.port).render_as_string(hide_password=False)

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._target.host, self._target.port)
        for one, other in ((reader, there[1]), (there[0], writer)):
            line = asyncio.create_task(self._pass_on(one, other))
            self._lines.add(line)
            line.add_done_callback(self._lines.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_dead = False
        try:
            while data := await reader.read(1 << 16):
                is_dead = is_dead or self.is_silent
                if not is_dead:
                    writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()


async def check_outage(server: ServerProcess, outage: Outage) -> None:
    """A game with an outage: moves are kept, players told, and moves saved when possible."""
    ana, ben = [await Person.named(server.url, name) for name in ("Ana", "Ben")]
    phone, path = Person(server.url), (await ana.call("POST", "/api/me/link"))["path"]
    link = {"token": path.removeprefix("/device/")}
    code = await ana.new_table(rules={"rounds": "3-5"}, bots=[None, *["novice"] * 3])
    ben.keys[code] = await ana.key_of(code)
    async with Client(ana, code) as client, Client(ben, code) as watcher:
        await client.ask("start")
        await client.until(lambda: bool(client.legal))
        assert (await ana.http.get("/readyz")).status_code == 200
        async with outage(server):
            acting = asyncio.create_task(client.act(client.legal[0]))
            for one in (client, watcher):
                await one.until(lambda one=one: not one.saves)  # type: ignore[misc]
            assert not acting.done()
            paths = ("/livez", "/readyz", "/healthz")
            answers = [(await ana.http.get(path)).status_code for path in paths]
            assert answers == [200, 503, 503]
            new_name, taken = await asyncio.gather(
                ana.http.put("/api/me", json={"name": "Anna"}),
                phone.http.post("/api/me/device", json=link),
            )
            assert (new_name.status_code, new_name.headers["retry-after"]) == (503, "5")
            assert taken.status_code == 503
            await watcher.send_raw('{"t": "ping", "id": "alive"}')
            await watcher.until(lambda: {"t": "pong"} in watcher.heard)
            await client.drop()  # whoever comes back is told too, and repeats the move
            await client.until(lambda: client.welcomes == 2 and not client.saves)
            assert await metric(ana, "foretold_saves") == 0
        await acting
        await client.until(lambda: client.saves)
        await phone.call("POST", "/api/me/device", link)  # it works once: this is the first time
        with pytest.raises(RefusedError):
            await phone.call("POST", "/api/me/device", link)
        assert watcher.welcomes == 1
        numbers = [event["n"] for event in client.events]
        assert numbers == list(range(2, numbers[-1] + 1))
        assert await metric(ana, "foretold_table_resets_total") == 0
        assert await metric(ana, "foretold_commit_failures_total") >= 1
        await client.play_on()
    assert (await ana.http.get("/readyz")).status_code == 200
    assert server.log.count("cannot be written to") == 1
    assert "Traceback" not in server.log


async def metric(person: Person, name: str) -> float:
    page = (await person.http.get("/metrics")).text
    found = re.search(rf"^{name} (\S+)$", page, re.MULTILINE)
    assert found is not None, page
    return float(found[1])


def test_moves_are_kept_while_sqlite_is_locked(tmp_path: Path) -> None:
    @asynccontextmanager
    async def locked(server: ServerProcess) -> AsyncIterator[None]:
        other = sqlite3.connect(server.data / "foretold.db", isolation_level=None, timeout=20)
        other.execute("BEGIN IMMEDIATE")
        yield
        other.close()

    with ServerProcess(tmp_path) as server:
        run(lambda: check_outage(server, locked))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process")
def test_moves_are_kept_while_the_disk_is_full(tmp_path: Path) -> None:
    @asynccontextmanager
    async def full(server: ServerProcess) -> AsyncIterator[None]:
        usual = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        # Room for a few lines of the server's log, but for no page of the write-ahead log, not even
        # at its start, where it begins again after a checkpoint.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, usual[1]))
        yield
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, usual)

    with ServerProcess(tmp_path) as server:
        run(lambda: check_outage(server, full))


def test_moves_are_kept_while_postgres_is_silent(empty_postgres: str, tmp_path: Path) -> None:
    @asynccontextmanager
    async def silence(_: ServerProcess) -> AsyncIterator[None]:
        proxy.is_silent = True
        yield
        proxy.is_silent = False

    proxy = Proxy(empty_postgres)

    async def story() -> None:
        async with proxy:
            server = ServerProcess(tmp_path, database=proxy.url)
            await asyncio.to_thread(server.start)
            try:
                await check_outage(server, silence)
                await check_stop(server)
            finally:
                server.__exit__(None, None, None)

    async def check_stop(server: ServerProcess) -> None:
        """A silent database does not keep a server from stopping; the move comes afterwards."""
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"}, bots=[None, *["novice"] * 3])
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            proxy.is_silent = True
            acting = asyncio.create_task(client.act(client.legal[0]))
            reading = asyncio.create_task(ana.http.get(f"/api/tables/{code}/record"))
            await client.until(lambda: not client.saves)
            start = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            assert time.monotonic() - start < 10
            await asyncio.gather(reading, return_exceptions=True)
            proxy.is_silent = False
            await asyncio.to_thread(server.start)
            await acting
            await client.play_on()

    run(story)

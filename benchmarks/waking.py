"""How fast tables are back after a server was stopped or killed, with and without snapshots.

It writes tables in mid-game to a database and starts a server on it; then somebody comes to every
table at once, as browsers do after a restart.

    python benchmarks/waking.py --tables 2500
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import httpx
import msgspec
import uvloop
from load_client import Socket
from serve_load import UNLIMITED, cpu_seconds, running

from foretold.server.observing.metrics import Metrics
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from foretold.server.rooms.notes import SNAPSHOT_AT_REST, SNAPSHOT_EVERY
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store
from foretold.server.storage.summaries import listed_of
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Logged, Started
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
AT_ONCE = 50
DIFFERENT = 40
"""How many different games are played, and distributed over all tables."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    options = parser.parse_args()
    port = 28_000 + os.getpid() % 1000
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        asyncio.run(fill(f"sqlite:///{data / 'foretold.db'}", options.tables))
        for name, behind in (("stopped", SNAPSHOT_AT_REST), ("killed", SNAPSHOT_EVERY + 64)):
            asyncio.run(add_snapshots(data, options.tables, behind))
            measure(name, data, port, options.tables)
        database = sqlite3.connect(data / "foretold.db")
        database.execute("DELETE FROM snapshots")
        database.commit()
        database.close()
        measure("without snapshots", data, port, options.tables)


def measure(name: str, data: Path, port: int, tables: int) -> None:
    command = [sys.executable, "-m", "foretold.cli", "serve", f"--port={port}"]
    settings = {**UNLIMITED, "FORETOLD_DATA": str(data), "FORETOLD_MAX_CONNECTIONS": "20000"}
    with running(command, settings) as server:
        before, start = cpu_seconds(server.pid), time.perf_counter()
        own = time.process_time()
        uvloop.run(come(data, port, tables))
        own = time.process_time() - own
        seconds, busy = time.perf_counter() - start, cpu_seconds(server.pid) - before
        page = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    found = re.findall(r'foretold_wake_seconds_(sum|count)\{source="(\w+)"\} (\S+)', page)
    for kind, source, value in found:
        if kind == "sum":
            print(f"{name}: {float(value) / tables * 1e3:.2f} ms to wake a table from its {source}")
    print(
        f"{name}: {tables} tables back in {seconds:.1f} s; "
        f"{busy / tables * 1e3:.2f} ms of a core each, connection included "
        f"(and {own / tables * 1e3:.2f} ms of the clients')"
    )


def code_of(number: int) -> str:
    letters = []
    for _ in range(6):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def player_of(number: int) -> str:
    return f"{number:032x}"


def game_log(seed: int) -> list[Logged]:
    """A game somewhere in its last third."""
    chance = Random(seed)
    created = new_table("", "Ana", bots=[None, *["apprentice"] * 3])
    log = [Logged(1, 1, created), Logged(2, 2, Started()), Logged(3, 3, Dealt())]
    table = Table.replayed("", log)
    for n in range(4, chance.randrange(350, 530)):
        seat = table.to_act[0]
        assert table.game is not None
        action = str(chance.choice(list(table.game.legal_actions(seat))))
        log.append(Logged(n, n, Acted(seat=seat, action=action, ask_id=f"abcdefgh-{n}")))
        table.apply(log[-1])
    return log


async def fill(database: str, tables: int) -> None:
    store = Store(open_database(database), Metrics())
    games = [game_log(seed) for seed in range(DIFFERENT)]
    for number in range(tables):
        code, player, log = code_of(number), player_of(number), games[number % DIFFERENT]
        await store.add_player(player, "Ana")
        created = new_table(player, "Ana", bots=[None, *["apprentice"] * 3])
        secrets = log[0].entry.secrets  # type: ignore[union-attr]
        whole = [Logged(1, 1, msgspec.structs.replace(created, secrets=secrets)), *log[1:]]
        await store.add_table(code, whole, listed_of(Table.replayed(code, whole)))
    await store.close()


async def add_snapshots(data: Path, tables: int, behind: int) -> None:
    """Snapshots up to that many entries behind their logs."""
    store = Store(open_database(f"sqlite:///{data / 'foretold.db'}"), Metrics())
    chance = Random(0)
    for number in range(tables):
        code = code_of(number)
        log = await store.log_of(code)
        then = log[: len(log) - chance.randrange(behind)]
        await store.summarise(
            listed_of(Table.replayed(code, log)), snapshot_of(replayed(code, then))
        )
    await store.close()


async def come(data: Path, port: int, tables: int) -> None:
    """Open a socket to every table, and stay until all have been welcomed with a view."""
    identity = Identity(Keys.in_folder(data))
    host = f"127.0.0.1:{port}"
    loop = asyncio.get_running_loop()
    places = asyncio.Semaphore(AT_ONCE)
    welcomed = [loop.create_future() for _ in range(tables)]

    async def visit(number: int) -> Socket:
        def hear(_: Socket, payload: bytes) -> None:
            if payload.startswith(b'{"t":"welcome"') and not welcomed[number].done():
                assert b'"view":{' in payload
                welcomed[number].set_result(None)

        cookie = f"foretold={identity.cookie(player_of(number))}"
        path = f"/api/tables/{code_of(number)}/socket"
        async with places:
            socket = Socket(path, host, cookie, hear)
            await loop.create_connection(lambda: socket, "127.0.0.1", port)
            await welcomed[number]
        return socket

    for socket in await asyncio.gather(*map(visit, range(tables))):
        socket.close()


if __name__ == "__main__":
    main()

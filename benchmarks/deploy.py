"""How long a table is away when its node is replaced by one of the next version.

One node has all tables, each in mid-game with four sockets; two others, to whose version the first
one's snapshots mean nothing, take over when it is told to stop. One socket of each table plays.

    python benchmarks/deploy.py --tables 250

Everything is on loopback, and the clients share the cores: the nodes alone would be faster.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median

import uvloop
from load_client import Socket
from serve_load import UNLIMITED, running
from waking import code_of, fill, player_of

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from ports import free_port
from server.killing import written
from server.nats import nats
from server.postgres import cluster
from system import find_nats, find_postgres

SOCKETS = 4
OPENED_AT_ONCE = 50
THINKING = 4.0
"""Seconds a player may think."""
BEFORE, AFTER = 3.0, 3.0
"""Seconds of play before and after the deploy."""

LATER = """
from foretold.server.storage import waking
from foretold.table import snapshots
snapshots.made_by = waking.made_by = lambda: "a later version"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--same", action="store_true", help="the others are of the same version")
    options = parser.parse_args()
    home, program = find_postgres(), find_nats()
    if home is None or program is None:
        sys.exit("this needs PostgreSQL and NATS: apt install postgresql nats-server")
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(home, is_safe=True) as database,
        nats(program) as bus,
        ExitStack() as stack,
    ):
        asyncio.run(fill(database, options.tables))
        ports = [free_port() for _ in range(3)]
        settings = {
            **UNLIMITED,
            "FORETOLD_MAX_CONNECTIONS": "20000",
            "FORETOLD_DATA": folder,
            "FORETOLD_DATABASE": database,
            "FORETOLD_BUS": bus.url,
        }
        run_cli = "from foretold.cli import main; main()"
        servers = []
        for at, port in enumerate(ports):
            code = run_cli if options.same or at == 0 else LATER + run_cli
            command = [sys.executable, "-c", code, "serve", f"--port={port}"]
            log = stack.enter_context((Path(folder) / f"log-{at}").open("w"))
            servers.append(stack.enter_context(running(command, settings, log)))
        players = uvloop.run(story(Path(folder), ports, servers[0].pid, options.tables))
        errors = [
            line
            for at in range(3)
            for line in (Path(folder) / f"log-{at}").read_text().splitlines()
            if '"level": "error"' in line
        ]
        assert not errors, errors[:3]
        moves = sum(check(player, database) for player in players)
    away = sorted(player.away for player in players)
    print(
        f"{options.tables} tables, {moves} moves all written once; away: median "
        f"{median(away) * 1e3:.0f} ms, 99 % within {away[len(away) * 99 // 100] * 1e3:.0f} ms, all "
        f"within {away[-1] * 1e3:.0f} ms"
    )


class Player:
    """Four sockets at one table, of which the first plays."""

    def __init__(self, number: int, cookie: str, ports: list[int]) -> None:
        self.code = code_of(number)
        self.ports = ports
        self.done: dict[str, int] = {}
        """Acknowledged moves, with their numbers in the log."""
        self.welcomed = [0] * SOCKETS
        self.away = 0.0
        """Seconds from the first lost socket to the last new welcome."""
        self._lost_at: float | None = None
        self._cookie = cookie
        self._chance = Random(number)
        self._asked: dict[str, bytes] = {}
        self._ids = 0
        self._turn = b""

    async def stay(self, seat: int) -> None:
        """Keep one socket open, at the first node that takes it."""
        loop = asyncio.get_running_loop()
        while True:
            port = self.ports[0] if len(self.ports) == 1 else self._chance.choice(self.ports)
            host = f"127.0.0.1:{port}"
            path = f"/api/tables/{self.code}/socket"
            socket = Socket(path, host, self._cookie, self._heard)
            socket.seat = seat
            try:
                await loop.create_connection(lambda s=socket: s, "127.0.0.1", port)  # type: ignore[misc]
                await socket.opened
            except OSError:
                await asyncio.sleep(0.02)
                continue
            await socket.lost
            if self._lost_at is None:
                self._lost_at = time.monotonic()

    def _heard(self, socket: Socket, payload: bytes) -> None:
        seat = socket.seat
        if payload.startswith(b'{"t":"welcome"'):
            self.welcomed[seat] += 1
            if self._lost_at is not None and min(self.welcomed) == 2:
                self.away = time.monotonic() - self._lost_at
        if seat:
            return
        if payload.startswith(b'{"t":"welcome"'):
            for frame in self._asked.values():
                socket.send(frame)
        elif payload.startswith((b'{"t":"done"', b'{"t":"refused"')):
            ask_id = value(payload, b'"id":"', b'"').decode()
            assert payload.startswith(b'{"t":"done"'), payload
            assert ask_id not in self.done, "acknowledged twice"
            self.done[ask_id] = int(value(payload, b'"n":', b"}"))
            self._asked.pop(ask_id)
            return
        if b'"legal":["' in payload and not self._asked:
            turn = value(payload, b'"turn":', b",")
            if turn != self._turn:
                self._turn = turn
                action = value(payload, b'"legal":["', b'"')
                asyncio.get_running_loop().call_later(
                    self._chance.uniform(0, THINKING), self._act, socket, turn, action
                )

    def _act(self, socket: Socket, turn: bytes, action: bytes) -> None:
        self._ids += 1
        frame = b'{"t":"act","id":"move-%d","turn":%b,"action":"%b"}' % (self._ids, turn, action)
        self._asked[f"move-{self._ids}"] = frame
        if not socket.lost.done():
            socket.send(frame)


def value(payload: bytes, before: bytes, after: bytes) -> bytes:
    start = payload.index(before) + len(before)
    return payload[start : payload.index(after, start)]


async def story(folder: Path, ports: list[int], pid: int, tables: int) -> list[Player]:
    identity = Identity(Keys.in_folder(folder))
    # A balancer sends all that is asked about one table to one node, and knows who has left.
    homes = [[ports[0]] for _ in range(tables)]
    players = [
        Player(at, f"foretold={identity.cookie(player_of(at))}", homes[at]) for at in range(tables)
    ]
    tasks = []
    for at in range(0, tables, OPENED_AT_ONCE):
        lot = players[at : at + OPENED_AT_ONCE]
        tasks += [
            asyncio.create_task(player.stay(seat)) for player in lot for seat in range(SOCKETS)
        ]
        while not all(min(player.welcomed) for player in lot):
            await asyncio.sleep(0.02)
    await asyncio.sleep(BEFORE)
    for at, home in enumerate(homes):
        home[0] = ports[1 + at % 2]
    begun = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        await asyncio.sleep(0.02)
    print(f"the node has stopped after {time.monotonic() - begun:.1f} s", flush=True)
    async with asyncio.timeout(60):
        while not all(min(player.welcomed) > 1 for player in players):
            await asyncio.sleep(0.02)
    await asyncio.sleep(AFTER)
    for task in tasks:
        task.cancel()
    return players


def check(player: Player, database: str) -> int:
    """Everything acknowledged is in the log, once, under its number; returns how many those are."""
    log = written(database, player.code)
    assert list(log) == list(range(1, len(log) + 1))
    asked = [entry.ask_id for entry in log.values() if (entry.ask_id or "").startswith("move-")]
    assert len(asked) == len(set(asked))
    for ask_id, n in player.done.items():
        assert log[n].ask_id == ask_id
    return len(player.done)


if __name__ == "__main__":
    main()

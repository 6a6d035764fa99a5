"""What one address can do to everybody else: honest moves during one attack at a time.

Twenty tables of four people, each table from its own address, play at a steady rate on a
server with its usual limits, while one more address attacks from a separate process. We report the
time from a move to its acknowledgement, the memory and disk the server takes meanwhile, and
the attacker's share of a core, which it takes from the others too.

An attack that reaches nothing, because all it asks for is refused, shows nothing: it counts as
broken.

    python benchmarks/attack.py
    python benchmarks/attack.py --only pongs --only "header lines"
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from attack_client import ATTACKS
from attacker import READY
from serve_load import HERE, Load, cpu_seconds, memory, running, seat_one, tell

NOTHING = "nothing"
"""The row without an attack."""
AIM_MS, AIM_MB = 50.0, 50.0
GAMES = 12
"""Finished games, as long as games can be."""
EVE = "e" * 32
"""Who played them."""
LONG = {"players": 3, "rounds": ",".join(["20"] * 60)}
WARM_UP = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=6.0, help="length of each attack")
    parser.add_argument("--rate", type=float, default=100.0, help="honest moves a second")
    parser.add_argument("--only", action="append", choices=[NOTHING, *ATTACKS], help="this attack")
    options = parser.parse_args()
    options.processes = 1
    print(f"{'attack':26}{'p50':>7}{'p99':>8}{'most':>8} ms {'memory':>8}{'disk':>8} MB "
          f"{'server':>8}{'attacker':>9} core  {'through':>8}{'cut off':>8}")  # fmt: skip
    failed, broken = [], []
    with tempfile.TemporaryDirectory() as folder:
        prepared = {"finished": finished_games(Path(folder)), "cookie": cookie_of(Path(folder))}
        for name in options.only or [NOTHING, *ATTACKS]:
            is_met, has_reached = under_attack(name, Path(folder), prepared, options)
            if not has_reached:
                broken.append(name)
            elif not is_met:
                failed.append(name)
    aim = f"the 99th percentile under {AIM_MS:.0f} ms, and less than {AIM_MB:.0f} MB more memory"
    if broken:
        print(f"broken, they reach nothing: {', '.join(broken)}")
    print(f"missed: {', '.join(failed)}" if failed else f"in all others: {aim}")
    sys.exit(1 if failed or broken else 0)


def under_attack(
    name: str, kept: Path, prepared: dict[str, Any], options: Any
) -> tuple[bool, bool]:
    """Measure one attack and print a line; whether the aim is met, and what it attacks reached."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        for file in kept.iterdir():
            (data / file.name).write_bytes(file.read_bytes())
        with serving(data) as (server, port):
            with ThreadPoolExecutor(4) as threads:
                sources = [f"127.0.1.{number + 1}" for number in range(options.tables)]
                plans = list(threads.map(lambda source: seat_one(port, source), sources))
            load = Load(server, port, plans, options)
            honest = load.connect(period=options.tables / options.rate)
            watch = Watch(server.pid, data)
            attacker, begun, used = None, 0.0, 0.0
            if name != NOTHING:
                attacker = subprocess.Popen(
                    [sys.executable, HERE / "attack_client.py"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                seconds = WARM_UP + options.seconds
                plan = {**prepared, "attack": name, "port": port, "seconds": seconds}
                tell(attacker, json.dumps(plan))
                assert attacker.stdout is not None
                assert attacker.stdout.readline().strip() == READY, f"{name}: no attack"
                begun, used = time.monotonic(), cpu_seconds(attacker.pid)
            result = load.measure(honest)
            share = 0.0
            answer: dict[str, Any] = {"done": 0, "cut": 0, "statuses": {}}
            if attacker is not None:
                share = (cpu_seconds(attacker.pid) - used) / (time.monotonic() - begun)
                assert attacker.stdout is not None
                answer = json.loads(attacker.stdout.readline() or "{}") or answer
                attacker.wait(timeout=30)
                attacker.stdout.close()
            watch.stop()
    cuts = quantiles(result.done, n=100) if len(result.done) > 1 else [float("inf")] * 99
    most = max(result.done, default=float("inf"))
    print(
        f"{name:26}{cuts[49] * 1e3:7.1f}{cuts[98] * 1e3:8.1f}{most * 1e3:8.1f}    "
        f"{watch.memory:8.1f}{watch.disk:8.1f}    {result.busy:8.0%}{share:9.0%}       "
        f"{answer['done']:8,}{answer['cut']:8,}",
        flush=True,
    )
    has_reached = attacker is None or answer["done"] > 0
    if not has_reached:
        print(f"  reached nothing; answered with {answer['statuses'] or 'nothing'}")
    return cuts[98] * 1e3 < AIM_MS and watch.memory < AIM_MB, has_reached


class Watch:
    """The most memory and disk a server takes, beyond what it had at the beginning."""

    def __init__(self, pid: int, folder: Path) -> None:
        self._pid = pid
        self._folder = folder
        self._begin = self._now()
        self.memory = self.disk = 0.0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _now(self) -> tuple[float, float]:
        files = (file.stat().st_size for file in self._folder.rglob("*") if file.is_file())
        return memory(self._pid) / 1e6, sum(files) / 1e6

    def _look(self) -> None:
        while not self._is_over.wait(0.1):
            now = self._now()
            self.memory = max(self.memory, now[0] - self._begin[0])
            self.disk = max(self.disk, now[1] - self._begin[1])

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()


@contextmanager
def serving(data: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server with its usual limits."""
    port = 21_000 + random.randrange(6000)
    command = [sys.executable, "-m", "foretold.cli", "serve", f"--port={port}", f"--data={data}"]
    log = (data / "server.log").open("w")
    with (
        log,
        running(
            command,
            {
                "FORETOLD_WORKERS": "1",
                "FORETOLD_KEEP_DAYS": "0",
                "FORETOLD_OPERATOR_TOKEN": secrets.token_hex(16),
            },
            stderr=log,
        ) as server,
    ):
        yield server, port


def cookie_of(folder: Path) -> str:
    from foretold.server.people.identity import Identity
    from foretold.server.people.keys import Keys

    return f"foretold={Identity(Keys.in_folder(folder)).cookie(EVE)}"


def finished_games(folder: Path) -> list[str]:
    """Write long finished games of one player, all public, as if they had been played."""
    from foretold.server.observing.metrics import Metrics
    from foretold.server.storage.database import open_database
    from foretold.server.storage.store import Store
    from foretold.server.storage.summaries import listed_of
    from foretold.table.creation import new_code, new_table
    from foretold.table.entries import Acted, Dealt, Entry, Logged, Started
    from foretold.table.table import Table

    async def write() -> list[str]:
        store = Store(open_database(f"sqlite:///{folder / 'foretold.db'}"), Metrics())
        codes = []
        await store.add_player(EVE, "Eve")
        for number in range(GAMES):
            code, chance = new_code(), random.Random(number)
            bots = [None, "novice", "novice"]
            entries: tuple[Entry, ...] = (
                new_table(EVE, "Eve", rules=LONG, settings={"public": True}, bots=bots),
                Started(),
                Dealt(),
            )
            log = [Logged(n, n, entry) for n, entry in enumerate(entries, start=1)]
            table = Table.replayed(code, log)
            while table.game is not None and table.to_act:
                seat = table.to_act[0]
                action = str(chance.choice(table.game.legal_actions(seat)))
                log.append(Logged(table.n + 1, table.n + 1, Acted(seat=seat, action=action)))
                table.apply(log[-1])
            await store.add_table(code, log, listed_of(table))
            codes.append(code)
        await store.close()
        return codes

    return asyncio.run(write())


if __name__ == "__main__":
    main()

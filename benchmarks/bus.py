"""NATS and Redis as the bus between nodes: latency, and processor time a message.

One process sends the messages of a played game, as the node that has a socket does; another answers
each with what the owner of the table sends back. Both engines carry exactly the same bytes.

    python benchmarks/bus.py
    python benchmarks/bus.py --messages 50000 --window 256
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from typing import Any

import uvloop
from archive import game_log
from serve_load import cpu_seconds

from foretold.server.cluster.nats_bus import NatsBus
from foretold.table.audience import Audience
from foretold.table.entries import Acted, encode_entry
from foretold.table.table import Table

THERE, BACK = "bench.there", "bench.back"
PACED = 500
"""Messages a second when latency is measured."""


class RedisBus:
    """The same as `NatsBus`, by Redis' publish and subscribe; what waits goes in one pipeline."""

    def __init__(self, url: str) -> None:
        # Only for this comparison: pip install redis hiredis
        self._client: Any = import_module("redis.asyncio").from_url(url)
        self._unsent: deque[tuple[str, bytes]] = deque()
        self._is_due = asyncio.Event()
        self._tasks = [asyncio.create_task(self._send_on())]

    def publish(self, subject: str, data: bytes) -> None:
        self._unsent.append((subject, data))
        self._is_due.set()

    async def _send_on(self) -> None:
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            pipeline = self._client.pipeline(transaction=False)
            while self._unsent:
                pipeline.publish(*self._unsent.popleft())
            await pipeline.execute()

    async def subscribe(self, subject: str, hear: Callable[[bytes], None]) -> None:
        listening = self._client.pubsub(ignore_subscribe_messages=True)
        await listening.subscribe(subject)

        async def listen() -> None:
            async for message in listening.listen():
                hear(message["data"])

        self._tasks.append(asyncio.create_task(listen()))
        await asyncio.sleep(0.1)


async def connected(engine: str, url: str) -> Any:
    return RedisBus(url) if engine == "redis" else await NatsBus.connected(url, "bench")


def sizes() -> list[tuple[int, int]]:
    """What each move of a game takes: the client's message, and what four seats are told."""
    log = game_log(1)
    table = Table("", log[0])
    audience = Audience(table, log[:1])
    found = []
    for logged in log[1:]:
        told = audience.advance(logged, [0, 1, 2, 3])
        if isinstance(logged.entry, Acted):
            found.append((len(encode_entry(logged.entry)), sum(map(len, told.values()))))
    return found


def answer(engine: str, url: str, out: list[int]) -> None:
    async def run() -> None:
        bus = await connected(engine, url)

        def hear(data: bytes) -> None:
            number = int.from_bytes(data[:4], "big")
            bus.publish(BACK, data[:4] + bytes(out[number % len(out)]))

        await bus.subscribe(THERE, hear)
        await asyncio.Event().wait()

    uvloop.run(run())


async def ask(
    engine: str, url: str, moves: list[tuple[int, int]], messages: int, window: int, pids: list[int]
) -> None:
    bus = await connected(engine, url)
    sent: dict[int, float] = {}
    took: list[float] = []
    free = asyncio.Semaphore(window)

    def hear(data: bytes) -> None:
        began = sent.pop(int.from_bytes(data[:4], "big"), None)
        if began is not None:
            took.append(time.perf_counter() - began)
            free.release()

    await bus.subscribe(BACK, hear)
    numbers = count()

    def send() -> None:
        number = next(numbers)
        sent[number] = time.perf_counter()
        bus.publish(THERE, number.to_bytes(4, "big") + bytes(moves[number % len(moves)][0]))

    async def finish() -> None:
        while sent:
            await asyncio.sleep(0.01)

    while not took:  # until somebody answers
        sent.clear()
        send()
        await asyncio.sleep(0.2)
    await finish()
    free = asyncio.Semaphore(window)
    for _ in range(200):  # until everything is loaded
        await free.acquire()
        send()
    await finish()
    took.clear()
    start = time.perf_counter()
    for number in range(messages // 10):
        await asyncio.sleep(max(0.0, start + number / PACED - time.perf_counter()))
        await free.acquire()
        send()
    await finish()
    took.sort()
    p50, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
    before = [cpu_seconds(pid) for pid in pids]
    start = time.perf_counter()
    for _ in range(messages):
        await free.acquire()
        send()
    await finish()
    seconds = time.perf_counter() - start
    used = [cpu_seconds(pid) - then for pid, then in zip(pids, before, strict=True)]
    asker, answerer, server = (one / messages * 1e6 for one in used)
    print(
        f"{engine}: there and back at {PACED} a second {p50 * 1e6:.0f} µs (p50), "
        f"{p99 * 1e6:.0f} µs (p99); at full speed {messages / seconds:,.0f} a second, "
        f"processor time for one there and one back: asking node {asker:.0f} µs, "
        f"answering node {answerer:.0f} µs, {engine} {server:.0f} µs"
    )


@contextmanager
def running(engine: str) -> Iterator[tuple[str, int]]:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    program = shutil.which(f"{engine}-server", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        sys.exit(f"there is no {engine}-server: apt install {engine}-server")
    given = {
        "nats": ["--addr", "127.0.0.1", "--port", str(port)],
        "redis": ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    }
    with tempfile.TemporaryDirectory() as folder:
        quiet = subprocess.DEVNULL
        command = [program, *given[engine]]
        server = subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet)
        try:
            while True:
                with socket.socket() as there:
                    if there.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            yield f"{engine}://127.0.0.1:{port}", server.pid
        finally:
            server.kill()
            server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--window", type=int, default=64, help="messages under way at once")
    options = parser.parse_args()
    moves = sizes()
    there, back = (sorted(column) for column in zip(*moves, strict=True))
    print(
        f"{len(moves)} moves of a game of four: {there[len(there) // 2]} bytes there, "
        f"{back[len(back) // 2]} back (median; at most {back[-1]})"
    )
    for engine in ("nats", "redis", "nats", "redis"):
        with running(engine) as (url, pid):
            process = multiprocessing.get_context("spawn").Process(
                target=answer, args=(engine, url, [back for _, back in moves]), daemon=True
            )
            process.start()
            assert process.pid is not None
            pids = [os.getpid(), process.pid, pid]
            uvloop.run(ask(engine, url, moves, options.messages, options.window, pids))
            process.kill()
            process.join()


if __name__ == "__main__":
    main()

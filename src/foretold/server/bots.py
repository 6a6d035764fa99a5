"""Bots at the tables of the server: they think in processes of their own.

A process that stalls or ends is replaced, and the simple bot decides in its place, so that a table
always goes on and nobody's move waits for a bot's.
"""

from __future__ import annotations

import asyncio
import pickle
import random
import sys
import time
from typing import Final

from foretold.actions import ACTIONS, Action
from foretold.server.bot_worker import ANSWER
from foretold.server.logs import logger
from foretold.server.metrics import Metrics
from foretold.server.process import Process
from foretold.server.tracing import span
from foretold.view import View

PAUSE: Final = 1.0
"""Seconds before a process is started in the place of one that ended, lest they die in a loop."""

PATIENCE: Final = 60.0
"""Seconds to wait for a process that is free."""

START_SECONDS: Final = 300.0
"""How long a process may take to get ready; on the first start on a machine bots are compiled."""

COMMAND: Final = (sys.executable, "-m", "foretold.server.bot_worker")

SIMPLE: Final = "apprentice"
"""The level that decides in the place of a bot that fails."""


class BotPool:
    """Worker processes, and the questions that wait for one."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics) -> None:
        """`seconds` is how long a bot may think."""
        self._count = workers
        self.seconds = seconds
        self._metrics = metrics
        self.patience = PATIENCE
        self._idle: asyncio.Queue[Process] = asyncio.Queue()
        self._starting: set[asyncio.Task[None]] = set()
        self._workers: set[Process] = set()

    def start(self) -> None:
        """Start the processes; they get ready while the server already runs."""
        for _ in range(self._count):
            self._add_worker(0.0)

    async def close(self) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for worker in self._workers:
            await worker.end()

    async def decide(self, level: str, view: View) -> Action:
        """What a bot of that level does; always one of the legal actions."""
        start = time.perf_counter()
        try:
            with span("bot", level=level):
                return await self._ask(level, view)
        except Exception as error:
            self._metrics.bot_faults.labels(level).inc()
            logger().warning("bot replaced", level=level, fault=_told(error))
        finally:
            self._metrics.bot_seconds.labels(level).observe(time.perf_counter() - start)
        try:
            return await self._ask(SIMPLE, view)
        except Exception as error:
            logger().error("no bot can think", fault=_told(error))
            return random.choice(view.legal_actions)

    async def _ask(self, level: str, view: View) -> Action:
        question = pickle.dumps((level, view), protocol=5)
        async with asyncio.timeout(self.patience):
            worker = await self._idle.get()
        try:
            async with asyncio.timeout(self.seconds):
                number, failed = ANSWER.unpack(await worker.ask(question))
        except BaseException:
            # It stalls, has ended, or is in the middle of something: no more use.
            self._workers.discard(worker)
            self._add_worker(PAUSE)
            worker.kill()
            raise
        self._idle.put_nowait(worker)
        if failed:
            self._metrics.bot_faults.labels(level).inc()
        action = ACTIONS[int(number)]
        if action not in view.legal_actions:
            raise ValueError("it answered with what is not legal")
        return action

    def _add_worker(self, pause: float) -> None:
        task = asyncio.create_task(self._start_worker(pause))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start_worker(self, pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            worker = Process(COMMAND)
            self._workers.add(worker)
            try:
                async with asyncio.timeout(START_SECONDS):
                    await worker.start()
            except Exception as error:
                logger().warning("bot process failed", fault=_told(error))
                self._workers.discard(worker)
                worker.kill()
                pause = min(30.0, 2 * pause + PAUSE)
                continue
            self._idle.put_nowait(worker)
            return


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"

"""Several workers asked from an event loop, and the questions waiting for one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from foretold.workers.failures import RaisedError, WorkerError
from foretold.workers.fair_queue import FairQueue
from foretold.workers.loop_process import LoopProcess

START_SECONDS: Final = 300.0
"""How long a process may take to get ready; the first start on a machine compiles a lot."""

PAUSE: Final = 1.0
"""Seconds before a process that ended is replaced, to avoid a restart loop."""

_LONGEST_PAUSE: Final = 30.0


class Pool:
    """Processes that are replaced when they stall or end."""

    def __init__(
        self,
        command: Sequence[str],
        count: int,
        on_failure: Callable[[WorkerError], None],
        *,
        waiting: FairQueue[LoopProcess] | None = None,
        is_lazy: bool = False,
    ) -> None:
        """`on_failure` is called for failures after which something is retried.

        With `is_lazy`, a process is started when it is needed; else by `start`, and again soon
        after it has failed.
        """
        self._processes = [LoopProcess(command) for _ in range(count)]
        self._on_failure = on_failure
        self._free = FairQueue[LoopProcess]() if waiting is None else waiting
        self._is_lazy = is_lazy
        self.start_seconds = START_SECONDS
        self._starting: set[asyncio.Task[None]] = set()
        self._is_closed = False
        if is_lazy:
            for process in self._processes:
                self._free.put(process)

    def start(self) -> None:
        """Start the processes; they get ready in the background."""
        for process in self._processes:
            self._start_again(process, 0.0)

    async def close(self) -> None:
        self._is_closed = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for process in self._processes:
            await process.end()

    async def ask(
        self,
        question: bytes,
        seconds: float,
        *,
        source: str = "",
        patience: float | None = None,
        tries: int = 1,
        busy: Callable[[float], None] = lambda seconds: None,
    ) -> bytes:
        """The answer, within `seconds` seconds; raises `WorkerError`.

        `patience` is how long to wait for a free process. `busy` is called with the time that one
        spent on the question, whatever the result.
        """
        try:
            async with asyncio.timeout(patience):
                process = await self._free.take(source)
        except TimeoutError:
            raise WorkerError(f"did not come free within {patience:g} s") from None
        try:
            while True:
                tries -= 1
                try:
                    return await self._answer(process, question, seconds, busy)
                except RaisedError:
                    raise
                except WorkerError as error:
                    if tries <= 0:
                        raise
                    self._on_failure(error)
        finally:
            self._give_back(process)

    async def _answer(
        self, process: LoopProcess, question: bytes, seconds: float, busy: Callable[[float], None]
    ) -> bytes:
        if not process.is_ready:
            await process.start(self.start_seconds)
        begun = time.monotonic()
        try:
            return await process.ask(question, seconds)
        finally:
            busy(time.monotonic() - begun)

    def _give_back(self, process: LoopProcess) -> None:
        if process.is_ready or self._is_lazy:
            self._free.put(process)
        elif not self._is_closed:
            self._start_again(process, PAUSE)

    def _start_again(self, process: LoopProcess, pause: float) -> None:
        task = asyncio.create_task(self._get_ready(process, pause))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _get_ready(self, process: LoopProcess, pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            try:
                await process.start(self.start_seconds)
            except WorkerError as error:
                self._on_failure(error)
                pause = min(_LONGEST_PAUSE, 2 * pause + PAUSE)
                continue
            self._free.put(process)
            return

"""Hints and reviews, worked out in a process of their own: no move ever waits for one.

The process is started when it is first needed, and anew after it has failed.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

from foretold.bots.trained import is_trained
from foretold.record import RecordData
from foretold.server.logs import logger
from foretold.server.process import Process
from foretold.table.refusals import Refused
from foretold.view import View

HINT: Final = "hint"
REVIEW: Final = "review"
"""What can be asked of the process."""

COMMAND: Final = (sys.executable, "-m", "foretold.server.study_worker")

START_SECONDS: Final = 300.0
"""How long it may take to get ready; on the first start on a machine much is compiled."""

SECONDS: Final = 30.0
"""How long an answer may take: a hundred times of what it does take."""

TRIES: Final = 2
"""How often a question is asked; the process may have ended long before."""

MOST_WAITING: Final = 32
"""How many questions may wait; whoever comes then is asked to come back."""

KEPT: Final = 64
"""How many reviews are remembered, a fifth of a megabyte each."""


class Study:
    """One process, the questions that wait for it, and the last reviews."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._reviews: OrderedDict[str, bytes] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[bytes]] = {}

    async def hint(self, view: View) -> bytes:
        """What every choice of a view is worth, as JSON; raises `Refused`."""
        return await self._ask(HINT, view)

    async def review(self, code: str, record: Callable[[], Awaitable[RecordData]]) -> bytes:
        """The review of a finished game, as JSON; raises `Refused`.

        Its record is asked for only where the review is not remembered.
        """
        if code in self._reviews:
            self._reviews.move_to_end(code)
            return self._reviews[code]
        task = self._under_way.get(code)
        if task is None:
            task = self._under_way[code] = asyncio.create_task(self._review(code, record))
            task.add_done_callback(lambda _: self._under_way.pop(code, None))
        # Shielded: others may be waiting for it too.
        return await asyncio.shield(task)

    async def close(self) -> None:
        for task in tuple(self._under_way.values()):
            task.cancel()
        if self._process is not None:
            await self._process.end()

    async def _review(self, code: str, record: Callable[[], Awaitable[RecordData]]) -> bytes:
        found = await self._ask(REVIEW, await record())
        self._reviews[code] = found
        if len(self._reviews) > KEPT:
            self._reviews.popitem(last=False)
        return found

    async def _ask(self, wanted: str, of: Any) -> bytes:
        if not is_trained():
            raise Refused("not_available", "there is no trained player here to ask")
        if self._waiting >= MOST_WAITING:
            raise Refused("too_many")
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._answer(pickle.dumps((wanted, of), protocol=5))
        finally:
            self._waiting -= 1
        if not answer:
            raise Refused("internal")
        return answer

    async def _answer(self, question: bytes) -> bytes:
        """What the process answers; nothing where it fails. Its turn has come."""
        for _ in range(TRIES):
            try:
                if self._process is None:
                    self._process = Process(COMMAND)
                    async with asyncio.timeout(START_SECONDS):
                        await self._process.start()
                async with asyncio.timeout(SECONDS):
                    return await self._process.ask(question)
            except BaseException as error:
                # It stalls, has ended, or is in the middle of something: no more use.
                if self._process is not None:
                    self._process.kill()
                    self._process = None
                if not isinstance(error, Exception):
                    raise
                logger().warning("hints failed", fault=f"{type(error).__name__}: {error}")
        return b""

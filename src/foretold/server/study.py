"""Hints, reviews and whatever takes long, in a process of their own: no move ever waits for it.

The process is started when it is first needed, and anew after it has failed.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from foretold.bots.trained import is_trained
from foretold.record import RecordData
from foretold.server.budgets import Budgets, asked_by
from foretold.server.labour import Turnstile
from foretold.server.logs import logger
from foretold.server.process import Process
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused
from foretold.view import View

HINT: Final = "hint"
REVIEW: Final = "review"
WORK: Final = "work"
"""What can be asked of the process."""

REFUSED: Final = b"!"
"""What an answer begins with that is a refusal."""

COMMAND: Final = (sys.executable, "-m", "foretold.server.study_worker")

START_SECONDS: Final = 300.0
"""How long it may take to get ready; on the first start on a machine much is compiled."""

SECONDS: Final = 30.0
"""How long an answer may take: a hundred times of what it does take."""

TRIES: Final = 2
"""How often a question is asked; the process may have ended long before."""

MOST_WAITING: Final = 32
"""How many questions may wait; whoever comes then is asked to come back."""

MOST_OF_ONE: Final = 8
"""How many of them may be of one address."""


class Study:
    """One process, and the questions that wait for it: the addresses take turns."""

    def __init__(self, budgets: Budgets | None = None) -> None:
        self._budgets = budgets or Budgets(ServerSettings())
        self._process: Process | None = None
        self._turns = Turnstile(MOST_WAITING, MOST_OF_ONE)

    async def hint(self, view: View) -> bytes:
        """What every choice of a view is worth, as JSON; raises `Refused`."""
        return await self._ask(HINT, view)

    async def review(self, record: RecordData) -> bytes:
        """The review of a finished game, as JSON; raises `Refused`."""
        return await self._ask(REVIEW, record)

    async def close(self) -> None:
        if self._process is not None:
            await self._process.end()

    async def work(self, work: Callable[[], bytes]) -> bytes:
        """What some work comes to that can be pickled; raises `Refused`, also for the work."""
        answer = await self._ask(WORK, work)
        if answer.startswith(REFUSED):
            told = msgspec.json.decode(answer[len(REFUSED) :])
            raise Refused(told["code"], **told["params"])
        return answer

    async def _ask(self, wanted: str, of: Any) -> bytes:
        if wanted != WORK and not is_trained():
            raise Refused("no_trained_player")
        source = asked_by.get()
        self._budgets.check_work(source)
        async with self._turns.turn(source):
            answer, seconds = await self._answer(pickle.dumps((wanted, of), protocol=5))
        self._budgets.has_worked(source, seconds)
        if not answer:
            raise Refused("internal")
        return answer

    async def _answer(self, question: bytes) -> tuple[bytes, float]:
        """What the process answers, nothing where it fails; and how long it was busy with that."""
        begun = time.monotonic()
        for _ in range(TRIES):
            try:
                if self._process is None:
                    self._process = Process(COMMAND)
                    async with asyncio.timeout(START_SECONDS):
                        await self._process.start()
                begun = time.monotonic()
                async with asyncio.timeout(SECONDS):
                    answer = await self._process.ask(question)
                return answer, time.monotonic() - begun
            except BaseException as error:
                # It stalls, has ended, or is in the middle of something: no more use.
                if self._process is not None:
                    self._process.kill()
                    self._process = None
                if not isinstance(error, Exception):
                    raise
                logger().warning("hints failed", fault=f"{type(error).__name__}: {error}")
        return b"", time.monotonic() - begun

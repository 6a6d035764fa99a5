"""Hints, reviews and other slow work, in a separate process: no move ever waits for it.

The process is started when first needed, and again after a failure.
"""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import msgspec

from foretold.bots.trained import is_trained
from foretold.record import RecordData, write_record
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.settings import ServerSettings
from foretold.server.workers.elsewhere import HINT, REVIEW, Elsewhere, encode_view
from foretold.server.workers.labour import refused_turn
from foretold.table.refusals import Refused
from foretold.view import View
from foretold.workers.failures import WorkerError, told
from foretold.workers.fair_queue import FairQueue
from foretold.workers.loop_process import LoopProcess
from foretold.workers.pool import Pool
from foretold.workers.starting import command

WORK: Final = "work"
"""A question besides hints and reviews, which only this machine answers."""

REFUSED: Final = b"!"
"""The prefix of an answer that is a refusal."""

WORKER: Final = "foretold.server.workers.study_worker"

SECONDS: Final = 30.0
"""How long an answer may take: a hundred times as long as it usually does."""

ELSEWHERE_SECONDS: Final = 10.0
"""How long to wait for another machine; one that dies says nothing."""

TRIES: Final = 2
"""How often a question is tried; the process may have died long before."""

MOST_WAITING: Final = 32
"""How many questions may wait; further ones are refused for now."""

MOST_OF_ONE: Final = 8
"""How many of them may come from one address."""


class Study:
    """One process, and the questions waiting for it; the addresses take turns."""

    def __init__(self, budgets: Budgets | None = None) -> None:
        self._budgets = budgets or Budgets(ServerSettings())
        waiting = FairQueue[LoopProcess](MOST_WAITING, MOST_OF_ONE, refused_turn)
        self.elsewhere: Elsewhere | None = None
        self._pool = Pool(command(WORKER), 1, _failed, waiting=waiting, is_lazy=True)

    async def hint(self, view: View) -> bytes:
        """What every choice of a view is worth, as JSON; raises `Refused`."""

        async def question() -> bytes:
            return encode_view(view)

        return await self._ask(HINT, view, question)

    async def review(self, read: Callable[[], RecordData]) -> bytes:
        """The review of a finished game, as JSON; raises `Refused`.

        `read` is picklable work that finds its record.
        """
        return await self._ask(REVIEW, read, partial(self.work, partial(_record_of, read)))

    async def close(self) -> None:
        await self._pool.close()

    async def work(self, work: Callable[[], bytes]) -> bytes:
        """The result of picklable work; raises `Refused`, as may the work itself."""
        return await self._ask(WORK, work)

    async def _ask(
        self, wanted: str, of: Any, question: Callable[[], Awaitable[bytes]] | None = None
    ) -> bytes:
        """`question` is what other machines are asked."""
        if wanted != WORK and not is_trained():
            raise Refused("no_trained_player")
        source = asked_by.get()
        self._budgets.check_work(source)
        if self.elsewhere is not None and question is not None and not self.elsewhere.rests:
            asked = await question()
            found = await self.elsewhere.ask(wanted, asked, ELSEWHERE_SECONDS, source=source)
            if found is not None:
                self._budgets.has_worked(source, found.seconds)
                return found.told
        try:
            answer = await self._pool.ask(
                pickle.dumps((wanted, of), protocol=5),
                SECONDS,
                source=source,
                tries=TRIES,
                busy=partial(self._budgets.has_worked, source),
            )
        except WorkerError as error:
            _failed(error)
            raise Refused("internal") from None
        if answer.startswith(REFUSED):
            refusal = msgspec.json.decode(answer[len(REFUSED) :])
            raise Refused(refusal["code"], **refusal["params"])
        return answer


def _failed(error: WorkerError) -> None:
    logger().warning("hints failed", fault=told(error))


def _record_of(read: Callable[[], RecordData]) -> bytes:
    return write_record(read())

"""Hints, reviews and whatever takes long, in a process of their own: no move ever waits for it.

The process is started when it is first needed, and anew after it has failed.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from foretold.bots.trained import is_trained
from foretold.record import RecordData
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.settings import ServerSettings
from foretold.server.workers.labour import refused_turn
from foretold.table.refusals import Refused
from foretold.view import View
from foretold.workers.failures import WorkerError, told
from foretold.workers.fair_queue import FairQueue
from foretold.workers.loop_process import LoopProcess
from foretold.workers.pool import Pool
from foretold.workers.starting import command

HINT: Final = "hint"
REVIEW: Final = "review"
WORK: Final = "work"
"""What can be asked of the process."""

REFUSED: Final = b"!"
"""What an answer begins with that is a refusal."""

WORKER: Final = "foretold.server.workers.study_worker"

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
        waiting = FairQueue[LoopProcess](MOST_WAITING, MOST_OF_ONE, refused_turn)
        self._pool = Pool(command(WORKER), 1, _failed, waiting=waiting, is_lazy=True)

    async def hint(self, view: View) -> bytes:
        """What every choice of a view is worth, as JSON; raises `Refused`."""
        return await self._ask(HINT, view)

    async def review(self, record: RecordData) -> bytes:
        """The review of a finished game, as JSON; raises `Refused`."""
        return await self._ask(REVIEW, record)

    async def close(self) -> None:
        await self._pool.close()

    async def work(self, work: Callable[[], bytes]) -> bytes:
        """What some work comes to that can be pickled; raises `Refused`, also for the work."""
        answer = await self._ask(WORK, work)
        if answer.startswith(REFUSED):
            refusal = msgspec.json.decode(answer[len(REFUSED) :])
            raise Refused(refusal["code"], **refusal["params"])
        return answer

    async def _ask(self, wanted: str, of: Any) -> bytes:
        if wanted != WORK and not is_trained():
            raise Refused("no_trained_player")
        source = asked_by.get()
        self._budgets.check_work(source)
        try:
            return await self._pool.ask(
                pickle.dumps((wanted, of), protocol=5),
                SECONDS,
                source=source,
                tries=TRIES,
                busy=partial(self._budgets.has_worked, source),
            )
        except WorkerError as error:
            _failed(error)
            raise Refused("internal") from None


def _failed(error: WorkerError) -> None:
    logger().warning("hints failed", fault=told(error))

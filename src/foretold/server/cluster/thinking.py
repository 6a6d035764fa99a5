"""Thinking by other machines, over the bus: nodes ask, and whichever worker is next answers.

Workers (`foretold think`) may come and go. If none runs, all are busy, or one dies
in the middle of an answer, the node does the work itself.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from functools import partial
from typing import Final

import msgspec

from foretold.actions import ACTIONS
from foretold.bots import LEVELS
from foretold.errors import ForetoldError
from foretold.record import parse_record
from foretold.server.cluster.bus import Bus, BusError
from foretold.server.observing.logs import logger
from foretold.server.workers.elsewhere import BOT, HINT, REVIEW, Question, Thought, decode_view
from foretold.server.workers.study import WORKER
from foretold.workers.failures import WorkerError, told
from foretold.workers.fair_queue import FairQueue, FullError
from foretold.workers.loop_process import LoopProcess
from foretold.workers.pool import Pool
from foretold.workers.starting import command

GROUP: Final = "think"
MOST_ASKED: Final = 256
"""Questions that one node has under way; it answers further ones itself."""
REST_SECONDS: Final = 2.0
"""How long a node does everything itself after nobody has answered."""
LONGEST: Final = 30.0
"""Seconds for one answer, whatever was asked for."""
MOST_WAITING: Final = 64
"""Questions that may wait at a worker; nodes answer further ones themselves."""
MOST_OF_ONE: Final = 16
"""How many of them may come from one address, or from one node's bots."""


class Thinkers:
    """The workers, as a node asks them."""

    def __init__(self, bus: Bus, subject: str, node: str) -> None:
        self._bus = bus
        self._subject = subject
        self._node = node
        self._asked = 0
        self._rests_until = 0.0

    @property
    def rests(self) -> bool:
        return time.monotonic() < self._rests_until

    async def ask(
        self, kind: str, of: bytes, seconds: float, *, source: str = "", level: str = ""
    ) -> Thought | None:
        if self._asked >= MOST_ASKED or self.rests:
            return None
        question = Question(kind, of, seconds, source or self._node, level)
        self._asked += 1
        try:
            data = msgspec.msgpack.encode(question)
            answer = await self._bus.request(self._subject, data, seconds)
            thought = msgspec.msgpack.decode(answer, type=Thought)
        except (BusError, msgspec.DecodeError):  # nobody is there, or somebody died
            self._rests_until = time.monotonic() + REST_SECONDS
            return None
        finally:
            self._asked -= 1
        return thought if thought.told else None


class Thinker:
    """One worker: its processes, and the questions waiting for them."""

    def __init__(self, workers: int) -> None:
        waiting = FairQueue[LoopProcess](MOST_WAITING, MOST_OF_ONE)
        self._bots = Pool(command("foretold.workers.bot_worker"), workers, _failed, waiting=waiting)
        waiting = FairQueue[LoopProcess](MOST_WAITING, MOST_OF_ONE)
        self._study = Pool(command(WORKER), workers, _failed, waiting=waiting, is_lazy=True)
        self.answered = 0

    def start(self) -> None:
        self._bots.start()

    async def close(self) -> None:
        await asyncio.gather(self._bots.close(), self._study.close())

    async def answer(self, data: bytes) -> bytes:
        """For the bus; every question gets an answer."""
        begun = time.monotonic()
        try:
            found = await self._think(msgspec.msgpack.decode(data, type=Question))
        except FullError as error:
            return msgspec.msgpack.encode(Thought(fault=str(error)))
        except (WorkerError, ForetoldError, msgspec.DecodeError) as error:
            _failed(error)
            return msgspec.msgpack.encode(Thought(fault=str(error)))
        self.answered += 1
        spent = msgspec.structs.replace(found, seconds=time.monotonic() - begun)
        return msgspec.msgpack.encode(spent)

    async def _think(self, question: Question) -> Thought:
        seconds = max(0.0, min(LONGEST, question.seconds))
        if question.kind == BOT:
            if question.level not in LEVELS:
                raise WorkerError("is not known here")
            pickled = pickle.dumps((question.level, decode_view(question.of)), protocol=5)
            answer = await self._bots.ask(
                pickled, seconds, source=question.source, patience=seconds
            )
            number, fault = pickle.loads(answer)
            return Thought(str(ACTIONS[int(number)]).encode(), fault=fault or "")
        if question.kind not in (HINT, REVIEW):
            raise WorkerError("is not known here")
        is_hint = question.kind == HINT
        of = decode_view(question.of) if is_hint else partial(parse_record, question.of)
        pickled = pickle.dumps((question.kind, of), protocol=5)
        return Thought(
            await self._study.ask(pickled, seconds, source=question.source, patience=seconds)
        )


def _failed(error: Exception) -> None:
    shown = told(error) if isinstance(error, WorkerError) else str(error)
    logger().warning("a question could not be answered", fault=shown[:200])

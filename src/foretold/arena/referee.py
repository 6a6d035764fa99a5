"""A referee supervises one worker process: whatever a bot does to it, the match goes on.

A worker that exits, or that a bot blocks for too long, is replaced. The bot whose turn it was is
barred from that game: the deal set is played again with the simple bot in its place, and each of
those decisions counts as the barred bot's fault.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

import msgspec

from foretold.arena.match import Barred, Job, Settings
from foretold.arena.results import Lost, SetResult
from foretold.arena.worker import Checked, Question
from foretold.errors import BotError
from foretold.words import shown
from foretold.workers.failures import WorkerError
from foretold.workers.marks import NOTHING, Mark
from foretold.workers.process import Process
from foretold.workers.starting import command

TRIES: Final = 3
"""How often a deal set is tried if its worker exits while no bot is at work."""


class StoppedError(Exception):
    """The referee was stopped."""


class Referee:
    """Plays deal sets in its own worker process."""

    def __init__(self, settings: Settings, path: Sequence[str] = ()) -> None:
        """`path` adds to the places where modules are searched for."""
        self._settings = settings
        self._command = command("foretold.arena.worker", path)
        self._worker: Process | None = None
        self._lock = threading.Lock()  # a referee may be stopped from another thread
        self._is_stopped = False

    def check(self) -> None:
        """Create every bot once; raises `BotError` for one that fails."""
        try:
            answer = self._ask(None)
        except StoppedError:
            return
        except WorkerError as error:
            mark = self._bury()
            if mark.part is None:
                raise BotError(f"no worker could be started: its process {error}") from None
            name = shown(self._settings.bots[mark.part])
            raise BotError(f"bot {name} cannot be made: its process {error}") from None
        refusal = msgspec.json.decode(answer, type=Checked).refusal
        if refusal is not None:
            raise BotError(refusal)

    def do(self, job: Job) -> SetResult | Lost:
        """Play a deal set; it is lost only if workers exit while no bot is at work."""
        blameless = 0
        while True:
            try:
                return msgspec.json.decode(self._ask(job), type=SetResult)
            except StoppedError:
                return Lost(job.index, "it was stopped")
            except WorkerError as error:
                mark, reason = self._bury(), str(error)
            barred = {(one.rotation, one.seat) for one in job.barred}
            if mark.part is not None and (mark.piece, mark.part) not in barred:
                fault = Barred(mark.piece, mark.part, f"its process {reason}")
                job = Job(job.index, job.table, (*job.barred, fault))
                continue
            blameless += 1
            if blameless == TRIES:
                return Lost(job.index, f"the process {reason}")

    def stop(self) -> None:
        """End the worker, even in the middle of a deal set, and start no other."""
        with self._lock:
            self._is_stopped = True
            if self._worker is not None:
                self._worker.stop()

    def close(self) -> None:
        """Clean up; not while another thread is playing."""
        self.stop()
        self._bury()

    def _ask(self, job: Job | None) -> bytes:
        with self._lock:
            if self._is_stopped:
                raise StoppedError
            if self._worker is None:
                self._worker = Process(self._command)
            worker = self._worker
        return worker.ask(msgspec.json.encode(Question(self._settings, job)))

    def _bury(self) -> Mark:
        """Clean up after the worker; returns what it was doing."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is None:
            return NOTHING
        mark = worker.last_mark()
        worker.close()
        return mark

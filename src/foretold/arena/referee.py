"""A referee sees to one worker process: it hands out deal sets, and whatever a bot does to the
process, the match goes on.

A worker that ends, or that a bot keeps beyond all patience, is replaced. The bot that was at work
at that moment is barred from that game: the deal set is played again, with the simple bot in its
place there, and every decision so made counts as the barred bot's fault.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO, Final

import msgspec

from foretold.arena.match import Barred, Job, Settings
from foretold.arena.results import Lost, SetResult
from foretold.arena.worker import Hello, Mark, Ready, read_mark
from foretold.bots.pipes import ONE_THREAD
from foretold.errors import BotError
from foretold.words import shown

TRIES: Final = 3
"""How often a deal set is begun that ends its worker while no bot is at work."""
GRACE: Final = 2.0
"""The least patience beyond the limit, in seconds, before a worker is ended from outside."""

_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from foretold.arena.worker import main; main()"
)


class Referee:
    """Plays deal sets in a worker process of its own."""

    def __init__(self, settings: Settings, path: Sequence[str] = ()) -> None:
        """`path` is where modules are looked for besides where this process does."""
        self._settings = settings
        self._path = [*sys.path, *(place for place in path if place not in sys.path)]
        self._worker: _Worker | None = None
        self._lock = threading.Lock()  # a referee may be stopped from another thread
        self.stopped = False

    def check(self) -> None:
        """Make every bot once; raises `BotError` for one that cannot be made."""
        worker = self._new_worker(check=True)
        answer = None if worker is None else worker.ready()
        if worker is not None and answer is None:
            mark, reason = self._bury(worker)
            if mark.seat is None:
                raise BotError(f"no worker could be started: its process {reason}")
            name = shown(self._settings.bots[mark.seat])
            raise BotError(f"bot {name} cannot be made: its process {reason}")
        if answer is not None:
            refusal = msgspec.json.decode(answer, type=Ready).refusal
            if refusal is not None:
                raise BotError(refusal)

    def play(self, job: Job) -> SetResult | Lost:
        """Play a deal set; it is lost only if it ends workers while no bot is at work."""
        blameless = 0
        while True:
            worker = self._worker or self._new_worker(check=False)
            if worker is None:
                return Lost(job.index, "it was stopped")
            answer = worker.ask(job)
            if answer is not None:
                return msgspec.json.decode(answer, type=SetResult)
            mark, reason = self._bury(worker)
            barred = {(one.rotation, one.seat) for one in job.barred}
            if mark.seat is not None and (mark.rotation, mark.seat) not in barred:
                fault = Barred(mark.rotation, mark.seat, f"its process {reason}")
                job = Job(job.index, job.table, (*job.barred, fault))
                continue
            blameless += 1
            if blameless == TRIES:
                return Lost(job.index, f"the process {reason}")

    def stop(self) -> None:
        """End the worker, also in the middle of a deal set, and start no other."""
        with self._lock:
            self.stopped = True
            if self._worker is not None:
                self._worker.kill()

    def close(self) -> None:
        """Clean up; not while another thread is playing."""
        self.stop()
        if self._worker is not None:
            self._bury(self._worker)

    def _new_worker(self, *, check: bool) -> _Worker | None:
        with self._lock:
            if self.stopped:
                return None
            self._worker = worker = _Worker(self._settings, self._path, check=check)
        if not check:
            worker.ready()
        return worker

    def _bury(self, worker: _Worker) -> tuple[Mark, str]:
        self._worker = None
        return worker.bury()


class _Worker:
    """A worker process, and the thread that watches its marks."""

    def __init__(self, settings: Settings, path: Sequence[str], *, check: bool) -> None:
        marks, self._path = tempfile.mkstemp(prefix="foretold-arena-")
        self._marks: BinaryIO = open(marks, "rb", buffering=0)  # noqa: SIM115  # closed by bury
        self._overdue: float | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps(list(path))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**dict.fromkeys(ONE_THREAD, "1"), **os.environ},
            start_new_session=True,  # Ctrl-C reaches only the process that was asked to play
        )
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._send(Hello(settings, self._path, check))

    def ready(self) -> bytes | None:
        """Its first answer, when it has opened the file of marks, which then needs no name."""
        answer = self.answer()
        with suppress(OSError):
            os.unlink(self._path)
        return answer

    def ask(self, job: Job) -> bytes | None:
        """The answer to a deal set, or None if the process ended over it."""
        self._send(job)
        return self.answer()

    def answer(self) -> bytes | None:
        assert self._process.stdout is not None
        line: bytes = self._process.stdout.readline()
        return line if line.endswith(b"\n") else None

    def kill(self) -> None:
        self._process.kill()

    def bury(self) -> tuple[Mark, str]:
        """Clean up after a process that has ended; who was at work, and how it ended."""
        code = self._process.wait()
        self._watcher.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        mark = read_mark(self._marks)
        self._marks.close()
        with suppress(OSError):
            os.unlink(self._path)
        if self._overdue is not None:
            return mark, f"was ended: no answer within {self._overdue:g} s"
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        return mark, f"ended by itself ({how})"

    def _send(self, message: Hello | Job) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended, as the missing answer will tell
            self._process.stdin.write(msgspec.json.encode(message) + b"\n")
            self._process.stdin.flush()

    def _watch(self) -> None:
        """End the process when a bot is at work for longer than it may, and does not heed it."""
        seen, since = -1, time.monotonic()
        while True:
            try:
                self._process.wait(timeout=0.25)
                return
            except subprocess.TimeoutExpired:
                pass
            mark = read_mark(self._marks)
            now = time.monotonic()
            if mark.number != seen:
                seen, since = mark.number, now
            patience = mark.allowed + max(mark.allowed, GRACE)
            if mark.seat is not None and now - since > patience:
                self._overdue = mark.allowed
                self.kill()

"""A worker asked by a plain call."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from foretold.workers.failures import EndedError, LateError, NotStartedError, RaisedError
from foretold.workers.frames import RAISED, frame, frames_in
from foretold.workers.marks import VARIABLE, Mark, Marks
from foretold.workers.starting import Lifeline, kill

_TICK: Final = 0.25
"""Seconds between checks whether a worker is overdue."""


class Process:
    """A worker process. One thread asks it; any may stop it."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it; raises `NotStartedError`."""
        self._lifeline = Lifeline()
        self._marks = Marks()
        try:
            with self._lifeline.options(**{VARIABLE: self._marks.path}) as options:
                self._process: subprocess.Popen[bytes] = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options
                )
        except OSError as error:
            self._marks.close()
            self._lifeline.close()
            raise NotStartedError(error) from None
        self._arrived: queue.SimpleQueue[tuple[bytes, int] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._is_ready = False
        self._is_closed = False

    def ask(self, question: bytes, seconds: float | None = None) -> bytes:
        """The answer; raises `WorkerError`. Only after a `RaisedError` can it be asked again.

        `seconds` limits the answer, in addition to the worker's marks.
        """
        if not self._is_ready:
            self._answer(None)
            self._marks.forget_name()
            self._is_ready = True
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended, as the missing answer will show
            self._process.stdin.write(frame(question))
            self._process.stdin.flush()
        return self._answer(seconds)

    do = ask
    """As one of a crew."""

    def last_mark(self) -> Mark:
        """What it was doing; not after `close`."""
        return self._marks.last()

    def stop(self) -> None:
        """End it; whoever waits for its answer gets an `EndedError`."""
        if self._process.returncode is None:
            kill(self._process.pid)

    def close(self) -> None:
        """End it and clean up; not while another thread asks."""
        if self._is_closed:
            return
        self._is_closed = True
        self.stop()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        self._marks.close()
        self._lifeline.close()

    def _answer(self, seconds: float | None) -> bytes:
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = _TICK if until is None else min(_TICK, until - time.monotonic())
            try:
                arrived = self._arrived.get(timeout=max(0.0, left))
            except queue.Empty:
                if self._process.poll() is not None:
                    kill(self._process.pid)  # and its children, which keep the pipe open
                    continue
                is_late = until is not None and time.monotonic() >= until
                allowed = seconds if is_late else self._marks.overdue()
                if allowed is not None:
                    self.stop()
                    raise LateError(allowed) from None
                continue
            if arrived is None:
                self._arrived.put(None)  # whoever asks again is told the same
                raise EndedError(self._process.wait())
            message, kind = arrived
            if kind == RAISED:
                raise RaisedError(message.decode())
            return message

    def _read(self) -> None:
        assert self._process.stdout is not None
        for arrived in frames_in(self._process.stdout):
            self._arrived.put(arrived)
        self._arrived.put(None)

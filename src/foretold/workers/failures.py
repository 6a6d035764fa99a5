"""What can become of a question instead of an answer.

::

    WorkerError          there is no answer
     ├── NotStartedError the system cannot start a process
     ├── EndedError      the process has ended
     ├── LateError       it took too long, and was ended
     └── RaisedError     the work raised an exception; the process goes on
"""

from __future__ import annotations

import signal

from foretold.errors import ForetoldError


class WorkerError(ForetoldError):
    """A worker gave no answer; the message continues a sentence that begins "its process"."""


class NotStartedError(WorkerError):
    """The system cannot start a process: it is out of memory, files or processes."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"could not be started: {error.strerror}")


class EndedError(WorkerError):
    """The process has ended."""

    def __init__(self, code: int) -> None:
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        super().__init__(f"ended by itself ({how})")


class LateError(WorkerError):
    """The process took too long, and was killed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"was ended: no answer within {seconds:g} s")


class RaisedError(WorkerError):
    """The work raised an exception, described here; the process goes on."""

    def __init__(self, exception: str) -> None:
        super().__init__(f"failed: {exception}")


def told(error: BaseException) -> str:
    """An exception in one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]

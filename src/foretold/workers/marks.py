"""What a worker is at within a long piece of work, and how long that may take.

A mark is a few bytes in a file that both ends have open, so that it is there also when the worker
has died. Whoever started the worker knows from it what it died of, and ends it when it is overdue.
"""

from __future__ import annotations

import os
import struct
import tempfile
import time
from contextlib import suppress
from typing import BinaryIO, Final, NamedTuple

VARIABLE: Final = "FORETOLD_MARKS"
"""The environment variable that names the file."""

GRACE: Final = 2.0
"""The least patience beyond what is allowed, in seconds, before a worker is ended from outside."""

_MARK: Final = struct.Struct("<qiid")
_NO_PART: Final = -1


class Mark(NamedTuple):
    """What a worker is at: which part of which piece."""

    number: int
    """Grows with every mark."""
    piece: int
    part: int | None
    """None while it is at nothing that could be too slow."""
    allowed: float
    """How many seconds it may take."""


NOTHING: Final = Mark(0, 0, None, 0.0)


class Marker:
    """Writes the marks; in the worker, before it is ready."""

    def __init__(self) -> None:
        self._file = open(os.environ.pop(VARIABLE), "wb", buffering=0)  # noqa: SIM115
        self._count = 0

    def __call__(self, piece: int, part: int | None, allowed: float) -> None:
        self._count += 1
        mark = _MARK.pack(self._count, piece, _NO_PART if part is None else part, allowed)
        self._file.seek(0)
        self._file.write(mark)


class Marks:
    """Reads the marks; at the other end."""

    def __init__(self) -> None:
        number, self.path = tempfile.mkstemp(prefix="foretold-marks-")
        self._file: BinaryIO = open(number, "rb", buffering=0)  # noqa: SIM115  # until `close`
        self._seen, self._since = -1, time.monotonic()

    def last(self) -> Mark:
        self._file.seek(0)
        data = self._file.read(_MARK.size)
        if len(data) < _MARK.size:
            return NOTHING
        number, piece, part, allowed = _MARK.unpack(data)
        return Mark(number, piece, None if part == _NO_PART else part, allowed)

    def overdue(self) -> float | None:
        """The seconds that were allowed for what takes too long, if anything does.

        To be asked now and then: what is seen for the first time has only begun.
        """
        mark, now = self.last(), time.monotonic()
        if mark.number != self._seen:
            self._seen, self._since = mark.number, now
        patience = mark.allowed + max(mark.allowed, GRACE)
        is_overdue = mark.part is not None and now - self._since > patience
        return mark.allowed if is_overdue else None

    def forget_name(self) -> None:
        """The worker has opened the file, which then needs no name."""
        with suppress(OSError):
            os.unlink(self.path)

    def close(self) -> None:
        self._file.close()
        self.forget_name()

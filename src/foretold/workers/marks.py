"""What a worker is doing within a long piece of work, and how long that may take.

A mark is a few bytes in a file that both ends have open, so it survives the worker. From it the
parent knows what the worker was doing when it died, and when it is overdue.
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
"""The least extra time, in seconds, before an overdue worker is killed."""

_MARK: Final = struct.Struct("<qiid")
_NO_PART: Final = -1


class Mark(NamedTuple):
    """What a worker is doing: which part of which piece."""

    number: int
    """Increases with every mark."""
    piece: int
    part: int | None
    """None while it does nothing that could be too slow."""
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
        """The seconds allowed for what is overdue, if anything is. Call it regularly: a mark's time
        counts from when it is first seen.
        """
        mark, now = self.last(), time.monotonic()
        if mark.number != self._seen:
            self._seen, self._since = mark.number, now
        patience = mark.allowed + max(mark.allowed, GRACE)
        is_overdue = mark.part is not None and now - self._since > patience
        return mark.allowed if is_overdue else None

    def forget_name(self) -> None:
        """Unlink the file, once the worker has opened it."""
        with suppress(OSError):
            os.unlink(self.path)

    def close(self) -> None:
        self._file.close()
        self.forget_name()

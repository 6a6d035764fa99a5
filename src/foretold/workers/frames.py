"""Messages between a worker and its parent: length and kind, then the bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Final

HEAD: Final = struct.Struct("<IB")
PLAIN: Final = 0
RAISED: Final = 1
"""The work raised an exception; the message is its text."""


def frame(message: bytes, kind: int = PLAIN) -> bytes:
    return HEAD.pack(len(message), kind) + message


def frames_in(pipe: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """The messages of a pipe with their kinds, until it ends, even in the middle of one."""
    while len(head := pipe.read(HEAD.size)) == HEAD.size:
        length, kind = HEAD.unpack(head)
        message = pipe.read(length)
        if len(message) < length:
            return
        yield message, kind

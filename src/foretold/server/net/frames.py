"""WebSocket frames as bytes (RFC 6455, 5.2): counted and read without a parser, and written."""

from __future__ import annotations

import struct
from typing import Final

WHOLE_TEXT: Final = 0x81  # the only frame of a text message
MASKED: Final = 0x80
_SHORT, _LONG = 126, 1 << 16
_HEAD: Final = struct.Struct("!BBH")


class FrameCounter:
    """Counts the frames that begin in the incoming data, however it is split."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        self._head = b""
        """The beginning of a frame whose size is not known yet."""
        self._left = 0
        """The bytes still missing from the last frame."""

    @property
    def is_between(self) -> bool:
        """Whether only whole frames have arrived so far, so that the next byte begins one."""
        return not self._left and not self._head

    def count(self, data: bytes, most: int) -> int:
        """How many frames begin here; counting stops at `most` plus one."""
        found, at, end = 0, self._left, len(data)
        if at > end:
            self._left = at - end
            return 0
        if self._head:  # began in an earlier piece, and was counted then
            found = -1
            data = self._head + data
            end = len(data)
        self._left, self._head = 0, b""
        while at < end:
            found += 1
            if found > most:
                break
            size = frame_size(data, at)
            if size is None:
                self._head = data[at:]
                break
            at += size
            if at > end:
                self._left = at - end
        return found


def frame_size(data: bytes, at: int) -> int | None:
    """The size of the frame that begins at `at`; None if its head is incomplete."""
    if len(data) - at < 2:
        return None
    second = data[at + 1]
    size, head = second & 0x7F, 2
    if size >= _SHORT:
        width = 2 if size == _SHORT else 8
        if len(data) - at < 2 + width:
            return None
        size, head = int.from_bytes(data[at + 2 : at + 2 + width], "big"), 2 + width
    return head + size + (4 if second & MASKED else 0)


def short_text(data: bytes) -> str | None:
    """The text, if this is exactly one complete frame with a short text message."""
    if len(data) < 6 or data[0] != WHOLE_TEXT:
        return None
    size = data[1] - MASKED
    if not 0 <= size < _SHORT or len(data) != 6 + size:
        return None
    mask = data[2:6] * (size // 4 + 1)
    unmasked = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask[:size], "big")
    try:
        return unmasked.to_bytes(size, "big").decode()
    except UnicodeDecodeError:
        return None


def framed(text: bytes) -> bytes:
    """A complete text message as one frame, unmasked as servers send it."""
    size = len(text)
    if size < _SHORT:
        return bytes((WHOLE_TEXT, size)) + text
    if size < _LONG:
        return _HEAD.pack(WHOLE_TEXT, 126, size) + text
    return struct.pack("!BBQ", WHOLE_TEXT, 127, size) + text

"""Processes at one port that hand sockets to each other, so that each is at its table's process.

The kernel gives a connection to any of them. Once its handshake has been read, the process that has
it passes the open file on to the one that owns the table, over a local socket. If nobody owns the
table, a hash of its code decides, so that all sockets of a table meet in one process.

Who owns what is a guess, kept in memory that all of them share; whatever cannot be handed over
stays where it is, and its messages are passed on over the bus.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from mmap import mmap
from typing import Any, Final, Self
from zlib import crc32

import msgspec

from foretold.server.observing.logs import logger

SLOTS: Final = 1 << 20
"""Tables whose codes share a slot count as one; with this many slots few do."""
BEAT_SECONDS: Final = 0.5
MOST_BYTES: Final = 32 << 10
"""In one message; the head of a request has at most half of that."""
MOST_AT_ONCE: Final = 64
"""How many sockets are taken before anything else gets its turn."""
PAUSE_SECONDS: Final = 1.0
"""How long a process that could not open a file takes no sockets."""
# Either keeps messages apart, but only Linux has the first, whose queue holds more.
_KIND: Final = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
# Without it, a process started at that moment would inherit the file. Elsewhere it is set later.
_CLOEXEC: Final[int] = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
_FILE: Final = struct.Struct("i")
_TIME: Final = struct.Struct("d")
# What is kept of each process: until when it is well, and until when it is full.
_WELL: Final = 0
_FULL: Final = 1


class Handshake(msgspec.Struct, frozen=True, array_like=True):
    """The request that opens a socket, parsed."""

    method: str
    url: bytes
    scheme: str
    server: tuple[str, int | None] | None
    client: tuple[str, int] | None
    headers: list[tuple[bytes, bytes]]

    @classmethod
    def of(cls, scope: Any, url: bytes) -> Handshake:
        return cls(
            scope["method"],
            url,
            scope["scheme"],
            scope["server"],
            scope["client"],
            scope["headers"],
        )

    def scope(self, state: dict[str, Any]) -> dict[str, Any]:
        """As uvicorn would have it."""
        return {
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "method": self.method,
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "headers": self.headers,
            "state": state.copy(),
        }


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Handshake).decode


class Siblings:
    """What the processes share; made by their parent before it forks them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._memory = mmap(-1, SLOTS + 2 * count * _TIME.size)
        self._ends = [socket.socketpair(socket.AF_UNIX, _KIND) for _ in range(count)]
        """For each process, where it receives and where the others send."""
        for end in (end for ends in self._ends for end in ends):
            end.setblocking(False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()
        for end in (end for ends in self._ends for end in ends):
            end.close()

    def is_well(self, at: int) -> bool:
        """Whether that process can have tables."""
        return time.monotonic() < self._time(_WELL, at)

    def set_well(self, at: int, seconds: float) -> None:
        """That process is well for this long from now on."""
        self._set_time(_WELL, at, time.monotonic() + seconds)

    def takes(self, at: int) -> bool:
        """Whether sockets can be given to that process."""
        return self.is_well(at) and not self.is_full(at)

    def is_full(self, at: int) -> bool:
        """Whether that process has no room for sockets; it may have tables all the same."""
        return time.monotonic() < self._time(_FULL, at)

    def set_full(self, at: int, seconds: float) -> None:
        """That process takes no sockets for this long from now on."""
        self._set_time(_FULL, at, time.monotonic() + seconds)

    def _time(self, kind: int, at: int) -> float:
        found: float = _TIME.unpack_from(self._memory, self._place_of_time(kind, at))[0]
        return found

    def _set_time(self, kind: int, at: int, until: float) -> None:
        _TIME.pack_into(self._memory, self._place_of_time(kind, at), until)

    def _place_of_time(self, kind: int, at: int) -> int:
        return SLOTS + (kind * self.count + at) * _TIME.size

    def place(self, code: str, asking: int) -> int | None:
        """The process where a socket of a table should be; None if none takes any.

        The one that asks may have tables even if it is unwell.
        """
        at = self._memory[_slot(code)] - 1
        if at == asking or (at >= 0 and self.is_well(at)):
            if not self.is_full(at):
                return at
            if self.takes(asking):
                return asking  # messages are passed on from anywhere
        takers = filter(self.takes, range(self.count))
        return max(takers, key=lambda one: _rank(one, code), default=None)

    def owns(self, at: int, code: str) -> None:
        self._memory[_slot(code)] = at + 1

    def disowns(self, at: int, code: str) -> None:
        if self._memory[_slot(code)] == at + 1:
            self._memory[_slot(code)] = 0

    def send(self, at: int, handshake: Handshake, file: int) -> bool:
        """Give a process an open socket; False if it cannot take one now."""
        try:
            socket.send_fds(self._ends[at][1], [_encode(handshake)], [file])
        except OSError:
            return False
        return True

    def received(self, at: int) -> Iterator[tuple[Handshake, socket.socket]]:
        """Some of what has been given to a process, if not all."""
        for data, files in self._messages(at):
            if not files:
                logger().warning("a socket was lost: this process has too many files open")
                if self.takes(at):
                    self.set_full(at, PAUSE_SECONDS)
            for file in files:
                given = socket.socket(fileno=file)
                yield _decode(data), given

    def _messages(self, at: int) -> Iterator[tuple[bytes, list[int]]]:
        """Each handshake, not decoded, with its file."""
        for _ in range(MOST_AT_ONCE):
            try:
                # Not `socket.recv_fds`, which ignores the flags it is given.
                data, parts, _, _ = self._ends[at][0].recvmsg(
                    MOST_BYTES, socket.CMSG_LEN(_FILE.size), _CLOEXEC
                )
            except BlockingIOError:
                return
            files: list[int] = [file for _, _, part in parts for (file,) in _FILE.iter_unpack(part)]
            for file in files:
                os.set_inheritable(file, False)
            yield data, files

    def receiving(self, at: int) -> int:
        """The file to watch."""
        return self._ends[at][0].fileno()

    def drop_stranded(self) -> int:
        """Close sockets that were given to processes that died or hang; clients reconnect.

        Returns how many there were.
        """
        dropped = 0
        for at in range(self.count):
            if not self.is_well(at):
                for _, files in self._messages(at):
                    dropped += 1
                    for file in files:
                        with suppress(OSError):
                            os.close(file)
        return dropped


def _slot(code: str) -> int:
    return crc32(code.encode()) % SLOTS


def _rank(at: int, code: str) -> bytes:
    """What decides which of them gets a table; CRCs of texts so alike are not independent."""
    return blake2b(b"%d %s" % (at, code.encode()), digest_size=8).digest()

"""One socket at a table, with a short queue of unsent messages."""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from foretold.server.people.doors import Visitor

TRY_AGAIN: Final = 1012
"""The close code when the server restarts: the client reconnects."""
TRY_LATER: Final = 1013
"""The close code after a temporary refusal: the client reconnects later."""
REFUSED: Final = 4000
"""The close code after a permanent refusal, or a permanent end."""

MOST_WAITING: Final = 256 << 10
"""Bytes that may wait for a slow reader."""


class Line(Protocol):
    """What a connection writes to."""

    @property
    def has_room(self) -> bool: ...
    def write(self, text: bytes) -> None: ...
    def hang_up(self, code: int) -> None: ...
    def abort(self) -> None: ...


class Connection:
    """The connection of a player or spectator."""

    __slots__ = (
        "_backlog",
        "_close_code",
        "_line",
        "_size",
        "_waiting",
        "is_host",
        "key",
        "name",
        "player",
        "seat",
        "source",
        "was_cut",
    )

    def __init__(
        self,
        player: str | None,
        name: str | None,
        line: Line,
        backlog: int,
        source: str = "",
        key: str | None = None,
    ) -> None:
        self.player = player
        self.key = key
        """The invitation key they presented."""
        self.name = name
        self.source = source
        """The address that limits count it against."""
        self.seat: int | None = None
        """As in the last welcome."""
        self.is_host = False
        self.was_cut = False
        self._line = line
        self._backlog = backlog
        self._waiting: deque[bytes] | None = None
        self._size = 0
        self._close_code: int | None = None

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.player, self.key, self.source)

    def renamed(self, player: str, name: str) -> None:
        """A player, perhaps this one, has a new name."""
        if self.player == player:
            self.name = name

    def send(self, message: bytes) -> None:
        """Send a message; a client that does not read is cut off, and may reconnect."""
        if self._waiting is None and self._line.has_room:
            self._line.write(message)
            return
        if self._waiting is None:
            self._waiting = deque()
        self._size += len(message)
        if len(self._waiting) < self._backlog and self._size <= MOST_WAITING:
            self._waiting.append(message)
        else:
            self.cut_off()

    def go_on(self) -> None:
        """There is room again: send what is waiting."""
        while self._waiting and self._line.has_room:
            message = self._waiting.popleft()
            self._size -= len(message)
            self._line.write(message)
        if not self._waiting:
            self._waiting = None
            if self._close_code is not None:
                self._line.hang_up(self._close_code)

    def close(self, code: int) -> None:
        """Close it once everything waiting is sent."""
        self._close_code = code
        if self._waiting is None:
            self._line.hang_up(code)

    def cut_off(self) -> None:
        """End it now, whatever is waiting."""
        if not self.was_cut:
            self.was_cut = True
            self._line.abort()

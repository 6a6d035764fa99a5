"""One socket at a table: what is sent to it waits here, and not for long."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from starlette.types import Send

TRY_AGAIN: Final = 1012
"""The close code of a server that restarts: the client comes back."""


class Connection:
    """A player, or somebody who watches, at the end of a socket."""

    __slots__ = (
        "_abort",
        "_backlog",
        "_close_code",
        "_send",
        "_waiting",
        "_wake",
        "is_host",
        "name",
        "player",
        "seat",
        "was_cut",
    )

    def __init__(
        self,
        player: str | None,
        name: str | None,
        send: Send,
        abort: Callable[[], None] | None,
        backlog: int,
    ) -> None:
        self.player = player
        self.name = name
        self.seat: int | None = None
        """As the last welcome told it."""
        self.is_host = False
        self.was_cut = False
        self._send = send
        self._abort = abort
        self._backlog = backlog
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._close_code: int | None = None

    def send(self, frame: bytes) -> None:
        """Have a message sent; one who does not read what is sent is cut off, and may resume."""
        if len(self._waiting) >= self._backlog:
            self.cut()
            return
        self._waiting.append(frame)
        self._wake.set()

    def close(self, code: int) -> None:
        """Close it when all that waits is sent."""
        self._close_code = code
        self._wake.set()

    def cut(self) -> None:
        """End it at once, whatever waits."""
        self.was_cut = True
        self._waiting.clear()
        if self._abort is not None:
            self._abort()
        else:
            self.close(TRY_AGAIN)

    async def deliver(self) -> None:
        """Send what is to be sent, until it is closed."""
        waiting, wake, send = self._waiting, self._wake, self._send
        while True:
            await wake.wait()
            wake.clear()
            while waiting:
                await send({"type": "websocket.send", "text": waiting.popleft().decode()})
            if self._close_code is not None:
                await send({"type": "websocket.close", "code": self._close_code})
                return

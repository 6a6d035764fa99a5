"""One thing for each address at a time: those of one do not come before those of all others.

In every round of the event loop each address gets one request begun, or one piece of a large answer
made. So a hundred that arrive together delay somebody else by the time of one, not of a hundred.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from foretold.table.refusals import Refused

MOST_WAITING: Final = 500
"""Requests of one address that may wait for their turn."""


class Pace:
    """Whose turn is when."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Those that wait, by source; a source is here until the next round of the loop."""

    def check(self, source: str) -> None:
        """Raise `Refused` if too much of a source waits already."""
        if len(self._waiting.get(source, ())) >= MOST_WAITING:
            raise Refused("too_fast")

    async def turn(self, source: str) -> None:
        """Wait until it is this source's turn, which is at once if nothing of it waits."""
        loop = asyncio.get_running_loop()
        waiting = self._waiting.get(source)
        if waiting is None:
            if not self._waiting:
                loop.call_soon(self._go_on)
            self._waiting[source] = deque()
            return
        turn: asyncio.Future[None] = loop.create_future()
        waiting.append(turn)
        await turn

    def _go_on(self) -> None:
        for source, waiting in tuple(self._waiting.items()):
            while waiting and waiting[0].done():  # nobody waits for it any more
                waiting.popleft()
            if waiting:
                waiting.popleft().set_result(None)
            else:
                del self._waiting[source]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._go_on)

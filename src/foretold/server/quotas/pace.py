"""One thing per address at a time, so that no address crowds out the others.

In every round of the event loop each address has one request started, or one piece of a large
answer made. So a hundred requests at once delay somebody else by the time of one, not of a hundred.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from foretold.table.refusals import Refused

MOST_WAITING: Final = 500
"""Requests from one address that may wait for their turn."""


class Pace:
    """Gives each source its turns."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Waiting requests by source; a source stays here until the next round of the loop."""

    def check(self, source: str) -> None:
        """Raise `Refused` if too many requests of a source are already waiting."""
        if len(self._waiting.get(source, ())) >= MOST_WAITING:
            raise Refused("too_fast")

    async def turn(self, source: str) -> None:
        """Wait for this source's turn, which is now if nothing of it is waiting."""
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
            while waiting and waiting[0].done():  # cancelled
                waiting.popleft()
            if waiting:
                waiting.popleft().set_result(None)
            else:
                del self._waiting[source]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._go_on)

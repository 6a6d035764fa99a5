"""One thing at a time, in the order requested: for callbacks and coroutines."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial


class Turns:
    """Whoever has the turn ends it; then the next one gets it.

    ``async with`` waits for a turn and ends it. With callbacks, `take` and `end` cost neither a
    task nor a wait as long as nobody else has the turn.
    """

    __slots__ = ("_waiting", "is_taken")

    def __init__(self) -> None:
        self.is_taken = False
        self._waiting: deque[Callable[[], None]] = deque()

    def take(self, work: Callable[..., None], *args: object) -> None:
        """Start something when its turn comes, which is now if nobody else has the turn.

        The turn lasts until somebody calls `end`, or `work` fails.
        """
        if self.is_taken:
            self._waiting.append(partial(work, *args))
        else:
            self.is_taken = True
            self._begin(work, *args)

    def do(self, work: Callable[[], None]) -> None:
        """Do something when its turn comes; the turn ends when it returns."""
        self.take(partial(self.end_after, work))

    def end_after(self, work: Callable[[], None]) -> None:
        """Do something, and end the turn."""
        work()
        self.end()

    def end(self) -> None:
        if self._waiting:
            # Through the loop, or a long queue would recurse deeply.
            asyncio.get_running_loop().call_soon(self._begin, self._waiting.popleft())
        else:
            self.is_taken = False

    def _begin(self, work: Callable[..., None], *args: object) -> None:
        try:
            work(*args)
        except BaseException:
            self.end()
            raise

    async def __aenter__(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.take(partial(self._give, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.end()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.end()

    def _give(self, turn: asyncio.Future[None]) -> None:
        if turn.cancelled():
            self.end()
        else:
            turn.set_result(None)

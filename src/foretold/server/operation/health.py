"""Whether the server is healthy, for monitoring and for the players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from foretold.server.observing.logs import logger
from foretold.server.storage.store import Store
from foretold.table.refusals import Refused

FRESH: Final = 5.0
"""Seconds for which the last check is good for everyone who asks."""
PATIENCE: Final = 3.0
"""Seconds in which the database must answer."""

SLOW: Final = 1.5
"""Seconds after which players are told that their actions are not saved yet."""
LOOKS: Final = 0.25
"""Seconds between two checks of pending writes."""


class Health:
    """Checks that the database can be written and read, but not too often."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: asyncio.Task[bool] | None = None
        self._stale_at = 0.0

    async def is_good(self) -> bool:
        if not saves(self._store):
            return False
        loop = asyncio.get_running_loop()
        if self._asked is None or (self._asked.done() and loop.time() >= self._stale_at):
            self._stale_at = loop.time() + FRESH
            self._asked = asyncio.create_task(self._ask())
        # Shielded: one caller giving up must not cancel it for the others.
        return await asyncio.shield(self._asked)

    async def _ask(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.beat()
                await self._store.table("", None)
        except (TimeoutError, Refused) as error:
            logger().error("the database does not answer", fault=type(error).__name__)
            return False
        return True


def saves(store: Store) -> bool:
    """Whether what happens at the tables is saved promptly."""
    return store.saving_for < SLOW


async def watch(store: Store, tell: Callable[[bool], None]) -> None:
    """Call `tell` whenever that changes, as long as this runs."""
    told = True
    while True:
        await asyncio.sleep(LOOKS)
        if saves(store) != told:
            told = not told
            tell(told)

"""Whether the server is well, for whoever watches it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from foretold.server.logs import logger

FRESH: Final = 1.0
"""Seconds for which an answer of the database is good for all who ask."""
PATIENCE: Final = 3.0
"""Seconds in which it must answer."""


class Health:
    """Asks the database how it is, seldom, and in a thread that nothing else can keep busy."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._asked: asyncio.Task[bool] | None = None
        self._stale_at = 0.0

    async def is_good(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._asked is None or (self._asked.done() and loop.time() >= self._stale_at):
            self._stale_at = loop.time() + FRESH
            self._asked = asyncio.create_task(self._ask())
        # Shielded: one who no longer waits does not spoil it for the others.
        return await asyncio.shield(self._asked)

    async def _ask(self) -> bool:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE):
                await loop.run_in_executor(self._thread, self._read)
        except Exception as error:
            logger().error("the database does not answer", fault=type(error).__name__)
            return False
        return True

    def _read(self) -> None:
        with self._engine.connect() as connection:
            connection.execute(sa.text("SELECT code FROM tables LIMIT 1"))

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

"""Tables written straight to a store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from foretold.server.observing.metrics import Metrics
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of
from foretold.server.storage.writer import settle
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Logged, Started
from foretold.table.table import Table


def with_store(url: str, story: Callable[[Store], Awaitable[None]]) -> None:
    async def told() -> None:
        store = Store(open_database(url), Metrics())
        try:
            await story(store)
        finally:
            await store.close()

    asyncio.run(told())


def appended(store: Store, code: str, logged: Logged) -> asyncio.Future[None]:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    store.append(code, logged, partial(settle, done))
    return done


def logged(n: int, seat: int = 0) -> Logged:
    return Logged(n, now_ms(), Acted(seat=seat, action="bid 0"))


async def add_table(store: Store, code: str, player: str = "ana", **settings: object) -> Table:
    created = new_table(player, "Ana", settings=settings)
    entries = [Logged(1, now_ms(), created), Logged(2, now_ms(), Started())]
    table = Table.replayed(code, entries)
    await store.add_table(code, entries, listed_of(table))
    return table

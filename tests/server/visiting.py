"""How people in the tests come to tables, and what they are told there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from server.client import Client, Data, Person, RefusedError

ELSEWHERE = "127.0.0.2"
"""A different address from most people here."""


async def refused(asking: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        await asking
    return caught.value.code


def has_begun(client: Client) -> bool:
    return client.view is not None


async def way_in(person: Person, code: str, place: str = "tables") -> Data | None:
    """Why somebody may not enter; None if they may."""
    client = Client(person, code, place)
    client.comes_back = False
    async with client:
        return client.refusal


@asynccontextmanager
async def game(host: Person, *guests: Person, **settings: Any) -> AsyncIterator[list[Client]]:
    """A short game with people in the first seats, and slow bots."""
    bots = [None, *("novice" for _ in range(3))]
    rules = {"rounds": "1-2", "dealer_by": "seat"}
    code = await host.new_table(rules=rules, bots=bots, **settings)
    clients = [Client(one, code) for one in (host, *guests)]
    try:
        for seat, client in enumerate(clients):
            await client.__aenter__()
            if seat:
                await client.ask("sit", seat=seat)
        await clients[0].ask("start")
        for client in clients:
            await client.until(partial(has_begun, client))
        yield clients
    finally:
        for client in clients:
            await client.leave()

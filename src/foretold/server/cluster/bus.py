"""What carries messages between nodes, whatever engine is behind it.

A message arrives at most once, and in the order in which one node published it. A loss is
not reported: whoever needs to know must count.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias
from urllib.parse import urlsplit

from foretold.errors import ServerError
from foretold.extras import need
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import parsed_url

LARGEST: Final = 1 << 20
"""Bytes in one message: what NATS allows by default."""
MOST_UNSENT: Final = 16 << 20
"""Bytes that may wait while the bus cannot be reached; the rest is lost."""

Hear: TypeAlias = Callable[[bytes], None]
Answer: TypeAlias = Callable[[bytes], Awaitable[bytes]]


class BusError(Exception):
    """There is no answer: nobody listens, nobody answers in time, or the bus is gone."""


class Bus(Protocol):
    """One node's connection to the bus; it reconnects by itself."""

    @property
    def is_connected(self) -> bool: ...

    def publish(self, subject: str, data: bytes) -> None:
        """Send a message to everyone who has subscribed to the subject; returns at once."""

    async def subscribe(self, subject: str, hear: Hear) -> None:
        """Call `hear` with every message from now on, one after the other."""

    async def answer(self, subject: str, answer: Answer, group: str = "") -> None:
        """Answer requests, several at a time; of a group, one member gets each request."""

    async def request(self, subject: str, data: bytes, seconds: float) -> bytes:
        """Ask whoever answers for that subject; raises `BusError`."""

    async def close(self) -> None:
        """Send what is waiting, and disconnect."""


def check_database(settings: ServerSettings) -> None:
    """Raise a one-line `ServerError` if several processes cannot use the database."""
    if parsed_url(settings.database_url).get_backend_name() != "postgresql":
        raise ServerError(
            "several processes need PostgreSQL: give its URL with --database, "
            "such as postgresql://user@host/name"
        )


def check_bus(settings: ServerSettings) -> None:
    """Raise a one-line `ServerError` if a bus is configured and cannot be used."""
    if not settings.bus:
        return
    check_database(settings)

    async def check() -> None:
        await (await open_bus(settings.bus, "check")).close()

    asyncio.run(check())


async def open_bus(url: str, name: str) -> Bus:
    """Connect to the bus at a URL, under a name for monitoring; raises a one-line `ServerError`."""
    scheme = urlsplit(url).scheme
    if scheme not in ("nats", "tls"):
        raise ServerError(f"no bus of the kind {scheme!r}: give a URL such as nats://host:4222")
    need("cluster")
    from foretold.server.cluster.nats_bus import NatsBus

    return await NatsBus.connected(url, name)

"""The bus by NATS, plain subjects without persistence."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, FlushTimeoutError
from nats.errors import Error as NatsError

from foretold.errors import ServerError
from foretold.server.cluster.bus import MOST_UNSENT, Answer, BusError, Hear
from foretold.server.observing.logs import logger

CONNECT_SECONDS: Final = 3
RECONNECT_SECONDS: Final = 0.25
PING_SECONDS: Final = 2
"""A bus that has gone silent is noticed after three of these."""
FLUSH_SECONDS: Final = 10
"""Longer than a silent bus goes unnoticed."""
CLOSE_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 1.0
LOST_SECONDS: Final = 10.0
"""How long the client may try to reconnect before another takes its place. It stops trying at once
if the server reports an error, and whenever something unexpected happens to it."""

Heard: TypeAlias = Callable[[Msg], Awaitable[None]]


class NatsBus:
    """A connection to a NATS server or cluster."""

    def __init__(self, client: Client, url: str = "", name: str = "") -> None:
        self._client = client
        self._url = url
        self._name = name
        self._subscribed: list[tuple[str, str, Heard]] = []
        """Subjects, groups, and who hears them."""
        self._unsent: deque[tuple[str, bytes]] = deque()
        self._size = 0
        self._is_closing = False
        self._is_due = asyncio.Event()
        self._answering: set[asyncio.Task[None]] = set()
        self._sender = asyncio.create_task(self._send_on())
        self._keeper: asyncio.Task[None] | None = None

    @classmethod
    async def connected(cls, url: str, name: str) -> NatsBus:
        bus = cls(Client(), url, name)
        try:
            await bus._connect(bus._client)
        except (OSError, TimeoutError, NatsError, ValueError) as error:
            told = str(error) or type(error).__name__
            bus._sender.cancel()
            raise ServerError(f"cannot reach the bus at {url.rpartition('@')[2]}: {told}") from None
        bus._keeper = asyncio.create_task(bus._keep_connected())
        return bus

    async def _connect(self, client: Client) -> None:
        # Its own retries of a first connection would hide a wrong address for minutes.
        async with asyncio.timeout(CONNECT_SECONDS):
            await client.connect(
                self._url,
                name=self._name,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=RECONNECT_SECONDS,  # type: ignore[arg-type]
                connect_timeout=CONNECT_SECONDS,
                ping_interval=PING_SECONDS,
                pending_size=MOST_UNSENT,
                error_cb=_warn,
                disconnected_cb=self._lost,
                reconnected_cb=_found,
            )

    async def _keep_connected(self) -> None:
        """Replace a client that will not find the bus again by itself."""
        seen_at = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            if self._client.is_connected:
                seen_at = now
            elif self._client.is_closed or now - seen_at > LOST_SECONDS:
                try:
                    await self._replace_client()
                except Exception as error:  # in a second it is tried again
                    await _warn(error)

    async def _replace_client(self) -> None:
        new = Client()
        try:
            await self._connect(new)
            with suppress(Exception):  # or both would hear every message
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._client.close()
            for subject, group, hear in self._subscribed:
                await new.subscribe(subject, queue=group, cb=hear)
        except BaseException:
            with suppress(Exception):
                await new.close()
            raise
        self._client = new
        await _found()

    @property
    def is_connected(self) -> bool:
        return bool(self._client.is_connected)

    def publish(self, subject: str, data: bytes) -> None:
        if self._size + len(data) > MOST_UNSENT:
            return
        self._size += len(data)
        self._unsent.append((subject, data))
        self._is_due.set()

    async def _send_on(self) -> None:
        # One task for all: the client's `publish` is a coroutine, and a task for each message would
        # cost more than the message, and might overtake another.
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            while self._unsent:
                subject, data = self._unsent.popleft()
                self._size -= len(data)
                try:
                    await self._client.publish(subject, data)
                except Exception as error:  # such as of the socket: the next one must still be sent
                    await _warn(error)

    async def subscribe(self, subject: str, hear: Hear) -> None:
        async def heard(message: Msg) -> None:
            try:
                hear(message.data)
            except Exception:  # the next message must still be handled
                logger().exception("a message from the bus failed", subject=subject)

        await self._subscribe(subject, "", heard)

    async def _subscribe(self, subject: str, group: str, hear: Heard) -> None:
        self._subscribed.append((subject, group, hear))
        client, reconnects = self._client, self._client.stats["reconnects"]
        try:
            await client.subscribe(subject, queue=group, cb=hear)
            # The client writes its PING ahead of waiting commands, such as this subscription: the
            # first answer only means that they have been written, the second that they arrived.
            await client.flush(FLUSH_SECONDS)
            await client.flush(FLUSH_SECONDS)
        except ConnectionClosedError:
            pass  # the client that replaces this one will subscribe
        except FlushTimeoutError:
            # So it ends too if the connection was lost, since nobody answers on the next one. Then
            # this client has subscribed again, or it will, or the one that replaces it.
            if client.is_connected and client.stats["reconnects"] == reconnects:
                raise

    async def answer(self, subject: str, answer: Answer, group: str = "") -> None:
        async def give(message: Msg) -> None:
            try:
                await message.respond(await answer(message.data))
            except NatsError as error:
                await _warn(error)
            except Exception:
                logger().exception("a request from the bus failed", subject=subject)

        async def asked(message: Msg) -> None:
            task = asyncio.create_task(give(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        await self._subscribe(subject, group, asked)

    async def request(self, subject: str, data: bytes, seconds: float) -> bytes:
        try:
            return (await self._client.request(subject, data, timeout=seconds)).data
        except Exception as error:  # the client passes on whatever its socket raises
            raise BusError(str(error) or type(error).__name__) from None

    async def close(self) -> None:
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                while self._unsent:
                    await asyncio.sleep(0.01)
                await self._client.flush()
        except (NatsError, TimeoutError, OSError):
            pass  # the bus is gone, so nobody can be told
        self._is_closing = True
        for task in (self._sender, self._keeper):
            if task is not None:
                task.cancel()
        # With the bus gone and something unsent, it writes to a closed transport.
        with suppress(NatsError, OSError, RuntimeError):
            await self._client.close()

    async def _lost(self) -> None:
        if not self._is_closing:
            logger().warning("the bus cannot be reached")


async def _warn(error: Any) -> None:
    logger().warning("the bus reports a fault", fault=str(error)[:200] or type(error).__name__)


async def _found() -> None:
    logger().warning("the bus can be reached again")

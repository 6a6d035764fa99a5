"""The bus between nodes."""

from __future__ import annotations

import asyncio

import pytest
from nats.aio.client import Client

from foretold.errors import ServerError
from foretold.server.cluster.bus import BusError, open_bus
from foretold.server.cluster.nats_bus import NatsBus
from ports import free_port
from server.nats import Nats


def test_messages_arrive_in_order_at_everyone_who_listens(bus: Nats) -> None:
    async def scenario() -> None:
        one, other = await open_bus(bus.url, "one"), await open_bus(bus.url, "other")
        heard: list[bytes] = []
        everything = asyncio.Event()

        def hear(data: bytes) -> None:
            heard.append(data)
            if len(heard) == 100:
                everything.set()

        await other.subscribe("news", hear)
        for n in range(100):
            one.publish("news", b"%d" % n)
        async with asyncio.timeout(20):
            await everything.wait()
        assert heard == [b"%d" % n for n in range(100)]
        await one.close()
        await other.close()

    asyncio.run(scenario())


def test_a_request_has_one_answer_or_fails(bus: Nats) -> None:
    async def scenario() -> None:
        one, other = await open_bus(bus.url, "one"), await open_bus(bus.url, "other")
        answered = []

        async def answer(data: bytes) -> bytes:
            answered.append(data)
            return data + b"!"

        for node in (one, other):
            await node.answer("ask", answer, group="all")
        assert await one.request("ask", b"who", 20) == b"who!"
        assert answered == [b"who"]
        with pytest.raises(BusError):
            await one.request("nobody", b"", 20)
        await one.close()
        await other.close()

    asyncio.run(scenario())


def test_a_bus_that_comes_back_is_used_again(bus: Nats) -> None:
    async def scenario() -> None:
        node = await open_bus(bus.url, "one")
        heard = asyncio.Event()
        await node.subscribe("news", lambda _: heard.set())
        bus.stop()
        bus.start()
        async with asyncio.timeout(20):
            while not heard.is_set():
                node.publish("news", b"")
                await asyncio.sleep(0.05)
        await node.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis://localhost", "no bus of the kind 'redis'"),
        ("nats://user:secret@127.0.0.1:{port}", "cannot reach the bus at 127.0.0.1"),
    ],
)
def test_a_bus_that_is_not_there_is_named(url: str, told: str) -> None:
    with pytest.raises(ServerError, match=told) as caught:
        asyncio.run(open_bus(url.format(port=free_port()), "one"))
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bus_that_is_gone_does_not_keep_a_node_from_closing() -> None:
    """Everything else must still be closed, and written."""

    class Gone(Client):
        is_closed = False

        async def flush(self, timeout: int = 0) -> None:
            raise OSError

        async def close(self) -> None:
            raise RuntimeError("unable to perform operation: the handler is closed")

    async def story() -> None:
        bus = NatsBus(Gone())
        bus.publish("somebody", b"something")
        await bus.close()

    asyncio.run(story())

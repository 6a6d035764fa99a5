"""The bus between nodes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from nats.aio.client import Client
from nats.errors import FlushTimeoutError

from foretold.errors import ServerError
from foretold.server.cluster import nats_bus
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


class RudeServer:
    """Speaks as NATS does, but can end the first connections with an error, as NATS does when it
    has too many, or when its configuration was changed. It can also lose the first one, or forget
    it, instead of confirming a subscription."""

    def __init__(self, rude: int = 0, *, loses: bool = False, forgets: bool = False) -> None:
        self.rude = rude
        self.loses = loses
        self.forgets = forgets
        self.subjects: list[bytes] = []
        self.confirmed: list[bytes] = []
        """What had been subscribed to at the last PING."""
        self.published: list[bytes] = []
        self.port = 0

    async def __aenter__(self) -> RudeServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id": "x", "version": "2.9.0", "max_payload": 1048576}\r\n')
        is_rude, self.rude = self.rude > 0, self.rude - 1
        while line := await reader.readline():
            if line.startswith(b"PING") and self.subjects and self.loses:
                self.loses, self.subjects = False, []
                break
            if line.startswith(b"PING") and self.subjects and self.forgets:
                await reader.read()
            elif line.startswith(b"PING"):
                self.confirmed = self.subjects.copy()
                writer.write(b"PONG\r\n")
            elif line.startswith(b"SUB") and is_rude:
                writer.write(b"-ERR 'Maximum Connections Exceeded'\r\n")
            elif line.startswith(b"SUB"):
                self.subjects.append(line.split()[1])
            elif line.startswith(b"PUB"):
                self.published.append((await reader.readline()).strip())
        writer.close()


def test_a_client_that_gives_up_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_bus, "LOOK_SECONDS", 0.01)

    async def scenario() -> None:
        async with RudeServer(rude=1) as server:
            node = await open_bus(f"nats://127.0.0.1:{server.port}", "one")
            await node.subscribe("news", lambda _: None)
            async with asyncio.timeout(20):
                while not (server.subjects and node.is_connected):
                    await asyncio.sleep(0.01)
                assert server.subjects == [b"news"]
                node.publish("news", b"good")
                while not server.published:
                    await asyncio.sleep(0.01)
            assert server.published == [b"good"]
            await node.close()

    asyncio.run(scenario())


def test_a_subscription_has_arrived_before_anything_goes_on() -> None:
    async def scenario() -> None:
        async with RudeServer() as server:
            node = await open_bus(f"nats://127.0.0.1:{server.port}", "one")
            await node.subscribe("news", lambda _: None)
            assert server.confirmed == [b"news"]
            await node.close()

    asyncio.run(scenario())


def test_a_bus_that_is_lost_meanwhile_has_the_subscription_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nats_bus, "FLUSH_SECONDS", 0.5)

    async def scenario() -> None:
        async with RudeServer(loses=True) as server:
            node = await open_bus(f"nats://127.0.0.1:{server.port}", "one")
            await node.subscribe("news", lambda _: None)
            async with asyncio.timeout(20):
                while not server.subjects:
                    await asyncio.sleep(0.01)
            assert server.subjects == [b"news"]
            await node.close()

    asyncio.run(scenario())


def test_a_bus_that_does_not_confirm_a_subscription_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nats_bus, "FLUSH_SECONDS", 0.5)

    async def scenario() -> None:
        async with RudeServer(forgets=True) as server:
            node = await open_bus(f"nats://127.0.0.1:{server.port}", "one")
            with pytest.raises(FlushTimeoutError):
                await node.subscribe("news", lambda _: None)
            await node.close()

    asyncio.run(scenario())


def test_whatever_a_socket_raises_the_next_message_is_sent() -> None:
    class Fragile(Client):
        is_closed = False

        def __init__(self) -> None:
            super().__init__()
            self.sent: list[bytes] = []

        async def publish(self, subject: str, payload: bytes = b"", *_: Any, **__: Any) -> None:
            if payload == b"first":
                raise RuntimeError("unable to perform operation: the handler is closed")
            self.sent.append(payload)

    async def scenario() -> None:
        client = Fragile()
        bus = NatsBus(client)
        for data in (b"first", b"second"):
            bus.publish("news", data)
        async with asyncio.timeout(20):
            while not client.sent:
                await asyncio.sleep(0.01)
        bus._sender.cancel()

    asyncio.run(scenario())

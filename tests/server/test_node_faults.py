"""Nodes that fail: what becomes of their tables."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is
from server.client import Client, Person, run
from server.enduring import endure
from server.nats import Nats
from server.nodes import site
from server.nursery import NurseryServer
from server.wires import Wire


def test_nothing_is_lost_when_nodes_die_or_leave(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """Three faults here; `make soak PART=nodes` has all of them, for hours."""
    faults = ["leave", "kill", "cut database"]
    endured = endure(tmp_path, empty_postgres, bus, faults, seed=18)
    assert endured.acknowledged > 50
    assert endured.games >= 3


def test_a_node_that_slept_through_its_lease_refuses_nothing_from_memory(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """Somebody has sat down at another node meanwhile, so the host can start the game."""

    async def story() -> None:
        ana = await Person.named(first.url, "Ana")
        ben = await Person.named(second.url, "Ben")
        code = await ana.new_table(rules={"players": 3, "rounds": "1"}, bots=[None, None, "novice"])
        async with Client(ana, code) as host:
            with paused(first):
                guest = await Client(ben, code).__aenter__()
                await guest.ask("sit", seat=1)
                starting = asyncio.create_task(host.ask("start"))
                await asyncio.sleep(0.1)  # it waits in the sleeper's socket
            await starting
            await asyncio.gather(host.play_on(), guest.play_on())
            await guest.leave()

    with site(tmp_path, empty_postgres, bus.url) as (first, second):
        run(story)


def test_a_node_whose_table_was_claimed_unnoticed_refuses_nothing_from_memory(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """As when the database's clock jumps: the lease has ended, and this node cannot know yet."""

    async def story() -> None:
        ana = await Person.named(first.url, "Ana")
        ben = await Person.named(second.url, "Ben")
        code = await ana.new_table(rules={"players": 3, "rounds": "1"}, bots=[None, None, "novice"])
        async with Client(ana, code) as host:
            with open_as_it_is(empty_postgres) as connection, connection.begin():
                connection.execute(_GIVE_TO_ANOTHER, {"code": code})
            async with Client(ben, code) as guest:
                await guest.ask("sit", seat=1)
                await host.ask("start")
                await asyncio.gather(host.play_on(), guest.play_on())

    with site(tmp_path, empty_postgres, bus.url) as (first, second):
        run(story)


@pytest.mark.parametrize(("seat", "has_name"), [(0, True), (1, True), (1, False)])
def test_a_seat_is_moved_by_a_node_whose_table_was_claimed_unnoticed(
    tmp_path: Path, empty_postgres: str, bus: Nats, seat: int, *, has_name: bool
) -> None:
    """It remembers Ana in seat 0, and knows nothing of Ben, who has sat down at another node."""

    async def story() -> None:
        ana = await Person.named(first.url, "Ana")
        ben = await Person.named(second.url, "Ben")
        code = await ana.new_table()
        async with Client(ana, code):
            with open_as_it_is(empty_postgres) as connection, connection.begin():
                connection.execute(_GIVE_TO_ANOTHER, {"code": code})
            async with Client(ben, code) as guest:
                await guest.ask("sit", seat=1)
                link = await (ana, ben)[seat].call("POST", f"/api/tables/{code}/seat")
                phone = await Person.named(first.url, "Phone") if has_name else Person(first.url)
                await phone.call("POST", "/api/me/seat", {"token": link["path"].split("#")[1]})
                async with Client(phone, code) as there:
                    assert there.seat == seat

    with site(tmp_path, empty_postgres, bus.url) as (first, second):
        run(story)
        assert '"level": "error"' not in first.log, first.log


_GIVE_TO_ANOTHER: Final = sa.text("""
UPDATE owners SET node = (SELECT id FROM nodes WHERE id <> owners.node), epoch = epoch + 1
WHERE code = :code
""")


def test_a_node_that_slept_through_its_lease_turns_nobody_away_from_memory(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """Somebody was removed, and let in again at another node while this one slept."""

    async def story() -> None:
        ana = await Person.named(first.url, "Ana")
        ben = await Person.named(first.url, "Ben")
        code = await ana.new_table(rules={"players": 3, "rounds": "1"}, bots=[None, None, "novice"])
        async with Client(ana, code) as host, Client(ben, code) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
            await host.ask("clear", seat=1)
            await guest.until(lambda: guest.refusal is not None)
            assert (guest.refusal or {})["code"] == "removed"
            back = Client(ben, code)
            with paused(first):
                ana.url = second.url
                async with Client(ana, code) as elsewhere:
                    await elsewhere.ask("readmit", name="Ben")
                coming = asyncio.create_task(back.__aenter__())
                await asyncio.sleep(0.1)  # it knocks at the sleeper's port
            await coming
            assert back.refusal is None
            assert back.welcomes > 0
            await back.leave()

    with site(tmp_path, empty_postgres, bus.url) as (first, second):
        run(story)


@contextmanager
def paused(node: NurseryServer) -> Iterator[None]:
    assert node._pid is not None
    os.kill(node._pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(node._pid, signal.SIGCONT)


def test_a_node_whose_database_is_silent_stops_in_time(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """It cannot hand its tables over, and does not try for as long as handing over may take."""

    async def story() -> None:
        parts = urlsplit(empty_postgres)
        async with Wire(parts.port or 5432) as wire:
            database = empty_postgres.replace(f":{parts.port}", f":{wire.port}")
            node = NurseryServer(tmp_path, database=database, bus=f"{bus.url}/silent", drain=1000)
            node.spare = 15.0  # however busy this machine is
            await asyncio.to_thread(node.start)
            try:
                ana = await Person.named(node.url, "Ana")
                code = await ana.new_table(rules={"rounds": "1"}, bots=[None, *["novice"] * 3])
                async with Client(ana, code) as client:
                    await client.ask("start")
                    await client.until(lambda: bool(client.legal))
                    wire.lose()
                    acting = asyncio.create_task(client.act(client.legal[0]))
                    await asyncio.to_thread(node.leave)
                    # It stopped by itself: nothing waited for the database to the very end.
                    assert "did not stop in time: ending it now" not in node.log
                    wire.mend()
                    await asyncio.to_thread(node.start)
                    await acting
                    await client.play_on()
            finally:
                node.__exit__()

    run(story)

"""A client's messages are answered in the order they were sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

import msgspec
import pytest

from foretold.rules import Rules
from foretold.scoresheet.entries import Opened, Written
from foretold.server.api.socket import BURST_SECONDS, PATIENCE, _Ear
from foretold.server.cluster.messages import Frame
from foretold.server.cluster.passing import Guests
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Key, Keys
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.connection import TRY_LATER, Connection
from foretold.server.rooms.live import MOST_WAITING
from foretold.server.rooms.scoresheets import SheetRoom, Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.store import Store
from foretold.table.scoresheets import SheetAudience

PING = '{"t":"ping","id":"1"}'


class NoStore:
    """Saves nothing; `meanwhile` happens while a list entry is saved."""

    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def append_sheet(
        self, code: str, written: Written, newcomer: object, epoch: object
    ) -> None:
        pass

    async def summarise_sheet(self, summary: object, n: int) -> None:
        if self.meanwhile is not None:
            await self.meanwhile()


class OpenLine:
    has_room = True

    def __init__(self) -> None:
        self.written: list[Any] = []

    def write(self, text: bytes) -> None:
        self.written.append(msgspec.json.decode(text))

    def hang_up(self, code: int) -> None:
        self.written.append({"t": "closed", "code": code})

    def abort(self) -> None:
        raise AssertionError("it was cut off")


class Counted(Budgets):
    """Budgets that note what was paid for."""

    def __init__(self) -> None:
        super().__init__(ServerSettings())
        self.paid: list[tuple[str, float]] = []

    def pays(self, source: str, seconds: float) -> bool:
        self.paid.append((source, seconds))
        return super().pays(source, seconds)


def new_room(store: NoStore, budgets: Budgets | None = None) -> SheetRoom:
    rules = Rules(players=3).to_options()
    log = [Written(1, 0, Opened(names=("Ana", "Ben", "Cy"), rules=rules, host="ana"))]
    settings = ServerSettings()
    budgets = budgets or Budgets(settings)
    doors = Doors(Identity(Keys([Key(0, bytes(32))])), budgets)
    sheets = Sheets(settings, cast(Store, store), Metrics(), budgets, doors)
    return SheetRoom(sheets, "AAAAAA", SheetAudience.replayed("AAAAAA", log), log)


def answers(say: Callable[[SheetRoom, Connection], None]) -> list[Any]:
    """What somebody is sent who says several things at a sheet in one moment."""

    async def story() -> list[Any]:
        room, line = new_room(NoStore()), OpenLine()
        say(room, Connection("ana", "Ana", line, backlog=10))
        async with asyncio.timeout(10):
            await room.finish()
        return line.written

    return asyncio.run(story())


def test_what_cannot_be_read_is_refused_after_what_was_said_before_it() -> None:
    def say(room: SheetRoom, connection: Connection) -> None:
        room.hear(connection, PING)
        room.hear(connection, "{")

    assert [(one["t"], one.get("code")) for one in answers(say)] == [
        ("pong", None),
        ("refused", "bad_message"),
    ]


def test_what_comes_too_fast_is_refused_after_what_came_in_time() -> None:
    def say(room: SheetRoom, connection: Connection) -> None:
        ear = _Ear(room, connection, 1 / BURST_SECONDS, Budgets(ServerSettings()))
        for _ in range(PATIENCE + 5):
            ear.hear(PING)

    assert [(one["t"], one.get("code")) for one in answers(say)] == [
        ("pong", None),
        *[("refused", "too_fast")] * PATIENCE,
        ("closed", TRY_LATER),
    ]


def test_who_comes_while_an_entry_is_listed_is_told_of_it_once() -> None:
    async def story() -> None:
        store, ana, ben = NoStore(), OpenLine(), OpenLine()
        room = new_room(store)
        host = Connection("ana", "Ana", ana, backlog=10)
        await room.join(host, None)
        store.meanwhile = partial(room.join, Connection("ben", "Ben", ben, backlog=10), None)
        room.hear(host, '{"t":"rename","id":"1","seat":2,"name":"Cleo"}')
        async with asyncio.timeout(10), room._turns:  # its turn is over
            store.meanwhile = None
        assert [one["t"] for one in ana.written[-2:]] == ["done", "event"]
        assert [one["t"] for one in ben.written] == ["welcome", "presence"]
        assert ben.written[0]["sheet"]["names"][2] == "Cleo"

    asyncio.run(story())


def test_messages_that_waited_are_paid_for_when_they_are_answered() -> None:
    async def story() -> None:
        budgets, line = Counted(), OpenLine()
        room = new_room(NoStore(), budgets)
        eve = Connection("ana", "Ana", line, backlog=10, source="eve")
        async with room._turns:  # as during a write
            for number in range(3):
                room.hear(eve, f'{{"t":"sync","id":"{number}"}}')
            assert not budgets.paid
        async with asyncio.timeout(10):
            await room.finish()
        assert [one["t"] for one in line.written] == ["welcome"] * 3
        paid = [seconds for source, seconds in budgets.paid if source == "eve"]
        assert len(paid) == 2 * 3  # its turn, and the task that answers it
        assert sum(paid) > 0

    asyncio.run(story())


def test_messages_through_another_node_are_paid_for_here() -> None:
    async def story() -> None:
        budgets, line = Counted(), OpenLine()
        room = new_room(NoStore(), budgets)
        guests = Guests({}, lambda node, item: None, 10)
        guests._rooms["node", 1] = room, Connection("ana", "Ana", line, 10, source="eve")
        guests.hear("node", Frame(1, PING))
        assert [source for source, _ in budgets.paid] == ["eve"]
        async with asyncio.timeout(10):
            await room.finish()

    asyncio.run(story())


@pytest.mark.parametrize(("frame", "answer"), [(PING, "pong"), ('{"t":', "refused")])
def test_who_says_too_much_at_once_silences_nobody_else(frame: str, answer: str) -> None:
    async def story() -> None:
        room, spoken, quiet = new_room(NoStore()), OpenLine(), OpenLine()
        eve = Connection("eve", "Eve", spoken, backlog=10, source="eve")
        ana = Connection("ana", "Ana", quiet, backlog=10, source="ana")
        async with room._turns:  # as during a write
            for _ in range(MOST_WAITING + 1):
                room.hear(eve, frame)
            room.hear(ana, PING)
            assert [one["code"] for one in spoken.written] == ["unavailable"]
        async with asyncio.timeout(10):
            await room.finish()
        assert [one["t"] for one in quiet.written] == ["pong"]
        assert [one["t"] for one in spoken.written] == ["refused"] + [answer] * MOST_WAITING

    asyncio.run(story())

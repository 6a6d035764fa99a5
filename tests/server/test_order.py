"""A client's messages are answered in the order they were sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import msgspec

from foretold.rules import Rules
from foretold.scoresheet.entries import Opened, Written
from foretold.server.api.socket import BURST_SECONDS, PATIENCE, _Ear
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.connection import TRY_LATER, Connection
from foretold.server.rooms.scoresheets import SheetRoom, Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.store import Store
from foretold.table.scoresheets import SheetAudience

PING = '{"t":"ping","id":"1"}'


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


def answers(say: Callable[[SheetRoom, Connection], None]) -> list[Any]:
    """What somebody is sent who says several things at a sheet in one moment."""

    async def story() -> list[Any]:
        rules = Rules(players=3).to_options()
        log = [Written(1, 0, Opened(names=("Ana", "Ben", "Cy"), rules=rules))]
        settings, budgets = ServerSettings(), Budgets(ServerSettings())
        doors = Doors(Identity(bytes(32)), budgets)
        sheets = Sheets(settings, cast(Store, None), Metrics(), budgets, doors)
        room = SheetRoom(sheets, "AAAAAA", SheetAudience.replayed("AAAAAA", log), log)
        line = OpenLine()
        say(room, Connection("ana", "Ana", line, backlog=10))
        async with asyncio.timeout(10):
            await room.say_goodbye()
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

"""Loading tables into memory: paid for by whoever asks, kept, and up to date."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from foretold.server.observing.metrics import Metrics
from foretold.server.operation.acts import Acts
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Key, Keys
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.rooms import awake
from foretold.server.rooms import rooms as rooms_module
from foretold.server.rooms.connection import TRY_AGAIN, Connection
from foretold.server.rooms.room import Room
from foretold.server.rooms.rooms import Rooms
from foretold.server.settings import ServerSettings
from foretold.server.storage import logs, waking
from foretold.server.storage.database import open_database
from foretold.server.storage.store import READERS, Store
from foretold.server.storage.waking import Woken
from foretold.server.storage.writer import Then
from foretold.server.storage.writes import ConflictError
from foretold.server.workers.bots import BotPool
from foretold.server.workers.labour import Labour
from foretold.table.entries import FORMER
from foretold.table.refusals import Refused
from foretold.table.snapshots import replayed
from server.client import Client, Person, run
from server.nursery import NurseryServer
from server.stores import add_table
from server.test_connection import SlowLine

CODE = "AAAAAB"
SOURCE = "203.0.113.7"


class Counted(Budgets):
    """Budgets that record what was paid."""

    paid = 0.0

    def has_worked(self, source: str, seconds: float) -> None:
        assert source == SOURCE
        self.paid += seconds


def with_rooms(
    url: str, tmp_path: Path, story: Callable[[Rooms, Store, Counted], Awaitable[None]]
) -> None:
    """Ana's table, and a server without HTTP."""

    async def told() -> None:
        settings = ServerSettings(data=tmp_path)
        budgets = Counted(settings)
        store = Store(open_database(url), Metrics(), Labour(budgets))
        doors = Doors(Identity(Keys([Key(0, bytes(32))])), budgets)
        rooms = Rooms(settings, store, cast(BotPool, None), Metrics(), budgets, doors)
        try:
            await store.add_player("ana", "Ana")
            await add_table(store, CODE)
            asked_by.set(SOURCE)
            await story(rooms, store, budgets)
        finally:
            await rooms.stop()
            await store.close()

    asyncio.run(told())


def test_an_answer_that_cannot_be_confirmed_ends_the_connection(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or whoever asked would wait for ever."""
    monkeypatch.setattr(awake, "MOST_CONFIRMING", 2)
    asked: list[Then] = []

    async def story(rooms: Rooms, store: Store, budgets: Counted) -> None:
        monkeypatch.setattr(store, "confirm", lambda code, epoch, then: asked.append(then))
        room = await rooms._room(CODE)
        lines = [SlowLine() for _ in range(4)]
        for line in lines:
            line.has_room = True

        def answer(at: int) -> None:
            room.say(Connection("ana", "Ana", lines[at], 9), b"an answer")

        answer(0)  # this process is alone
        room.epoch = 1
        for at in (1, 2, 3):
            answer(at)
        assert [len(line.written) for line in lines] == [1, 0, 0, 0]
        assert [line.ended for line in lines] == [None, None, None, TRY_AGAIN]
        asked[0](None)
        asked[1](ConflictError())
        assert [len(line.written) for line in lines] == [1, 1, 0, 0]
        assert [line.ended for line in lines] == [None, None, TRY_AGAIN, TRY_AGAIN]
        assert not room.is_open

    with_rooms(url, tmp_path, story)


def test_an_address_that_asks_too_much_leaves_others_their_answers(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is silent."""
    asked: list[Then] = []

    async def story(rooms: Rooms, store: Store, budgets: Counted) -> None:
        monkeypatch.setattr(store, "confirm", lambda code, epoch, then: asked.append(then))
        room = await rooms._room(CODE)
        room.epoch = 1
        mallory, ana = SlowLine(), SlowLine()
        mallory.has_room = ana.has_room = True

        def hears(line: SlowLine, source: str) -> None:
            room.hear(Connection("ana", "Ana", line, 9, source=source), "rubbish")

        most = rooms.settings.max_connections_per_address
        for _ in range(most):
            hears(mallory, "mallory")
        hears(ana, "ana")
        assert [mallory.ended, ana.ended] == [None, None]
        hears(mallory, "mallory")
        assert [mallory.ended, ana.ended] == [TRY_AGAIN, None]
        for then in tuple(asked):
            then(None)
        assert (len(mallory.written), len(ana.written)) == (most, 1)
        hears(mallory, "mallory")  # only what waits counts
        assert len(asked) == most + 2

    with_rooms(url, tmp_path, story)


def test_rounds_that_end_are_noted_together(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[str] = []

    async def note(room: Room) -> None:
        noted.append(room.code)

    monkeypatch.setattr(Room, "summarise", note)
    monkeypatch.setattr(rooms_module, "SUMMARY_SECONDS", 0)

    async def story(rooms: Rooms, store: Store, budgets: Counted) -> None:
        for code in ("AAAAAC", "AAAAAD"):
            await add_table(store, code)
        first, gone, over = [await rooms._room(code) for code in (CODE, "AAAAAC", "AAAAAD")]
        for _ in range(3):
            rooms.summarise_soon(first)
            rooms.summarise_soon(gone)
        over.table.state = "over"
        rooms.summarise_soon(over)
        gone.close()
        assert noted == []
        while first.code not in noted:
            await asyncio.sleep(0)
        assert sorted(noted) == [CODE, "AAAAAD"]  # each once, and none that was noted on closing

    with_rooms(url, tmp_path, story)


def test_waking_is_paid_for_and_keeps_no_reader_busy(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return replayed(*given)

    monkeypatch.setattr(waking, "replayed", noted)

    async def story(rooms: Rooms, store: Store, budgets: Counted) -> None:
        found = await asyncio.gather(*(rooms.table_of(CODE) for _ in range(20)))
        assert {table.n for table in found} == {2}
        assert threads == ["labour_0"]  # once for everyone
        assert budgets.paid > 0

    with_rooms(url, tmp_path, story)


def test_others_can_read_while_many_tables_wake(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    read_log = logs.read_log

    def slow(*asked: Any) -> Any:
        goes_on.wait(10)
        return read_log(*asked)

    async def story(rooms: Rooms, store: Store, _: Counted) -> None:
        monkeypatch.setattr(waking, "read_log", slow)
        wakings = [asyncio.create_task(store.wake(CODE)) for _ in range(2 * READERS)]
        await asyncio.sleep(0)  # so that all of them are under way
        try:
            async with asyncio.timeout(3):
                assert await store.name_of("nobody") is None
        finally:
            goes_on.set()
        assert None not in await asyncio.gather(*wakings)

    with_rooms(url, tmp_path, story)


class Slowly:
    """Holds back a table that was read, until something has happened to it."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._wake = store.wake
        self.has_read = asyncio.Event()
        self.goes_on = asyncio.Event()
        monkeypatch.setattr(store, "wake", self.wake)

    async def wake(self, code: str) -> Woken | None:
        woken = await self._wake(code)
        self.has_read.set()
        await self.goes_on.wait()
        return woken


def test_what_is_noticed_while_a_table_wakes_is_not_missed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(rooms: Rooms, store: Store, _: Counted) -> None:
        slowly = Slowly(store, monkeypatch)
        line = SlowLine()
        line.has_room = True
        joining = asyncio.create_task(rooms.join(CODE, Connection("ana", "Ana", line, 9), None))
        await slowly.has_read.wait()
        assert list(rooms.codes) == [CODE]
        await store.rename("ana", "Anna", None)
        rooms.rename("ana", "Anna")
        rooms.send_away(lambda one: one.player == "ana")
        slowly.goes_on.set()
        room = await joining
        assert room.table.names[0] == "Anna"
        welcome = msgspec.json.decode(line.written[0])
        assert welcome["you"]["name"] == welcome["table"]["seats"][0]["name"] == "Anna"
        assert line.ended == TRY_AGAIN

    with_rooms(url, tmp_path, story)


def test_a_table_that_is_hidden_while_it_wakes_is_not_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(rooms: Rooms, store: Store, _: Counted) -> None:
        slowly = Slowly(store, monkeypatch)
        joining = asyncio.create_task(
            rooms.join(CODE, Connection("ana", "Ana", SlowLine(), 9), None)
        )
        await slowly.has_read.wait()
        engine = open_database(url)
        await asyncio.to_thread(Acts(engine).hide, CODE)
        engine.dispose()
        rooms.renew(CODE)
        slowly.goes_on.set()
        with pytest.raises(Refused) as refused:
            await joining
        assert refused.value.code == "no_table"
        assert len(rooms) == 0

    with_rooms(url, tmp_path, story)


def test_the_addresses_of_erased_players_are_forgotten(url: str, tmp_path: Path) -> None:
    async def story(rooms: Rooms, store: Store, _: Counted) -> None:
        for player in ("ana", "ben"):
            rooms.lines.note(CODE, player, SOURCE)
        rooms.rename("ana", FORMER)
        assert rooms.lines.shared(CODE, "eve", SOURCE, ("ana", "ben")) == ["ben"]

    with_rooms(url, tmp_path, story)


async def wakes(person: Person) -> dict[str, int]:
    """How many tables were loaded into memory, by source."""
    page = (await person.http.get("/metrics")).text
    found = re.findall(r'foretold_wake_seconds_count\{source="(\w+)"\} (\S+)', page)
    return {source: int(float(count)) for source, count in found}


def test_sleeping_tables_are_replayed_once_and_lists_wait_for_no_write(tmp_path: Path) -> None:
    async def story() -> None:
        ana = await Person.named(site.url, "Ana")
        rules = {"rounds": "10,10"}
        code = await ana.new_table(rules=rules, bots=[None, *["novice"] * 3])
        async with Client(ana, code) as client:
            await client.ask("start")
            while not (client.legal and (client.n or 0) > 82):  # no snapshot is made before that
                if client.legal:
                    turn = client.turn
                    await client.act(client.legal[0])
                    await client.until(partial(lambda turn: client.turn != turn, turn))
                await client.until(lambda: bool(client.legal))
            turn = client.turn
            await client.leave()
        hint = f"/api/tables/{code}/hint?turn="

        again()  # its summary is of the beginning of a round
        with closing(sqlite3.connect(site.data / "foretold.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            async with asyncio.timeout(4):  # nothing can be written, yet nobody has to wait
                games = (await ana.call("GET", "/api/me/games"))["games"]
            assert games[0]["your_turn"]

        again()
        for _ in range(3):
            answer = await ana.ask("GET", f"{hint}{(turn or 0) + 1}")
            assert answer.json()["code"] in ("stale", "no_hints")
        assert sum((await wakes(ana)).values()) <= 2  # for its summary, and for the hints
        ben = await Person.named(site.url, "Ben")
        ben.keys[code] = await ana.key_of(code)

        again()
        assert (await ben.ask("GET", f"{hint}{turn}")).json()["code"] == "not_seated"
        async with Client(ana, code) as client:
            await client.act(client.legal[0])
        assert await wakes(ana) == {"snapshot": 1}

    def again() -> None:
        site.kill()
        site.start()

    with NurseryServer(tmp_path) as site:
        run(story)
        assert '"level": "error"' not in site.log, site.log

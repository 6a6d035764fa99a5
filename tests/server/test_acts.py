"""Operator acts and erasing: nobody waits for them, and nothing they do is undone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from foretold.rules import Rules
from foretold.scoresheet.entries import Deleted, Opened, Written, Wrote
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.api.personal import rows_of
from foretold.server.observing.metrics import Metrics
from foretold.server.operation import acts as module
from foretold.server.operation.acts import Acts
from foretold.server.operation.caretaker import Caretaker
from foretold.server.operation.copies import check
from foretold.server.operation.erasing import sheet_of, traces_of
from foretold.server.operation.retention import delete, expired
from foretold.server.people.keys import Keys
from foretold.server.quotas.budgets import Budgets
from foretold.server.replays.archive import Archive
from foretold.server.rooms.rooms import Rooms
from foretold.server.rooms.scoresheets import Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import SHARED, log, marks, players, tables
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, sheet_summary
from foretold.server.storage.waking import wake
from foretold.table.entries import Left, Logged, StoodIn
from foretold.table.refusals import Refused
from server.stores import add_table, appended, with_store
from server.test_retention import OLD, YEAR_AGO, age

SHEET = "SHEET1"
OPENED = Opened(Rules(players=3).to_options(), ("Ana", "Ben", "Cleo"), host="ana")


async def add_sheet(store: Store, *writers: str) -> None:
    """Ana's sheet, on which others have written too."""
    summary = sheet_summary(SHEET, Tablet(OPENED), 1, 1)
    await store.add_sheet(SHEET, Written(1, 1, OPENED), summary, "ana")
    for n, writer in enumerate(writers, start=2):
        await store.append_sheet(SHEET, note(n, writer), writer)


def note(n: int, writer: str) -> Written:
    return Written(n, n, Wrote(round=1, note=f"{writer} was here", asked_by=writer))


class Meanwhile:
    """What somebody else writes just after an act has read what it needs, the first time."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, engine: Engine, read: Callable[..., Any]
    ) -> None:
        self._engine = engine
        self._read = read
        self._write: sa.Executable | None = None
        self.times = 0
        monkeypatch.setattr(module, read.__name__, self)

    def writes(self, write: sa.Executable) -> None:
        self._write = write

    def __call__(self, *given: Any) -> Any:
        found = self._read(*given)
        self.times += 1
        if self._write is not None:
            write, self._write = self._write, None
            with self._engine.begin() as connection:
                connection.execute(write)
        return found


def entry_of(code: str, n: int, entry: bytes) -> sa.Insert:
    return sa.insert(log).values(code=code, n=n, at=n, entry=entry)


def test_others_can_write_while_an_act_reads_a_log(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what they wrote counts."""

    async def story(store: Store) -> None:
        for player in ("ana", "ben"):
            await store.add_player(player, player.title())
        await add_table(store, "AAAAAB")
        await add_sheet(store, "ana", "ben")
        engine = open_database(url)
        acts = Acts(engine)

        def last(code: str) -> bytes:
            newest = sa.select(log.c.entry).where(log.c.code == code).order_by(log.c.n.desc())
            with engine.connect() as connection:
                return bytes(connection.execute(newest).scalars().first() or b"")

        woken = Meanwhile(monkeypatch, engine, wake)
        woken.writes(sa.update(players).where(players.c.id == "ben").values(name="Benno"))
        traced = Meanwhile(monkeypatch, engine, traces_of)
        await store.append_sheet(SHEET, note(4, "ana"), None)
        traced.writes(entry_of(SHEET, 5, last(SHEET)))
        assert set(acts.erase("ana")) == {"AAAAAB", SHEET}
        assert (woken.times, traced.times) == (1, 2)
        assert type((await store.log_of("AAAAAB"))[-1].entry) is StoodIn
        entries = [one.entry for one in await store.sheet_log_of(SHEET)]
        notes = [one.note for one in entries if isinstance(one, Wrote)]
        assert notes == ["", "ben was here", "", ""]
        read = Meanwhile(monkeypatch, engine, sheet_of)
        read.writes(entry_of(SHEET, 6, last(SHEET)))
        acts.close(SHEET)
        assert read.times == 2
        written = await store.sheet_log_of(SHEET)
        assert (written[-1].n, type(written[-1].entry)) == (7, Deleted)
        engine.dispose()

    with_store(url, story)


def test_what_is_shared_at_the_last_moment_stays(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store) -> None:
        for code in ("AAAAAB", "AAAAAC"):
            await add_table(store, code)
        engine = open_database(url)
        age(engine, "AAAAAB", "AAAAAC")
        found = Meanwhile(monkeypatch, engine, expired)
        found.writes(sa.insert(marks).values(code="AAAAAC", mark=SHARED, at=1))
        assert Acts(engine).expire(YEAR_AGO, (0, ""), ()) == ((OLD, "AAAAAC"), ["AAAAAB"])
        engine.dispose()

    with_store(url, story)


def test_a_summary_brings_nothing_back_that_was_deleted(url: str) -> None:
    async def story(store: Store) -> None:
        await add_sheet(store)
        table = await add_table(store, "AAAAAB")
        other = await add_table(store, "AAAAAC")
        before = listed_of(other)
        other.apply(Logged(3, now_ms(), Left(seat=0)))
        await appended(store, "AAAAAC", Logged(3, now_ms(), Left(seat=0)))
        await store.summarise(listed_of(other))
        engine = open_database(url)
        with engine.begin() as connection:
            delete(connection, ["AAAAAB", SHEET])
        await asyncio.gather(
            store.summarise(listed_of(table)),
            store.summarise_sheet(sheet_summary(SHEET, Tablet(OPENED), 1, 1), 1),
            store.summarise(before),  # by a room that does not know the last entry
        )
        with engine.connect() as connection:
            left = connection.execute(sa.select(tables.c.code, tables.c.n)).all()
            assert [tuple(one) for one in left] == [("AAAAAC", 3)]
            assert check(connection, lambda _: None, replays=False).tables == 1
        engine.dispose()

    with_store(url, story)


def test_whoever_was_erased_cannot_be_renamed_and_is_not_remembered(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        for player in ("ana", "ben"):
            await store.add_player(player, player.title())
        engine = open_database(url)
        acts, read = Acts(engine), store.read
        store.forget_name("ben")

        async def erased_meanwhile(ask: Callable[[Connection], Any]) -> Any:
            found = await read(ask)
            assert list(acts.erase("ben")) == []
            store.forget_name("ben")
            return found

        with monkeypatch.context() as slow:
            slow.setattr(store, "read", erased_meanwhile)
            assert await store.name_of("ben") == "Ben"
        assert await store.name_of("ben") is None
        renamed = (
            store.rename("ben", "Benno", None),
            store.know("ben"),
            store.rename("ana", "Anna", None),
        )
        told = await asyncio.gather(*renamed, return_exceptions=True)
        assert [one and cast(Refused, one).code for one in told] == ["no_name", "no_name", None]
        assert await store.name_of("ben") is None
        assert await store.name_of("ana") == "Anna"
        with pytest.raises(Refused, match="give your name"), engine.connect() as connection:
            rows_of("ben", connection)
        with pytest.raises(Refused, match="no table"):
            await store.share("NOBODY")
        engine.dispose()

    with_store(url, story)


class Around:
    """What a caretaker looks after, and what it did there."""

    def __init__(self) -> None:
        self.codes: Sequence[str] = ()
        self.players: set[str] = set()
        self.renewed: list[str] = []
        self.turns = 0
        self.forgotten_at: list[int] = []

    def __len__(self) -> int:
        return 0

    def renew(self, code: str) -> None:
        self.renewed.append(code)

    def rename(self, player: str, name: str) -> None: ...

    def send_away(self, is_meant: object) -> None: ...

    def forget(self, code: str) -> None:
        self.forgotten_at.append(self.turns)

    async def count_turns(self) -> None:
        while True:
            self.turns += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def caretaker(folder: Path) -> AsyncIterator[SimpleNamespace]:
    settings = ServerSettings(data=folder)
    engine = open_database(settings.database_url)
    store, around = Store(engine, Metrics()), Around()
    parts = cast(Rooms, around), cast(Sheets, Around()), cast(Archive, around)
    made = Caretaker(settings, engine, store, *parts, Budgets(settings), Keys.in_folder(folder))
    try:
        yield SimpleNamespace(made=made, store=store, around=around, engine=engine)
    finally:
        made.close()
        await store.close()


def test_erasing_lets_others_have_their_turns(tmp_path: Path) -> None:
    """Both the work outside the event loop and the event loop itself."""

    async def story() -> None:
        async with caretaker(tmp_path) as site:
            await site.store.add_player("ana", "Ana")
            codes = [f"AAAAA{letter}" for letter in "BCDFGHJK"]
            for code in codes:
                await add_table(site.store, code)
            erasing = asyncio.create_task(site.made.erase("ana"))
            turns = 0
            while not erasing.done():
                await site.store.run(lambda: None)
                await site.store.beat()
                turns += 1
            await erasing
            assert turns >= len(codes) - 1
            assert sorted(site.around.renewed) == codes
            # The notices of acts done elsewhere, two of each.
            acts = Acts(site.engine)
            for code in codes * 2:
                acts.hide(code)
            site.around.renewed.clear()
            site.around.forgotten_at.clear()
            counting = asyncio.create_task(site.around.count_turns())
            await site.made.look()
            counting.cancel()
            assert sorted(site.around.renewed) == codes
            assert len(set(site.around.forgotten_at)) == len(codes)

    asyncio.run(story())


def test_who_is_here_is_not_forgotten(tmp_path: Path) -> None:
    async def story() -> None:
        async with caretaker(tmp_path) as site:
            for player in ("here", "gone"):
                await site.store.add_player(player, player.title())
            with site.engine.begin() as connection:
                connection.execute(sa.update(players).values(created=OLD))
            site.around.players = {"here"}
            await site.made.forget()
            assert await site.store.name_of("here") == "Here"
            assert await site.store.name_of("gone") is None

    asyncio.run(story())


def test_an_act_that_conflicts_is_for_another_moment(tmp_path: Path) -> None:
    def conflict() -> None:
        raise IntegrityError("another has written there", None, Exception())

    async def story() -> None:
        async with caretaker(tmp_path) as site:
            with pytest.raises(Refused) as refused:
                await site.made.do(conflict)
            assert refused.value.code == "unavailable"

    asyncio.run(story())

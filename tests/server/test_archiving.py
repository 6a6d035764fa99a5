"""Finished games are packed into the archive, and nobody who asks for them can tell."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from foretold.errors import ServerError
from foretold.rules import Rules
from foretold.server.net.cookies import COOKIE
from foretold.server.operation import overview
from foretold.server.operation.acts import Acts
from foretold.server.operation.backup import backup, move, restore
from foretold.server.operation.retention import DAY_MS
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.logs import Row, packed, unpacked
from foretold.server.storage.schema import archive, log, seats, snapshots, tables
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of
from foretold.table.entries import Closed, Logged, Rematched, encode_entry
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table
from server.client import Client, Person, run
from server.nursery import NurseryServer
from server.process import ServerProcess
from server.stores import add_table, appended, with_store
from tables import BY_PLAYER, CODE, LiveTable, play_on, started

OLD = now_ms() - 2 * DAY_MS
YESTERDAY = now_ms() - DAY_MS


@pytest.fixture(scope="module")
def game() -> LiveTable:
    live = started(Rules(rounds="1-3"))
    play_on(live, Random(1), 1000)
    assert live.table.state == "over"
    return live


async def add_game(store: Store, code: str, entries: list[Logged]) -> None:
    await store.add_table(code, entries, listed_of(Table.replayed(code, entries)))
    over = replayed(code, entries)
    await store.summarise(listed_of(over.table), snapshot_of(over))


def touch(engine: Engine, *codes: str, at: int | None = None) -> None:
    """Set when something last happened there: now, or then."""
    moment = now_ms() if at is None else at
    with engine.begin() as connection:
        connection.execute(sa.update(tables).where(tables.c.code.in_(codes)).values(updated=moment))


def archive_all(acts: Acts, *but: str) -> list[str]:
    after: tuple[int, str] | None = (0, "")
    moved: list[str] = []
    while after is not None:
        after, some = acts.archive(YESTERDAY, after, but)
        moved += some
    return moved


def count(engine: Engine, table: sa.Table, code: str) -> int:
    with engine.connect() as connection:
        query = sa.select(sa.func.count()).select_from(table).where(table.c.code == code)
        return int(connection.execute(query).scalar_one())


def test_a_packed_log_is_the_same_entry_for_entry() -> None:
    rows = [Row(1, 1000, b"{}"), Row(2, 1000, b'{"e":"dealt"}'), Row(3, 990, b"\xc3\xa9")]
    assert unpacked(packed(rows)) == rows  # clocks may go back
    assert unpacked(packed([])) == []


def test_a_game_in_the_archive_is_read_continued_and_deleted_like_any(
    url: str, game: LiveTable
) -> None:
    async def story(store: Store) -> None:
        for code in ("AAAAAB", "INUSE1", "YOUNG1"):
            await add_game(store, code, game.log)
        touch(engine := open_database(url), "YOUNG1")
        await add_game(store, "SHORTG", [*game.log[:3], Logged(4, 1004, Closed())])
        await add_table(store, "UNOVER")
        before = await store.rows_of("AAAAAB")
        touch(engine, "AAAAAB", "SHORTG", "INUSE1", "UNOVER", at=OLD)
        with engine.connect() as connection:
            bytes_before = overview.show_table(connection, "AAAAAB", 365)["bytes"]
        acts = Acts(engine)
        assert sorted(archive_all(acts, "INUSE1")) == ["AAAAAB", "SHORTG"]
        assert archive_all(acts, "INUSE1") == []
        assert [count(engine, one, "AAAAAB") for one in (log, archive, snapshots)] == [1, 1, 0]

        assert (await store.rows_of("AAAAAB")).entries == before.entries
        assert len(await store.log_of("SHORTG")) == 4
        found = await store.table("AAAAAB", None)
        assert found is not None
        assert found.is_current
        with engine.connect() as connection:
            shown = overview.show_table(connection, "AAAAAB", 365)
        assert shown["entries"] == len(game.log)
        assert 0 < shown["bytes"] < bytes_before / 2
        woken = await store.wake("AAAAAB")
        assert woken is not None
        assert (woken.audience.table.n, woken.audience.table.state) == (len(game.log), "over")

        # It can still go on, and is archived again.
        last = Logged(len(game.log) + 1, now_ms(), Rematched(code="YOUNG1"))
        await appended(store, "AAAAAB", last)
        woken.audience.table.apply(last)
        await store.summarise(listed_of(woken.audience.table))
        assert archive_all(acts, "INUSE1") == []  # something has happened there
        touch(engine, "AAAAAB", at=OLD)
        assert archive_all(acts, "INUSE1") == ["AAAAAB"]
        again = (await store.rows_of("AAAAAB")).entries
        assert again == [*before.entries, Row(last.n, last.at, encode_entry(last.entry))]
        assert count(engine, log, "AAAAAB") == 1

        # Nothing of it is left when it expires.
        _, gone = acts.expire(YESTERDAY, (0, ""), ("INUSE1", "UNOVER"))
        assert sorted(gone) == ["AAAAAB", "SHORTG"]
        for table in (log, archive, seats, tables):
            assert count(engine, table, "AAAAAB") == 0
        engine.dispose()

    with_store(url, story)


def test_a_log_that_grows_while_it_is_packed_stays_where_it_is(
    url: str, game: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        await add_game(store, "AAAAAB", game.log)
        engine = open_database(url)
        touch(engine, "AAAAAB", at=OLD)
        acts = Acts(engine)
        loop = asyncio.get_running_loop()
        begin = acts._begin

        def late() -> object:
            last = Logged(len(game.log) + 1, now_ms(), Rematched(code="YOUNG1"))

            async def append() -> None:
                await appended(store, "AAAAAB", last)

            asyncio.run_coroutine_threadsafe(append(), loop).result()
            return begin()

        monkeypatch.setattr(acts, "_begin", late)
        assert await asyncio.to_thread(archive_all, acts) == []
        assert len((await store.rows_of("AAAAAB")).entries) == len(game.log) + 1
        assert count(engine, log, "AAAAAB") == len(game.log) + 1
        engine.dispose()

    with_store(url, story)


def test_backups_and_moves_take_the_archive_along(
    url: str, game: LiveTable, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    settings = ServerSettings(data=data, database=url)

    async def fill(store: Store) -> None:
        await add_game(store, "AAAAAB", game.log)

    with_store(url, fill)
    engine = open_database(url)
    touch(engine, "AAAAAB", at=OLD)
    assert archive_all(Acts(engine)) == ["AAAAAB"]
    file = tmp_path / "backup.db"
    contents, _ = backup(settings, file, lambda _: None, force=False, replays=True)
    assert contents.tables == 1
    other = ServerSettings(data=tmp_path / "other")
    restore(other, file, lambda _: None, force=False)
    engine.dispose()
    target = f"sqlite:///{tmp_path / 'moved.db'}"
    move(settings, target, lambda _: None)

    async def look(store: Store) -> None:
        log_there = await store.rows_of("AAAAAB")
        assert [row[2] for row in log_there.entries] == [
            encode_entry(one.entry) for one in game.log
        ]

    for place in (other.database_url, target):
        with_store(place, look)
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(sa.delete(archive))
    engine.dispose()
    with pytest.raises(ServerError, match="the log of AAAAAB has gaps"):
        backup(settings, file, lambda _: None, force=True, replays=False)


def test_a_server_archives_by_itself_and_answers_as_before(game: LiveTable, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'foretold.db'}"

    async def fill(store: Store) -> None:
        for player, name in BY_PLAYER.items():
            await store.add_player(player, name)
        await add_game(store, CODE, game.log)

    with_store(url, fill)
    engine = open_database(url)
    touch(engine, CODE, at=OLD)
    answers: list[list[str]] = []

    async def ask_everything(server: ServerProcess) -> None:
        ana = Person(server.url)
        ana.http.cookies.set(COOKIE, Identity(Keys.in_folder(tmp_path)).cookie("p0"))
        doors = (f"/api/tables/{CODE}", f"/api/tables/{CODE}/record", f"/api/tables/{CODE}/replay")
        told = [await ana.ask("GET", path) for path in (*doors, "/api/me/games", "/api/me/data")]
        assert {one.status_code for one in told} == {200}
        answers.append([one.text for one in told])
        async with Client(ana, CODE) as at_table:
            await at_table.until(lambda: at_table.view is not None)
            answers[-1].append(repr((at_table.table, at_table.view)))

    async def wait_and_ask(server: ServerProcess) -> None:
        async with asyncio.timeout(20):
            while not count(engine, archive, CODE):
                await asyncio.sleep(0.05)
        await ask_everything(server)
        ana = Person(server.url)
        ana.http.cookies.set(COOKIE, Identity(Keys.in_folder(tmp_path)).cookie("p0"))
        await ana.call("DELETE", "/api/me/data")
        assert (await ana.ask("GET", f"/api/tables/{CODE}")).status_code == 403

    with NurseryServer(tmp_path, archive_days=0) as server:
        run(partial(ask_everything, server))
    shutil.rmtree(tmp_path / "kept")
    with NurseryServer(tmp_path, archive_days=1) as server:
        run(partial(wait_and_ask, server))
    engine.dispose()
    assert answers[0] == answers[1]

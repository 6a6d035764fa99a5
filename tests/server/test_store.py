"""The store: the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import OperationalError

from foretold.errors import ServerError
from foretold.rules import Rules
from foretold.server.observing.metrics import Metrics
from foretold.server.storage import migrations
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import HEAD, metadata
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, summary_data
from foretold.server.storage.writer import ConflictError, Rows, settle
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Cleared, Logged, Sat, Started
from foretold.table.refusals import Refused
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table
from tables import BY_PLAYER, CODE, play_on, started


def with_store(url: str, story: Callable[[Store], Awaitable[None]]) -> None:
    async def told() -> None:
        store = Store(open_database(url), Metrics())
        try:
            await story(store)
        finally:
            await store.close()

    asyncio.run(told())


def appended(store: Store, code: str, logged: Logged) -> asyncio.Future[None]:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    store.append(code, logged, partial(settle, done))
    return done


def logged(n: int, seat: int = 0) -> Logged:
    return Logged(n, now_ms(), Acted(seat=seat, action="bid 0"))


async def add_table(store: Store, code: str, player: str = "ana", **settings: object) -> Table:
    created = new_table(player, "Ana", settings=settings)
    entries = [Logged(1, now_ms(), created), Logged(2, now_ms(), Started())]
    table = Table.replayed(code, entries)
    await store.add_table(code, entries, listed_of(table))
    return table


def test_players_have_names_in_any_script(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_player("ana", "Анна 🧙")
        assert await store.name_of("ana") == "Анна 🧙"
        await store.rename("ana", "Ana")
        assert await store.name_of("ana") == "Ana"
        assert await store.name_of("nobody") is None
        with pytest.raises(ConflictError):
            await store.add_player("ana", "Another")

    with_store(url, story)


def test_the_log_is_kept_in_order_and_outlives_the_server(url: str) -> None:
    async def story(store: Store) -> None:
        await add_table(store, "AAAAAA")
        for n in range(3, 20):
            await appended(store, "AAAAAA", logged(n, seat=n % 4))

    async def later(store: Store) -> None:
        log = await store.log_of("AAAAAA")
        assert [one.n for one in log] == list(range(1, 20))
        assert log[-1].entry == Acted(seat=3, action="bid 0")
        assert await store.log_of("BBBBBB") == []

    with_store(url, story)
    with_store(url, later)


def test_a_conflict_fails_alone(url: str) -> None:
    async def story(store: Store) -> None:
        codes = [f"AAAAA{letter}" for letter in "BCDFGHJKLM"]
        for code in codes:
            await add_table(store, code)
        # All of these wait together, and go into a few transactions.
        appends = [appended(store, code, logged(2 if code == codes[4] else 3)) for code in codes]
        results = await asyncio.gather(*appends, return_exceptions=True)
        failed = [code for code, one in zip(codes, results, strict=True) if one is not None]
        assert failed == [codes[4]]
        assert isinstance(results[4], ConflictError)
        for code in codes:
            assert len(await store.log_of(code)) == (2 if code == codes[4] else 3)
        with pytest.raises(ConflictError):
            await add_table(store, codes[0])
        with pytest.raises(ConflictError):
            await appended(store, "NOBODY", logged(1))

    with_store(url, story)


def test_a_connection_lost_in_mid_transaction_stops_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = []

    def lose(dialect: DefaultDialect, connection: object) -> None:
        lost.append(connection)
        monkeypatch.undo()
        raise ConnectionError("the database has gone away")

    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        monkeypatch.setattr(DefaultDialect, "do_rollback", lose)
        with pytest.raises(ConflictError):
            await add_table(store, "AAAAAB")
        assert lost
        async with asyncio.timeout(10):
            await add_table(store, "AAAAAC")

    with_store(url, story)


def test_who_fails_over_what_was_written_keeps_nobody_else_waiting(url: str) -> None:
    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        await add_table(store, "AAAAAC")

        def fail(error: Exception | None) -> None:
            raise RuntimeError("a table failed")

        store.append("AAAAAB", logged(3), fail)
        async with asyncio.timeout(10):
            await appended(store, "AAAAAC", logged(3))

    with_store(url, story)


class Busy:
    """A database that cannot be written for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, after_writing: bool = False) -> None:
        self.tries = 0
        self.is_over = False
        write = Rows.write

        def busy(rows: Rows, connection: sa.Connection, values: list[dict[str, Any]]) -> None:
            self.tries += 1
            if after_writing or self.is_over:
                write(rows, connection, values)
            if not self.is_over:
                self.is_over = after_writing  # only the answer was lost
                raise OperationalError("INSERT", (), Exception("database is locked"))

        monkeypatch.setattr(Rows, "write", busy)

    async def refuses(self, times: int) -> None:
        while self.tries < times:
            await asyncio.sleep(0.001)


def test_what_a_busy_database_does_not_take_is_kept(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        busy = Busy(monkeypatch)
        appends = [appended(store, "AAAAAB", logged(n)) for n in range(3, 103)]
        async with asyncio.timeout(20):
            await busy.refuses(4)
            assert not any(one.done() for one in appends)
            assert len(await store.log_of("AAAAAB")) == 2
            busy.is_over = True
            await asyncio.gather(*appends)
        assert busy.tries < 50
        assert len(await store.log_of("AAAAAB")) == 102

    with_store(url, story)


def test_whoever_waits_in_vain_gets_nothing_written_later(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        busy = Busy(monkeypatch)
        with monkeypatch.context() as hasty:
            hasty.setattr("foretold.server.storage.store.WRITE_SECONDS", 0.05)
            with pytest.raises(Refused, match="does not answer"):
                await store.add_player("ana", "Ana")
        async with asyncio.timeout(20):
            while store.saving_for:  # until the writer has dropped her request
                await asyncio.sleep(0.001)
        busy.is_over = True
        await store.add_player("ben", "Ben")
        assert await store.name_of("ana") is None
        assert await store.name_of("ben") == "Ben"

    with_store(url, story)


def test_a_commit_whose_answer_is_lost_counts(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        Busy(monkeypatch, after_writing=True)
        await appended(store, "AAAAAB", logged(3))
        with pytest.raises(ConflictError):
            await appended(store, "AAAAAB", logged(3, seat=1))
        assert len(await store.log_of("AAAAAB")) == 3

    with_store(url, story)


def test_a_store_that_cannot_write_closes_nevertheless(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        busy = Busy(monkeypatch)
        appending = appended(store, "AAAAAB", logged(3))
        await busy.refuses(3)
        await store.close()
        with pytest.raises(OperationalError):
            await appending

    with_store(url, story)


def test_a_snapshot_is_used_only_where_it_fits_its_log(url: str) -> None:
    live = started(Rules(rounds="3-4"))
    play_on(live, Random(1), 10)
    snapshot = snapshot_of(live.audience)
    play_on(live, Random(1), 10)

    async def story(store: Store) -> None:
        async def spoil(change: str) -> None:
            """Change the database behind the store's back."""
            engine = open_database(url)
            with engine.begin() as connection:
                connection.execute(sa.text(change))
            engine.dispose()

        for player, name in BY_PLAYER.items():
            await store.add_player(player, name)

        async def wakes_from() -> int:
            woken = await store.wake(CODE)
            assert woken is not None
            n = woken.audience.table.n
            told = woken.audience.welcome("p1", None, 0, {})
            assert told == replayed(CODE, live.log[:n]).welcome("p1", None, 0, {})
            return woken.snapshot_n

        assert await store.wake(CODE) is None
        await store.add_table(CODE, live.log, listed_of(live.table))
        assert await wakes_from() == 0
        await store.summarise(listed_of(live.table), snapshot)
        assert await wakes_from() == snapshot.n < live.table.n
        for change in (
            "made_by = 'another'",
            "data = last",
            "n = n - 1",
            "n = n + 100",
        ):
            await spoil(f"UPDATE snapshots SET {change}")
            assert await wakes_from() == 0
            await store.summarise(listed_of(live.table), snapshot)
            assert await wakes_from() == snapshot.n
        await spoil(f"DELETE FROM log WHERE n >= {snapshot.n}")  # an old copy of the database
        assert await wakes_from() == 0
        await spoil("DELETE FROM snapshots")
        assert await wakes_from() == 0

    with_store(url, story)


def test_tables_are_found_by_their_players_and_by_everyone(url: str) -> None:
    async def story(store: Store) -> None:
        table = await add_table(store, "AAAAAA", "ana")
        await add_table(store, "BBBBBB", "ben", public=True)
        found = await store.tables_of("ana")
        assert [(one.code, one.seat, one.is_current) for one in found] == [("AAAAAA", 0, True)]
        assert summary_data(found[0].listed, 0)["state"] == table.state == "dealing"
        assert [one.code for one in await store.public_tables("ana", 0)] == ["BBBBBB"]
        assert await store.public_tables("ana", now_ms() + 1000) == []
        await appended(store, "BBBBBB", Logged(3, now_ms(), Sat(seat=2, player="ana", name="Ana")))
        found = await store.tables_of("ana")
        assert {(one.code, one.seat, one.is_current) for one in found} == {
            ("AAAAAA", 0, True),
            ("BBBBBB", 2, False),
        }
        await appended(store, "BBBBBB", Logged(4, now_ms(), Cleared(seat=2)))
        assert [one.code for one in await store.tables_of("ana")] == ["AAAAAA"]
        one = await store.table("BBBBBB", None)
        assert one is not None
        assert one.seat is None
        assert await store.table("CCCCCC", None) is None

    with_store(url, story)


def test_many_writes_share_few_commits(url: str) -> None:
    async def story() -> None:
        metrics = Metrics()
        store = Store(open_database(url), metrics)
        await add_table(store, "AAAAAA")
        await asyncio.gather(*(appended(store, "AAAAAA", logged(n)) for n in range(3, 503)))
        await store.close()
        commits = metrics.registry.get_sample_value("foretold_commit_size_count")
        assert commits is not None
        assert commits < 250

    asyncio.run(story())


def test_the_schema_is_what_the_migrations_make(url: str) -> None:
    engine = open_database(url)
    open_database(url).dispose()
    with engine.connect() as connection:
        version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        assert version == HEAD
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert differences == []


def test_a_database_of_an_older_version_is_brought_up_to_date(url: str) -> None:
    engine = open_database(url)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(sa.text("DELETE FROM alembic_version"))
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            sa.insert(metadata.tables["players"]).values(id="ana", name="Ana", created=1)
        )
    engine.dispose()

    async def story(store: Store) -> None:
        assert await store.name_of("ana") == "Ana"

    with_store(url, story)
    test_the_schema_is_what_the_migrations_make(url)


def test_a_database_of_a_newer_version_is_left_alone(url: str) -> None:
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ServerError, match="made by a newer Foretold"):
        open_database(url)
    with engine.begin() as connection:
        version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        assert version == "9999"
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))
    engine.dispose()


def test_what_was_to_be_written_does_not_stand_in_an_error(url: str) -> None:
    secret = "".join(("vei", "led"))  # so that no line of this test holds it

    async def story(store: Store) -> None:
        await add_table(store, "AAAAAA")
        await store.add_player("ana", "Ana")
        errors = []
        with pytest.raises(ConflictError) as caught:
            await appended(
                store, "AAAAAA", Logged(2, now_ms(), Sat(seat=1, player="x", name=secret))
            )
        errors.append(caught.value)
        with pytest.raises(ConflictError) as caught:
            await store.add_player("ana", secret)
        errors.append(caught.value)
        for error in errors:
            told = "".join(traceback.format_exception(error))
            assert "unique" in told.lower()
            assert secret not in told

    with_store(url, story)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "no URL"),
        ("mysql://localhost/x", "there are sqlite and postgresql"),
        ("postgresql+nothing://localhost/x", "no driver"),
        ("sqlite://", "must be a file"),
        ("sqlite:////proc/nothing/x.db", "cannot open"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", "cannot open"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_line(url: str, reason: str) -> None:
    with pytest.raises(ServerError, match=reason) as error:
        open_database(url)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)

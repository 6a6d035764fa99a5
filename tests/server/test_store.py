"""The store: the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from foretold.rules import Rules
from foretold.server.observing.metrics import Metrics
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, summary_data
from foretold.server.storage.writes import ConflictError, Rows
from foretold.table.entries import Acted, Cleared, Logged, Sat
from foretold.table.refusals import Refused
from foretold.table.snapshots import replayed, snapshot_of
from server.stores import add_table, appended, logged, with_store
from tables import BY_PLAYER, CODE, play_on, started


def test_players_have_names_in_any_script(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_player("ana", "Анна 🧙")
        assert await store.name_of("ana") == "Анна 🧙"
        await store.rename("ana", "Ana", "owl")
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


def test_writing_goes_on_if_nobody_can_say_what_was_written(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All connections are taken just when the writer wants to look."""

    def none_free(*_: object) -> bool:
        raise NoConnectionError

    async def story(store: Store) -> None:
        await add_table(store, "AAAAAB")
        with monkeypatch.context() as patch:
            Busy(patch, after_writing=True)
            patch.setattr(Rows, "has", none_free)
            with pytest.raises(ConflictError):
                await appended(store, "AAAAAB", logged(3))
        await appended(store, "AAAAAB", logged(4))
        assert len(await store.log_of("AAAAAB")) == 4

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

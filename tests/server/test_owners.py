"""Who owns a table, and that nobody else can write to it, in a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from foretold.server.observing.metrics import Metrics
from foretold.server.storage import owners
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store
from foretold.server.storage.summaries import listed_of
from foretold.server.storage.writer import settle
from foretold.server.storage.writes import FencedError, FencedRows
from foretold.table.creation import new_table
from foretold.table.entries import Logged, Started
from foretold.table.table import Table

CODES = ("AAAAAA", "BBBBBB", "CCCCCC")


@pytest.fixture
def engine(empty_postgres: str) -> Iterator[Engine]:
    engine = open_database(empty_postgres)
    asyncio.run(_create(engine))
    yield engine
    engine.dispose()


async def _create(engine: Engine) -> None:
    store = Store(engine, Metrics())
    for code in CODES:
        entries = [Logged(1, 0, new_table("p" * 32, "Ann"))]
        await store.add_table(code, entries, listed_of(Table.replayed(code, entries)))
    await store.close()


@contextmanager
def asking(engine: Engine) -> Iterator[Connection]:
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        yield connection


def live(connection: Connection, *nodes: str) -> None:
    for node in nodes:
        owners.renew(connection, node, "1", leaving=False, hears=True)


def expire(connection: Connection, node: str, until: int = 1) -> None:
    """As if a node had not renewed its lease in time."""
    values = {"node": node, "until": until}
    connection.execute(sa.text("UPDATE nodes SET until = :until WHERE id = :node"), values)


def test_a_table_has_one_owner_while_its_lease_lasts(engine: Engine) -> None:
    with asking(engine) as connection:
        live(connection, "a", "b")
        assert owners.claim(connection, "a", ["AAAAAA"]) == {"AAAAAA": ("a", 1)}
        assert owners.claim(connection, "b", ["AAAAAA", "BBBBBB", "NOBODY"]) == {
            "AAAAAA": ("a", 1),
            "BBBBBB": ("b", 1),
        }
        expire(connection, "a")
        assert owners.claim(connection, "b", ["AAAAAA"]) == {"AAAAAA": ("b", 2)}
        assert owners.lost(connection, "a", {"AAAAAA": 1}) == ["AAAAAA"]
        assert owners.lost(connection, "b", {"AAAAAA": 2, "BBBBBB": 1}) == []


def test_a_node_without_a_lease_owns_nothing_new(engine: Engine) -> None:
    with asking(engine) as connection:
        live(connection, "a")
        expire(connection, "a")
        assert owners.claim(connection, "a", CODES) == {}
        assert owners.renew(connection, "a", "1", leaving=False, hears=True), "it had run out"
        assert not owners.renew(connection, "a", "1", leaving=True, hears=True)
        assert owners.peers(connection) == [("a", True, True)]
        owners.leave(connection, "a")
        assert owners.peers(connection) == []


def test_a_clock_that_was_set_back_does_not_keep_a_dead_node_alive(engine: Engine) -> None:
    with asking(engine) as connection:
        live(connection, "a", "b")
        owners.claim(connection, "a", ["AAAAAA"])
        expire(connection, "a", until=10**15)
        assert [peer.id for peer in owners.peers(connection)] == ["b"]
        assert owners.claim(connection, "b", ["AAAAAA"]) == {"AAAAAA": ("b", 2)}
        assert owners.renew(connection, "a", "1", leaving=False, hears=True), "it seemed dead"
        assert [peer.id for peer in owners.peers(connection)] == ["a", "b"]


def test_what_is_released_can_be_claimed_at_once(engine: Engine) -> None:
    with asking(engine) as connection:
        live(connection, "a", "b")
        owners.claim(connection, "a", CODES)
        owners.release(connection, "b", [(code, 1) for code in CODES])  # which does not own them
        owners.release(connection, "a", [("AAAAAA", 1)])
        assert owners.claim(connection, "b", CODES)["AAAAAA"] == ("b", 3)
        owners.release(connection, "b", [("AAAAAA", 1)])  # late: it has claimed it again since
        assert owners.claim(connection, "a", ["AAAAAA"]) == {"AAAAAA": ("b", 3)}
        assert owners.claim(connection, "b", CODES)["BBBBBB"] == ("a", 1)


def test_an_entry_of_an_old_epoch_is_refused_and_no_other(engine: Engine) -> None:
    async def scenario() -> None:
        store = Store(engine, Metrics())
        results = []
        for code, epoch in zip(CODES, (1, 2, 1), strict=True):
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            # All go into one statement, which fails as a whole and is tried again one by one.
            store.append(code, Logged(2, 0, Started()), partial(settle, done), epoch)
            results.append(done)
        told = await asyncio.gather(*results, return_exceptions=True)
        assert [type(one) for one in told] == [FencedError, type(None), type(None)]
        assert [len(await store.log_of(code)) for code in CODES] == [1, 2, 2]
        await store.close()

    with asking(engine) as connection:
        live(connection, "a", "b")
        owners.claim(connection, "a", CODES)
        expire(connection, "a")
        owners.claim(connection, "b", ["AAAAAA", "BBBBBB"])
    asyncio.run(scenario())


def test_a_claim_waits_for_an_entry_that_is_being_written(engine: Engine) -> None:
    """Or the new owner would load the table without it."""
    with asking(engine) as connection:
        live(connection, "a", "b")
        owners.claim(connection, "a", ["AAAAAA"])
        with engine.begin() as writing:
            FencedRows().write(
                writing, [{"code": "AAAAAA", "n": 2, "at": 0, "entry": b"", "epoch": 1}]
            )
            expire(connection, "a")
            connection.exec_driver_sql("SET lock_timeout = '200ms'")
            with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
                owners.claim(connection, "b", ["AAAAAA"])
        assert owners.claim(connection, "b", ["AAAAAA"]) == {"AAAAAA": ("b", 2)}

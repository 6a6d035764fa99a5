"""The one writer of the database: all that waits goes into one transaction.

Whoever writes waits for the disk; while it turns, others queue up, and the next commit is for all
of them. So the rate of writes is not bound to the rate of commits.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, OperationalError

from foretold.server.logs import logger
from foretold.server.metrics import Metrics
from foretold.server.schema import log, players, seats, tables

MOST_AT_ONCE: Final = 1000


PACE: Final = 0.003
"""Seconds from the beginning of one commit to that of the next, so that a busy server commits much
at once; whoever comes after a pause does not wait."""


class Rows:
    """Rows of a table, written by one statement however many they are, straight to the driver.

    Between two statements the driver lets go of the interpreter, and may get it back only
    milliseconds later while the event loop is busy.
    """

    def __init__(self, table: sa.Table, *, replace: bool = False) -> None:
        self._table = table
        self._values = itemgetter(*table.columns.keys())
        self._replace = replace

    def write(self, connection: Connection, rows: list[dict[str, Any]]) -> None:
        if self._replace:  # what was said last of each, or the statement would contradict itself
            rows = list({row["code"]: row for row in rows}.values())
        names = self._table.columns.keys()
        mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        places = ", ".join([f"({', '.join([mark] * len(names))})"] * len(rows))
        text = f"INSERT INTO {self._table.name} ({', '.join(names)}) VALUES {places}"
        if self._replace:
            changes = ", ".join(f"{name} = excluded.{name}" for name in names if name != "code")
            text += f" ON CONFLICT (code) DO UPDATE SET {changes}"
        connection.exec_driver_sql(text, tuple(chain.from_iterable(map(self._values, rows))))


class Write(Enum):
    """The kinds of writes, in the order in which a transaction does them."""

    NEW_PLAYER = Rows(players)
    RENAME = sa.update(players).where(players.c.id == sa.bindparam("player"))
    NEW_TABLE = Rows(tables)
    STAND_UP = sa.delete(seats).where(
        seats.c.code == sa.bindparam("table"), seats.c.seat == sa.bindparam("place")
    )
    SIT_DOWN = Rows(seats)
    APPEND = Rows(log)
    SUMMARY = Rows(tables, replace=True)

    __hash__ = object.__hash__  # that of Enum is written in Python, and asked for every row


Step: TypeAlias = tuple[Write, dict[str, Any]]
"""A write and its values."""

Then: TypeAlias = Callable[[Exception | None], None]
"""Called, from the event loop, when a write is on disk; or with the reason why none of it is."""

_Job: TypeAlias = tuple[Sequence[Step], Then]


class ConflictError(Exception):
    """Somebody else has written this before: the number, the code or the seat is taken."""


class Writer:
    """A thread with a connection of its own; `write` and `written` are for the event loop's."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, steps: Sequence[Step], then: Then) -> None:
        """Write all of it or nothing, then call back: for what is frequent, as a move is."""
        self._jobs.put((steps, then))

    def written(self, *steps: Step) -> asyncio.Future[None]:
        """Resolves when all of it is on disk; fails, and then none of it is."""
        done: asyncio.Future[None] = self._loop.create_future()
        self.write(steps, partial(settle, done))
        return done

    async def close(self) -> None:
        """Write all that is waiting, and end."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while True:
            jobs: list[_Job] = []
            last = False
            job = self._jobs.get()
            while True:
                if job is None:
                    last = True
                else:
                    jobs.append(job)
                if last or len(jobs) == MOST_AT_ONCE:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            if jobs:
                begun = time.perf_counter()
                self._loop.call_soon_threadsafe(_tell, self._commit_all(jobs))
                rest = PACE - (time.perf_counter() - begun)
                if rest > 0:
                    time.sleep(rest)
            if last:
                self._disconnect()
                return

    def _commit_all(self, jobs: list[_Job]) -> list[tuple[Then, Exception | None]]:
        """Commit all jobs together; if that fails each by itself, so that a bad one is alone.

        Unless it is the database: what is busy or gone for all of them is not asked for each.
        """
        start = time.perf_counter()
        error = self._commit(jobs)
        if isinstance(error, OperationalError):
            error = self._commit(jobs)
        self._metrics.commit_seconds.observe(time.perf_counter() - start)
        self._metrics.commit_size.observe(len(jobs))
        if error is None or len(jobs) == 1 or isinstance(error, OperationalError):
            return [(then, error) for _, then in jobs]
        return [(job[1], self._commit([job])) for job in jobs]

    def _commit(self, jobs: list[_Job]) -> Exception | None:
        try:
            if self._connection is None:
                engine = self._engine.execution_options(isolation_level="AUTOCOMMIT")
                self._connection = engine.connect()
            connection, kinds = self._connection, _by_kind(jobs)
            # A single statement is a transaction by itself; each less is a wait less.
            is_one = len(kinds) == 1 and isinstance(kinds[0][0].value, Rows)
            if not is_one:
                connection.exec_driver_sql("BEGIN")
            for write, rows in kinds:
                if isinstance(write.value, Rows):
                    write.value.write(connection, rows)
                else:
                    connection.execute(write.value, rows)
            if not is_one:
                connection.exec_driver_sql("COMMIT")
        except Exception as error:
            self._disconnect()
            return ConflictError(str(error)) if isinstance(error, IntegrityError) else error
        return None

    def _disconnect(self) -> None:
        """Let go of the connection, which undoes what is not committed."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.close()
            except Exception as error:  # the database is gone; whoever writes next connects anew
                logger().warning("a connection is lost", fault=type(error).__name__)


def _by_kind(jobs: list[_Job]) -> list[tuple[Write, list[dict[str, Any]]]]:
    rows: dict[Write, list[dict[str, Any]]] = {}
    for steps, _ in jobs:
        for write, values in steps:
            rows.setdefault(write, []).append(values)
    return [(write, rows[write]) for write in Write if write in rows]


def _tell(results: list[tuple[Then, Exception | None]]) -> None:
    for then, error in results:
        try:
            then(error)
        except Exception:  # the others are to be told too
            logger().exception("what was to follow a write has failed")


def settle(done: asyncio.Future[None], error: Exception | None) -> None:
    """Resolve a future, unless whoever waits for it has been cancelled."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)

"""The one writer of the database: all that waits goes into one transaction.

Whoever writes waits for the disk; while it turns, others queue up, and the next commit is for all
of them. So the rate of writes is not bound to the rate of commits.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from foretold.server.metrics import Metrics
from foretold.server.schema import log, players, seats, tables

MOST_AT_ONCE: Final = 1000
MOST_ROWS: Final = 128

_APPENDED: Final = ("code", "n", "at", "entry")


class Write(Enum):
    """The kinds of writes, in the order in which a transaction does them."""

    NEW_PLAYER = sa.insert(players)
    RENAME = sa.update(players).where(players.c.id == sa.bindparam("player"))
    NEW_TABLE = sa.insert(tables)
    STAND_UP = sa.delete(seats).where(
        seats.c.code == sa.bindparam("table"), seats.c.seat == sa.bindparam("place")
    )
    SIT_DOWN = sa.insert(seats)
    APPEND = sa.insert(log)
    SUMMARY = sa.update(tables).where(tables.c.code == sa.bindparam("table"))


Step: TypeAlias = tuple[Write, dict[str, Any]]
"""A write and its values."""


class _Job:
    __slots__ = ("done", "steps")

    def __init__(self, steps: Sequence[Step], done: asyncio.Future[None]) -> None:
        self.steps = steps
        self.done = done


class Writer:
    """A thread with a connection of its own; `write` is for the event loop's thread."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, *steps: Step) -> asyncio.Future[None]:
        """Resolves when all of it is on disk; fails, and then none of it is."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._jobs.put(_Job(steps, done))
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
                self._loop.call_soon_threadsafe(_resolve, self._commit_all(jobs))
            if last:
                self._disconnect()
                return

    def _commit_all(self, jobs: list[_Job]) -> list[tuple[_Job, Exception | None]]:
        """Commit all jobs together; if that fails each by itself, so that a bad one is alone."""
        start = time.perf_counter()
        error = self._commit(jobs)
        self._metrics.commit_seconds.observe(time.perf_counter() - start)
        self._metrics.commit_size.observe(len(jobs))
        if error is None or len(jobs) == 1:
            return [(job, error) for job in jobs]
        return [(job, self._commit([job])) for job in jobs]

    def _commit(self, jobs: list[_Job]) -> Exception | None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                for write, rows in _by_kind(jobs):
                    if write is Write.APPEND:
                        self._append(self._connection, rows)
                    else:
                        self._connection.execute(write.value, rows)
        except Exception as error:
            self._disconnect()
            return error
        return None

    @staticmethod
    def _append(connection: Connection, rows: list[dict[str, Any]]) -> None:
        """Many rows in few statements, of sizes that are powers of two and so soon all prepared.

        Between two rows of an `executemany` the driver lets go of the interpreter, and may get it
        back only milliseconds later while the event loop is busy.
        """
        at = 0
        while at < len(rows):
            size = min(MOST_ROWS, 1 << ((len(rows) - at).bit_length() - 1))
            values = {
                f"{name}{place}": row[name]
                for place, row in enumerate(rows[at : at + size])
                for name in _APPENDED
            }
            connection.execute(_append_statement(size), values)
            at += size

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()


@cache
def _append_statement(size: int) -> sa.TextClause:
    places = (", ".join(f":{name}{place}" for name in _APPENDED) for place in range(size))
    values = ", ".join(f"({place})" for place in places)
    return sa.text(f"INSERT INTO log ({', '.join(_APPENDED)}) VALUES {values}")


def _by_kind(jobs: list[_Job]) -> list[tuple[Write, list[dict[str, Any]]]]:
    rows: dict[Write, list[dict[str, Any]]] = {}
    for job in jobs:
        for write, values in job.steps:
            rows.setdefault(write, []).append(values)
    return [(write, rows[write]) for write in Write if write in rows]


def _resolve(results: list[tuple[_Job, Exception | None]]) -> None:
    for job, error in results:
        if job.done.done():
            continue  # whoever asked has been cancelled
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)

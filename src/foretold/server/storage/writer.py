"""The single writer of the database: everything waiting goes into one transaction.

A commit waits for the disk; meanwhile other writes queue up, and the next commit covers all of
them. So the rate of writes is not limited by the rate of commits.

While the database cannot be written to (locked, full, silent, gone), writes are kept and tried
again until they succeed; nobody hears of them before that.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, InterfaceError, InternalError, OperationalError

from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import span
from foretold.server.storage.writes import MUST_CHANGE, ConflictError, Rows, Step, Write

MOST_AT_ONCE: Final = 1000
LONGEST_PAUSE: Final = 1.0
"""Seconds between two attempts, at most."""

OUTAGES: Final = (OperationalError, InterfaceError, InternalError)
"""Raised if the database is busy, full, read-only or gone: the statement is not to blame."""

PACE: Final = 0.003
"""Seconds from the start of one commit to the start of the next, at least, so that a busy server
commits many writes at once; a write after a pause does not wait."""
SHARE: Final = 0.1
"""The share of a core that commits may take: after one that took more, the next begins later. It
then covers more writes, and each of them costs less."""
LONGEST_PACE: Final = 0.015


Then: TypeAlias = Callable[[Exception | None], None]
"""Called in the event loop when a write is on disk; or with the reason why none of it is."""

_Job: TypeAlias = tuple[Sequence[Step], Then, "asyncio.Future[None] | None"]
"""What to write, the callback, and the future waiting for it, if that may be cancelled first."""


class GoneError(Exception):
    """The row to change has been deleted."""


class Writer:
    """A thread with its own connection; call its methods from the event loop's thread."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._ending = threading.Event()
        self._busy_since: float | None = None
        metrics.queue.set_function(self._jobs.qsize)
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, steps: Sequence[Step], then: Then) -> None:
        """Write all of it or nothing, then call back: for frequent writes, such as moves."""
        self._jobs.put((steps, then, None))

    def written(self, *steps: Step) -> asyncio.Future[None]:
        """Resolves when all of it is on disk; if it fails, none of it is.

        If cancelled while the database cannot be written to, it is not written later either.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self._jobs.put((steps, partial(settle, done), done))
        return done

    @property
    def busy_for(self) -> float:
        """Seconds the current transaction has taken so far, including retries."""
        since = self._busy_since
        return 0.0 if since is None else time.monotonic() - since

    async def close(self, seconds: float) -> None:
        """Write everything waiting, and stop; what cannot be written in that time is lost."""
        self._jobs.put(None)
        self._ending.set()
        deadline = time.monotonic() + seconds
        while self._thread.is_alive() and time.monotonic() < deadline:
            await asyncio.sleep(0.005)

    def _run(self) -> None:
        last = False
        while not last:
            jobs, last = self._next_jobs()
            if jobs:
                begun = self._busy_since = time.monotonic()
                used = time.thread_time()
                with span("commit", requests=len(jobs)):
                    results = self._commit_all(jobs)
                self._busy_since = None
                self._tell(results)
                used = time.thread_time() - used
                pace = min(max(PACE, used / SHARE), LONGEST_PACE)
                rest = begun + pace - time.monotonic()
                if rest > 0:
                    time.sleep(rest)
        self._disconnect()

    def _next_jobs(self) -> tuple[list[_Job], bool]:
        """Everything waiting, or the next to come; and whether these are the last."""
        jobs: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_AT_ONCE or self._jobs.empty():
                return jobs, False
            job = self._jobs.get_nowait()  # nobody else takes any
        return jobs, True

    def _tell(self, results: list[tuple[Then, Exception | None]]) -> None:
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(_tell, results)

    def _commit_all(self, jobs: list[_Job]) -> list[tuple[Then, Exception | None]]:
        """Commit all jobs together; if that fails, each separately, so that only bad ones fail."""
        start = time.perf_counter()
        error = self._commit(jobs)
        was_out = isinstance(error, OUTAGES)
        if was_out:
            jobs, error = self._commit_at_last(jobs, error)
        self._metrics.commit_seconds.observe(time.perf_counter() - start)
        self._metrics.commit_size.observe(len(jobs))
        if error is None or isinstance(error, OUTAGES):
            return [(then, error) for _, then, _ in jobs]
        return [(job[1], self._commit_one(job, was_out)) for job in jobs]

    def _commit_at_last(
        self, jobs: list[_Job], error: Exception | None
    ) -> tuple[list[_Job], Exception | None]:
        """Retry until the database can be written to, or the server stops."""
        tries, pause, start = 1, 0.0, time.monotonic()
        while isinstance(error, OUTAGES):
            self._metrics.commit_failures.inc()
            if tries == 2:  # a first failure may only be a connection lost while idle
                logger().error("the database cannot be written to", fault=told(error))
            if self._ending.wait(pause) and tries > 1:
                logger().error("the server stops with something unsaved", requests=len(jobs))
                return jobs, error
            pause = min(LONGEST_PAUSE, 2 * pause or 0.05)
            jobs = [job for job in jobs if job[2] is None or not job[2].done()]
            error = self._commit(jobs)
            tries += 1
        if tries > 2:
            seconds = round(time.monotonic() - start, 1)
            logger().warning("the database can be written to again", tries=tries, seconds=seconds)
        return jobs, error

    def _commit_one(self, job: _Job, was_out: bool) -> Exception | None:
        error = self._commit([job])
        if isinstance(error, OUTAGES):
            was_out, (_, error) = True, self._commit_at_last([job], error)
        if was_out and isinstance(error, ConflictError) and self._is_written(job):
            return None  # committed before, though the answer was lost
        return error

    def _is_written(self, job: _Job) -> bool:
        try:
            with self._engine.connect() as connection:
                return all(
                    step.value.has(connection, row)
                    for step, row in job[0]
                    if isinstance(step.value, Rows) and not step.value.replace
                )
        except Exception:  # such as no free connection: this thread must go on
            return False  # the conflict stands: the table is read again, and shows what was saved

    def _commit(self, jobs: list[_Job]) -> Exception | None:
        try:
            if self._connection is None:
                engine = self._engine.execution_options(isolation_level="AUTOCOMMIT")
                self._connection = engine.connect()
            connection, kinds = self._connection, _by_kind(jobs)
            # A single statement is its own transaction, which saves a round trip.
            is_one = len(kinds) == 1 and isinstance(kinds[0][0].value, Rows)
            if not is_one:
                connection.exec_driver_sql("BEGIN")
            for write, rows in kinds:
                if isinstance(write.value, Rows):
                    write.value.write(connection, rows)
                else:
                    changed = connection.execute(write.value, rows).rowcount
                    if write in MUST_CHANGE and changed < len(rows):
                        raise GoneError
            if not is_one:
                connection.exec_driver_sql("COMMIT")
        except Exception as error:
            self._disconnect()
            return ConflictError(str(error)) if isinstance(error, IntegrityError) else error
        return None

    def _disconnect(self) -> None:
        """Drop the connection, which rolls back what is not committed."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.close()
            except Exception as error:  # the database is gone; the next write reconnects
                logger().warning("a connection is lost", fault=type(error).__name__)


def _by_kind(jobs: list[_Job]) -> list[tuple[Write, list[dict[str, Any]]]]:
    rows: dict[Write, list[dict[str, Any]]] = {}
    for steps, _, _ in jobs:
        for write, values in steps:
            rows.setdefault(write, []).append(values)
    return [(write, rows[write]) for write in Write if write in rows]


def _tell(results: list[tuple[Then, Exception | None]]) -> None:
    for then, error in results:
        try:
            then(error)
        except Exception:  # the others must be called too
            logger().exception("a callback after a write failed")


def told(error: Exception) -> str:
    """A database error in one line, without values."""
    return " ".join(str(getattr(error, "orig", error)).split())[:200] or type(error).__name__


def settle(done: asyncio.Future[None], error: Exception | None) -> None:
    """Resolve a future, unless it has been cancelled."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)

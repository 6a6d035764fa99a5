"""Taking a table into memory: from its snapshot and the end of its log, or from all of it.

To read what the database has is one thing, to replay it another, which takes longer and needs no
database.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.observing.logs import logger
from foretold.server.storage.schema import HIDDEN, log, marks, players, snapshots, tables
from foretold.table.audience import Audience
from foretold.table.entries import Logged, Names, decode_entry, named_log
from foretold.table.snapshots import (
    Stored,
    fingerprint,
    made_by,
    read_snapshot,
    replayed,
    restored,
)

SHEET: Final = "sheet"
"""The state of a score sheet, as the table of tables has it."""


@dataclass(frozen=True)
class Woken:
    """A table in memory again."""

    audience: Audience
    snapshot_n: int
    """The number of the snapshot that was used, or 0."""
    seconds: float
    """The processor's time it took."""


@dataclass(frozen=True)
class Asleep:
    """All that the database has of a table, and that waking it needs."""

    code: str
    stored: Stored | None
    """Its snapshot, if that fits its log."""
    names: Names
    """Of those in the snapshot."""
    log: Sequence[Logged]
    """From the entry of the snapshot on, or all of it."""
    seconds: float
    """The processor's time it took to read."""


def find_asleep(connection: Connection, code: str, *, whole: bool = False) -> Asleep | None:
    """What is kept of a table, hidden or not; its whole log, or only what its snapshot lacks.

    None if there is no table.
    """
    start = time.thread_time()
    stored, rows = (None, []) if whole else _from_snapshot(connection, code)
    names = {} if stored is None else names_of(connection, stored.players)
    if stored is None:
        rows = connection.execute(log_query(code).where(tables.c.state != SHEET)).all()
        if not rows:
            return None
    log_of_it = _logged(connection, rows)
    return Asleep(code, stored, names, log_of_it, time.thread_time() - start)


def woken(asleep: Asleep) -> Woken | None:
    """The table in memory; None if its snapshot is no good, and its whole log is needed."""
    start = time.thread_time()
    stored, log_of_it = asleep.stored, asleep.log
    snapshot_n = 0
    if stored is None:
        audience = replayed(asleep.code, log_of_it)
    else:
        snapshot_n = log_of_it[0].n
        try:
            audience = restored(stored, log_of_it, asleep.names)
        except (msgspec.MsgspecError, ValueError, LookupError) as error:
            _warn(asleep.code, error)
            return None
    return Woken(audience, snapshot_n, asleep.seconds + time.thread_time() - start)


def wake(connection: Connection, code: str) -> Woken | None:
    """The table of that code, hidden or not, here and now; None if there is none."""
    found = read(connection, code)
    return woken(found) if isinstance(found, Asleep) else found


def read(connection: Connection, code: str) -> Asleep | Woken | None:
    """What waking that table needs; the table itself where its snapshot is good, since restoring it
    takes no longer than handing it on. None if there is no table."""
    asleep = find_asleep(connection, code)
    if asleep is None or asleep.stored is None:
        return asleep
    return woken(asleep) or find_asleep(connection, code, whole=True)


def _from_snapshot(connection: Connection, code: str) -> tuple[Stored | None, Sequence[Any]]:
    """The snapshot of a table and the rows of its log from there on, if they fit."""
    kept = connection.execute(_SNAPSHOT, {"table": code}).first()
    if kept is None or kept.made_by != made_by():
        return None, []
    rows: Sequence[Any] = connection.execute(_END_OF_LOG, {"table": code, "first": kept.n}).all()
    if not rows or rows[0].n != kept.n:
        return None, []  # it knows more than the log
    if fingerprint(rows[0].at, bytes(rows[0].entry)) != bytes(kept.last):
        return None, []  # it is of another log
    try:
        return read_snapshot(bytes(kept.data)), rows
    except (msgspec.MsgspecError, ValueError, LookupError) as error:
        _warn(code, error)
        return None, []


def _warn(code: str, error: Exception) -> None:
    logger().warning("a snapshot cannot be read", table=code, fault=type(error).__name__)


def is_visible(code: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """That the operator has not hidden a table or sheet."""
    return ~sa.exists().where(marks.c.code == code, marks.c.mark == HIDDEN)


def is_hidden(connection: Connection, code: str) -> bool:
    return connection.execute(_HIDDEN, {"table": code}).first() is not None


_HIDDEN: Final = sa.select(marks.c.at).where(
    marks.c.code == sa.bindparam("table"), marks.c.mark == HIDDEN
)


_SNAPSHOT: Final = sa.select(
    snapshots.c.n, snapshots.c.last, snapshots.c.made_by, snapshots.c.data
).where(snapshots.c.code == sa.bindparam("table"))
_END_OF_LOG: Final = (
    sa.select(log.c.n, log.c.at, log.c.entry)
    .where(log.c.code == sa.bindparam("table"), log.c.n >= sa.bindparam("first"))
    .order_by(log.c.n)
)


def log_query(code: str) -> sa.Select[Any]:
    """Of a table or a sheet; `tables` is joined, to tell which it is."""
    joined = log.join(tables, tables.c.code == log.c.code)
    columns = sa.select(log.c.n, log.c.at, log.c.entry).select_from(joined)
    return columns.where(log.c.code == code).order_by(log.c.n)


def _logged(connection: Connection, rows: Sequence[Any]) -> list[Logged]:
    entries = (Logged(n, at, decode_entry(bytes(entry))) for n, at, entry in rows)
    return named_log(entries, partial(names_of, connection))


def names_of(connection: Connection, ids: set[str]) -> Names:
    """The names of these players; those who were erased have none."""
    if not ids:
        return {}
    query = sa.select(players.c.id, players.c.name).where(players.c.id.in_(sorted(ids)))
    return {row.id: row.name for row in connection.execute(query)}

"""Loads a table: from its snapshot and the end of its log, or from the whole log.

Tables with snapshots are read many at a time and restored at once. To replay a whole log takes
longer, and needs no database.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.observing.logs import logger
from foretold.server.storage.logs import read_log
from foretold.server.storage.schema import HIDDEN, log, marks, players, snapshots, tables
from foretold.table.audience import Audience
from foretold.table.entries import Logged, Names, decode_entry, named_log, players_in
from foretold.table.snapshots import (
    Stored,
    fingerprint,
    made_by,
    read_snapshot,
    replayed,
    restored,
)

SHEET: Final = "sheet"
"""The state of a score sheet in the database's `tables`."""


@dataclass(frozen=True)
class Woken:
    """A table in memory again."""

    audience: Audience
    snapshot_n: int
    """The entry number of the snapshot used, or 0."""
    seconds: float
    """The processor time it took."""


@dataclass(frozen=True)
class Asleep:
    """The whole log of a table."""

    code: str
    log: Sequence[Logged]
    seconds: float
    """The processor time it took to read."""


def wake(connection: Connection, code: str) -> Woken | None:
    """The table of that code, hidden or not, here and now; None if there is none."""
    found = from_snapshots(connection, [code]).get(code)
    if found is not None:
        return found
    asleep = find_asleep(connection, code)
    return None if asleep is None else woken(asleep)


def find_asleep(connection: Connection, code: str) -> Asleep | None:
    """What is kept of a table, hidden or not; None if there is no table."""
    start = time.thread_time()
    rows = read_log(connection, code, tables.c.state != SHEET)
    if not rows:
        return None
    log_of_it = named_log(map(_logged, rows), partial(names_of, connection))
    return Asleep(code, log_of_it, time.thread_time() - start)


def woken(asleep: Asleep) -> Woken:
    """The table replayed from a whole log."""
    start = time.thread_time()
    audience = replayed(asleep.code, asleep.log)
    return Woken(audience, 0, asleep.seconds + time.thread_time() - start)


def from_snapshots(connection: Connection, codes: Sequence[str]) -> dict[str, Woken]:
    """The tables whose snapshots are valid, hidden or not."""
    start = time.thread_time()
    found = list(_stored(connection, codes))
    ids = set[str]().union(*(stored.players | players_in(end) for _, stored, end in found))
    names = names_of(connection, ids)
    shared = (time.thread_time() - start) / max(1, len(found))
    there = {}
    for code, stored, end in found:
        start = time.thread_time()
        try:
            audience = restored(stored, named_log(end, lambda _: names), names)
        except Exception as error:  # this one is replayed; the others are unaffected
            _warn(code, error)
            continue
        there[code] = Woken(audience, end[0].n, shared + time.thread_time() - start)
    return there


def _stored(
    connection: Connection, codes: Sequence[str]
) -> Iterator[tuple[str, Stored, Sequence[Logged]]]:
    """The snapshots that fit their logs, each with the end of the log from its entry on."""
    kept = [
        row for row in connection.execute(_SNAPSHOTS, {"codes": codes}) if row.made_by == made_by()
    ]
    ends: dict[str, list[Any]] = {row.code: [] for row in kept}
    if kept:
        for row in connection.execute(_ENDS_OF_LOGS, {"codes": list(ends)}):
            ends[row.code].append(row)
    for one in kept:
        rows = ends[one.code]
        if not rows or rows[0].n != one.n:
            continue  # newer than the log, or just replaced
        if fingerprint(rows[0].at, bytes(rows[0].entry)) != bytes(one.last):
            continue  # made from another log
        try:
            yield one.code, read_snapshot(bytes(one.data)), [_logged(row) for row in rows]
        except Exception as error:  # the same here
            _warn(one.code, error)


def _warn(code: str, error: Exception) -> None:
    logger().warning("a snapshot cannot be read", table=code, fault=type(error).__name__)


def is_visible(code: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """The condition that the operator has not hidden a table or sheet."""
    return ~sa.exists().where(marks.c.code == code, marks.c.mark == HIDDEN)


def hidden_among(connection: Connection, codes: Sequence[str]) -> set[str]:
    return {row.code for row in connection.execute(_HIDDEN, {"codes": codes})}


_CODES: Final[sa.BindParameter[Any]] = sa.bindparam("codes", expanding=True)
_HIDDEN: Final = sa.select(marks.c.code).where(marks.c.code.in_(_CODES), marks.c.mark == HIDDEN)
_SNAPSHOTS: Final = sa.select(
    snapshots.c.code, snapshots.c.n, snapshots.c.last, snapshots.c.made_by, snapshots.c.data
).where(snapshots.c.code.in_(_CODES))
_ENDS_OF_LOGS: Final = (
    sa.select(log.c.code, log.c.n, log.c.at, log.c.entry)
    .join(snapshots, sa.and_(log.c.code == snapshots.c.code, log.c.n >= snapshots.c.n))
    .where(snapshots.c.code.in_(_CODES))
    .order_by(log.c.code, log.c.n)
)


def _logged(row: Any) -> Logged:
    return Logged(row.n, row.at, decode_entry(bytes(row.entry)))


def names_of(connection: Connection, ids: Iterable[str]) -> Names:
    """The names of these players; those who were erased have none."""
    wanted = sorted(ids)
    if not wanted:
        return {}
    return {row.id: row.name for row in connection.execute(_NAMES, {"ids": wanted})}


_NAMES: Final = sa.select(players.c.id, players.c.name).where(
    players.c.id.in_(sa.bindparam("ids", expanding=True))
)

"""Moving the logs of finished games to the archive, where they take a tenth of the space.

Some time after a game is over, hardly anyone looks at it any more. Its log is packed, and its
snapshot deleted: if somebody does come, the log is replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.storage.logs import packed, read_log
from foretold.server.storage.schema import archive, log, owners, snapshots, tables
from foretold.server.storage.store import FINISHED

LOOK_AT: Final = 25
"""Tables looked at in one step."""
AT_ONCE: Final = 5
"""Logs moved in one transaction, which blocks other writers for a few milliseconds."""

PackedLogs: TypeAlias = Mapping[str, tuple[int, bytes]]
"""By code: the number of the last entry that goes to the archive, and the packed entries."""


@dataclass(frozen=True)
class Quiet:
    """A table or sheet where nothing has happened for some time."""

    updated: int
    code: str
    is_to_archive: bool
    """Whether it is a finished game that is not yet in the archive."""


def quiet_tables(connection: Connection, before: int, after: tuple[int, str]) -> list[Quiet]:
    """The next few where nothing has happened since then, longest ago first."""
    some = (
        sa.select(tables.c.updated, tables.c.code, tables.c.state, tables.c.n)
        .where(tables.c.updated < before, sa.tuple_(tables.c.updated, tables.c.code) > after)
        .order_by(tables.c.updated, tables.c.code)
        .limit(LOOK_AT)
        .subquery()
    )
    has_log = sa.exists().where(log.c.code == some.c.code, log.c.n < some.c.n)
    has_snapshot = sa.exists().where(snapshots.c.code == some.c.code)
    is_to_archive = sa.and_(some.c.state.in_(FINISHED), sa.or_(has_log, has_snapshot))
    query = sa.select(some.c.updated, some.c.code, is_to_archive)
    rows = connection.execute(query.order_by(some.c.updated, some.c.code))
    return [Quiet(updated, code, bool(is_one)) for updated, code, is_one in rows]


def pack_logs(connection: Connection, codes: Iterable[str]) -> PackedLogs:
    """Call before anything is locked: packing takes a millisecond or two for each."""
    logs = ((code, read_log(connection, code)) for code in codes)
    return {code: (len(rows) - 1, packed(rows[:-1])) for code, rows in logs if len(rows) > 1}


def archive_logs(connection: Connection, logs: PackedLogs, before: int) -> list[str]:
    """Move logs to the archive, except those that have grown since; returns which were moved.

    Nobody can write to these tables until the transaction ends.
    """
    still = (
        sa.select(tables.c.code, tables.c.n)
        .where(tables.c.code.in_(logs), tables.c.updated < before, tables.c.state.in_(FINISHED))
        .with_for_update()
    )
    told = {row.code: row.n for row in connection.execute(still)}
    ends = sa.select(log.c.code, sa.func.max(log.c.n).label("n")).where(log.c.code.in_(told))
    last = {row.code: row.n for row in connection.execute(ends.group_by(log.c.code))}
    codes = [code for code, n in told.items() if last.get(code) == n == logs[code][0] + 1]
    if codes:
        # A node that still has one in memory claims it anew, and reads what was moved.
        fenced = sa.update(owners).where(owners.c.code.in_(codes))
        connection.execute(fenced.values(node="", epoch=owners.c.epoch + 1))
        for table in (archive, snapshots):
            connection.execute(sa.delete(table).where(table.c.code.in_(codes)))
        rows = [dict(zip(("n", "entries"), logs[code], strict=True), code=code) for code in codes]
        connection.execute(sa.insert(archive), rows)
    for code in codes:
        connection.execute(sa.delete(log).where(log.c.code == code, log.c.n <= logs[code][0]))
    return codes

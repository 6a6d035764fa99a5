"""Copying a whole database, and checking a copy."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.errors import ServerError
from foretold.scoresheet import entries as sheet_entries
from foretold.scoresheet.entries import Written
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.storage.logs import read_log
from foretold.server.storage.schema import DERIVED, archive, log, metadata, players, tables
from foretold.server.storage.waking import SHEET
from foretold.server.storage.writes import Rows
from foretold.table.entries import Logged, decode_entry
from foretold.table.table import Table
from foretold.words import counted

AT_ONCE: Final = 1000

Tick: TypeAlias = Callable[[float], None]
"""Called with the fraction of the work done, from 0 to 1."""

KEPT: Final = tuple(table for table in metadata.sorted_tables if table not in DERIVED)
"""What a copy contains: everything that cannot be derived."""


@dataclass(frozen=True)
class Contents:
    """How much a database holds."""

    players: int
    tables: int
    sheets: int

    @classmethod
    def of(cls, connection: Connection) -> Contents:
        is_sheet = tables.c.state == SHEET
        return cls(
            _count(connection, players),
            _count(connection, tables, ~is_sheet),
            _count(connection, tables, is_sheet),
        )

    def __bool__(self) -> bool:
        return bool(self.players or self.tables or self.sheets)

    def __str__(self) -> str:
        return (
            f"{counted(self.players, 'player')}, {counted(self.tables, 'table')}, "
            f"{counted(self.sheets, 'score sheet')}"
        )


def _count(connection: Connection, table: sa.Table, *where: Any) -> int:
    query = sa.select(sa.func.count()).select_from(table).where(*where)
    return int(connection.execute(query).scalar_one())


def copy_rows(source: Connection, target: Connection, tick: Tick) -> None:
    """Copy everything into an empty database, and read it back; raises `ServerError`."""
    total = 2 * max(1, sum(_count(source, table) for table in KEPT))
    done = 0
    for table in KEPT:
        rows, sums = Rows(table), [0, 0]
        for chunk in _chunks(source, table):
            rows.write(target, [row._mapping for row in chunk])
            sums[0] += sum(map(fingerprint, chunk))
            tick((done := done + len(chunk)) / total)
        for chunk in _chunks(target, table):
            sums[1] += sum(map(fingerprint, chunk))
            tick((done := done + len(chunk)) / total)
        if sums[0] != sums[1]:
            raise ServerError(
                f"the copy of {table.name} differs from the original: nothing was changed"
            )


def _chunks(connection: Connection, table: sa.Table) -> Iterator[list[Any]]:
    options = {"stream_results": True, "yield_per": AT_ONCE}
    for chunk in connection.execute(sa.select(table), execution_options=options).partitions():
        yield list(chunk)


def fingerprint(row: Any) -> int:
    """Summed over rows, so that their order in the database does not matter."""
    return int.from_bytes(hashlib.sha256(msgspec.msgpack.encode(tuple(row))).digest()[:16], "big")


def check(connection: Connection, tick: Tick, *, replays: bool) -> Contents:
    """Check pages, the numbers of all logs and, if asked, every game; raises `ServerError`."""
    if connection.dialect.name == "sqlite":
        told = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
        if told != "ok":
            raise ServerError(f"the copy is damaged: {' '.join(told.split())}")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise ServerError("the copy is damaged: it has parts of tables that are not there")
    first, last, count = sa.func.min(log.c.n), sa.func.max(log.c.n), sa.func.count(log.c.n)
    archived = sa.func.coalesce(sa.func.max(archive.c.n), 0)
    query = (
        sa.select(tables.c.code)
        .outerjoin(log, log.c.code == tables.c.code)
        .outerjoin(archive, archive.c.code == tables.c.code)
        .group_by(tables.c.code)
        .having(sa.or_(count == 0, first != archived + 1, last != archived + count))
    )
    gap = connection.execute(query).first()
    if gap is not None:
        raise ServerError(f"the log of {gap.code} has gaps")
    if replays:
        _replay_all(connection, tick)
    return Contents.of(connection)


def _replay_all(connection: Connection, tick: Tick) -> None:
    every = connection.execute(sa.select(tables.c.code, tables.c.state)).all()
    for number, (code, state) in enumerate(every, start=1):
        try:
            rows = read_log(connection, code)
            if state == SHEET:
                decode = sheet_entries.decode_entry
                Tablet.replayed([Written(n, at, decode(one)) for n, at, one in rows])
            else:
                entries = (Logged(n, at, decode_entry(one)) for n, at, one in rows)
                Table.replayed(code, entries)
        except Exception as error:
            raise ServerError(f"the log of {code} cannot be replayed: {error}") from None
        tick(number / len(every))

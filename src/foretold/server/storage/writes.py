"""The kinds of writes: what each does to the database, and why it may fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.storage.schema import (
    days,
    heartbeat,
    log,
    marks,
    owners,
    players,
    seats,
    sheet_names,
    snapshots,
    tables,
    used_links,
)


class ConflictError(Exception):
    """Somebody else was first: the number, the code or the seat is taken."""


class FencedError(ConflictError):
    """Another node owns the table by now."""


class Rows:
    """Rows of a table, written with one statement however many there are, straight to the driver.

    Between statements the driver releases the GIL, and may get it back only milliseconds later
    while the event loop is busy.
    """

    def __init__(self, table: sa.Table, *, replace: bool = False) -> None:
        self._table = table
        self._values = itemgetter(*table.columns.keys())
        self._keys = table.primary_key.columns.keys()
        self.replace = replace

    def write(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        if self.replace:  # keep the last of each key: a statement may not update a row twice
            key = itemgetter(*self._keys)
            rows = list({key(row): row for row in rows}.values())
        names = self._table.columns.keys()
        mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        values = ", ".join([f"({', '.join([mark] * len(names))})"] * len(rows))
        text = self._text(f"VALUES {values}")
        connection.exec_driver_sql(text, tuple(chain.from_iterable(map(self._values, rows))))

    def _text(self, values: str) -> str:
        names = self._table.columns.keys()
        text = f"INSERT INTO {self._table.name} ({', '.join(names)}) {values}"
        if self.replace:
            others = (name for name in names if name not in self._keys)
            changes = ", ".join(f"{name} = excluded.{name}" for name in others)
            text += f" ON CONFLICT ({', '.join(self._keys)}) DO UPDATE SET {changes}"
        return text

    def has(self, connection: Connection, row: Mapping[str, Any]) -> bool:
        """Whether the table has exactly this row."""
        columns = self._table.columns
        same = (columns[name] == row[name] for name in columns.keys())  # noqa: SIM118
        return connection.execute(sa.select(sa.literal(1)).where(*same)).first() is not None


class Summaries(Rows):
    """New summaries of tables that exist and have no later one; no row is added."""

    def __init__(self) -> None:
        super().__init__(tables, replace=True)

    def _text(self, values: str) -> str:
        # Both databases name the columns of VALUES like this.
        new = {name: f"new.column{at}" for at, name in enumerate(tables.columns.keys(), start=1)}
        changes = ", ".join(f"{name} = {value}" for name, value in new.items() if name != "code")
        meant = f"tables.code = {new['code']} AND tables.n <= {new['n']}"
        return f"UPDATE tables SET {changes} FROM ({values}) AS new WHERE {meant}"


class FencedRows(Rows):
    """Entries of a log, from nodes that still own their tables; if one does not, none is written.

    The lock keeps the next owner from loading a table while an entry of the last is being written.
    """

    def __init__(self) -> None:
        super().__init__(log)

    def write(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        held = {(row["code"], row["epoch"]) for row in rows}
        text = _FENCED.format(
            values=", ".join(["(%s, %s, %s, %s)"] * len(rows)),
            held=", ".join(["(%s, %s)"] * len(held)),
        )
        values = chain(*held, *map(self._values, rows), [len(held)])
        if connection.exec_driver_sql(text, tuple(values)).rowcount != len(rows):
            raise FencedError


class Ownership(Rows):
    """No rows, only whether tables are still those of the nodes that ask."""

    def __init__(self) -> None:
        super().__init__(owners)

    def write(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        held = {(row["code"], row["epoch"]) for row in rows}
        text = f"SELECT count(*) {_HELD.format(held=', '.join(['(%s, %s)'] * len(held)))}"
        if connection.exec_driver_sql(text, tuple(chain(*held))).scalar() != len(held):
            raise FencedError

    def has(self, connection: Connection, row: Mapping[str, Any]) -> bool:
        return False  # nothing is ever written


_HELD: Final = """
FROM owners JOIN (VALUES {held}) AS mine (code, epoch)
ON owners.code = mine.code AND owners.epoch = mine.epoch
"""
_FENCED: Final = f"""
WITH held AS (SELECT 1 {_HELD} ORDER BY owners.code FOR SHARE OF owners)
INSERT INTO log (code, n, at, entry) SELECT code, n, at, entry
FROM (VALUES {{values}}) AS new (code, n, at, entry) WHERE (SELECT count(*) FROM held) = %s
"""


class Write(Enum):
    """The kinds of writes, in the order a transaction does them."""

    NEW_PLAYER = Rows(players)
    RENAME = sa.update(players).where(players.c.id == sa.bindparam("player"))
    KNOW = sa.update(players).where(players.c.id == sa.bindparam("player")).values(known=True)
    USE_LINK = Rows(used_links)
    NEW_TABLE = Rows(tables)
    STAND_UP = sa.delete(seats).where(
        seats.c.code == sa.bindparam("table"), seats.c.seat == sa.bindparam("place")
    )
    SIT_DOWN = Rows(seats)
    SHEET_NAME = Rows(sheet_names, replace=True)
    FORGET_SHEET_NAMES = sa.delete(sheet_names).where(sheet_names.c.code == sa.bindparam("sheet"))
    APPEND = Rows(log)
    FENCED_APPEND = FencedRows()
    CONFIRM = Ownership()
    SUMMARY = Summaries()
    SNAPSHOT = Rows(snapshots, replace=True)
    MARK = Rows(marks, replace=True)
    DAY = Rows(days, replace=True)
    BEAT = Rows(heartbeat, replace=True)

    __hash__ = object.__hash__  # Enum's is written in Python, and called for every row


MUST_CHANGE: Final = (Write.RENAME, Write.KNOW)
"""The writes that fail if there is nothing to change."""

Step: TypeAlias = tuple[Write, dict[str, Any]]
"""A write and its values."""

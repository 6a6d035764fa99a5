"""Names in one table instead of in the log, and tables for the operator.

Entries, summaries and snapshots lose the names of players; those on score sheets move to a table of
their own. It is all one transaction: if the server is stopped half-way, nothing has changed. Tables
are read in batches, so that a large database takes time but not memory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.engine import Connection

from foretold.server.observing.logs import logger

revision = "0004"
down_revision = "0003"

BATCH = 200
"""Tables read at a time."""
TELL_SECONDS = 5.0

Entry = dict[str, Any]

_tables = sa.table(
    "tables", sa.column("code"), sa.column("state"), sa.column("summary", sa.LargeBinary)
)
_log = sa.table("log", sa.column("code"), sa.column("n"), sa.column("entry", sa.LargeBinary))
_sheet_names = sa.table("sheet_names", sa.column("code"), sa.column("seat"), sa.column("name"))


def upgrade() -> None:
    _make_tables()
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM snapshots"))
    total = connection.execute(sa.select(sa.func.count()).select_from(_tables)).scalar_one()
    done, told = 0, time.monotonic()
    for batch in _batches(connection):
        _move_names(connection, batch)
        done += len(batch)
        if time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            logger().info("moving names out of the log", tables=done, of=total)


def _make_tables() -> None:
    op.add_column(
        "players", sa.Column("known", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("tables_updated", "tables", ["updated", "code"])
    op.create_table(
        "sheet_names",
        sa.Column("code", sa.String(6), sa.ForeignKey("tables.code"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(200), nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("code", sa.String(6), sa.ForeignKey("tables.code"), primary_key=True),
        sa.Column("mark", sa.String(10), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("id", sa.String(8), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("subject", sa.String(50), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "days",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("connections", sa.Integer, nullable=False),
        sa.Column("tables", sa.Integer, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("about", sa.String(10), nullable=False),
        sa.Column("subject", sa.String(32), nullable=False),
    )


def _batches(connection: Connection) -> Iterator[dict[str, Any]]:
    """The rows of tables and sheets by code."""
    last = ""
    while True:
        query = sa.select(_tables).where(_tables.c.code > last).order_by(_tables.c.code)
        rows = connection.execute(query.limit(BATCH)).all()
        if not rows:
            return
        yield {row.code: row for row in rows}
        last = rows[-1].code


def _move_names(connection: Connection, batch: dict[str, Any]) -> None:
    # Moves are most of every log, and have no names.
    query = (
        sa.select(_log)
        .where(_log.c.code.in_(list(batch)))
        .where(sa.func.substr(_log.c.entry, 1, 10) != b'{"e":"act"')
        .order_by(_log.c.code, _log.c.n)
    )
    entries: list[Entry] = []
    names: list[Entry] = []
    for code, rows in groupby(connection.execute(query).all(), key=lambda row: str(row.code)):
        log = [(row.n, json.loads(bytes(row.entry))) for row in rows]
        if batch[code].state == "sheet":
            changed, named = _sheet(log)
            names += [{"code": code, "seat": seat, "name": name} for seat, name in named.items()]
        else:
            changed = list(_table(log))
        entries += [{"of": code, "at_n": n, "entry": _encoded(entry)} for n, entry in changed]
    summaries = [
        {"of": code, "summary": _encoded(_summary(row.state, json.loads(bytes(row.summary))))}
        for code, row in batch.items()
    ]
    at = sa.and_(_log.c.code == sa.bindparam("of"), _log.c.n == sa.bindparam("at_n"))
    if entries:
        connection.execute(sa.update(_log).where(at), entries)
    if names:
        connection.execute(sa.insert(_sheet_names), names)
    connection.execute(sa.update(_tables).where(_tables.c.code == sa.bindparam("of")), summaries)


def _encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _table(log: list[tuple[int, Entry]]) -> Iterator[tuple[int, Entry]]:
    """The entries of a table that had names, without them."""
    seats: dict[int, tuple[str, str]] = {}
    removed: dict[str, str] = {}
    for n, entry in log:
        match entry["e"]:
            case "created":
                for seat, one in enumerate(entry["seats"]):
                    if one["kind"] == "player":
                        seats[seat] = one["player"], one.pop("name", "")
            case "sat":
                seats[entry["seat"]] = entry["player"], entry.pop("name", "")
            case "left" | "bot":
                seats.pop(entry["seat"], None)
                continue
            case "cleared":
                player, name = seats.pop(entry["seat"], ("", ""))
                removed[player] = name
                continue
            case "readmitted":
                name = entry.pop("name", "")
                entry["players"] = [one for one, known in removed.items() if known == name]
                for player in entry["players"]:
                    del removed[player]
            case _:
                continue
        yield n, entry


def _sheet(log: list[tuple[int, Entry]]) -> tuple[list[tuple[int, Entry]], dict[int, str]]:
    """The same for a score sheet, and the names it had in the end."""
    changed: list[tuple[int, Entry]] = []
    names: dict[int, str] = {}
    for n, entry in log:
        match entry["e"]:
            case "opened":
                names = dict(enumerate(entry.pop("names")))
            case "renamed":
                names[entry["seat"]] = entry.pop("name")
            case "wrote":
                entry.pop("by", None)
            case "deleted":
                names = {}
                continue
            case _:
                continue
        changed.append((n, entry))
    return changed, names


def _summary(state: str, summary: Entry) -> Entry:
    if state == "sheet":
        summary["names"] = []
    else:
        for seat in summary["summary"]["seats"]:
            if seat["kind"] == "player":
                seat["name"] = ""
    return summary

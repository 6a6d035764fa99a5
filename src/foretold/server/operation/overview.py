"""The operator's overview: tables, players, bans and days."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.errors import UnreadableError
from foretold.server.operation.retention import DAY_MS, stay_of
from foretold.server.storage.listing import names_on_sheet
from foretold.server.storage.schema import (
    HIDDEN,
    SHARED,
    archive,
    days,
    log,
    marks,
    players,
    seats,
    sheet_names,
    tables,
)
from foretold.server.storage.waking import SHEET
from foretold.table.refusals import Refused

MOST: Final = 500
"""Rows of one answer."""

State = Literal["lobby", "dealing", "playing", "over", "closed", "sheet"]
Sort = Literal["updated", "created", "size"]

_ORDERS: Final = {
    "updated": tables.c.updated.desc(),
    "created": tables.c.created.desc(),
    "size": tables.c.n.desc(),
}


def _has(mark: str) -> sa.ColumnElement[bool]:
    return sa.exists().where(marks.c.code == tables.c.code, marks.c.mark == mark)


def _places() -> sa.Select[Any]:
    people = (
        sa.select(sa.func.count(sa.distinct(seats.c.player)))
        .where(seats.c.code == tables.c.code)
        .scalar_subquery()
    )
    return sa.select(
        tables.c.code,
        tables.c.state,
        tables.c.n.label("entries"),
        tables.c.created,
        tables.c.updated,
        people.label("people"),
        tables.c.listed,
        _has(HIDDEN).label("hidden"),
        _has(SHARED).label("shared"),
    )


def list_tables(
    connection: Connection,
    *,
    state: State | None = None,
    hidden: bool = False,
    sort: Sort = "updated",
    limit: int = 50,
) -> list[dict[str, Any]]:
    """The first tables and score sheets (whose state is ``sheet``) in some order."""
    query = _places().order_by(_ORDERS[sort], tables.c.code).limit(min(limit, MOST))
    if state is not None:
        query = query.where(tables.c.state == state)
    if hidden:
        query = query.where(_has(HIDDEN))
    return _rows(connection, query)


def show_table(connection: Connection, code: str, keep_days: float) -> dict[str, Any]:
    """One table or sheet, and who is at it."""
    found = _rows(connection, _places().where(tables.c.code == code))
    if not found:
        raise Refused("no_table")
    parts = (
        sa.select(sa.func.sum(sa.func.length(part))).where(part.table.c.code == code)
        for part in (log.c.entry, archive.c.entries)
    )
    there = (
        sa.select(seats.c.seat, seats.c.player, players.c.name)
        .outerjoin(players, players.c.id == seats.c.player)
        .where(seats.c.code == code)
        .order_by(seats.c.seat)
    )
    stay = stay_of(connection, code, keep_days)
    last_seat = sa.select(sa.func.max(sheet_names.c.seat)).where(sheet_names.c.code == code)
    last = connection.execute(last_seat).scalar()
    return {
        **found[0],
        "bytes": sum(int(connection.execute(part).scalar() or 0) for part in parts),
        "until": None if stay is None else stay.until,
        "because": None if stay is None else stay.because,
        "seats": _rows(connection, there.limit(MOST)),
        "names": [] if last is None else names_on_sheet(connection, code, last + 1),
    }


def list_players(connection: Connection, text: str = "", limit: int = 50) -> list[dict[str, Any]]:
    """Players whose name contains a text, or whose id it is; newest first."""
    at = sa.select(sa.func.count(sa.distinct(seats.c.code))).where(seats.c.player == players.c.id)
    named = sa.func.lower(players.c.name).contains(text.lower(), autoescape=True)
    query = (
        sa.select(
            players.c.id,
            players.c.name,
            players.c.created,
            players.c.known,
            at.scalar_subquery().label("tables"),
        )
        .where(sa.or_(named, players.c.id == text))
        .order_by(players.c.created.desc())
        .limit(min(limit, MOST))
    )
    return _rows(connection, query)


def parse_day(text: str) -> date:
    """Raises `UnreadableError`."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UnreadableError("a day is written like 2026-11-16") from None


def day_of(connection: Connection, day: date | None = None) -> dict[str, Any]:
    """What happened on a day (UTC), today by default."""
    day = day or datetime.now(UTC).date()
    start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
    end = start + DAY_MS

    def count(of: sa.ColumnElement[Any], *where: Any) -> int:
        return int(connection.execute(sa.select(sa.func.count(of)).where(*where)).scalar_one())

    is_sheet = tables.c.state == SHEET
    opened = tables.c.created >= start, tables.c.created < end
    moved = tables.c.updated >= start, tables.c.updated < end
    busy = sa.select(sa.func.count(sa.distinct(seats.c.player))).join(tables).where(*moved)
    peak = connection.execute(sa.select(days).where(days.c.day == day.isoformat())).first()
    return {
        "day": day.isoformat(),
        "tables_opened": count(tables.c.code, ~is_sheet, *opened),
        "games_finished": count(tables.c.code, tables.c.state == "over", *moved),
        "sheets_opened": count(tables.c.code, is_sheet, *opened),
        "new_players": count(players.c.id, players.c.created >= start, players.c.created < end),
        "players": int(connection.execute(busy).scalar_one()),
        "most_connections": 0 if peak is None else peak.connections,
        "most_tables": 0 if peak is None else peak.tables,
    }


def _rows(connection: Connection, query: sa.Select[Any]) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(query)]

"""What lists say of tables and score sheets: as rows of the database, and read from there.

The rows have no names. Those of players are joined in by who sits where, those on a sheet from the
names that were typed for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.results import Outcome
from foretold.server.storage.schema import log, players, seats, sheet_names, tables
from foretold.server.storage.waking import SHEET, is_visible
from foretold.table.entries import FORMER
from foretold.table.names import numbered

MOST_LISTED: Final = 100
MOST_SHEETS: Final = 1000
"""Of one player, for the statistics: more than a whole life of evenings."""


class Listed(msgspec.Struct, frozen=True):
    """A table as lists have it: all that can be said of it without replaying its log."""

    n: int
    """The last number of its log that this takes into account."""
    summary: dict[str, Any]
    """As for somebody who is not seated."""
    to_act: tuple[int, ...]
    is_public: bool
    """Whether everyone is told of it."""
    arrivals: tuple[int, ...] = ()
    """The seats in the order in which those who have them came."""


@dataclass(frozen=True)
class Found:
    """A table found in a list."""

    code: str
    listed: Listed
    seat: int | None
    """The seat of the player who asks."""
    is_current: bool
    """Whether its log has nothing newer."""


def summary_row(listed: Listed) -> dict[str, Any]:
    seats_without = [
        {**one, "name": FORMER} if one["kind"] == "player" else one
        for one in listed.summary["seats"]
    ]
    summary = {**listed.summary, "seats": seats_without}
    return {
        "code": summary["code"],
        "state": summary["state"],
        "listed": listed.is_public,
        "created": summary["created"],
        "updated": summary["updated"],
        "n": listed.n,
        "summary": msgspec.json.encode(msgspec.structs.replace(listed, summary=summary)),
    }


def sheet_row(summary: dict[str, Any], n: int) -> dict[str, Any]:
    return {
        "code": summary["code"],
        "state": SHEET,
        "listed": False,
        "created": summary["created"],
        "updated": summary["updated"],
        "n": n,
        "summary": msgspec.json.encode({**summary, "names": []}),
    }


def tables_query(player: str | None) -> sa.Select[Any]:
    """Tables, with the seat of a player."""
    last = sa.select(sa.func.max(log.c.n)).where(log.c.code == tables.c.code).scalar_subquery()
    own = sa.and_(seats.c.code == tables.c.code, seats.c.player == (player or ""))
    return (
        sa.select(tables.c.code, tables.c.summary, tables.c.n, seats.c.seat, last.label("last"))
        .select_from(tables.outerjoin(seats, own))
        .where(tables.c.state != SHEET, is_visible(tables.c.code))
    )


def find_tables(connection: Connection, query: sa.Select[Any]) -> list[Found]:
    """What `tables_query`, narrowed down, finds."""
    rows = connection.execute(query.limit(MOST_LISTED)).all()
    found = [
        Found(row.code, _LISTED.decode(bytes(row.summary)), row.seat, row.n == row.last)
        for row in rows
    ]
    names = _seated(connection, [one.code for one in found])
    for one in found:
        there = one.listed.summary["seats"]
        for seat, who in enumerate(there):
            if who["kind"] == "player":
                who["name"] = names.get((one.code, seat), FORMER)
        order = one.listed.arrivals or range(len(there))
        shown = numbered([who.get("name", "") for who in there], order)
        for who, name in zip(there, shown, strict=True):
            if name:
                who["name"] = name
    return found


def seated_names(connection: Connection, code: str) -> dict[str, str]:
    """The names of those who sit at a table, by player."""
    query = (
        sa.select(players.c.id, players.c.name)
        .join(seats, seats.c.player == players.c.id)
        .where(seats.c.code == code)
    )
    return {row.id: row.name for row in connection.execute(query)}


def _seated(connection: Connection, codes: list[str]) -> dict[tuple[str, int], str]:
    if not codes:
        return {}
    query = (
        sa.select(seats.c.code, seats.c.seat, players.c.name)
        .join(players, seats.c.player == players.c.id)
        .where(seats.c.code.in_(codes))
    )
    return {(code, seat): name for code, seat, name in connection.execute(query)}


def find_sheets(connection: Connection, query: sa.Select[Any]) -> list[dict[str, Any]]:
    """The summaries that a query of `tables.summary` finds, with the names on the sheets."""
    rows = connection.execute(query.limit(MOST_SHEETS)).all()
    found = [msgspec.json.decode(bytes(row.summary)) for row in rows]
    names = _on_sheets(connection, [one["code"] for one in found])
    for one in found:
        seats_there = range(len(one["totals"]))
        one["names"] = [names.get((one["code"], seat), FORMER) for seat in seats_there]
        one.setdefault("places", Outcome(tuple(one["totals"])).places)  # older ones have none
    return found


def names_on_sheet(connection: Connection, code: str, players_there: int) -> list[str]:
    names = _on_sheets(connection, [code])
    return [names.get((code, seat), FORMER) for seat in range(players_there)]


def _on_sheets(connection: Connection, codes: Iterable[str]) -> dict[tuple[str, int], str]:
    query = sa.select(sheet_names).where(sheet_names.c.code.in_(list(codes)))
    return {(code, seat): name for code, seat, name in connection.execute(query)}


_LISTED: Final = msgspec.json.Decoder(Listed)

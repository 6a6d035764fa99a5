"""List entries of tables and score sheets: as rows in the database, and reading them.

The rows contain no names. Players' names are joined in by seat; those on a sheet come from the
names typed for it.
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
"""Sheets of one player in the statistics: more than a lifetime of evenings."""


class Listed(msgspec.Struct, frozen=True):
    """A table's list entry: everything that can be said without replaying its log."""

    n: int
    """The number of the last log entry it includes."""
    summary: dict[str, Any]
    """As somebody without a seat sees it."""
    to_act: tuple[int, ...]
    is_public: bool
    """Whether it is listed for everyone."""
    arrivals: tuple[int, ...] = ()
    """The seats in the order their players arrived."""


@dataclass(frozen=True)
class Found:
    """A table found in a list."""

    code: str
    listed: Listed
    seat: int | None
    """The asking player's seat."""
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
    """Select tables, with a player's seat at each."""
    last = sa.select(sa.func.max(log.c.n)).where(log.c.code == tables.c.code).scalar_subquery()
    own = sa.and_(seats.c.code == tables.c.code, seats.c.player == (player or ""))
    return (
        sa.select(tables.c.code, tables.c.summary, tables.c.n, seats.c.seat, last.label("last"))
        .select_from(tables.outerjoin(seats, own))
        .where(tables.c.state != SHEET, is_visible(tables.c.code))
    )


def find_tables(connection: Connection, query: sa.Select[Any]) -> list[Found]:
    """Run a `tables_query` with conditions added."""
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
    """The names of the players seated at a table, by player."""
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
    """Run a query of `tables.summary`, and add the names on the sheets."""
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

"""How long tables and score sheets are kept, and their deletion.

What nothing has happened to for `keep_days` goes, unless it was shared or somebody known has a seat
there. It is shared once its replay was, and known is who has taken a link to another device.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.storage.schema import (
    SHARED,
    log,
    marks,
    players,
    seats,
    sheet_names,
    snapshots,
    tables,
)
from foretold.server.storage.waking import is_visible

AT_ONCE: Final = 5
"""Tables that are deleted in one transaction: a few milliseconds of the one that may write."""
DAY_MS: Final = 24 * 3_600_000

_IS_SHARED: Final = sa.exists().where(marks.c.code == tables.c.code, marks.c.mark == SHARED)
_IS_KNOWN: Final = sa.exists().where(
    seats.c.code == tables.c.code, players.c.id == seats.c.player, players.c.known
)


@dataclass(frozen=True)
class Stay:
    """How long a table or sheet is kept."""

    until: int | None
    """When it goes, if nothing happens to it before; None if it stays."""
    because: str | None
    """Why it stays: ``shared``, ``known``, or ``always`` where nothing is ever deleted."""


def stay_of(connection: Connection, code: str, keep_days: float) -> Stay | None:
    """How long a table or sheet is kept; None if there is none."""
    query = sa.select(
        tables.c.updated, _IS_SHARED.label("is_shared"), _IS_KNOWN.label("is_known")
    ).where(tables.c.code == code, is_visible(tables.c.code))
    found = connection.execute(query).first()
    if found is None:
        return None
    if keep_days == 0:
        return Stay(None, "always")
    if found.is_shared or found.is_known:
        return Stay(None, SHARED if found.is_shared else "known")
    return Stay(found.updated + round(keep_days * DAY_MS), None)


def expired(connection: Connection, before: int, after: tuple[int, str]) -> list[Any]:
    """The next few whose time is over."""
    query = (
        sa.select(tables.c.updated, tables.c.code)
        .where(tables.c.updated < before, sa.tuple_(tables.c.updated, tables.c.code) > after)
        .where(~_IS_SHARED, ~_IS_KNOWN)
        .order_by(tables.c.updated, tables.c.code)
        .limit(AT_ONCE)
    )
    return list(connection.execute(query))


def still_expired(connection: Connection, before: int, codes: Collection[str]) -> list[str]:
    """Those of them whose time is over; nobody writes to them until the transaction ends."""
    query = (
        sa.select(tables.c.code)
        .where(tables.c.code.in_(codes), tables.c.updated < before, ~_IS_SHARED, ~_IS_KNOWN)
        .with_for_update(of=tables)
    )
    return list(connection.execute(query).scalars())


def delete(connection: Connection, codes: Collection[str]) -> None:
    """Delete tables or sheets, and all there is of them."""
    if codes:
        for table in (snapshots, sheet_names, marks, seats, log, tables):
            connection.execute(sa.delete(table).where(table.c.code.in_(codes)))

"""How long tables and score sheets are kept, and their deletion.

A table or sheet is deleted after `keep_days` without activity, unless its replay was shared or a
known player has a seat there: one who has used a link to another device.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.storage.schema import (
    SHARED,
    archive,
    log,
    marks,
    owners,
    players,
    seats,
    sheet_names,
    snapshots,
    tables,
)
from foretold.server.storage.waking import is_visible

AT_ONCE: Final = 5
"""Tables deleted in one transaction, which blocks other writers for a few milliseconds."""
DAY_MS: Final = 24 * 3_600_000

_IS_SHARED: Final = sa.exists().where(marks.c.code == tables.c.code, marks.c.mark == SHARED)
_IS_KNOWN: Final = sa.exists().where(
    seats.c.code == tables.c.code, players.c.id == seats.c.player, players.c.known
)


@dataclass(frozen=True)
class Stay:
    """How long a table or sheet is kept."""

    until: int | None
    """When it is deleted, if nothing happens to it before; None if it stays."""
    because: str | None
    """Why it stays: ``shared``, ``known``, or ``always`` if nothing is ever deleted."""


def stay_of(connection: Connection, code: str, keep_days: float) -> Stay | None:
    """How long a table or sheet is kept; None if it does not exist."""
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
    """The next few that have expired."""
    query = (
        sa.select(tables.c.updated, tables.c.code)
        .where(tables.c.updated < before, sa.tuple_(tables.c.updated, tables.c.code) > after)
        .where(~_IS_SHARED, ~_IS_KNOWN)
        .order_by(tables.c.updated, tables.c.code)
        .limit(AT_ONCE)
    )
    return list(connection.execute(query))


def still_expired(connection: Connection, before: int, codes: Collection[str]) -> list[str]:
    """Those that are still expired; nobody can write to them until the transaction ends."""
    query = (
        sa.select(tables.c.code)
        .where(tables.c.code.in_(codes), tables.c.updated < before, ~_IS_SHARED, ~_IS_KNOWN)
        .with_for_update(of=tables)
    )
    return list(connection.execute(query).scalars())


def delete(connection: Connection, codes: Collection[str]) -> None:
    """Delete tables or sheets, and everything that belongs to them."""
    if codes:
        for table in (owners, snapshots, sheet_names, marks, seats, archive, log, tables):
            connection.execute(sa.delete(table).where(table.c.code.in_(codes)))

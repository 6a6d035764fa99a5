"""Removing a player from a score sheet that others have written on too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import UNSET
from sqlalchemy.engine import Connection

from foretold.scoresheet.entries import Written, Wrote, decode_entry, encode_entry
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.storage.listing import names_on_sheet
from foretold.server.storage.logs import read_log
from foretold.server.storage.schema import log, sheet_names
from foretold.table.refusals import Refused


def sheet_of(connection: Connection, code: str) -> tuple[Tablet, int]:
    """A sheet without names, and when it was opened."""
    log_of_it = _log_of(connection, code)
    return Tablet.replayed(log_of_it), log_of_it[0].at


@dataclass(frozen=True)
class Traces:
    """A player's traces on a sheet."""

    n: int
    """The last number of the log when it was read."""
    seats: list[int]
    """The seats with their name."""
    notes: list[dict[str, Any]]
    """The entries with a note of theirs, by number, each without the note."""


def traces_of(connection: Connection, code: str, player: str, name: str) -> Traces:
    """Call before anything is locked: replaying a long sheet takes time."""
    written = _log_of(connection, code)
    tablet = Tablet.replayed(written)
    names = names_on_sheet(connection, code, tablet.rules.players)
    own = [
        seat
        for seat, claim in enumerate(tablet.claims)
        if claim == player or names[seat].casefold() == name.casefold()
    ]
    notes = [
        {"number": one.n, "without": encode_entry(msgspec.structs.replace(one.entry, note=""))}
        for one in written
        if isinstance(one.entry, Wrote)
        and one.entry.asked_by == player
        and one.entry.note is not UNSET
    ]
    return Traces(tablet.n, own, notes)


def erase_traces(connection: Connection, code: str, traces: Traces) -> None:
    there = sheet_names.c.code == code, sheet_names.c.seat.in_(traces.seats)
    connection.execute(sa.delete(sheet_names).where(*there))
    if traces.notes:
        at = log.c.code == code, log.c.n == sa.bindparam("number")
        noted = sa.update(log).where(*at).values(entry=sa.bindparam("without"))
        connection.execute(noted, traces.notes)


def _log_of(connection: Connection, code: str) -> list[Written]:
    rows = read_log(connection, code)
    if not rows:
        raise Refused("no_sheet")
    return [Written(n, at, decode_entry(one)) for n, at, one in rows]

"""Taking a player out of a score sheet that others have written on too."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from msgspec import UNSET
from sqlalchemy.engine import Connection

from foretold.server.listing import names_on_sheet
from foretold.server.schema import log, seats, sheet_names
from foretold.server.waking import log_query
from foretold.table.refusals import Refused
from foretold.tablet.entries import Written, Wrote, decode_entry, encode_entry
from foretold.tablet.tablet import Tablet


def sheet_of(connection: Connection, code: str) -> tuple[Tablet, int]:
    """A sheet without names, and when it was opened."""
    log_of_it = _log_of(connection, code)
    if not log_of_it:
        raise Refused("no_sheet")
    return Tablet.replayed(log_of_it), log_of_it[0].at


def erase_from_sheet(connection: Connection, code: str, player: str, name: str) -> None:
    """Forget the name of the seats that are theirs, and what they have noted in words."""
    written = _log_of(connection, code)
    tablet = Tablet.replayed(written)
    names = names_on_sheet(connection, code, tablet.rules.players)
    own = [
        seat
        for seat, claim in enumerate(tablet.claims)
        if claim == player or names[seat].casefold() == name.casefold()
    ]
    there = sheet_names.c.code == code, sheet_names.c.seat.in_(own)
    connection.execute(sa.delete(sheet_names).where(*there))
    for one in written:
        entry = one.entry
        if isinstance(entry, Wrote) and entry.asked_by == player and entry.note is not UNSET:
            without = encode_entry(msgspec.structs.replace(entry, note=""))
            at = log.c.code == code, log.c.n == one.n
            connection.execute(sa.update(log).where(*at).values(entry=without))
    connection.execute(sa.delete(seats).where(seats.c.code == code, seats.c.player == player))


def _log_of(connection: Connection, code: str) -> list[Written]:
    rows = connection.execute(log_query(code))
    return [Written(n, at, decode_entry(bytes(one))) for n, at, one in rows]

"""Records and replays computed from a game's log, in any thread or process.

Each function takes the rows of a log and returns compressed JSON; they raise `Refused`.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from foretold.record import RecordData
from foretold.table.entries import Logged, Names, decode_entry, named
from foretold.table.refusals import Refused
from foretold.table.replay import replay_data
from foretold.table.table import Table


@dataclass(frozen=True)
class Rows:
    """A log as the database has it, and the names of the players seated at its table."""

    entries: Sequence[tuple[int, int, bytes]]
    """Number, time and entry."""
    names: Names


def packed_record(code: str, rows: Rows, player: str | None) -> bytes:
    table = _watched(code, _log(rows), player)
    found = table.record()
    if found is None:
        raise _not_begun(table)
    return packed(msgspec.json.encode(found))


def packed_replay(code: str, rows: Rows, viewer: int | None, player: str | None) -> bytes:
    log = _log(rows)
    table = _watched(code, log, player)
    if viewer is not None and viewer >= table.rules.players:
        raise Refused("no_seat", last=table.rules.players - 1)
    found = replay_data(code, log, viewer)
    if found is None:
        raise _not_begun(table)
    return packed(msgspec.json.encode(found))


def own_record(code: str, rows: Rows) -> RecordData | None:
    """A game's record for one of its players, past or present; None before the first deal."""
    return Table.replayed(code, _log(rows)).record()


def finished_record(code: str, rows: Rows) -> RecordData:
    table = Table.replayed(code, _log(rows))
    found = table.record()
    if found is None or table.state != "over":
        raise Refused("closed" if table.state == "closed" else "not_over")
    return found


def _not_begun(table: Table) -> Refused:
    return Refused("closed" if table.state == "closed" else "not_playing")


def packed(text: bytes) -> bytes:
    return gzip.compress(text, 6, mtime=0)


def _log(rows: Rows) -> list[Logged]:
    return [Logged(n, at, named(decode_entry(one), rows.names)) for n, at, one in rows.entries]


def _watched(code: str, log: Sequence[Logged], player: str | None) -> Table:
    """The table, if the player may watch it; raises `Refused`."""
    table = Table.replayed(code, log)
    is_seated = player is not None and table.seat_of(player) is not None
    if not is_seated and table.state != "over" and not table.settings.spectators:
        raise Refused("no_spectators")
    return table

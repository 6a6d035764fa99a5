"""What has to be written for an entry of a table or a score sheet."""

from __future__ import annotations

from typing import Any

from foretold.scoresheet import entries as sheet_entries
from foretold.scoresheet.entries import Deleted, Opened, Renamed, Written
from foretold.server.storage.writes import Step, Write
from foretold.table.entries import Logged, encode_entry


def written_down(code: str, written: Written, epoch: int | None = None) -> list[Step]:
    """An entry of a sheet and, stored separately, the names in it."""
    entry = written.entry
    row = {"code": code, "n": written.n, "at": written.at}
    steps = [_append({**row, "entry": sheet_entries.encode_entry(entry)}, epoch)]
    if isinstance(entry, Opened):
        steps += [_write_name(code, seat, name) for seat, name in enumerate(entry.names)]
    elif isinstance(entry, Renamed):
        steps.append(_write_name(code, entry.seat, entry.name))
    elif isinstance(entry, Deleted):
        steps.append((Write.FORGET_SHEET_NAMES, {"sheet": code}))
    return steps


def _write_name(code: str, seat: int, name: str) -> Step:
    return Write.SHEET_NAME, {"code": code, "seat": seat, "name": name}


def appended(code: str, logged: Logged, epoch: int | None = None) -> Step:
    entry = encode_entry(logged.entry)
    return _append({"code": code, "n": logged.n, "at": logged.at, "entry": entry}, epoch)


def _append(row: dict[str, Any], epoch: int | None) -> Step:
    """A row of the log; with an epoch, written only if that is still the owner's."""
    if epoch is None:
        return Write.APPEND, row
    return Write.FENCED_APPEND, {**row, "epoch": epoch}


def seated(code: str, seat: int, player: str) -> Step:
    return Write.SIT_DOWN, {"code": code, "seat": seat, "player": player}

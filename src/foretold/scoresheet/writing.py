"""What may be written on a score sheet, and why something may not."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from msgspec import UNSET

from foretold.errors import ForetoldError
from foretold.refusals import to_player
from foretold.scoresheet.entries import Wrote
from foretold.scoresheet.scoresheet import CLOUD_CHANGES, Line, Tablet

MAX_NOTE: Final = 200


class SheetError(ForetoldError):
    """An entry that cannot be written; `code` and `params` are for programs."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params: Mapping[str, Any] = params
        super().__init__(to_player(code, params))


def check(tablet: Tablet, entry: Wrote) -> None:
    """Raise `SheetError` unless the cells can be written."""
    if not 1 <= entry.round <= len(tablet.lines):
        raise SheetError("no_round", last=len(tablet.lines))
    line = deepcopy(tablet.lines[entry.round - 1])
    _check_cells(tablet, line, entry)
    current = tablet.current
    if current is not None and entry.round > current.number and (entry.bids or entry.taken):
        raise SheetError("too_early", round=current.number)
    line.write(entry, 0)
    _check_line(tablet, line)


def _check_cells(tablet: Tablet, line: Line, entry: Wrote) -> None:
    players = tablet.rules.players
    for seat in (*entry.bids, *entry.taken):
        if not 0 <= seat < players:
            raise SheetError("no_seat", last=players - 1)
    if any(bid is not None and bid not in line.numbers for bid in entry.bids.values()):
        raise SheetError("bid_range", size=line.size)
    if any(taken is not None and taken not in line.numbers for taken in entry.taken.values()):
        raise SheetError("tricks_range", size=line.size)
    if entry.note is not UNSET and len(entry.note) > MAX_NOTE:
        raise SheetError("note_long", most=MAX_NOTE)
    if entry.bombed is True and not tablet.has_bomb:
        raise SheetError("no_bomb")
    if entry.cloud is not UNSET and entry.cloud is not None:
        if not tablet.has_cloud:
            raise SheetError("no_cloud")
        if not 0 <= entry.cloud[0] < players:
            raise SheetError("no_seat", last=players - 1)
        if entry.cloud[1] not in CLOUD_CHANGES:
            raise SheetError("cloud_step")


def _check_line(tablet: Tablet, line: Line) -> None:
    """Raise `SheetError` if the round would not make sense."""
    check_bids(tablet, line)
    check_tricks(tablet, line)


def check_bids(tablet: Tablet, line: Line) -> None:
    """Raise `SheetError` if the bids of a round, or the Cloud's change, are impossible."""
    if None not in line.bids and line.bids[line.dealer] == tablet.forbidden(line):
        raise SheetError("bid_forbidden", size=line.size)
    if line.cloud is None:
        return
    if not tablet.bids_show(line):
        raise SheetError("cloud_early")  # any other refusal would reveal a sealed bid
    seat, change = line.cloud
    if change not in tablet.cloud_changes(line, seat):
        raise SheetError("cloud_range", size=line.size)


def check_tricks(tablet: Tablet, line: Line) -> None:
    """Raise `SheetError` if the tricks of a round are impossible."""
    taken = [tricks for tricks in line.taken if tricks is not None]
    if taken and None in line.bids:
        raise SheetError("bids_first")
    if sum(taken) > line.tricks_to_take:
        raise SheetError("tricks_total", sum=sum(taken), size=line.tricks_to_take)
    if len(taken) == len(line.taken) and sum(taken) < line.tricks_to_take:
        if tablet.has_bomb and not line.bombed and sum(taken) == line.size - 1:
            raise SheetError("bomb_asked")
        raise SheetError("tricks_total", sum=sum(taken), size=line.tricks_to_take)

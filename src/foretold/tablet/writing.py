"""What may be written on a score sheet, and why something may not."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from msgspec import UNSET

from foretold.errors import ForetoldError
from foretold.tablet.entries import Wrote
from foretold.tablet.tablet import Line, Tablet

MAX_NOTE: Final = 200

_REASONS: Final = {
    "no_round": "rounds are 1 to {last}",
    "no_seat": "there are seats 0 to {last}",
    "bid_range": "a bid in this round is 0 to {size}",
    "tricks_range": "this round has {size} tricks: expected 0 to {size}",
    "bid_forbidden": "the bids of this round may not add up to {size}",
    "tricks_total": "the tricks add up to {sum}, but this round has {size}",
    "bomb_asked": "one trick is missing: was it set aside by the Bomb?",
    "no_bomb": "there is no Bomb in this game",
    "no_cloud": "there is no Cloud in this game",
    "cloud_range": "the Cloud changes a bid by 1, and it stays within 0 to {size}",
    "bids_first": "write down all bids of this round first",
    "too_early": "finish round {round} first",
    "note_long": "a note has at most {most} characters",
    "nothing_to_undo": "there is nothing to take back",
}


class SheetError(ForetoldError):
    """An entry that cannot be written; `code` and `params` are for programs."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params: Mapping[str, Any] = params
        super().__init__(_REASONS[code].format_map(params))


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
    players, size = tablet.rules.players, line.size
    for seat in (*entry.bids, *entry.taken):
        if not 0 <= seat < players:
            raise SheetError("no_seat", last=players - 1)
    if any(bid is not None and not 0 <= bid <= size for bid in entry.bids.values()):
        raise SheetError("bid_range", size=size)
    if any(taken is not None and not 0 <= taken <= size for taken in entry.taken.values()):
        raise SheetError("tricks_range", size=size)
    if entry.note is not UNSET and len(entry.note) > MAX_NOTE:
        raise SheetError("note_long", most=MAX_NOTE)
    if entry.bombed is True and not tablet.has_bomb:
        raise SheetError("no_bomb")
    if entry.cloud is not UNSET and entry.cloud is not None:
        seat, change = entry.cloud
        if not tablet.has_cloud:
            raise SheetError("no_cloud")
        if not 0 <= seat < players:
            raise SheetError("no_seat", last=players - 1)
        if change not in (-1, 1):
            raise SheetError("cloud_range", size=size)


def _check_line(tablet: Tablet, line: Line) -> None:
    """Check that the round makes sense with these cells."""
    if None not in line.bids and line.bids[line.dealer] == tablet.forbidden(line):
        raise SheetError("bid_forbidden", size=line.size)
    if any(taken is not None for taken in line.taken) and None in line.bids:
        raise SheetError("bids_first")
    if line.cloud is not None and not tablet.bids_show(line):
        raise SheetError("too_early", round=line.number)  # any other code would reveal a sealed bid
    changed = line.scored_bids if line.cloud is not None else []
    if any(bid is not None and not 0 <= bid <= line.size for bid in changed):
        raise SheetError("cloud_range", size=line.size)
    taken = [tricks for tricks in line.taken if tricks is not None]
    if sum(taken) > line.tricks_to_take:
        raise SheetError("tricks_total", sum=sum(taken), size=line.tricks_to_take)
    if len(taken) == len(line.taken) and sum(taken) < line.tricks_to_take:
        if tablet.has_bomb and not line.bombed and sum(taken) == line.size - 1:
            raise SheetError("bomb_asked")
        raise SheetError("tricks_total", sum=sum(taken), size=line.tricks_to_take)

"""What may be written next on a score sheet, and what follows from it: clients work out none of it.

Every number is tried by the checks that an entry has to pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from foretold.scoresheet.scoresheet import Line, Tablet
from foretold.scoresheet.writing import SheetError, check_bids, check_tricks

CellName: TypeAlias = Literal["bid", "taken"]
Data: TypeAlias = dict[str, Any]


def cells_data(tablet: Tablet) -> Data | None:
    """The cells of the current round, by seat; None for one that cannot be written yet."""
    line = tablet.current
    if line is None:
        return None
    seats = range(tablet.rules.players)
    all_bid = None not in line.bids
    return {
        "bid": [_bid_data(tablet, line, seat) for seat in seats],
        "taken": [_taken_data(tablet, line, seat) if all_bid else None for seat in seats],
    }


def clouds_data(tablet: Tablet, line: Line) -> list[tuple[int, ...]] | None:
    """By seat, how the Cloud can change the bid of a round; None if there is no Cloud."""
    if not tablet.has_cloud:
        return None
    # To those looking at the sheet, a sealed bid may be anything.
    known = line if tablet.bids_show(line) else replace(line, bids=[None] * len(line.bids))
    return [tablet.cloud_changes(known, seat) for seat in range(tablet.rules.players)]


def _bid_data(tablet: Tablet, line: Line, seat: int) -> Data:
    why = {}
    # Bids are free until the others have made theirs.
    if all(bid is not None for other, bid in enumerate(line.bids) if other != seat):
        for number, tried in _tried(line, "bid", seat):
            try:
                check_bids(tablet, tried)
            except SheetError as error:
                why[number] = refusal_data(error)
    return _cell_data(line, why)


def _taken_data(tablet: Tablet, line: Line, seat: int) -> Data:
    why = {}
    for number, tried in _tried(line, "taken", seat):
        try:
            check_tricks(tablet, tried)
        except SheetError as error:
            if error.code != "bomb_asked":  # a question, which the writer can answer
                why[number] = refusal_data(error)
    others = [taken for other, taken in enumerate(line.taken) if other != seat]
    left = line.tricks_to_take - sum(taken or 0 for taken in others)
    cell = _cell_data(line, why)
    follows = {number: _rest(tablet, line, seat, left - number) for number in cell["legal"]}
    return {
        **cell,
        "left": left,
        "fits": None if None in others else left,
        "follows": {number: rest for number, rest in follows.items() if rest},
    }


def _rest(tablet: Tablet, line: Line, seat: int, left: int) -> dict[int, int]:
    """What those without a number must have taken of the tricks left, if that is certain."""
    open_seats = [
        other for other, taken in enumerate(line.taken) if taken is None and other != seat
    ]
    if left == 0:
        return dict.fromkeys(open_seats, 0)
    may_explode = tablet.has_bomb and not line.bombed  # then one may have gone to nobody
    return {open_seats[0]: left} if len(open_seats) == 1 and not may_explode else {}


def _tried(line: Line, cell: CellName, seat: int) -> Iterator[tuple[int, Line]]:
    """The round with every number in a cell."""
    cells = line.bids if cell == "bid" else line.taken
    for number in line.numbers:
        tried = [*cells[:seat], number, *cells[seat + 1 :]]
        yield number, replace(line, bids=tried) if cell == "bid" else replace(line, taken=tried)


def refusal_data(error: SheetError) -> Data:
    """As clients get it."""
    return {"code": error.code, "params": dict(error.params), "reason": str(error)}


def _cell_data(line: Line, why: dict[int, Data]) -> Data:
    return {"legal": [number for number in line.numbers if number not in why], "why": why}

"""A score sheet as data for clients, and as CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from foretold.results import Outcome
from foretold.scoresheet.choices import clouds_data
from foretold.scoresheet.scoresheet import CLOUD_CHANGES, Line, Tablet
from foretold.words import FORMER_PLAYER

Sees: TypeAlias = Callable[[Line, int], bool]
"""Whether somebody may see a seat's sealed bid in a round."""


def sheet_data(tablet: Tablet, sees: Sees) -> dict[str, Any]:
    """The whole sheet, with only those sealed bids that somebody `sees`."""
    outcome = tablet.outcome
    current = tablet.current
    following = tablet.next_cell()
    totals = accumulate(
        (line.points() or (0,) * tablet.rules.players for line in tablet.lines),
        lambda before, won: tuple(map(sum, zip(before, won, strict=True))),
    )
    return {
        "n": tablet.n,
        "names": list(tablet.names),
        "rules": tablet.rules.to_options(),
        "edition": tablet.edition,
        "first_dealer": tablet.first_dealer,
        "rounds": [
            _line_data(tablet, line, total, sees)
            for line, total in zip(tablet.lines, totals, strict=True)
        ],
        "current": None if current is None else current.number,
        "next": None if following is None else {"cell": following[0], "seat": following[1]},
        "forbidden": None if current is None else tablet.forbidden(current),
        "totals": tablet.totals,
        "places": Outcome(tablet.totals).places,
        "outcome": None
        if outcome is None
        else {"winners": outcome.winners, "places": outcome.places},
        "bomb": tablet.has_bomb,
        "cloud_changes": CLOUD_CHANGES if tablet.has_cloud else None,
        "can_undo": tablet.latest() is not None,
    }


def _line_data(tablet: Tablet, line: Line, totals: tuple[int, ...], sees: Sees) -> dict[str, Any]:
    points = line.points()
    show = tablet.bids_show(line)
    return {
        "size": line.size,
        "dealer": line.dealer,
        "order": tablet.rules.turns(line.dealer),
        "numbers": (line.numbers[0], line.numbers[-1]),
        "bids": [bid if show or sees(line, seat) else None for seat, bid in enumerate(line.bids)],
        "bid": [bid is not None for bid in line.bids],
        "shown": show,
        "foretold": sum(bid or 0 for bid in line.bids) if show else None,
        "scored_bids": None if points is None else line.scored_bids,
        "taken": list(line.taken),
        "off": [off if show or sees(line, seat) else None for seat, off in enumerate(line.off)],
        "cloud": line.cloud,
        "clouds": clouds_data(tablet, line),
        "bombed": line.bombed,
        "note": line.note,
        "points": points,
        "totals": None if points is None else totals,
    }


Separator: TypeAlias = Literal[",", ";"]


class Heading(NamedTuple):
    """The column headings of a spreadsheet."""

    round: str = "round"
    cards: str = "cards"
    dealer: str = "dealer"
    bid: str = "bid"
    tricks: str = "tricks"
    points: str = "points"
    total: str = "total"
    note: str = "note"


ENGLISH: Final = Heading()


def to_csv(tablet: Tablet, heading: Heading = ENGLISH, separator: Separator = ",") -> str:
    """The sheet for a spreadsheet: a row per round, with bid, tricks, points and total for each."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    names = [_plain(name or FORMER_PLAYER) for name in tablet.names]
    words = Heading(*map(_plain, heading))
    parts = (words.bid, words.tricks, words.points, words.total)
    columns = [f"{name}: {part}" for name in names for part in parts]
    writer.writerow([words.round, words.cards, words.dealer, *columns, words.note])
    for line in tablet.lines:
        points, totals = line.points(), tablet.totals_after(line.number)
        row: list[object] = [line.number, line.size, names[line.dealer]]
        bids = line.scored_bids if tablet.bids_show(line) else [None] * len(names)
        for seat, bid in enumerate(bids):
            if points is None:
                row += ["" if bid is None else bid, _blank(line.taken[seat]), "", ""]
            else:
                row += [bid, line.taken[seat], points[seat], totals[seat]]
        writer.writerow([*row, _plain(line.note)])
    return text.getvalue()


def _blank(value: int | None) -> int | str:
    return "" if value is None else value


def _plain(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text

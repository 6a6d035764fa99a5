"""The Tablet of Truth: every round of a game, and the totals as a line chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from foretold.results import Round
from foretold.tui.palette import Palette, trump_text

# The dots of a braille character, by column and row.
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BLANK: Final = 0x2800


def score_sheet(
    sheet: Sequence[Round], names: Sequence[str], palette: Palette, *, bids: bool = True
) -> Table:
    """The totals of every round and, if there is room, the tricks taken and bid beside them."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
    table.add_column("", justify="right", style=palette.faint)
    table.add_column("", justify="center")
    for name in names:
        table.add_column(name, justify="right")
    for number, line in enumerate(sheet, start=1):
        cells = []
        for seat, total in enumerate(line.totals):
            met = line.off[seat] == 0
            cell = Text(str(total), style=palette.magic if met else palette.text)
            if bids:
                cell.append(f" {line.taken[seat]}/{line.scored_bids[seat]}".ljust(4), palette.faint)
            cells.append(cell)
        table.add_row(str(number), trump_text(line.trump, palette), *cells)
    return table


def chart(
    totals: Sequence[Sequence[int]],
    names: Sequence[str],
    palette: Palette,
    width: int,
    height: int,
) -> Text:
    """The totals after each round as lines, one per seat, each labelled with its name at the end.

    It starts at zero, before the first round.
    """
    rows = [(0,) * len(names), *totals]
    low = min(min(row) for row in rows)
    high = max(max(row) for row in rows)
    span = max(high - low, 1)
    scale = max(len(str(low)), len(str(high)))
    label = max(len(name) for name in names) + 1
    columns = max(width - scale - 1 - label, 4)
    dots = [[0] * columns for _ in range(height)]
    owner = [[0] * columns for _ in range(height)]

    def place(value: float) -> int:
        return round((high - value) / span * (4 * height - 1))

    # The last seat first, so that the first seat's line is on top.
    for seat in reversed(range(len(names))):
        for x in range(2 * columns):
            at = x / max(2 * columns - 1, 1) * (len(rows) - 1)
            left = min(int(at), max(len(rows) - 2, 0))
            right = min(left + 1, len(rows) - 1)
            value = rows[left][seat] + (rows[right][seat] - rows[left][seat]) * (at - left)
            y = place(value)
            dots[y // 4][x // 2] |= _DOTS[x % 2][y % 4]
            owner[y // 4][x // 2] = seat
    ranked = sorted(range(len(names)), key=lambda seat: -rows[-1][seat])
    labels = _spread([(place(rows[-1][seat]) // 4, seat) for seat in ranked], height)
    text = Text()
    for y in range(height):
        mark = str(high) if y == 0 else str(low) if y == height - 1 else ""
        text.append(f"{mark:>{scale}}", palette.faint)
        text.append("┤" if mark else "│", palette.faint)
        for x in range(columns):
            style = palette.seats[owner[y][x]]
            text.append(chr(_BLANK + dots[y][x]) if dots[y][x] else " ", style)
        if y in labels:
            text.append(f" {names[labels[y]]}", palette.seats[labels[y]])
        if y < height - 1:
            text.append("\n")
    return text


def _spread(ends: Sequence[tuple[int, int]], height: int) -> dict[int, int]:
    """A row for each seat's name, in their order, as close as possible to the end of its line.

    `ends` are the wanted rows with their seats, from the top.
    """
    lines: list[int] = []
    for wanted, _ in ends:
        lines.append(max(wanted, lines[-1] + 1) if lines else wanted)
    for index in reversed(range(len(lines))):  # push back up what fell off the bottom
        lines[index] = min(lines[index], height - len(lines) + index)
    return {line: seat for line, (_, seat) in zip(lines, ends, strict=True)}

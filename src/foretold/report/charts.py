"""SVG charts without dependencies: they need neither scripts nor the web.

Colours come from the page (`--s0` to `--s7`), so that they follow its light and dark themes; series
also differ in the shape of their points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

from foretold.report.stats import Estimate

WIDTH: Final = 420
HEIGHT: Final = 250
COLOURS: Final = 8
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 10, 10, 32
_ROW: Final = 44


@dataclass(frozen=True)
class Series:
    """A named line of values, one for each position on the axis."""

    name: str
    values: Sequence[Estimate]


@dataclass(frozen=True)
class Scale:
    """Maps numbers to positions."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers that span a range.

    >>> ticks(-3, 187)
    [-50.0, 0.0, 50.0, 100.0, 150.0, 200.0]
    """
    rough = max(high - low, 1e-9) / (most - 1)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(count * step, 10) for count in range(first, max(last, first + 1) + 1)]


def line_chart(
    title: str,
    series: Sequence[Series],
    along: Sequence[int],
    axis: str,
    worded: Callable[[float], str] = lambda value: f"{value:g}",
    span: tuple[float, float] | None = None,
) -> str:
    """Lines, with a faint band for the limits of each value."""
    values = [bound for one in series for value in one.values for bound in _bounds(value)]
    marks = ticks(*(span or (min(0.0, *values), max(values))))
    up = Scale(marks[0], marks[-1], HEIGHT - _BOTTOM, _TOP)
    right = Scale(0, max(len(along) - 1, 1), _LEFT + 8, WIDTH - _RIGHT - 8)
    parts = [
        f'<g class="grid"><line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{up(mark):.1f}" '
        f'y2="{up(mark):.1f}"/><text x="{_LEFT - 6}" y="{up(mark) + 4:.1f}" '
        f'text-anchor="end">{worded(mark)}</text></g>'
        for mark in marks
    ]
    every = ceil(len(along) / 11)
    parts += [
        f'<text x="{right(place):.1f}" y="{HEIGHT - _BOTTOM + 15}" '
        f'text-anchor="middle">{label}</text>'
        for place, label in enumerate(along)
        if place % every == 0
    ]
    parts.append(
        f'<text x="{(_LEFT + WIDTH - _RIGHT) / 2:.1f}" y="{HEIGHT - 3}" '
        f'text-anchor="middle" class="axis">{escape(axis)}</text>'
    )
    for index, one in enumerate(series):
        parts.append(_line(index, one, along, right, up, worded))
    return picture(title, HEIGHT, parts)


def _line(
    index: int,
    series: Series,
    along: Sequence[int],
    right: Scale,
    up: Scale,
    worded: Callable[[float], str],
) -> str:
    places = [right(place) for place in range(len(along))]
    spots = list(zip(places, (up(value.value) for value in series.values), strict=True))
    parts = []
    if all(value.low is not None for value in series.values):
        bounds = [_bounds(value) for value in series.values]
        edge = [(x, up(high)) for x, (_, high) in zip(places, bounds, strict=True)]
        edge += [(x, up(low)) for x, (low, _) in zip(places, bounds, strict=True)][::-1]
        parts.append(f'<polygon class="band" points="{_points(edge)}"/>')
    parts.append(f'<polyline class="line" points="{_points(spots)}"/>')
    for (x, y), label, value in zip(spots, along, series.values, strict=True):
        tip = f"{series.name}, {label}: {worded(value.value)}"
        parts.append(marker(index, x, y, tip))
    return f'<g class="s{index % COLOURS}">{"".join(parts)}</g>'


def interval_chart(title: str, rows: Sequence[tuple[str, Estimate]]) -> str:
    """A point with its limits for each name, one below the other."""
    values = [bound for _, value in rows for bound in _bounds(value)]
    marks = ticks(min(0.0, *values), max(values))
    height = _TOP + _ROW * len(rows) + 24
    right = Scale(marks[0], marks[-1], 16, WIDTH - 24)
    parts = [
        f'<g class="grid"><line y1="{_TOP}" y2="{height - 20}" x1="{right(mark):.1f}" '
        f'x2="{right(mark):.1f}"/><text x="{right(mark):.1f}" y="{height - 5}" '
        f'text-anchor="middle">{mark:g}</text></g>'
        for mark in marks
    ]
    for index, (name, value) in enumerate(rows):
        y = _TOP + _ROW * index + 30
        low, high = map(right, _bounds(value))
        parts.append(
            f'<text class="name" x="16" y="{y - 13}">{escape(_shortened(name))}</text>'
            f'<text class="name" x="{WIDTH - 24}" y="{y - 13}" '
            f'text-anchor="end">{value.value:.1f}</text>'
            f'<g class="s{index % COLOURS}">'
            f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
            f"{marker(index, right(value.value), y, f'{name}: {value.value:.1f}', 5)}</g>"
        )
    return picture(title, height, parts)


def share_chart(title: str, rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """A bar for each name, divided into shares that add up to 1."""
    height = _TOP + _ROW * len(rows)
    parts = []
    for index, (name, shares) in enumerate(rows):
        y = _TOP + _ROW * index
        parts.append(f'<text class="name" x="16" y="{y + 10}">{escape(_shortened(name))}</text>')
        x = 16.0
        for number, share in enumerate(shares):
            width = share * (WIDTH - 40)
            strength = 1 - 0.8 * number / max(len(shares) - 1, 1)
            parts.append(
                f'<g class="share{" strong" if strength > 0.55 else ""}">'
                f'<rect x="{x:.1f}" y="{y + 15}" width="{max(width - 1, 0):.1f}" height="20" '
                f'style="--strength:{strength:.0%}"><title>{escape(name)}, place '
                f"{number + 1}: {share:.1%}</title></rect>"
            )
            if width > 34:
                parts.append(
                    f'<text x="{x + width / 2:.1f}" y="{y + 29}" '
                    f'text-anchor="middle">{share:.0%}</text>'
                )
            parts.append("</g>")
            x += width
    return picture(title, height, parts)


def marker(index: int, x: float, y: float, tip: str, size: float = 3.2) -> str:
    """The point of a series: a disc, a square, a diamond or a triangle."""
    title = f"<title>{escape(tip)}</title>"
    shape = index % 4
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}">{title}</circle>'
    if shape == 1:
        corners: list[tuple[float, float]] = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    elif shape == 2:
        corners = [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)]
    else:
        corners = [(0, -1.3), (1.2, 1), (-1.2, 1)]
    points = _points([(x + size * right, y + size * down) for right, down in corners])
    return f'<polygon points="{points}">{title}</polygon>'


def legend(names: Sequence[str]) -> str:
    """The names of series beside their points, as an HTML list."""
    items = (
        f'<li><svg viewBox="0 0 14 14" class="s{index % COLOURS}" aria-hidden="true">'
        f"{marker(index, 7, 7, name, 5)}</svg>{escape(name)}</li>"
        for index, name in enumerate(names)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def picture(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def _bounds(value: Estimate) -> tuple[float, float]:
    low = value.value if value.low is None else value.low
    return low, value.value if value.high is None else value.high


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)


def _shortened(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:38]}…"

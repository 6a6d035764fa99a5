"""The learning curves of a run, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from foretold.report.charts import HEIGHT, WIDTH, Series, line_chart
from foretold.report.stats import Estimate

_STYLE: Final = """<style>
text { font: 11px sans-serif; fill: #333 } .axis { font-weight: bold }
.grid line { stroke: #ddd } .line { fill: none; stroke-width: 2 } .band { opacity: 0.15 }
.s0 { stroke: #1b6ca8; fill: #1b6ca8; color: #1b6ca8 } .s1 { stroke: #c0532b; fill: #c0532b }
.s0 .band, .s1 .band { stroke: none } rect { fill: white }
</style>"""

_HEAD: Final = 28
_CHARTS: Final = (
    ("points a game, 4 players", ("points_simple", "points_stranger")),
    ("share of games won", ("wins_simple", "wins_stranger")),
    ("share of bids met", ("exact_simple", "exact_stranger")),
    ("loss of the value", ("value",)),
)
_NAMES: Final = {"simple": "against simple", "stranger": "against strangers"}


def picture(curve: Sequence[dict[str, float]]) -> str:
    """Strength and loss, leg by leg, as SVG."""
    large = max(point["decisions"] for point in curve) > 2e7
    unit, by = (1e6, "million decisions") if large else (1e3, "thousand decisions")
    along = [round(point["decisions"] / unit) for point in curve]
    parts = []
    for index, (title, names) in enumerate(_CHARTS):
        series = [
            Series(
                _NAMES.get(name.rpartition("_")[2], name), [_estimate(one, name) for one in curve]
            )
            for name in names
        ]
        chart = line_chart(title, series, along, f"{title}, by {by}")
        x, y = index % 2 * WIDTH, _HEAD + index // 2 * HEIGHT
        place = f'<svg x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" '
        parts.append(chart.replace("<svg ", place, 1))
    width, height = 2 * WIDTH, _HEAD + 2 * HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{_STYLE}<rect width="100%" height="100%"/>'
        f'<text x="12" y="18">discs: against simple; squares: against strangers</text>'
        f"{''.join(parts)}</svg>\n"
    )


def _estimate(point: dict[str, float], name: str) -> Estimate:
    value = point.get(name, 0.0)
    return Estimate(value, None, None)

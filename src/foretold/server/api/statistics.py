"""Player statistics over many score sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foretold.table.entries import FORMER


def statistics(summaries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results of everyone on these finished sheets, by name."""
    players: dict[str, dict[str, Any]] = {}
    for summary in summaries:
        if summary["state"] != "over":
            continue
        best = max(summary["totals"])
        for seat, name in enumerate(summary["names"]):
            if name == FORMER:
                continue
            total = summary["totals"][seat]
            one = players.setdefault(
                name.casefold(),
                {"name": name, "games": 0, "wins": 0, "points": 0, "best": total, "rounds": 0}
                | {"exact": 0},
            )
            one["games"] += 1
            one["wins"] += total == best
            one["points"] += total
            one["best"] = max(one["best"], total)
            one["rounds"] += summary["rounds"]
            one["exact"] += summary["met"][seat]
    return sorted(players.values(), key=lambda one: (-one["games"], one["name"]))

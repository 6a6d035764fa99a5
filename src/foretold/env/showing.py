"""A table as text: what everyone may see of it."""

from __future__ import annotations

from foretold.kernel import Phase
from foretold.position import Row
from foretold.rules import Rules


def told(rules: Rules, row: list[int]) -> str:
    """A row of the kernel, without what is hidden."""
    table = Row(rules, row)
    players, over = rules.players, table.phase is Phase.OVER
    turned = "none" if table.turned is None else table.turned.code
    trump = "not named" if table.trump is None else table.trump.code
    awaited = "over" if over else f"seat {table.turn} to {table.phase.name.lower()}"
    lines = [
        f"round {table.rounds_finished + (not over)} of {len(rules.sizes)}, {table.size} cards, "
        f"turned {turned}, trump {trump}: {awaited}"
    ]
    trick = table.trick
    for seat in range(players):
        bid = table.bids[seat]
        told_bid = bid if bid is not None and table.bids_show else "-"
        position = 0 if trick is None else (seat - trick.leader) % players
        play = trick.plays[position].object if trick and position < len(trick.plays) else ""
        points, taken = table.totals[seat], table.taken[seat]
        lines.append(f"  seat {seat} {points:5} points, bid {told_bid}, took {taken}  {play}")
    return "\n".join(line.rstrip() for line in lines)

"""A table as text: what everyone may see of it."""

from __future__ import annotations

from foretold.actions import ACTIONS
from foretold.cards import CARDS, Trump
from foretold.kernel import Phase
from foretold.kernel.layout import (
    BIDS,
    BIDS_MADE,
    LEADER,
    NOTHING,
    PHASE,
    PLAYED,
    ROUND,
    SIZE,
    TAKEN,
    TOTALS,
    TRICK,
    TRICKS,
    TRUMP_SUIT,
    TURN,
    TURNED,
)
from foretold.rules import Bidding, Rules


def told(rules: Rules, row: list[int]) -> str:
    """A row of the kernel, without what is hidden."""
    phase, players = Phase(row[PHASE]), rules.players
    shown = (
        rules.bidding is Bidding.OPEN
        or (rules.bidding is Bidding.HIDDEN and row[BIDS_MADE] == players)
        or row[TRICKS] == row[SIZE]
    )
    turned = "none" if row[TURNED] == NOTHING else CARDS[row[TURNED]].code
    trump = "not named" if row[TRUMP_SUIT] == NOTHING else Trump(row[TRUMP_SUIT]).code
    over = phase is Phase.OVER
    round_number = row[ROUND] + (not over)
    lines = [
        f"round {round_number} of {len(rules.sizes)}, {row[SIZE]} cards, turned {turned}, "
        f"trump {trump}: " + ("over" if over else f"seat {row[TURN]} to {phase.name.lower()}")
    ]
    for seat in range(players):
        bid = row[BIDS + seat]
        told_bid = "-" if bid == NOTHING or not shown else bid
        position = (seat - row[LEADER]) % players
        play = ACTIONS[row[TRICK + position]].object if position < row[PLAYED] else ""
        points, taken = row[TOTALS + seat], row[TAKEN + seat]
        lines.append(f"  seat {seat} {points:5} points, bid {told_bid}, took {taken}  {play}")
    return "\n".join(line.rstrip() for line in lines)

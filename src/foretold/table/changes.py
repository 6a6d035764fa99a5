"""How much people may change at a table besides playing: the log keeps every change."""

from __future__ import annotations

from typing import Final

from foretold.table.entries import (
    BotCame,
    CameBack,
    Changed,
    Cleared,
    Committed,
    Faced,
    Hosted,
    Readmitted,
    Sat,
    TookBack,
)
from foretold.table.refusals import Refused
from foretold.table.table import Table

MOST_CHANGES: Final = 96 << 10
"""How many bytes one player's changes, moves aside, may add to a table's log, which keeps them all.
Enough for a hundred changes of the rules, or several hundred of anything else."""
MOST_BY_ALL: Final = 256 << 10
"""The same for everyone together; after that the host can still remove players."""

BOUNDED: Final = frozenset(
    (Sat, BotCame, Cleared, Readmitted, Hosted, Changed, Committed, Faced, CameBack, TookBack)
)
"""The changes that count. Playing, leaving and closing are always allowed: each comes to an end."""


def check_bounds(table: Table, player: str) -> None:
    """Raise `Refused` if the player, or everyone together, has changed too much."""
    by_all = table.changes.total()
    if table.changes[player] >= MOST_CHANGES or (
        by_all >= MOST_BY_ALL and not table.is_host(player)
    ):
        raise Refused("full")

"""How much disk space things take, for the budget of whoever asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from foretold.rules import Rules
from foretold.table.entries import Acted, Created, Entry, Started, TookBack, encode_entry

ROW: Final = 60
"""Bytes of a row of the log in addition to its entry."""
MOVE: Final = 200
"""Bytes of a move, its row included: more than usual clients need."""
ROOM: Final = 2000
"""Bytes of a table's or sheet's list entry and seats."""
PLAYER: Final = 200


def game_size(rules: Rules) -> int:
    """The size of all moves of a game: whoever starts it pays for all of them at the start.

    So no game is stopped half-way, and moves need no counting.
    """
    return MOVE * rules.players * sum(size + 2 for size in rules.sizes)


def entry_size(entry: Entry, rules: Rules) -> int:
    """The size of an entry at a table with those rules."""
    if isinstance(entry, Acted):
        return 0
    size = ROW + len(encode_entry(entry))
    if isinstance(entry, Started):
        size += game_size(rules)
    elif isinstance(entry, TookBack):  # at most a round is played once more
        size += MOVE * rules.players * (max(rules.sizes) + 2)
    return size


def table_size(created: Created, more: Iterable[Entry]) -> int:
    """The size of a new table."""
    rules = Rules.from_options(created.rules)
    return ROOM + sum(entry_size(one, rules) for one in (created, *more))

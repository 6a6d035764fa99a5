"""How much of the disk something takes, for the budget of whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from foretold.rules import Rules
from foretold.table.entries import Acted, Created, Entry, Started, encode_entry

ROW: Final = 60
"""Bytes of a row of the log besides its entry."""
MOVE: Final = 200
"""Bytes of a move, its row included: more than those of usual clients take."""
ROOM: Final = 2000
"""Bytes of what lists say of a table or sheet, and of who is there."""
PLAYER: Final = 200


def game_size(rules: Rules) -> int:
    """What the moves of a whole game take: all are paid for when it starts, by whoever starts it.

    So that nobody is stopped in the middle of one, and a move costs nothing to count.
    """
    return MOVE * rules.players * sum(size + 2 for size in rules.sizes)


def entry_size(entry: Entry, rules: Rules) -> int:
    """What an entry takes at a table of those rules."""
    if isinstance(entry, Acted):
        return 0
    return ROW + len(encode_entry(entry)) + (game_size(rules) if isinstance(entry, Started) else 0)


def table_size(created: Created, more: Iterable[Entry]) -> int:
    """What a new table takes."""
    rules = Rules.from_options(created.rules)
    return ROOM + sum(entry_size(one, rules) for one in (created, *more))

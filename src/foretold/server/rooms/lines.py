"""The addresses that each table's players come from.

Somebody else from the same address may be the same person with a new cookie. Addresses are personal
data: they are kept in memory only, for the most recently used tables, and never saved. A restart
forgets them; then only the host can recognise people.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Final

MOST_TABLES: Final = 10_000
MOST_PLAYERS: Final = 50
"""Players remembered per table; only the latest."""


class Lines:
    """The source of each player, by table."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, OrderedDict[str, str]] = OrderedDict()

    def note(self, code: str, player: str, source: str) -> None:
        players = self._tables.setdefault(code, OrderedDict())
        self._tables.move_to_end(code)
        players[player] = source
        players.move_to_end(player)
        if len(players) > MOST_PLAYERS:
            players.popitem(last=False)
        if len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)

    def forget(self, player: str) -> None:
        for players in self._tables.values():
            players.pop(player, None)

    def shared(self, code: str, player: str, source: str, others: Collection[str]) -> list[str]:
        """Which of the others came from the same source."""
        known: Mapping[str, str] = self._tables.get(code, {})
        return [one for one in others if one != player and known.get(one) == source]

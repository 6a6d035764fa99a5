"""Who may come to a table, sit down, and pass its invitation on."""

from __future__ import annotations

from foretold.server.people.doors import Doors, Visitor, opens_by_code
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.lines import Lines
from foretold.table.refusals import Refused
from foretold.table.table import Table


class Admission:
    """The door of a table."""

    def __init__(self, table: Table, doors: Doors, lines: Lines) -> None:
        self._table = table
        self._doors = doors
        self._lines = lines

    def check(self, visitor: Visitor) -> None:
        """Raise `Refused` unless the visitor may see the table."""
        table, player = self._table, visitor.player
        by_code = opens_by_code(table.state, table.settings)
        if player in table.removed and not by_code:
            raise Refused("removed")
        self._doors.check(table.code, visitor, knows=table.knows(player), opens_by_code=by_code)

    def check_line(self, player: str, source: str, seat: int) -> None:
        """Raise `Refused` if this may be somebody who was removed, or has seen cards of this game.

        A new cookie is easy to get, another connection less so. The host can let them in.
        """
        table = self._table
        begun = table.state != "lobby"
        if begun and table.had_seat(player, seat):
            return
        suspects = [*table.removed, *(table.players if begun else ())]
        if self._lines.shared(table.code, player, source, suspects):
            raise Refused("not_let_in")

    def like(self, player: str, source: str) -> list[str]:
        """The names of players who came from the same source."""
        table = self._table
        names = table.shown | table.removed
        return [names[one] for one in self._lines.shared(table.code, player, source, names)]

    def note(self, player: str, source: str) -> None:
        """Remember the source of a seated player."""
        self._lines.note(self._table.code, player, source)

    def key_for(self, connection: Connection) -> str | None:
        """The invitation's key, for those who already have it, or a seat."""
        code = self._table.code
        has_it = connection.seat is not None or self._doors.has_key(code, connection.visitor)
        return self._doors.key_of(code) if has_it else None

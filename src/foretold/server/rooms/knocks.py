"""Requests to a host to be let in, until they are answered or withdrawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from foretold.server.rooms.connection import Connection
from foretold.table.refusals import Refused

MOST_KNOCKS: Final = 6
"""Requests waiting at one table or sheet."""


@dataclass(frozen=True)
class Knock:
    number: int
    connection: Connection
    ask_id: str
    """The id of the message awaiting an answer."""
    player: str
    name: str
    seat: int | None


class Knocks:
    """The requests at one table or sheet, at most one per connection."""

    def __init__(self) -> None:
        self._waiting: dict[int, Knock] = {}
        self._turned_down: set[str] = set()
        self._count = 0

    def __iter__(self) -> Iterator[Knock]:
        return iter(tuple(self._waiting.values()))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(
        self, connection: Connection, ask_id: str, player: str, name: str, seat: int | None
    ) -> None:
        if player in self._turned_down:
            raise Refused("turned_down")
        for knock in self:
            if knock.player == player:
                del self._waiting[knock.number]
        if len(self._waiting) >= MOST_KNOCKS:
            raise Refused("too_many_knocks")
        self._count += 1
        self._waiting[self._count] = Knock(self._count, connection, ask_id, player, name, seat)

    def answered(self, number: int) -> Knock:
        """The request with that number; raises `Refused` if it is gone."""
        if number not in self._waiting:
            raise Refused("no_knock")
        return self._waiting[number]

    def turn_down(self, knock: Knock) -> None:
        self._turned_down.add(knock.player)
        del self._waiting[knock.number]

    def take(self, player: str) -> list[Knock]:
        """Remove and return the requests of a player who has been let in."""
        found = [knock for knock in self if knock.player == player]
        for knock in found:
            del self._waiting[knock.number]
        return found

    def forget(self, connection: Connection) -> bool:
        """Drop the request of somebody who has gone; returns whether there was one."""
        found = [knock for knock in self if knock.connection is connection]
        for knock in found:
            del self._waiting[knock.number]
        return bool(found)

"""Requests and answers of the operator's interface."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from foretold.protocol.words import Asked, Code, Message, Moment, Seat


class _Place(Message, frozen=True):
    code: Code
    state: str
    """The state of a table; `sheet` for a score sheet."""
    entries: int
    created: Moment
    updated: Moment
    people: int
    listed: bool
    hidden: bool
    shared: bool


class Place(_Place, frozen=True):
    """A table or score sheet."""


class Places(Message, frozen=True):
    """Tables and score sheets."""

    tables: list[Place]


class Sitter(Message, frozen=True):
    """Somebody at a table or sheet."""

    seat: Seat
    player: str
    name: str | None


class PlaceInFull(_Place, frozen=True):
    """A table or score sheet, and who is at it."""

    bytes: int
    until: Moment | None
    because: str | None
    seats: list[Sitter]
    names: list[str]


class OnePlayer(Message, frozen=True):
    """A player."""

    id: str
    name: str
    created: Moment
    known: bool
    tables: int


class Players(Message, frozen=True):
    """Players."""

    players: list[OnePlayer]


class NewBan(Asked, frozen=True):
    """A ban to impose."""

    subject: Annotated[str, Meta(max_length=50)]
    """A player's id or an address."""
    hours: Annotated[float, Meta(gt=0, le=24 * 366)]


class OneBan(Message, frozen=True):
    """A ban."""

    id: str
    kind: Literal["player", "address"]
    subject: str
    created: Moment
    until: Moment


class BanList(Message, frozen=True):
    """The bans in force."""

    bans: list[OneBan]


class Day(Message, frozen=True):
    """What happened on a day."""

    day: str
    tables_opened: int
    games_finished: int
    sheets_opened: int
    new_players: int
    players: int
    most_connections: int
    most_tables: int


class Acted(Message, frozen=True):
    """It is done."""

    done: bool

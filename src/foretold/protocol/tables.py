"""A table as everyone may know it: its seats, who is there, and how lists tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from msgspec import Meta

from foretold.protocol.settings import TableSettings
from foretold.protocol.words import (
    Code,
    Key,
    Level,
    Message,
    Moment,
    Rules,
    Seat,
    StandIn,
    TableState,
    changes_of,
)


class EmptySeat(Message, frozen=True, tag_field="kind", tag="empty"):
    """A seat that waits for somebody."""


class BotSeat(Message, frozen=True, tag_field="kind", tag="bot"):
    """A bot's seat."""

    name: str
    level: Level


class PlayerSeat(Message, frozen=True, tag_field="kind", tag="player"):
    """A person's seat."""

    name: str
    """Empty for a former player, who was erased."""
    stand_in: StandIn | None
    """Why a bot plays for them, if one does."""


SeatInfo: TypeAlias = Annotated[EmptySeat | BotSeat | PlayerSeat, Meta(title="SeatInfo")]


class Fair(Message, frozen=True):
    """How the deals can be checked, in hexadecimal (docs/records.md)."""

    scheme: str
    commitments: list[str]
    """To the server's secrets: of the set-up, then of every round."""
    contribution_commitments: list[str | None]
    """To the players' contributions, by seat."""
    contributions: list[str | None]
    secrets: list[str | None]
    """As rounds end."""


class Table(Message, frozen=True):
    """A table as everyone there may know it."""

    code: Code
    state: TableState
    rules: Rules
    """Every option."""
    sizes: list[int]
    """The cards of each round."""
    edition: str | None
    """The preset that the rules began from."""
    lesson: str | None
    """The lesson that is taught here."""
    hints: bool
    """Whether hints are given here: to the one person of a game against bots."""
    settings: TableSettings
    host: Seat | None
    """The host's seat. While the host is away it is the first player who is not."""
    seats: list[SeatInfo]
    """By seat; with `stand_in` a bot plays for a player."""
    fair: Fair
    removed: list[str]
    """The names of those whom the host has removed."""
    rematch: Code | None
    """The next table of these people."""


if TYPE_CHECKING:
    TableChanges: TypeAlias = Any
else:
    TableChanges = changes_of(Table)


class Clock(Message, frozen=True):
    """A decision that must be made in time."""

    seats: list[Seat]
    left: int
    """Milliseconds left when the message was sent."""
    of: int
    """Milliseconds in all."""


class Presence(Message, frozen=True):
    """Who is at a table now."""

    here: list[bool | None]
    """By seat; null for a bot and an empty seat."""
    watching: int
    """How many look on without a seat."""
    clock: Clock | None


class You(Message, frozen=True):
    """Who somebody is at a table."""

    seat: Seat | None
    """Null for a spectator."""
    host: bool
    name: str | None
    key: Key | None


class Knocking(Message, frozen=True):
    """Somebody who asks the host to be let in."""

    knock: int
    """The number to answer by."""
    name: str
    seat: Seat | None
    """The seat they would like; null for any."""
    like: list[str]
    """Whom the server has seen come from the same connection."""


class TableSummary(Message, frozen=True):
    """A table as lists tell it."""

    code: Code
    state: TableState
    rules: Rules
    settings: TableSettings
    host: Seat | None
    seats: list[SeatInfo]
    your_seat: Seat | None
    your_turn: bool
    key: Key | None
    round: int
    """From 1; 0 before the first."""
    rounds: int
    totals: list[int] | None
    """By seat; null before the game."""
    created: Moment
    updated: Moment
    lesson: str | None

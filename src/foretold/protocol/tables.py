"""A table's public data: its seats, who is present, and how it is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from msgspec import Meta

from foretold.protocol.settings import TableSettings
from foretold.protocol.words import (
    Code,
    Face,
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
    """A seat nobody has taken."""


class BotSeat(Message, frozen=True, tag_field="kind", tag="bot"):
    """A bot's seat."""

    name: str
    level: Level


class PlayerSeat(Message, frozen=True, tag_field="kind", tag="player"):
    """A person's seat."""

    name: str
    """Empty for a former player whose data was erased."""
    stand_in: StandIn | None
    """Why a bot is playing for them, if one is."""
    face: Face | None
    """The one they chose; without one, clients choose."""


SeatInfo: TypeAlias = Annotated[EmptySeat | BotSeat | PlayerSeat, Meta(title="SeatInfo")]


class Fair(Message, frozen=True):
    """How the deals can be checked, in hexadecimal (docs/records.md)."""

    scheme: str
    commitments: list[str]
    """To the server's secrets: for the set-up, then for every round."""
    contribution_commitments: list[str | None]
    """To the players' contributions, by seat."""
    contributions: list[str | None]
    secrets: list[str | None]
    """Revealed as rounds end."""


class Table(Message, frozen=True):
    """What everyone at a table may know about it."""

    code: Code
    state: TableState
    rules: Rules
    """Every option."""
    sizes: list[int]
    """The number of cards in each round."""
    turned: list[bool]
    """By round, whether a card is left to turn up."""
    edition: str | None
    """The preset the rules started from."""
    lesson: str | None
    """The lesson taught here."""
    hints: bool
    """Whether hints are given here: only to one person playing against bots."""
    take_backs: bool
    """Whether decisions can be taken back here: only by one person playing against bots."""
    taken_back: int
    """How many were taken back."""
    settings: TableSettings
    host: Seat | None
    """The host's seat. While the host is away, the first player present takes their place."""
    seats: list[SeatInfo]
    """By seat; with `stand_in` a bot plays for a player."""
    fair: Fair
    removed: list[str]
    """The names of the players the host has removed."""
    rematch: Code | None
    """The table of the rematch."""


if TYPE_CHECKING:
    TableChanges: TypeAlias = Any
else:
    TableChanges = changes_of(Table)


class Clock(Message, frozen=True):
    """The clock for a decision."""

    seats: list[Seat]
    left: int
    """Milliseconds left when the message was sent."""
    of: int
    """Milliseconds in total."""


class Away(Message, frozen=True):
    """A player who is away while all wait for them."""

    seat: Seat
    left: int
    """Milliseconds until a bot plays for them, when the message was sent."""
    bot_in: int
    """Milliseconds until anyone seated may `let_bot`."""


class Presence(Message, frozen=True):
    """Who is at a table now."""

    here: list[bool | None]
    """By seat; null for a bot and an empty seat."""
    watching: int
    """The number of spectators."""
    clock: Clock | None
    away: list[Away]
    """Those who are awaited and not there; anyone seated may `wait` longer, or `let_bot`."""


class You(Message, frozen=True):
    """Who somebody is at a table."""

    seat: Seat | None
    """Null for a spectator."""
    host: bool
    name: str | None
    key: Key | None


class Knocking(Message, frozen=True):
    """Somebody asking the host to be let in."""

    knock: int
    """The number to answer with."""
    name: str
    seat: Seat | None
    """The seat they would like; null for any."""
    like: list[str]
    """Players the server has seen on the same connection."""


class TableSummary(Message, frozen=True):
    """A table as it appears in lists."""

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
    places: list[int] | None
    """By seat, from 1, equal points share one; null until the game is over."""
    created: Moment
    updated: Moment
    lesson: str | None
    taken_back: int
    """How many decisions were taken back."""

"""Request bodies and answers over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from foretold.protocol.settings import TableSettingsChanges
from foretold.protocol.sheets import PlayerRecord, SheetSummary
from foretold.protocol.tables import TableSummary
from foretold.protocol.words import (
    Asked,
    Code,
    Face,
    Hexadecimal,
    Key,
    Level,
    Message,
    Moment,
    Rules,
    RuleValue,
    Seat,
)

# Who somebody is


class Me(Message, frozen=True):
    """Who you are."""

    name: str | None
    """Null for a new visitor."""
    face: Face | None
    """The one you chose, if you did; a table learns of it by a `face` message."""


class NewName(Asked, frozen=True):
    """The name and the face you want."""

    name: Annotated[str, Meta(max_length=200)]
    face: Face | None = None
    """Null keeps the one you have."""


class DeviceLink(Message, frozen=True):
    """A link that signs you in on another device."""

    path: str
    """`/device/TOKEN`."""
    minutes: int
    """How long it is valid; it works once."""


class SeatLink(Message, frozen=True):
    """A personal link back to your seat."""

    path: str
    """`/seat#TOKEN`."""
    days: int
    """How long it is valid; it works once."""


class TakenSeat(Message, frozen=True):
    """The seat is yours."""

    code: Code
    name: str
    face: Face | None


class Token(Asked, frozen=True):
    """The token of a link."""

    token: Annotated[str, Meta(max_length=500)]


class Privacy(Message, frozen=True):
    """What the privacy page needs to know about the server."""

    keep_days: float
    """0: forever."""
    link_minutes: int
    cookie_days: int


class Stay(Message, frozen=True):
    """How long a table or sheet is kept: until then unless something happens there, or forever."""

    until: Moment | None
    because: Literal["shared", "known", "always"] | None


class MyData(Message, frozen=True):
    """Everything stored about a player."""

    player: dict[str, Any]
    tables: list[dict[str, Any]]
    """With their records."""
    sheets: list[dict[str, Any]]
    """Sealed bids only if you wrote them."""
    bans: list[dict[str, Any]]


# Tables


class Games(Message, frozen=True):
    """Your tables."""

    games: list[TableSummary]


class Tables(Message, frozen=True):
    """Public tables."""

    tables: list[TableSummary]


class Variant(Message, frozen=True):
    """A variant that an edition offers."""

    name: str
    options: Rules


class Edition(Message, frozen=True):
    """A printed edition."""

    name: str
    title: str
    rules: Rules
    variants: list[Variant]


class Option(Message, frozen=True):
    """An option of the rules."""

    default: RuleValue
    values: list[str]
    """All possible values, or examples if there are too many to list."""
    meaning: str


Range: TypeAlias = Annotated[
    tuple[int, int], Meta(title="Range", description="The least and the most.")
]


class Limits(Message, frozen=True):
    """The limits for settings, names and tables."""

    clock: Range
    pace: Range
    patience: Range
    name: int
    players: Range


class Options(Message, frozen=True):
    """Everything a new table can be."""

    editions: list[Edition]
    options: dict[str, Option]
    levels: list[Level]
    phrases: list[str]
    limits: Limits


class Excluded(Message, frozen=True):
    """A single change that would conflict with the current choices, and why."""

    option: str
    value: RuleValue
    code: str
    params: dict[str, Any]
    reason: str


class Meaning(Message, frozen=True):
    """What a set of chosen rules means."""

    rules: Rules
    """Every option."""
    sizes: list[int]
    """The number of cards in each round."""
    turned: list[bool]
    """By round, whether a card is left to turn up."""
    excluded: list[Excluded]


class QuickPlay(Asked, frozen=True):
    """A game with bots, right away."""

    level: Level = "apprentice"
    """How well the bots play."""
    name: Annotated[str, Meta(max_length=200)] | None = None
    """The name of a new player, as with `PUT /api/me`; ignored for everyone else."""
    commitment: Hexadecimal | None = None


class NewTable(Asked, frozen=True):
    """A table to create."""

    rules: Rules = field(default_factory=dict)
    settings: TableSettingsChanges = field(default_factory=TableSettingsChanges)
    """Settings left out keep their defaults."""
    bots: Annotated[list[Level | None], Meta(max_length=6)] = field(default_factory=list)
    """By seat; null keeps the seat for a person, and seat 0 is yours."""
    start: bool = False
    """Start the game at once, if bots have all other seats."""
    commitment: Hexadecimal | None = None


class NewCode(Message, frozen=True):
    """Where a new table or sheet is."""

    code: Code
    key: Key


class Lessons(Message, frozen=True):
    """The lessons, in the order of the course."""

    lessons: list[str]


# Score sheets


class NewSheet(Asked, frozen=True):
    """A score sheet to create."""

    names: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(min_length=2, max_length=6)]
    rules: Rules = field(default_factory=dict)
    """As for a table, without `players`."""
    first_dealer: Annotated[Seat, Meta(ge=0, le=5)] = 0


class Sheets(Message, frozen=True):
    """The sheets you opened or wrote on."""

    sheets: list[SheetSummary]


class Statistics(Message, frozen=True):
    """Your finished sheets, summed up by name."""

    players: list[PlayerRecord]


class Health(Message, frozen=True):
    """All is well."""

    status: Literal["ok"]

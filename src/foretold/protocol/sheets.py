"""Score sheets: what is on them, what happened to them, and how they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.events import Stamp
from foretold.protocol.views import Outcome
from foretold.protocol.words import (
    Code,
    Key,
    Message,
    Moment,
    Refusal,
    Rules,
    Seat,
    changes_of,
)

CellKind: TypeAlias = Annotated[Literal["bid", "taken"], Meta(title="CellKind")]


class Cell(Message, frozen=True):
    """A cell of the sheet."""

    cell: CellKind
    seat: Seat


class Line(Message, frozen=True):
    """A round on the sheet, as far as it is written."""

    size: int
    dealer: Seat
    order: list[Seat]
    """The seats in bidding order."""
    numbers: tuple[int, int]
    """The least and the most that a bid, or a number of tricks, can be."""
    bids: list[int | None]
    """Null if not made, or if you may not see it."""
    bid: list[bool]
    """Whether a bid is made, seen or not."""
    shown: bool
    """Whether everyone may see the bids."""
    foretold: int | None
    """The sum of the bids; null until they are shown."""
    scored_bids: list[int] | None
    """The bids after the Cloud; null until the round is finished."""
    taken: list[int | None]
    off: list[int | None]
    """How many tricks too many were taken for the bid: below 0 too few, 0 if it is met. Null until
    both are written and you may see them."""
    cloud: tuple[Seat, int] | None
    """Who had to change their bid, and by how much."""
    clouds: list[list[int]] | None
    """By seat, by how much the Cloud can change the bid; null if there is no Cloud."""
    bombed: bool
    note: str
    points: list[int] | None
    """Null until the round is finished, as are the totals after it."""
    totals: list[int] | None


class CellChoices(Message, frozen=True):
    """The numbers for a cell of the current round.

    A legal number of tricks may still be answered with `bomb_asked`.
    """

    legal: list[int]
    why: dict[int, Refusal]
    """Why the other numbers are not allowed."""
    left: int | UnsetType = UNSET
    """For tricks: how many are not yet assigned to others."""
    fits: int | UnsetType | None = UNSET
    """For tricks: the number that makes them add up, once all others are written."""
    follows: dict[int, dict[Seat, int]] | UnsetType = UNSET
    """For tricks: for each number, what the others must then have taken, if no choice is left. It
    may be written along with it."""


class Cells(Message, frozen=True):
    """What may be written in the current round, by seat; null if nothing may."""

    bid: list[CellChoices | None]
    taken: list[CellChoices | None]


class Sheet(Message, frozen=True):
    """A score sheet, as somebody may see it."""

    code: Code
    n: int
    """The number of the last entry."""
    names: list[str]
    rules: Rules
    sizes: list[int]
    edition: str | None
    first_dealer: Seat
    rounds: list[Line]
    current: int | None
    """The round being written, from 1; null when the game is over."""
    next: Cell | None
    """The cell to write next."""
    forbidden: int | None
    """The bid the dealer may not make now."""
    cells: Cells | None
    """Null when the game is over."""
    totals: list[int]
    places: list[int]
    """By points, from 1; equal points share a place."""
    outcome: Outcome | None
    yours: list[Seat]
    """The seats you have claimed."""
    claimed: list[bool]
    sealed: bool
    """Whether bids are hidden or secret."""
    bomb: bool
    """Whether the Bomb is in the game, which sets a trick aside."""
    cloud_changes: list[int] | None
    """Everything the Cloud can change a bid by; null if there is no Cloud."""
    deleted: bool
    can_undo: bool
    last: int | None
    """The number to undo."""


if TYPE_CHECKING:
    SheetChanges: TypeAlias = Any
else:
    SheetChanges = changes_of(Sheet)


class SheetYou(Message, frozen=True):
    """Who somebody is at a sheet."""

    name: str | None
    host: bool
    key: Key | None
    """Null for those who may not write."""


class SheetPresence(Message, frozen=True):
    """Who is viewing a sheet now."""

    watching: int


class _Event(Stamp, frozen=True, tag_field="e"):
    pass


class OpenedEvent(_Event, frozen=True, tag="opened"):
    """The sheet was opened."""


class WroteEvent(_Event, frozen=True, tag="wrote"):
    """Somebody wrote; the sheet says what."""

    round: int
    cells: list[tuple[CellKind, Seat]]
    by: str


class UndoneEvent(_Event, frozen=True, tag="undone"):
    """The last entry was undone."""


class RenamedEvent(_Event, frozen=True, tag="renamed"):
    """A player on the sheet was renamed."""

    seat: Seat
    name: str


class ClaimedEvent(_Event, frozen=True, tag="claimed"):
    """Somebody claimed a seat, or gave it up."""

    seat: Seat
    claimed: bool


class AdmittedEvent(_Event, frozen=True, tag="admitted"):
    """Somebody may now write."""


class DeletedEvent(_Event, frozen=True, tag="deleted"):
    """The sheet was deleted; sockets are closed with 4000."""


SheetEvent: TypeAlias = Annotated[
    OpenedEvent
    | WroteEvent
    | UndoneEvent
    | RenamedEvent
    | ClaimedEvent
    | AdmittedEvent
    | DeletedEvent,
    Meta(title="SheetEvent"),
]


class SheetSummary(Message, frozen=True):
    """A sheet as it appears in lists."""

    code: Code
    state: Literal["playing", "over"]
    names: list[str]
    rules: Rules
    round: int
    rounds: int
    totals: list[int]
    places: list[int]
    met: list[int]
    """Bids met, by seat."""
    created: Moment
    updated: Moment


class PlayerRecord(Message, frozen=True):
    """Somebody's results over all finished sheets."""

    name: str
    games: int
    wins: int
    points: int
    best: int
    rounds: int
    exact: int
    """Bids met."""

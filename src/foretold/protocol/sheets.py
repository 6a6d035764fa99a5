"""Score sheets: what is on them, what happened to them, and how lists tell of them."""

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
    """The seats in the order in which they bid."""
    bids: list[int | None]
    """Null where none is made or it is not yours to see."""
    bid: list[bool]
    """Whether a bid is made, seen or not."""
    shown: bool
    """Whether everyone may see the bids."""
    foretold: int | None
    """The sum of the bids; null until they are shown."""
    scored_bids: list[int] | None
    """The bids after the Cloud; null until the round is finished."""
    taken: list[int | None]
    cloud: tuple[Seat, int] | None
    """Who had to change the bid, and by how much."""
    clouds: list[list[int]] | None
    """By seat, by how much the Cloud can change the bid; null where there is no Cloud."""
    bombed: bool
    note: str
    points: list[int] | None
    """Null until the round is finished, as are the totals after it."""
    totals: list[int] | None


class CellChoices(Message, frozen=True):
    """The numbers for a cell of the current round.

    A legal number of tricks can still be answered by `bomb_asked`.
    """

    legal: list[int]
    why: dict[int, Refusal]
    """Why not, for the other numbers."""
    left: int | UnsetType = UNSET
    """For tricks: how many nobody else has claimed."""
    fits: int | UnsetType | None = UNSET
    """For tricks: the number with which they add up, once all others are written."""


class Cells(Message, frozen=True):
    """What may be written in the current round, by seat; null where nothing may be."""

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
    """The round that is written now, from 1; null when the game is over."""
    next: Cell | None
    """What is written next."""
    forbidden: int | None
    """The bid that the dealer may not make now."""
    cells: Cells | None
    """Null when the game is over."""
    totals: list[int]
    places: list[int]
    """By points, from 1; equal points share one."""
    outcome: Outcome | None
    yours: list[Seat]
    """The seats that you have claimed."""
    claimed: list[bool]
    sealed: bool
    """Whether bids are hidden or secret."""
    bomb: bool
    """Whether the Bomb is in the game, which sets a trick aside."""
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
    """Who looks at a sheet now."""

    watching: int


class _Event(Stamp, frozen=True, tag_field="e"):
    pass


class OpenedEvent(_Event, frozen=True, tag="opened"):
    """The sheet was opened."""


class WroteEvent(_Event, frozen=True, tag="wrote"):
    """Somebody wrote; what, the sheet says."""

    round: int
    cells: list[tuple[CellKind, Seat]]
    by: str


class UndoneEvent(_Event, frozen=True, tag="undone"):
    """The last entry was taken back."""


class RenamedEvent(_Event, frozen=True, tag="renamed"):
    """A player on the sheet has another name."""

    seat: Seat
    name: str


class ClaimedEvent(_Event, frozen=True, tag="claimed"):
    """Somebody sits there, or no longer does."""

    seat: Seat
    claimed: bool


class AdmittedEvent(_Event, frozen=True, tag="admitted"):
    """Somebody may write from now on."""


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
    """A sheet as lists tell it."""

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
    """What somebody has done on all finished sheets."""

    name: str
    games: int
    wins: int
    points: int
    best: int
    rounds: int
    exact: int
    """Bids met."""

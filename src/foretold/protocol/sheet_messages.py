"""What a score sheet and those who look at it say to each other."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field

from foretold.protocol.messages import (
    Bye,
    Done,
    Knocks,
    Pong,
    RefusedTold,
    Saving,
    Told,
)
from foretold.protocol.requests import Knock, LetIn, Ping, Said, Sync
from foretold.protocol.sheets import Sheet, SheetChanges, SheetEvent, SheetPresence, SheetYou
from foretold.protocol.words import Seat


class Write(Said, frozen=True, tag="write"):
    """All of it is written, or nothing; what is left out stays as it is. A cell that somebody else
    has written since `seen` is `cell_taken`, `cell_cleared` or `cell_sealed`."""

    seen: int
    """The last number that you have seen of this sheet."""
    round: int
    bids: dict[int, int | None] = field(default_factory=dict)
    """By seat; null rubs a cell out."""
    taken: dict[int, int | None] = field(default_factory=dict)
    cloud: tuple[Seat, int] | UnsetType | None = UNSET
    """Who had to change the bid by the Cloud, and by +1 or -1; null: nobody."""
    bombed: bool | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET


class Undo(Said, frozen=True, tag="undo"):
    """Takes the last entry back."""

    n: int
    """Which it is, as the writer sees it."""


class Rename(Said, frozen=True, tag="rename"):
    """Gives a player on the sheet another name."""

    seat: Seat
    name: Annotated[str, Meta(max_length=200)]


class Claim(Said, frozen=True, tag="claim"):
    """Says that you sit there, or no longer do; sealed bids are then entered by you alone. With
    `mine` false the host frees anybody's seat."""

    seat: Seat
    mine: bool = True


class Delete(Said, frozen=True, tag="delete"):
    """The host. Everyone is told by the event, and their sockets are closed with 4000; whoever
    comes later is refused with `sheet_deleted`."""


SheetRequest: TypeAlias = Write | Undo | Rename | Claim | Delete
"""What changes the sheet, and is written down."""

SheetMessage: TypeAlias = Annotated[
    SheetRequest | Knock | LetIn | Sync | Ping, Meta(title="SheetMessage")
]


class SheetWelcome(Told, frozen=True, tag="welcome"):
    """All there is to know of a sheet."""

    n: int
    you: SheetYou
    sheet: Sheet
    missed: list[SheetEvent]
    presence: SheetPresence


class SheetHappened(Told, frozen=True, tag="event"):
    """Something happened; `sheet` has the top-level fields that changed."""

    n: int
    event: SheetEvent
    sheet: SheetChanges


class SheetPresenceTold(Told, frozen=True, tag="presence"):
    """Who looks at the sheet."""

    presence: SheetPresence


SheetServerMessage: TypeAlias = Annotated[
    SheetWelcome
    | SheetHappened
    | Done
    | RefusedTold
    | SheetPresenceTold
    | Knocks
    | Saving
    | Pong
    | Bye,
    Meta(title="SheetServerMessage"),
]

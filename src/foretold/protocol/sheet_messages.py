"""The messages between a score sheet and its viewers."""

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
    """All of it is written, or nothing; cells left out stay as they are. A cell that somebody else
    has written since `seen` is refused as `cell_taken`, `cell_cleared` or `cell_sealed`."""

    seen: int
    """The last entry number you have seen of this sheet."""
    round: int
    bids: dict[int, int | None] = field(default_factory=dict)
    """By seat; null clears a cell."""
    taken: dict[int, int | None] = field(default_factory=dict)
    cloud: tuple[Seat, int] | UnsetType | None = UNSET
    """Who had to change their bid because of the Cloud, and by +1 or -1; null: nobody."""
    bombed: bool | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET


class Undo(Said, frozen=True, tag="undo"):
    """Undoes the last entry."""

    n: int
    """Its number, as far as the writer knows."""


class Rename(Said, frozen=True, tag="rename"):
    """Renames a player on the sheet."""

    seat: Seat
    name: Annotated[str, Meta(max_length=200)]


class Claim(Said, frozen=True, tag="claim"):
    """Claims a seat as yours, or gives it up; then only you can enter its sealed bids. With `mine`
    false the host can free anybody's seat."""

    seat: Seat
    mine: bool = True


class Delete(Said, frozen=True, tag="delete"):
    """The host. Everyone gets the event, and their sockets are closed with 4000; anyone who comes
    later is refused with `sheet_deleted`."""


SheetRequest: TypeAlias = Write | Undo | Rename | Claim | Delete
"""The messages that change the sheet, and are saved."""

SheetMessage: TypeAlias = Annotated[
    SheetRequest | Knock | LetIn | Sync | Ping, Meta(title="SheetMessage")
]


class SheetWelcome(Told, frozen=True, tag="welcome"):
    """The complete state of a sheet."""

    n: int
    you: SheetYou
    sheet: Sheet
    missed: list[SheetEvent]
    presence: SheetPresence


class SheetHappened(Told, frozen=True, tag="event"):
    """Something happened; `sheet` holds the top-level fields that changed."""

    n: int
    event: SheetEvent
    sheet: SheetChanges


class SheetPresenceTold(Told, frozen=True, tag="presence"):
    """Who is viewing the sheet."""

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

"""What the server tells those at a table; some of it those at a score sheet too."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.events import HiddenEvent, TableEvent
from foretold.protocol.tables import Knocking, Presence, Table, TableChanges, You
from foretold.protocol.views import View, ViewChanges
from foretold.protocol.words import Message, Seat


class Told(Message, frozen=True, tag_field="t"):
    """What the server tells."""


class Welcome(Told, frozen=True, tag="welcome"):
    """All there is to know: a client forgets what it had and takes this. It comes first, again
    after `sync`, and whenever who you are at the table changes."""

    n: int
    """The number of the last event."""
    you: You
    table: Table
    view: View | None
    """Null before the game, and where spectators are not welcome."""
    missed: list[TableEvent]
    """The events after `since`, at most the last hundred."""
    presence: Presence


class Happened(Told, frozen=True, tag="event"):
    """Something happened. A number already seen is to be ignored, and a gap answered with `sync`.
    `table` and `view` have the top-level fields that changed and are laid over what the client
    has; if it has no view yet, `view` is whole."""

    n: int
    event: TableEvent
    table: TableChanges | UnsetType = UNSET
    view: ViewChanges | UnsetType = UNSET


class HiddenHappened(Told, frozen=True, tag="event"):
    """The same where spectators are not welcome, for those without a seat."""

    n: int
    event: HiddenEvent
    table: TableChanges | UnsetType = UNSET


class Done(Told, frozen=True, tag="done"):
    """What you asked with that `id` is written down for good, as number `n`; if all was so
    already, nothing is written, and `n` is the last number."""

    id: str
    n: int


class RefusedTold(Told, frozen=True, tag="refused"):
    """What you asked with that `id` is not done; with a null `id` it is about being here at all."""

    id: str | None
    code: str
    params: dict[str, Any]
    reason: str


class PresenceTold(Told, frozen=True, tag="presence"):
    """Who is there, and the clock."""

    presence: Presence


class Knocks(Told, frozen=True, tag="knocks"):
    """To the host: all who ask to be let in now. After a `welcome` nothing is told of it where
    nobody asks."""

    knocks: list[Knocking]


class SaidTold(Told, frozen=True, tag="said"):
    """Somebody says one of the phrases."""

    seat: Seat
    phrase: str


class Saving(Told, frozen=True, tag="saving"):
    """Whether the server can save now. What was asked while it cannot is kept, and answered by
    `done` once it is saved. A connection that hears nothing of it after its `welcome` may take it
    that saving works."""

    works: bool


class Pong(Told, frozen=True, tag="pong"):
    """The answer to `ping`."""


class Bye(Told, frozen=True, tag="bye"):
    """The server stops; come back in a moment."""

    reason: str


ServerMessage: TypeAlias = Annotated[
    Welcome
    | Happened
    | Done
    | RefusedTold
    | PresenceTold
    | Knocks
    | SaidTold
    | Saving
    | Pong
    | Bye,
    Meta(title="ServerMessage"),
]

"""What the server sends to clients at a table; some messages are also used at score sheets."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.events import HiddenEvent, TableEvent
from foretold.protocol.tables import Knocking, Presence, Table, TableChanges, You
from foretold.protocol.views import View, ViewChanges
from foretold.protocol.words import Message, Seat


class Told(Message, frozen=True, tag_field="t"):
    """A message from the server."""


class Welcome(Told, frozen=True, tag="welcome"):
    """The complete state, which replaces whatever the client had. It comes first, again after
    `sync`, and whenever your role at the table changes."""

    n: int
    """The number of the last event."""
    you: You
    table: Table
    view: View | None
    """Null before the game, and for spectators who are not allowed to watch."""
    missed: list[TableEvent]
    """The events after `since`, at most the last hundred, without those of cards in tricks before
    the last one, which lie face down. What a round brought is in `view.sheet`."""
    presence: Presence


class Happened(Told, frozen=True, tag="event"):
    """Something happened. Ignore a number already seen, and answer a gap with `sync`. `table` and
    `view` hold the top-level fields that changed, to be merged into what the client has; if it
    has no view yet, `view` is complete."""

    n: int
    event: TableEvent
    table: TableChanges | UnsetType = UNSET
    view: ViewChanges | UnsetType = UNSET


class HiddenHappened(Told, frozen=True, tag="event"):
    """The same for those without a seat, if spectators are not allowed."""

    n: int
    event: HiddenEvent
    table: TableChanges | UnsetType = UNSET


class Done(Told, frozen=True, tag="done"):
    """The request with that `id` is saved for good, as number `n`. If there was nothing to change,
    nothing is saved, and `n` is the last number."""

    id: str
    n: int


class RefusedTold(Told, frozen=True, tag="refused"):
    """The request with that `id` is refused; with a null `id`, the connection itself is."""

    id: str | None
    code: str
    params: dict[str, Any]
    reason: str


class PresenceTold(Told, frozen=True, tag="presence"):
    """Who is present, and the clock."""

    presence: Presence


class Knocks(Told, frozen=True, tag="knocks"):
    """To the host: everyone asking to be let in now. After a `welcome` it is sent only if somebody
    is asking."""

    knocks: list[Knocking]


class SaidTold(Told, frozen=True, tag="said"):
    """Somebody said one of the phrases."""

    seat: Seat
    phrase: str


class Saving(Told, frozen=True, tag="saving"):
    """Whether the server can save now. Requests made while it cannot are kept, and answered with
    `done` once they are saved. A client that gets no such message after its `welcome` may assume
    that saving works."""

    works: bool


class Pong(Told, frozen=True, tag="pong"):
    """The answer to `ping`."""


class Bye(Told, frozen=True, tag="bye"):
    """The server is stopping; reconnect in a moment."""

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

"""What happened at a table, as those who watch it are told."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.views import FinishedTrick, NextRound, Outcome, Passed, SheetLine
from foretold.protocol.words import Action, By, Code, Level, Message, Moment, Seat, StandIn


class Stamp(Message, frozen=True):
    """When something happened."""

    n: int
    """Its number, which rises by one."""
    at: Moment


class _Event(Stamp, frozen=True, tag_field="e"):
    pass


class _AtSeat(_Event, frozen=True):
    seat: Seat


class _Named(_AtSeat, frozen=True):
    name: str


class CreatedEvent(_Event, frozen=True, tag="created"):
    """The table was made."""


class SatEvent(_Named, frozen=True, tag="sat"):
    """Somebody sat down, or took over the seat of a bot or of one who has left."""


class LeftEvent(_Named, frozen=True, tag="left"):
    """Somebody left, in the lobby."""


class BotEvent(_Named, frozen=True, tag="bot"):
    """A bot took a seat."""

    level: Level


class ClearedEvent(_Named, frozen=True, tag="cleared"):
    """The host cleared a seat; in a game a bot has it now."""


class ReadmittedEvent(_Event, frozen=True, tag="readmitted"):
    """Those removed under that name may come back."""

    name: str


class HostEvent(_AtSeat, frozen=True, tag="host"):
    """The host from now on."""


class SettingsEvent(_Event, frozen=True, tag="settings"):
    """Settings or rules changed."""


class CommittedEvent(_AtSeat, frozen=True, tag="committed"):
    """A player committed to a contribution to the shuffle."""


class StartedEvent(_Event, frozen=True, tag="started"):
    """The game was started; contributions are being collected."""


class RevealedEvent(_AtSeat, frozen=True, tag="revealed"):
    """A player's contribution is in."""


class DealtEvent(_Event, frozen=True, tag="dealt"):
    """The contributions are in: the first round is dealt."""


class ActEvent(_AtSeat, frozen=True, tag="act"):
    """A decision, and what came of it."""

    by: By
    action: Action
    """Whole, or only its verb (`bid`, `pass`) where it is not yours to see."""
    trick: FinishedTrick | UnsetType = UNSET
    """It finished this trick."""
    bids: list[int] | UnsetType = UNSET
    """All bids are in, and shown."""
    passed: Passed | UnsetType | None = UNSET
    """Everyone has passed; null for spectators."""
    round: SheetLine | UnsetType = UNSET
    """The round is over."""
    secret: str | UnsetType = UNSET
    """Of that round's deal."""
    next: NextRound | UnsetType = UNSET
    """The next round is dealt."""
    outcome: Outcome | UnsetType = UNSET
    """The game is over."""


class StandInEvent(_AtSeat, frozen=True, tag="stand_in"):
    """A bot plays for somebody from now on."""

    reason: StandIn


class BackEvent(_AtSeat, frozen=True, tag="back"):
    """A player is back; no bot plays for them any more."""


class RematchEvent(_Event, frozen=True, tag="rematch"):
    """The next table of these people was made."""

    code: Code


class ClosedEvent(_Event, frozen=True, tag="closed"):
    """The table was closed."""


TableEvent: TypeAlias = Annotated[
    CreatedEvent
    | SatEvent
    | LeftEvent
    | BotEvent
    | ClearedEvent
    | ReadmittedEvent
    | HostEvent
    | SettingsEvent
    | CommittedEvent
    | StartedEvent
    | RevealedEvent
    | DealtEvent
    | ActEvent
    | StandInEvent
    | BackEvent
    | RematchEvent
    | ClosedEvent,
    Meta(title="TableEvent"),
]


class HiddenEvent(Stamp, frozen=True):
    """All that is told of an event, before the game is over, to someone without a seat where
    spectators are not welcome."""

    e: str


class DealEvent(NextRound, frozen=True, tag_field="e", tag="deal"):
    """In a replay: the next round is dealt, as a step of its own."""

    n: int
    at: Moment


ReplayEvent: TypeAlias = Annotated[ActEvent | DealEvent, Meta(title="ReplayEvent")]

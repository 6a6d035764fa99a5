"""What happened at a table, as its viewers are told."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.views import FinishedTrick, NextRound, Outcome, Passed, SheetLine
from foretold.protocol.words import Action, By, Code, Level, Message, Moment, Seat, StandIn


class Stamp(Message, frozen=True):
    """When something happened."""

    n: int
    """Its number; each event adds one."""
    at: Moment


class _Event(Stamp, frozen=True, tag_field="e"):
    pass


class _AtSeat(_Event, frozen=True):
    seat: Seat


class _Named(_AtSeat, frozen=True):
    name: str


class CreatedEvent(_Event, frozen=True, tag="created"):
    """The table was created."""


class SatEvent(_Named, frozen=True, tag="sat"):
    """Somebody sat down, or took over from a bot or from a player who has left."""


class LeftEvent(_Named, frozen=True, tag="left"):
    """Somebody left, in the lobby."""


class BotEvent(_Named, frozen=True, tag="bot"):
    """A bot took a seat."""

    level: Level


class ClearedEvent(_Named, frozen=True, tag="cleared"):
    """The host cleared a seat; during a game a bot has it now."""


class ReadmittedEvent(_Event, frozen=True, tag="readmitted"):
    """The players removed under that name may come back."""

    name: str


class HostEvent(_AtSeat, frozen=True, tag="host"):
    """There is a new host."""


class SettingsEvent(_Event, frozen=True, tag="settings"):
    """Settings or rules changed."""


class CommittedEvent(_AtSeat, frozen=True, tag="committed"):
    """A player committed to a contribution to the shuffle."""


class FaceEvent(_AtSeat, frozen=True, tag="face"):
    """A player chose another face."""


class StartedEvent(_Event, frozen=True, tag="started"):
    """The game was started; contributions are being collected."""


class RevealedEvent(_AtSeat, frozen=True, tag="revealed"):
    """A player's contribution is in."""


class DealtEvent(_Event, frozen=True, tag="dealt"):
    """The contributions are in, and the first round is dealt."""


class ActEvent(_AtSeat, frozen=True, tag="act"):
    """A decision, and what came of it."""

    by: By
    action: Action
    """Complete, or only its verb (`bid`, `pass`) if you may not see the rest."""
    trick: FinishedTrick | UnsetType = UNSET
    """The trick it finished."""
    bids: list[int] | UnsetType = UNSET
    """All bids, now that they are in and shown."""
    passed: Passed | UnsetType | None = UNSET
    """Everyone has passed; null for spectators."""
    round: SheetLine | UnsetType = UNSET
    """The round is over."""
    secret: str | UnsetType = UNSET
    """The secret of that round's deal."""
    next: NextRound | UnsetType = UNSET
    """The next round is dealt."""
    outcome: Outcome | UnsetType = UNSET
    """The game is over."""


class ClaimedEvent(_AtSeat, frozen=True, tag="claimed"):
    """A seat claims all tricks that are left; the cards are played for everyone."""


class TookBackEvent(_AtSeat, frozen=True, tag="took_back"):
    """The one person among bots took back their last decision; `view` is whole."""


class StandInEvent(_AtSeat, frozen=True, tag="stand_in"):
    """A bot now plays for somebody."""

    reason: StandIn


class BackEvent(_AtSeat, frozen=True, tag="back"):
    """A player is back; no bot plays for them any more."""


class RematchEvent(_Event, frozen=True, tag="rematch"):
    """A table for the rematch was created."""

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
    | FaceEvent
    | StartedEvent
    | RevealedEvent
    | DealtEvent
    | ActEvent
    | ClaimedEvent
    | TookBackEvent
    | StandInEvent
    | BackEvent
    | RematchEvent
    | ClosedEvent,
    Meta(title="TableEvent"),
]


class HiddenEvent(Stamp, frozen=True):
    """All that somebody without a seat is told of an event until the game is over, if spectators
    are not allowed."""

    e: str


class DealEvent(NextRound, frozen=True, tag_field="e", tag="deal"):
    """In a replay: the next round is dealt, as a step of its own."""

    n: int
    at: Moment


ReplayEvent: TypeAlias = Annotated[ActEvent | DealEvent, Meta(title="ReplayEvent")]

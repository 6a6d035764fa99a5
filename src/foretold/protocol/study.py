"""Hints, reviews and replays of games (docs/review.md)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.events import ReplayEvent
from foretold.protocol.tables import Fair
from foretold.protocol.views import ReplayView, ReplayViewChanges
from foretold.protocol.words import Action, Answer, Code, Message, Phase, Rules, Seat

# Those of `foretold.study`, which a server's main process has no need to load.
Grade: TypeAlias = Annotated[
    Literal["best", "good", "slip", "mistake", "costly"], Meta(title="Grade")
]


class Choice(Message, frozen=True):
    """One legal action, and what it should bring."""

    action: Action
    points: float
    """Your expected points of the round."""
    lead: float
    """The same less the mean of the others'."""
    low: int | None
    """At least eight of ten rounds bring points from `low` to `high`; null before trump is
    named."""
    high: int | None
    exact: float | None
    """The chance to meet the bid; null before trump is named."""


class HintChoice(Choice, frozen=True):
    """A choice in a hint."""

    tricks: list[float]
    """The chance of each final number of your tricks."""


class Hint(Message, frozen=True):
    """What every choice of a seat is worth, as far as it can know."""

    seat: Seat
    round: int
    phase: Phase
    choices: list[HintChoice]
    """All legal actions, the best first."""


class Advice(Message, frozen=True):
    """What is to be said of a decision."""

    code: str
    params: dict[str, str | int | float | None]


class Decision(Message, frozen=True):
    """A decision of a finished game."""

    number: int
    """Its place among the actions of the game, from 0."""
    round: int
    seat: Seat
    action: Action
    forced: bool
    """Whether there was no choice."""
    cost: float
    """The points that it gave away."""
    grade: Grade
    advice: Advice | UnsetType = UNSET
    """Where there was a choice."""
    choices: list[Choice] | UnsetType = UNSET
    """Where there was a choice."""
    tricks: list[float] | UnsetType = UNSET
    """For a bid: the chance of each number of tricks with the best one."""


class Account(Message, frozen=True):
    """Where the points of a seat came from: `lead = deal + play + gifts - given`."""

    deal: float
    play: float
    gifts: float
    given: float
    lead: float


class ReviewData(Message, frozen=True):
    """What the decisions of a finished game gave away."""

    names: list[str]
    seats: list[Account]
    rounds: list[list[Account]]
    """By round and seat."""
    worst: list[list[int]]
    """Up to three decisions of every seat, by their numbers."""
    finest: list[list[int]]
    decisions: list[Decision]


class Verdict(Message, frozen=True):
    """Whether a deal is what the published scheme says."""

    round: int
    """From 1; 0 is the set-up: first dealer, suits."""
    answer: Answer
    reason: str


class ReplayStep(Message, frozen=True):
    """One more event, and what it made of the view."""

    event: ReplayEvent
    view: ReplayViewChanges
    """The fields that changed."""


class ReplayData(Message, frozen=True):
    """A game step by step."""

    code: Code
    names: list[str]
    rules: Rules
    sizes: list[int]
    fair: Fair | None
    verdicts: list[Verdict]
    complete: bool
    """Whether the game is over; else these are its finished rounds."""
    review: bool
    """Whether there is a review of it."""
    first: ReplayView | None
    """The first round as dealt; null while no round is finished."""
    steps: list[ReplayStep]

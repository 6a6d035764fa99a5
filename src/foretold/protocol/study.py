"""Hints, reviews and replays of games (docs/review.md)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from foretold.protocol.events import ReplayEvent
from foretold.protocol.tables import Fair
from foretold.protocol.views import ReplayView, ReplayViewChanges
from foretold.protocol.words import Action, Answer, Code, Face, Message, Phase, Rules, Seat

# The same as in `foretold.study`, which the server's main process need not load.
Grade: TypeAlias = Annotated[
    Literal["best", "good", "slip", "mistake", "costly"], Meta(title="Grade")
]


class Choice(Message, frozen=True):
    """One legal action, and what to expect from it."""

    action: Action
    points: float
    """Your expected points in the round."""
    lead: float
    """The same minus the average of the others'."""
    low: int | None
    """In at least eight rounds of ten the points are from `low` to `high`; null before trump is
    named."""
    high: int | None
    exact: float | None
    """The chance of meeting the bid; null before trump is named."""


class HintChoice(Choice, frozen=True):
    """A choice in a hint."""

    tricks: list[float]
    """The chance of each final number of tricks."""


class Advice(Message, frozen=True):
    """What to say about a decision."""

    code: str
    params: dict[str, str | int | float | None]


class Hint(Message, frozen=True):
    """What every choice of a seat is worth, given what it knows."""

    seat: Seat
    round: int
    phase: Phase
    choices: list[HintChoice]
    """All legal actions, best first."""
    advice: Advice
    """What to say about the best one."""


class Decision(Message, frozen=True):
    """A decision in a finished game."""

    number: int
    """Its place among the actions of the game, from 0."""
    round: int
    seat: Seat
    action: Action
    forced: bool
    """Whether there was no choice."""
    cost: float
    """The points it gave away."""
    grade: Grade
    advice: Advice | UnsetType = UNSET
    """If there was a choice."""
    choices: list[Choice] | UnsetType = UNSET
    """If there was a choice."""
    tricks: list[float] | UnsetType = UNSET
    """For a bid: the chance of each number of tricks with the best bid."""


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
    """Up to three decisions per seat, by number."""
    finest: list[list[int]]
    decisions: list[Decision]


class Verdict(Message, frozen=True):
    """Whether a deal follows from the published scheme."""

    round: int
    """From 1; 0 is the set-up: first dealer, suits."""
    answer: Answer
    reason: str


class ReplayStep(Message, frozen=True):
    """The next event, and the view after it."""

    event: ReplayEvent
    view: ReplayViewChanges
    """The fields that changed."""


class ReplayData(Message, frozen=True):
    """A game step by step."""

    code: Code
    names: list[str]
    faces: list[Face | None]
    """By seat: the one a player chose; without one, clients choose by name."""
    rules: Rules
    sizes: list[int]
    fair: Fair | None
    verdicts: list[Verdict]
    complete: bool
    """Whether the game is over; if not, these are its finished rounds."""
    taken_back: int
    """How many decisions were taken back; the steps are those that count."""
    review: bool
    """Whether a review is available."""
    first: ReplayView | None
    """The first round as dealt; null while no round is finished."""
    steps: list[ReplayStep]

"""The results of games, in memory and as a line of a match's file."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from foretold.results import Outcome


class SeatResult(msgspec.Struct, frozen=True):
    """One bot in one game."""

    bot: int
    """Which of the match's bots it is."""
    points: tuple[int, ...]
    """By round."""
    off: tuple[int, ...]
    """By round: tricks taken less the scored bid; 0 is an exact bid."""
    decisions: int
    """How often the bot itself was asked."""
    seconds: float
    """Its total thinking time, in seconds."""
    slowest: float
    """The longest of its decisions, in seconds."""
    faults: int = 0
    """How many decisions the simple bot made in its place."""
    first_fault: str | None = None

    @property
    def total(self) -> int:
        return sum(self.points)


class GameResult(msgspec.Struct, frozen=True):
    """One game, by seat."""

    seats: tuple[SeatResult, ...]

    @property
    def outcome(self) -> Outcome:
        return Outcome(tuple(seat.total for seat in self.seats))


class SetResult(msgspec.Struct, frozen=True):
    """The games of a deal set, by rotation."""

    index: int
    games: tuple[GameResult, ...]


@dataclass(frozen=True, order=True)
class Lost:
    """A deal set that could not be played, though no bot was to blame."""

    index: int
    reason: str

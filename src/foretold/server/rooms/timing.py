"""What a table waits for, and how long: clocks, grace for the absent, the pace of bots.

Clocks run only while somebody seated is there, and start anew when the first one comes; so nothing
of this needs to be written down.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final, TypeAlias

from foretold.kernel import Phase
from foretold.server.settings import ServerSettings
from foretold.table.entries import CameBack, Changed, Entry, PlayerSeat, Sat, Seat, Started
from foretold.table.table import ABSENT, Table

AFTER_TRICK: Final = 2
AFTER_ROUND: Final = 4
"""How many times their usual pause bots make, so that people can see what came of it."""
WHEN_BIDDING: Final = 0.5
"""Bids are quickly read: nobody should wait two seconds for the first decision of a game."""

Progress: TypeAlias = tuple[int, int, int]
"""The turn, and the numbers of tricks and of rounds that are finished."""


class Timing:
    """When what is due at one table. Times are those of the event loop, in seconds."""

    def __init__(self, table: Table, settings: ServerSettings) -> None:
        self._table = table
        self._grace = settings.grace
        self._reveal_wait = settings.reveal_wait
        self._since = time.monotonic()
        self._away_since: dict[int, float] = {}
        self._pauses = 1
        self._clock = table.settings.clock
        self._progress = self._progress_now()
        self._granted: set[int] = set()
        """The seats for which the clock of this turn was started anew."""

    # What happens

    def arrives(self, seat: int, people: Collection[int]) -> None:
        """A player comes; `people` are those who were there before."""
        self._away_since.pop(seat, None)
        if not people:
            self._since = time.monotonic()

    def leaves(self, seat: int) -> None:
        self._away_since[seat] = time.monotonic()

    def _progress_now(self) -> Progress:
        game = self._table.game
        if game is None:
            return 0, 0, 0
        position = game.position
        return self._table.turn, len(position.tricks), len(position.sheet)

    def goes_on(self, entry: Entry) -> bool:
        """An entry has happened: if that brings a new turn, clocks start anew.

        Answers whether it ended a round.
        """
        before, self._progress = self._progress, self._progress_now()
        turn, tricks, rounds = self._progress
        ended_round = rounds > before[2]
        if turn != before[0]:
            self._pauses = AFTER_ROUND if ended_round else AFTER_TRICK if tricks > before[1] else 1
            self._granted.clear()
            self._since = time.monotonic()
        elif isinstance(entry, Started):
            self._since = time.monotonic()
        elif isinstance(entry, Changed) and entry.settings.clock != self._clock:
            # A clock that the host sets now does not count what was before.
            self._since = time.monotonic()
        elif isinstance(entry, CameBack | Sat) and entry.seat not in self._granted:
            # Time to look round for whoever comes; once, else a clock would never run out.
            self._granted.add(entry.seat)
            self._since = time.monotonic()
        self._clock = self._table.settings.clock
        return ended_round

    # What is due

    def until_bots(self) -> float:
        """Seconds until bots may act."""
        pause = self._pauses * self._table.settings.pace / 1000
        game = self._table.game
        if game is not None and game.phase in (Phase.TRUMP, Phase.BID):
            pause *= WHEN_BIDDING
        return max(0.0, self._since + pause - time.monotonic())

    def deal_is_due(self) -> bool:
        due = self._deal_due()
        return due is not None and due <= time.monotonic()

    def _deal_due(self) -> float | None:
        if self._table.state != "dealing":
            return None
        return self._since + self._reveal_wait if self._table.awaits_reveal else 0.0

    def next_due(self, people: Collection[int]) -> float | None:
        """When something is due next, if `people` stay."""
        deal = self._deal_due()
        if deal is not None:
            return deal
        deadlines = self._deadlines(people)
        return min(due for _, due, _ in deadlines) if deadlines else None

    def waits_for_people_alone(self, people: Collection[int]) -> bool:
        """Whether all seats are players' who are there, and no clock runs."""
        seats = self._table.seats
        return (
            self._table.settings.clock is None
            and len(people) == len(seats)
            and all(map(_decides, seats))
        )

    def late(self, people: Collection[int]) -> list[tuple[int, str]]:
        """The seats for which a bot must stand in now, and why."""
        now = time.monotonic()
        found = {seat: reason for seat, due, reason in self._deadlines(people) if due <= now}
        return list(found.items())

    def _deadlines(self, people: Collection[int]) -> list[tuple[int, float, str]]:
        """The seats that are awaited, until when, and why a bot stands in then."""
        clock, patience = self._table.settings.clock, self._table.settings.patience
        found: list[tuple[int, float, str]] = []
        if not people:
            return found
        for seat in self._awaited():
            if seat not in people:
                away = self._away_since.get(seat, self._since)
                found.append((seat, max(self._since, away) + self._grace, ABSENT))
            if clock is not None:
                found.append((seat, self._since + clock, "clock"))
            elif patience is not None and any(one != seat for one in people):
                found.append((seat, self._since + patience, "idle"))
        return found

    def _awaited(self) -> list[int]:
        """The seats of players who must decide themselves."""
        seats = self._table.seats
        return [seat for seat in self._table.to_act if _decides(seats[seat])]

    # What people are told

    def presence_key(self, people: Collection[int], watching: int) -> object:
        """What changes exactly when what people are told must be told anew."""
        clocked = self._table.settings.clock is not None and people
        clock = (self._since, tuple(self._awaited())) if clocked else None
        return self._here(people), watching, clock, self._table.settings.clock

    def presence(self, people: Collection[int], watching: int) -> dict[str, Any]:
        clock = self._table.settings.clock
        awaited = self._awaited() if clock is not None and people else []
        told = None
        if clock is not None and awaited:
            left = max(0.0, self._since + clock - time.monotonic())
            told = {"seats": awaited, "left": round(left * 1000), "of": clock * 1000}
        return {"here": self._here(people), "watching": watching, "clock": told}

    def _here(self, people: Collection[int]) -> list[bool | None]:
        return [
            seat in people if isinstance(one, PlayerSeat) else None
            for seat, one in enumerate(self._table.seats)
        ]


def _decides(seat: Seat) -> bool:
    return isinstance(seat, PlayerSeat) and not seat.stand_in

"""What a table waits for, and how long: clocks, grace for absent players, the pace of bots.

Clocks run only while a seated player is present, and restart when the first one arrives, so none of
this needs saving.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final, TypeAlias

from foretold.kernel import Phase
from foretold.server.settings import ServerSettings
from foretold.table.entries import CameBack, Changed, Entry, PlayerSeat, Sat, Seat, Started
from foretold.table.refusals import Refused
from foretold.table.stand_ins import ABSENT, LATE
from foretold.table.table import Table

AFTER_TRICK: Final = 2
AFTER_ROUND: Final = 4
"""Bots pause this many times as long after a round, so that people can look at the result."""
WHEN_BIDDING: Final = 0.5
"""Bids are quick to read: nobody should wait two seconds for a game's first decision."""

FIRST: Final = 1 / 6
"""The part of the grace during which the others cannot hand a seat to a bot: a page may reload."""
WAIT: Final = 300.0
"""Seconds that others may grant somebody who is away, again and again."""

CLAIMED_PACE: Final = 0.12
"""Seconds between two cards of a round that is certain."""

Progress: TypeAlias = tuple[int, int, int]
"""The turn, and the numbers of finished tricks and rounds."""


class Timing:
    """When things are due at one table. Times are those of the event loop, in seconds."""

    def __init__(self, table: Table, settings: ServerSettings) -> None:
        self._table = table
        self._grace = settings.grace
        self._reveal_wait = settings.reveal_wait
        self._since = time.monotonic()
        self._away_since: dict[int, float] = {}
        self._granted_until: dict[int, float] = {}
        """Until when the others would rather wait for a seat."""
        self._pauses = 1
        self._clock = table.settings.clock
        self._progress = self._progress_now()
        self._granted: set[int] = set()
        """The seats whose clock was restarted in this turn."""

    # Events

    def arrives(self, seat: int, people: Collection[int]) -> None:
        """A player arrives; `people` are the seats already present."""
        self._away_since.pop(seat, None)
        self._granted_until.pop(seat, None)
        if not people:
            self._since = time.monotonic()

    def leaves(self, seat: int) -> None:
        self._away_since[seat] = time.monotonic()

    def waits(self, seat: int, people: Collection[int]) -> None:
        """The others would rather wait for a player who is away."""
        self._check_awaited(seat, people)
        self._granted_until[seat] = time.monotonic() + WAIT

    def lets_bot(self, seat: int, people: Collection[int]) -> None:
        """Raise `Refused` unless the others may let a bot play for a player who is away."""
        self._check_awaited(seat, people)
        if self._until_bot_may(seat) > 0:
            raise Refused("not_awaited")

    def _check_awaited(self, seat: int, people: Collection[int]) -> None:
        if seat not in self._awaited() or seat in people:
            raise Refused("not_awaited")

    def _until_bot_may(self, seat: int) -> float:
        """Seconds until the others may let a bot play for a player who is away."""
        away = self._away_since.get(seat, self._since)
        return max(0.0, away + FIRST * self._grace - time.monotonic())

    def _progress_now(self) -> Progress:
        game = self._table.game
        if game is None:
            return 0, 0, 0
        position = game.position
        return self._table.turn, len(position.tricks), len(position.sheet)

    def goes_on(self, entry: Entry) -> bool:
        """An entry was applied; if it begins a new turn, clocks restart.

        Returns whether it ended a round.
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
            # A clock the host sets now does not count time already passed.
            self._since = time.monotonic()
        elif isinstance(entry, CameBack | Sat) and entry.seat not in self._granted:
            # Time for a newcomer to look around; only once, or a clock might never run out.
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
        """When something is due next, if `people` stay present."""
        deal = self._deal_due()
        if deal is not None:
            return deal
        if self._table.claimed:
            return self._since + CLAIMED_PACE
        deadlines = self._deadlines(people)
        return min(due for _, due, _ in deadlines) if deadlines else None

    def waits_for_people_alone(self, people: Collection[int]) -> bool:
        """Whether every seat has a player who is present, and no clock is running."""
        seats = self._table.seats
        return (
            self._table.settings.clock is None
            and not self._table.claimed
            and len(people) == len(seats)
            and all(map(_decides, seats))
        )

    def late(self, people: Collection[int]) -> list[tuple[int, str]]:
        """The seats for which a bot must stand in now, and why."""
        now = time.monotonic()
        found = {seat: reason for seat, due, reason in self._deadlines(people) if due <= now}
        return list(found.items())

    def _deadlines(self, people: Collection[int]) -> list[tuple[int, float, str]]:
        """The seats being waited for, until when, and why a bot would stand in then."""
        clock, patience = self._table.settings.clock, self._table.settings.patience
        found: list[tuple[int, float, str]] = []
        if not people:
            return found
        for seat in self._awaited():
            if seat not in people:
                away = max(self._since, self._away_since.get(seat, self._since)) + self._grace
                due = max(away, self._granted_until.get(seat, away))
                if clock is not None:  # or everyone would wait for it at every decision
                    due = min(due, self._since + clock)
                found.append((seat, due, ABSENT))
            elif clock is not None:
                found.append((seat, self._since + clock, LATE))
            if clock is None and patience is not None and any(one != seat for one in people):
                found.append((seat, self._since + patience, "idle"))
        return found

    def _awaited(self) -> list[int]:
        """The seats of players who must decide themselves."""
        seats = self._table.seats
        return [seat for seat in self._table.to_act if _decides(seats[seat])]

    # Presence

    def presence_key(self, people: Collection[int], watching: int) -> object:
        """Changes exactly when presence must be sent again."""
        clocked = self._table.settings.clock is not None and people
        clock = (self._since, tuple(self._awaited())) if clocked else None
        away = tuple(self._away(people))
        return self._here(people), watching, clock, self._table.settings.clock, away

    def presence(self, people: Collection[int], watching: int) -> dict[str, Any]:
        clock = self._table.settings.clock
        awaited = self._awaited() if clock is not None and people else []
        told = None
        if clock is not None and awaited:
            left = max(0.0, self._since + clock - time.monotonic())
            told = {"seats": awaited, "left": round(left * 1000), "of": clock * 1000}
        away = [
            {
                "seat": seat,
                "left": round(max(0.0, due - time.monotonic()) * 1000),
                "bot_in": round(self._until_bot_may(seat) * 1000),
            }
            for seat, due in self._away(people)
        ]
        return {"here": self._here(people), "watching": watching, "clock": told, "away": away}

    def _away(self, people: Collection[int]) -> list[tuple[int, float]]:
        """The seats that are awaited and empty, and when a bot plays for them."""
        return [(seat, due) for seat, due, why in self._deadlines(people) if why == ABSENT]

    def _here(self, people: Collection[int]) -> list[bool | None]:
        return [
            seat in people if isinstance(one, PlayerSeat) else None
            for seat, one in enumerate(self._table.seats)
        ]


def _decides(seat: Seat) -> bool:
    return isinstance(seat, PlayerSeat) and not seat.stand_in

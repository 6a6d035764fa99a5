"""Where a game stands: the state of the kernel, and what has happened in it so far."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import SupportsIndex

import msgspec

from foretold.actions import ACTIONS, Action
from foretold.cards import CARDS, Card, Suit, Trump
from foretold.deal import Deal
from foretold.kernel import Phase, State, legal
from foretold.kernel.layout import (
    MAX_PLAYERS,
    NOTHING,
    PHASE,
    SIZE,
    TOTALS,
    TRUMP_SUIT,
    TURNED,
    WEREWOLF_SEAT,
)
from foretold.rules import Rules
from foretold.sheet import Round, Trick

_WORD = (1 << 64) - 1
_PHASES = {int(phase): phase for phase in Phase}
SEATS = tuple(
    tuple(seat for seat in range(MAX_PLAYERS) if seats >> seat & 1)
    for seats in range(1 << MAX_PLAYERS)
)
"""Seats by their bits."""


class RoundLog(msgspec.Struct, frozen=True):
    """Everything that went into a round: its deal and the actions, in the order taken.

    Like a position, it never changes.
    """

    deal: Deal
    actions: tuple[tuple[int, Action], ...] = ()


class Position(msgspec.Struct):
    """Everything about a game at one moment, hidden cards included.

    It never changes; a game is a stack of positions.
    """

    rules: Rules
    state: State
    row: list[int]
    """The state again, as plain Python integers."""
    dealer: int
    """Who deals the round, or dealt the last one."""
    sheet: tuple[Round, ...]
    """The finished rounds."""
    past: tuple[RoundLog, ...]
    """The logs of the rounds before the current one."""
    log: RoundLog | None
    """The log of the current round, or of the last one while waiting for the next deal."""
    tricks: tuple[Trick, ...]
    """The finished tricks of that round."""
    passed_after: int | None
    """After how many of its tricks cards were passed, if they were."""
    suits: tuple[Suit | None, ...]
    """The seats' own suits in the monocolour game, as far as the deals show them."""
    suits_are_public: bool
    """Whether they were drawn openly before the game, as is usual at a table."""
    out: tuple[Card, ...]
    """The cards used in earlier rounds of the two-player game."""
    to_act: tuple[int, ...]
    """The seats that must decide now, in ascending order."""
    # Read many times per position, so computed once.
    _legal: dict[int, LegalActions] = {}

    @property
    def phase(self) -> Phase:
        return _PHASES[self.row[PHASE]]

    @property
    def size(self) -> int:
        return self.row[SIZE]

    @property
    def turned(self) -> Card | None:
        turned = self.row[TURNED]
        return None if turned == NOTHING else CARDS[turned]

    @property
    def werewolf(self) -> int | None:
        seat = self.row[WEREWOLF_SEAT]
        return None if seat == NOTHING else seat

    @property
    def trump(self) -> Trump | None:
        trump = self.row[TRUMP_SUIT]
        return None if trump == NOTHING else Trump(trump)

    @property
    def totals(self) -> tuple[int, ...]:
        return self.by_seat(TOTALS)

    @property
    def logs(self) -> tuple[RoundLog, ...]:
        return self.past if self.log is None else (*self.past, self.log)

    def by_seat(self, field: int) -> tuple[int, ...]:
        """A field of the state with one entry per seat."""
        return tuple(self.row[field : field + self.rules.players])

    def legal_actions(self, seat: int) -> LegalActions:
        found = self._legal.get(seat)
        if found is None:
            words = legal(self.state, seat) if seat in self.to_act else (0, 0, 0)
            found = self._legal[seat] = LegalActions(seat, words)
        return found


class LegalActions:
    """What a seat may do now: a lazy collection.

    It accepts actions, their numbers or their texts: ``"play R4" in game.legal_actions()``.
    """

    __slots__ = ("_seat", "mask")

    def __init__(self, seat: int, words: tuple[int, int, int]) -> None:
        self._seat = seat
        first, second, third = words
        self.mask = int(first) & _WORD | (int(second) & _WORD) << 64 | (int(third) & _WORD) << 128
        """One bit per action."""

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            action = Action.find(action)
        # Check `int` first: checking against a protocol takes far longer than everything else.
        if not isinstance(action, int) and not isinstance(action, SupportsIndex):
            return False
        number = index(action)
        return number >= 0 and bool(self.mask >> number & 1)

    def __iter__(self) -> Iterator[Action]:
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield ACTIONS[lowest.bit_length() - 1]
            mask ^= lowest

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __getitem__(self, position: int) -> Action:
        return tuple(self)[position]

    def count(self) -> int:
        return len(self)

    def __repr__(self) -> str:
        return f"<LegalActions of seat {self._seat}: {', '.join(map(str, self))}>"

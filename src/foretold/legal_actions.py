"""What a seat may do, as a collection."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import SupportsIndex

from foretold.actions import ACTIONS, Action

_WORD = (1 << 64) - 1


class LegalActions:
    """What a seat may do now: a lazily evaluated collection.

    It takes actions, their numbers or their texts: ``"play R4" in game.legal_actions()``.
    """

    __slots__ = ("_seat", "mask")

    def __init__(self, seat: int, words: tuple[int, int, int]) -> None:
        self._seat = seat
        first, second, third = words
        self.mask = int(first) & _WORD | (int(second) & _WORD) << 64 | (int(third) & _WORD) << 128
        """A bit for each action."""

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            action = Action.find(action)
        # Numbers first: checking a protocol takes far longer than all the rest.
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

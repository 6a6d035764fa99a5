"""The hands that each of the others may hold, one seat at a time.

Where no card was passed or shown, a seat's voids are all that is known of its hand, and the hands
of two seats depend on each other only in that no card is in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from foretold.cards import WEREWOLF
from foretold.kernel.bits import with_card
from foretold.kernel.compile import compiled
from foretold.rules import Mode
from foretold.sampling.story import Story, is_closed
from foretold.view import View

Words = NDArray[np.int64]

MOST_CARDS = 63
"""A holding is a word with a bit for each unseen card."""


@dataclass(frozen=True)
class Holdings:
    """The unseen cards, and which of them each of the others may hold.

    A *holding* says which of the unseen cards a seat holds, as bits; every card has its own bit,
    even one of several Wizards.
    """

    unseen: NDArray[np.int64]
    may_hold: dict[int, NDArray[np.int64]]
    """For each of the others, the places in `unseen` of the cards that it may hold."""
    sizes: dict[int, int]
    """How many cards each of them holds."""

    @classmethod
    def of(cls, view: View) -> Holdings | None:
        """None if more ties the hands together, so that they cannot be drawn one by one."""
        swapped = view.werewolf is not None
        if view.passes or swapped or view.rules.mode is Mode.MONOCOLOUR:
            return None
        if any(hand is not None for hand in view.seen_hands):
            return None
        story = Story(view)
        if WEREWOLF in story.pool or len(story.pool) > MOST_CARDS:
            return None
        others = [seat for seat in range(story.players) if seat != view.seat]
        places = {
            seat: [
                place
                for place, card in enumerate(story.pool)
                if not is_closed(story.closed[seat][0], card)
            ]
            for seat in others
        }
        return cls(
            np.array(story.pool, dtype=np.int64),
            {seat: np.array(some, dtype=np.int64) for seat, some in places.items()},
            {seat: story.sizes[seat] for seat in others},
        )

    def ways(self, seat: int) -> int:
        """How many holdings a seat may have."""
        return comb(len(self.may_hold[seat]), self.sizes[seat])

    def all(self, seat: int) -> Words:
        """Every holding of a seat."""
        places = combinations((1 << self.may_hold[seat]).tolist(), self.sizes[seat])
        return np.array([sum(some) for some in places], dtype=np.int64)

    def draw(self, seat: int, count: int, chance: np.random.Generator) -> Words:
        """Some holdings of a seat, all equally likely; one may come more than once."""
        places, size = self.may_hold[seat], self.sizes[seat]
        order = chance.random((count, len(places))).argsort(axis=1)[:, :size]
        found: Words = (1 << places[order]).sum(axis=1)
        return found

    def draw_from_rest(
        self, seat: int, used: Words, later: Sequence[int], chance: np.random.Generator
    ) -> tuple[Words, NDArray[np.float64]]:
        """For each row of used cards, a random holding of a seat without them, and how many such
        holdings there are; where there are none, the holding means nothing.

        If every card is dealt, a holding includes all cards that no later seat may hold.
        """
        places, size = self.may_hold[seat], self.sizes[seat]
        is_free = (used[:, np.newaxis] >> places) & 1 == 0
        is_due = np.zeros_like(is_free)
        if len(self.unseen) == sum(self.sizes.values()):
            is_due = is_free & ~np.isin(places, [p for s in later for p in self.may_hold[s]])
        keys = np.where(is_free, chance.random(is_free.shape), 1.0)
        order = np.where(is_due, -1.0, keys).argsort(axis=1)[:, :size]
        found: Words = (1 << places[order]).sum(axis=1)
        due = is_due.sum(axis=1).tolist()
        free = is_free.sum(axis=1).tolist()
        ways = [comb(f - d, size - d) if d <= size else 0 for f, d in zip(free, due, strict=True)]
        return found, np.array(ways, dtype=np.float64)

    def hands(self, holdings: Words, played: int) -> Words:
        """Holdings as sets of the kernel, together with what the seat has played."""
        hands = np.full(len(holdings), played, dtype=np.int64)
        _add_cards(hands, holdings, self.unseen)
        return hands


@compiled
def _add_cards(hands: Words, holdings: Words, unseen: NDArray[np.int64]) -> None:
    for index in range(len(hands)):
        for place in range(len(unseen)):
            if (holdings[index] >> place) & 1:
                hands[index] = with_card(hands[index], unseen[place])

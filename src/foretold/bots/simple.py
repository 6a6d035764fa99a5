"""A player by rules of thumb: it counts what its cards should take, and takes just that."""

from __future__ import annotations

import random

from foretold.actions import ACTIONS, Action
from foretold.bots.heuristics import choose, expected_tricks, fittest
from foretold.kernel import Phase
from foretold.rows import row_of
from foretold.view import View


class SimpleBot:
    """Sensible and quick: well under a millisecond a decision.

    `slips` is how often it acts at random instead, for beginners.
    """

    def __init__(self, seed: int = 0, slips: float = 0.0) -> None:
        if not isinstance(slips, int | float) or not 0 <= slips <= 1:
            raise ValueError(f"slips is {slips}: expected a share from 0 to 1")
        self.slips = slips
        self._random = random.Random(seed)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        if self.slips and self._random.random() < self.slips:
            return self._random.choice(view.legal_actions)
        assert view.seat is not None
        row = row_of(view)
        if view.phase is Phase.BID and view.hand is None:
            # Clairvoyance: without a hand, assume an equal share of the tricks.
            share = view.size / view.rules.players
            return ACTIONS[fittest(row, view.seat, expected_tricks(row, share))]
        return ACTIONS[choose(row, view.seat)]

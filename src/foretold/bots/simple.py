"""A player by rules of thumb: it counts what its cards should take, and takes just that."""

from __future__ import annotations

from foretold.actions import ACTIONS, Action
from foretold.bots.table import row_of
from foretold.bots.thumb import choose, expected_tricks, nearest_bid
from foretold.kernel import Phase
from foretold.view import View


class SimpleBot:
    """Sensible and quick: well under a millisecond a decision."""

    def __init__(self, seed: int = 0) -> None:
        """It leaves nothing to chance; the seed is for those that do."""

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        assert view.seat is not None
        row = row_of(view)
        if view.phase is Phase.BID and view.hand is None:
            # Clairvoyance: all it can say is that the tricks go round.
            share = view.size / view.rules.players
            return ACTIONS[nearest_bid(row, view.seat, expected_tricks(row, view.seat, share))]
        return ACTIONS[choose(row, view.seat)]

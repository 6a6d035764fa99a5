"""What one person among bots can take back: their decisions of the round under way.

A round that is over stands, since the next one has been seen. So does everything before a pass,
which reveals a card that somebody else chose.
"""

from __future__ import annotations

from typing import NamedTuple

from foretold.actions import Verb
from foretold.fair import FairDeals
from foretold.game import Game
from foretold.position import Position
from foretold.table.entries import Acted


class Past(NamedTuple):
    dealt: Position
    """Where the round began."""
    decided: tuple[int, ...] = ()
    """How many decisions of the round had been taken before each of the person's own."""
    is_known: bool = False
    """Whether some of the round was taken back, so that the person has seen cards of others."""

    def after(self, entry: Acted, before: Position, now: Position) -> Past:
        """The same after one more decision."""
        if len(now.sheet) > len(before.sheet):
            return Past(now)
        assert before.log is not None
        if entry.action.startswith(Verb.PASS.value):
            return self._replace(decided=())
        if entry.by != "player":
            return self
        # Not by `_replace`, which takes three times as long: this is done for every decision.
        return Past(self.dealt, (*self.decided, len(before.log.actions)), self.is_known)

    def game(self, now: Position, to: int, deals: FairDeals) -> Game:
        """The game as it was after that many decisions of the round."""
        assert now.log is not None
        game = Game.standing_at(self.dealt, deals)
        for seat, action in now.log.actions[:to]:
            game.push(action, seat)
        game.forget()
        return game

"""A decision of a game by its number: what its seat knew then."""

from __future__ import annotations

from foretold.errors import UnreadableError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.view import View
from foretold.words import counted


def moment(game: Game, at: int | None = None, seat: int | None = None) -> View:
    """The view of a seat to act after that many actions; by default the first seat, at the end."""
    again = Game.from_record(game.to_record())
    taken = sum(len(log.actions) for log in again.position.logs)
    if at is not None:
        if at > taken:
            raise UnreadableError(f"there is no step {at}: the game has {counted(taken, 'action')}")
        for _ in range(taken - at):
            again.pop()
    if not again.to_act:
        over = again.phase is Phase.OVER
        why = "the game is over" if over else "the next deal is awaited"
        raise UnreadableError(f"{why}: name an earlier step, --at 0 to {taken - 1}")
    if seat is None:
        seat = again.to_act[0]
    elif seat not in again.to_act:
        seats = " and ".join(map(str, again.to_act))
        raise UnreadableError(f"seat {seat} is not to act then, but seat {seats}")
    return again.view(seat)

"""The process in which bots think. It reads a question at a time, and answers each.

A question is a pickled level and `View`, an answer an action's number. Both ends are of this
server, so pickle is safe here. Bots see nothing but the view.
"""

from __future__ import annotations

import pickle
import secrets
import struct
from functools import cache
from typing import Final

from foretold.bots import LEVELS, Bot, Player, make_bot
from foretold.game import Game
from foretold.server.process import answer_all
from foretold.view import View

ANSWER: Final = struct.Struct("<i?")
"""The action, and whether the simple bot had to step in for it."""


def main() -> None:
    answer_all(warm_up, lambda question: ANSWER.pack(*_decide(*pickle.loads(question))))


def _decide(level: str, view: View) -> tuple[int, bool]:
    decision = Player(_bot(level)).decide(view)
    return int(decision.action), decision.fault is not None


@cache
def _bot(level: str) -> Bot:
    return make_bot(level, secrets.randbits(63))


def warm_up() -> None:
    """Get ready what is compiled, so that the first decision of a game comes at once."""
    for level in LEVELS:
        game = Game(rounds="2", seed=0)
        while game.to_act:
            seat = game.to_act[0]
            game.push(_decide(level, game.view(seat))[0], seat)


if __name__ == "__main__":
    main()

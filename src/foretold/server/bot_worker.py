"""The process in which bots think. It reads a question at a time, and answers each.

A question is a level and a pickled `View`, an answer an action's number; each comes after its
length. Both ends are of this server, so pickle is safe here. Bots see nothing but the view.
"""

from __future__ import annotations

import pickle
import secrets
import struct
from collections.abc import Iterator
from functools import cache
from typing import BinaryIO, Final

from foretold.bots import LEVELS, Bot, Player, make_bot
from foretold.bots.pipes import arriving, own_pipes
from foretold.game import Game
from foretold.view import View

LENGTH: Final = struct.Struct("<I")
ANSWER: Final = struct.Struct("<i?")
"""The action, and whether the simple bot had to step in for it."""


def main() -> None:
    pipe, answers = own_pipes()
    questions = arriving(_questions(pipe))
    _warm_up()
    answers.write(ANSWER.pack(0, False))
    answers.flush()
    while True:
        level, view = pickle.loads(questions.get())
        action, failed = _decide(level, view)
        answers.write(ANSWER.pack(action, failed))
        answers.flush()


def _decide(level: str, view: View) -> tuple[int, bool]:
    decision = Player(_bot(level)).decide(view)
    return int(decision.action), decision.fault is not None


@cache
def _bot(level: str) -> Bot:
    return make_bot(level, secrets.randbits(63))


def _warm_up() -> None:
    """Get ready what is compiled, so that the first decision of a game comes at once."""
    for level in LEVELS:
        game = Game(rounds="2", seed=0)
        while game.to_act:
            seat = game.to_act[0]
            game.push(_decide(level, game.view(seat))[0], seat)


def _questions(pipe: BinaryIO) -> Iterator[bytes]:
    while len(head := pipe.read(LENGTH.size)) == LENGTH.size:
        yield pipe.read(LENGTH.unpack(head)[0])


if __name__ == "__main__":
    main()

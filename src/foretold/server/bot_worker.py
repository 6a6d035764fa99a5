"""The process in which bots think. It reads a question at a time, and answers each.

A question is a level and a pickled `View`, an answer an action's number; each comes after its
length. Both ends are of this server, so pickle is safe here. Bots see nothing but the view.
"""

from __future__ import annotations

import os
import pickle
import queue
import secrets
import signal
import struct
import threading
from functools import cache
from typing import BinaryIO, Final

from foretold.bots import LEVELS, Bot, Player, make_bot
from foretold.game import Game
from foretold.view import View

LENGTH: Final = struct.Struct("<I")
ANSWER: Final = struct.Struct("<i?")
"""The action, and whether the simple bot had to step in for it."""


def main() -> None:
    pipe, answers = _own_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server to answer
    questions = _questions(pipe)
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


def _questions(pipe: BinaryIO) -> queue.SimpleQueue[bytes]:
    """The questions as they come; without a server there is nothing more to do."""
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        while len(head := pipe.read(LENGTH.size)) == LENGTH.size:
            questions.put(pipe.read(LENGTH.unpack(head)[0]))
        os._exit(0)  # the server is gone, however it went

    threading.Thread(target=read, daemon=True).start()
    return questions


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server; what bots print goes to standard error, and they read nothing."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


if __name__ == "__main__":
    main()

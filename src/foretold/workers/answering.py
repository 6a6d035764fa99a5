"""The worker's end: it answers one question after the other until nobody asks any more."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO, NoReturn

from foretold.workers.failures import told
from foretold.workers.frames import PLAIN, RAISED, frame, frames_in
from foretold.workers.starting import hold_on


def run(module: str) -> None:
    """Run the `main` of a module, which is to call `answer_all`."""
    hold_on()
    import_module(module).main()


def answer_all(get_ready: Callable[[], None], answer: Callable[[bytes], bytes]) -> NoReturn:
    """Get ready, say so, and answer questions."""
    pipe, answers = _own_pipes()
    questions = _arriving(pipe)
    get_ready()
    _say(answers, b"")
    while True:
        question = questions.get()
        try:
            message, kind = answer(question), PLAIN
        except Exception as error:
            traceback.print_exc()
            message, kind = told(error).encode(), RAISED
        _say(answers, message, kind)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """What comes from whoever started this process, and what goes there, out of reach of bots.

    What bots print goes to standard error, they read nothing, and Ctrl-C is for the other end to
    answer.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


def _arriving(pipe: BinaryIO) -> queue.SimpleQueue[bytes]:
    """The questions as they come; when the other end is gone, there is nothing more to do."""
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for question, _ in frames_in(pipe):
            arrived.put(question)
        os._exit(0)  # however it went

    threading.Thread(target=read, daemon=True).start()
    return arrived


def _say(pipe: BinaryIO, message: bytes, kind: int = PLAIN) -> None:
    sys.stdout.flush()  # what bots have printed comes before what follows from it
    pipe.write(frame(message, kind))
    pipe.flush()

"""The worker's end: it answers one question after another until the pipe is closed."""

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
    """Run the `main` of a module, which calls `answer_all`."""
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
    """The pipes from and to the parent process, out of reach of bots.

    What bots print goes to standard error, they can read nothing, and Ctrl-C is left to the parent.
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
    """The questions as they arrive; exits when the parent is gone."""
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for question, _ in frames_in(pipe):
            arrived.put(question)
        os._exit(0)  # whatever the state of the other threads

    threading.Thread(target=read, daemon=True).start()
    return arrived


def _say(pipe: BinaryIO, message: bytes, kind: int = PLAIN) -> None:
    sys.stdout.flush()  # what bots printed comes before the answer
    pipe.write(frame(message, kind))
    pipe.flush()

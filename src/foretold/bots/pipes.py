"""What a process in which bots play is given: its pipes, out of the bots' reach, and a core."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Iterable
from typing import BinaryIO, Final

ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What to set to 1 in the environment of processes that play side by side, a core each."""


def own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """What comes from whoever started this process, and what goes there.

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


def arriving(messages: Iterable[bytes]) -> queue.SimpleQueue[bytes]:
    """The messages of the other end as they come; when it is gone, there is nothing more to do."""
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for message in messages:
            arrived.put(message)
        os._exit(0)  # however it went

    threading.Thread(target=read, daemon=True).start()
    return arrived

"""A bot at the table: whatever it does, the game goes on."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from foretold.actions import Action
from foretold.bots.base import Bot
from foretold.bots.simple import SimpleBot
from foretold.view import View


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, how long it took, and what went wrong, if anything did."""

    action: Action
    seconds: float
    fault: str | None


LIMIT: Final = 60.0
"""Seconds after which a bot at a table with people loses its move."""


class OutOfTimeError(Exception):
    """A bot thought for too long."""


class Player:
    """Asks a bot; where it fails or answers illegally, the simple bot decides in its place."""

    def __init__(self, bot: Bot, limit: float | None = None) -> None:
        """`limit` is how many seconds a decision may take; it holds in a main thread only."""
        self.bot = bot
        self.limit = limit
        self._stand_in = SimpleBot()

    def decide(self, view: View) -> Decision:
        start = time.perf_counter()
        fault: str | None = None
        action: object = None
        try:
            with _time_limit(self.limit):
                action = self.bot.choose(view)
        except (Exception, SystemExit) as error:
            fault = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        seconds = time.perf_counter() - start
        if fault is None:
            for legal in view.legal_actions:
                if isinstance(action, int) and legal == action:
                    return Decision(legal, seconds, None)
            fault = f"answered {action!r:.80}, which is not legal"
        return Decision(self._stand_in.choose(view), seconds, fault)


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    usable = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    if seconds is None or not usable:
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTimeError(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

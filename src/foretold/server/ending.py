"""The time by which a process that was told to stop has ended, come what may.

Every wait during shutdown ends at this one deadline, less the time that later steps need. So waits
do not add up, however many there are and however busy the machine is.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

from foretold.server.observing.logs import logger

SECONDS_TO_END: Final = 7.0
"""From being told to stop, or from the last answer of the database while tables are handed over, to
the end; an operator is promised ten."""
SECONDS_TO_CLOSE: Final = 4.0
"""The part of them that belongs to connections, bus and database, after the tables have stopped."""
SECONDS_TO_EXIT: Final = 0.5
"""The part of those that remains once everything is closed."""
_LOOK_SECONDS: Final = 0.1
_WORDS_SECONDS: Final = 0.5
"""How long the last line of the log may take: whatever reads it may have stopped too."""


class Ending:
    """The deadline of one process; it has none until it is told to stop."""

    def __init__(self) -> None:
        self._asked_at: float | None = None
        self._drain = 0.0
        self._answered_at: Callable[[], float] = lambda: -math.inf
        self._has_ended = threading.Event()

    def begin(self) -> None:
        """The process has been told to stop."""
        if self._asked_at is None:
            self._asked_at = time.monotonic()

    def hand_over(self, seconds: float, answered_at: Callable[[], float]) -> None:
        """Allow that many more seconds to hand tables over, but only as long as the database
        answers. `answered_at` says when it last did."""
        self._drain = seconds
        self._answered_at = answered_at

    @property
    def at(self) -> float:
        """When the process ends at the latest, by the monotonic clock."""
        if self._asked_at is None:
            return math.inf
        answered = min(self._answered_at(), self._asked_at + self._drain)
        return max(self._asked_at, answered) + SECONDS_TO_END

    def left(self, spare: float = 0.0) -> float:
        """Seconds left until `spare` seconds before the end."""
        return max(0.0, self.at - spare - time.monotonic())

    def watch(self) -> None:
        """End the process when it is time, unless it `has_ended` before: a thread that waits for
        the database would keep Python alive."""
        threading.Thread(target=self._watch, name="ending", daemon=True).start()

    def has_ended(self) -> None:
        self._has_ended.set()

    def _watch(self) -> None:
        while (left := self.left()) > 0:
            if self._has_ended.wait(min(left, _LOOK_SECONDS)):
                return
        words = threading.Thread(target=_say_last_words, daemon=True)
        words.start()
        words.join(_WORDS_SECONDS)
        os._exit(0)


def _say_last_words() -> None:
    logger().warning("the server did not stop in time: ending it now")
    sys.stderr.flush()

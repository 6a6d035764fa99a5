"""What players say to each other: a few phrases, and not too many at once."""

from __future__ import annotations

from typing import Final

from foretold.server.quotas.limits import Buckets
from foretold.server.rooms.options import PHRASES
from foretold.table.refusals import Refused

PER_SECOND: Final = 0.5
AT_ONCE: Final = 5
"""From one player: enough for a chat, too few to drown it."""


class Phrases:
    """The phrases at one table."""

    def __init__(self) -> None:
        self._buckets = Buckets(PER_SECOND, AT_ONCE)

    def check(self, player: str, phrase: str) -> None:
        """Raise `Refused` if the player may not say that now."""
        if phrase not in PHRASES:
            raise Refused("unknown_phrase")
        if not self._buckets.take(player):
            raise Refused("too_fast")

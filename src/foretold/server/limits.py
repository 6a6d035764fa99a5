"""How much anyone may ask for at once."""

from __future__ import annotations

import time
from typing import Final

_MOST_KEPT: Final = 10_000


class Bucket:
    """Fills at a steady rate up to a brim; whatever is asked takes one out."""

    __slots__ = ("_at", "_left", "brim", "rate")

    def __init__(self, rate: float, brim: float) -> None:
        self.rate = rate
        self.brim = brim
        self._left = brim
        self._at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self.brim, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def is_full(self) -> bool:
        return self._left + (time.monotonic() - self._at) * self.rate >= self.brim


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: float, brim: float) -> None:
        self._rate = rate
        self._brim = max(1.0, brim)
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= _MOST_KEPT:
                self._tidy()
            bucket = self._buckets[address] = Bucket(self._rate, self._brim)
        return bucket.take()

    def _tidy(self) -> None:
        """Forget those that a new one would equal; if that is not enough, all."""
        kept = {name: one for name, one in self._buckets.items() if not one.is_full}
        self._buckets = kept if len(kept) < _MOST_KEPT else {}


class Places:
    """A number of places, in all and for each address."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._taken: dict[str, int] = {}
        self._total = 0

    def enter(self, address: str) -> bool:
        taken = self._taken.get(address, 0)
        if self._total >= self._most or taken >= self._most_each:
            return False
        self._taken[address] = taken + 1
        self._total += 1
        return True

    def leave(self, address: str) -> None:
        self._total -= 1
        left = self._taken[address] - 1
        if left:
            self._taken[address] = left
        else:
            del self._taken[address]

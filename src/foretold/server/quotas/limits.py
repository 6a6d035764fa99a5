"""Rate limits: buckets that refill, and limited places."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network
from typing import Final

from starlette.types import Scope

MOST_KEPT: Final = 10_000
"""How many sources each kind of limit remembers."""
LINE_BITS: Final = 64
"""The IPv6 prefix of one subscriber: whoever has one of its addresses has all of them."""


def source_of(scope: Scope) -> str:
    """The source that limits count a request against: an address, or for IPv6 its network."""
    client = scope.get("client")
    return line_of(str(client[0]) if client else "")


@lru_cache(maxsize=1024)
def line_of(address: str) -> str:
    """The address or network that limits count by."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((parsed, LINE_BITS), strict=False))


class Bucket:
    """Fills at a steady rate up to the brim; every request takes some out."""

    __slots__ = ("_at", "_left", "brim", "rate")

    def __init__(self, rate: float, brim: float) -> None:
        self.rate = rate
        self.brim = brim
        self._left = brim
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Take this much out, if there is enough."""
        if self._fill() < cost:
            return False
        self._left -= cost
        return True

    def spend(self, cost: float) -> float:
        """Take out what was used, even if there is less; returns what is left, negative if owed.

        Nobody owes more than a full bucket.
        """
        self._left = max(-self.brim, self._fill() - cost)
        return self._left

    @property
    def is_full(self) -> bool:
        return self._left + (time.monotonic() - self._at) * self.rate >= self.brim

    def _fill(self) -> float:
        now = time.monotonic()
        self._left = left = min(self.brim, self._left + (now - self._at) * self.rate)
        self._at = now
        return left


class Buckets:
    """A bucket for each source; full ones need not be remembered."""

    def __init__(self, rate: float, brim: float) -> None:
        self.rate = rate
        self.brim = max(1.0, brim)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        """Most recently used last."""
        self.used: dict[str, float] | None = None
        """What each has used since it was last asked for, if other nodes are told."""

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, source: str, cost: float = 1.0) -> bool:
        taken = self._of(source).take(cost)
        if taken and self.used is not None:
            self.used[source] = self.used.get(source, 0.0) + cost
        return taken

    def spend(self, source: str, cost: float) -> float:
        if self.used is not None and cost:
            self.used[source] = self.used.get(source, 0.0) + cost
        return self._of(source).spend(cost)

    def spent_elsewhere(self, source: str, cost: float) -> None:
        self._of(source).spend(cost)

    def _of(self, source: str) -> Bucket:
        bucket = self._buckets.get(source)
        if bucket is None:
            self._tidy()
            bucket = self._buckets[source] = Bucket(self.rate, self.brim)
        else:
            self._buckets.move_to_end(source)
        return bucket

    def _tidy(self) -> None:
        """Drop the least recently used: all that are full again, and one if there are too many."""
        while self._buckets:
            bucket = next(iter(self._buckets.values()))
            if len(self._buckets) < MOST_KEPT and not bucket.is_full:
                return
            self._buckets.popitem(last=False)


class Places:
    """A limited number of places, in total and per source."""

    def __init__(self, most: float, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._taken: dict[str, int] = {}
        self._total = 0
        self.on_full: Callable[[bool], None] = lambda is_full: None
        """Called when the last place is taken, and when one is free again."""

    @property
    def taken(self) -> int:
        """The total number of places taken."""
        return self._total

    @property
    def is_full(self) -> bool:
        return self._total >= self._most

    def enter(self, source: str) -> bool:
        taken = self._taken.get(source, 0)
        if self.is_full or taken >= self._most_each:
            return False
        self._taken[source] = taken + 1
        self._total += 1
        if self._total == self._most:
            self.on_full(True)
        return True

    def leave(self, source: str) -> None:
        if self.is_full:
            self.on_full(False)
        self._total -= 1
        left = self._taken[source] - 1
        if left:
            self._taken[source] = left
        else:
            del self._taken[source]

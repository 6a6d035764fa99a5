"""What one address may cost: time in the event loop, work outside it, and disk.

Everything an address does is paid for from its budgets, however many connections it has. Once a
budget is spent, requests are refused until it has refilled; a client that goes on regardless and
ends up half a full budget in debt is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import lru_cache
from heapq import nlargest
from ipaddress import ip_address, ip_network
from operator import itemgetter
from typing import Final

from foretold.server.quotas.limits import Bucket, Buckets, Places, line_of
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused

REQUEST_BURST_SECONDS: Final = 10
TABLE_BURST_MINUTES: Final = 3
TIME_BURST_SECONDS: Final = 5
"""How many seconds' worth of its rate an address may use at once."""

FRAMES_OF_A_MESSAGE: Final = 4
FRAME_BURST_SECONDS: Final = 5
"""Frames, of any kind, from one connection; more than it could send before the message limit
closes it."""

WORK_SHARE: Final = 0.25
WORK_BURST: Final = 20.0
"""Seconds of work outside the event loop (hints, reviews, replays, waking tables): per second, and
at once."""

GUESS_BURST_MINUTES: Final = 5
"""How many minutes' worth of wrong codes an address may try at once."""
KNOCKS_PER_SECOND: Final = 0.1
KNOCKS_AT_ONCE: Final = 10
"""How often an address may ask hosts to let it in."""

CONNECTION: Final = 100e-6
REQUEST: Final = 150e-6
HANDSHAKE: Final = 1500e-6
MESSAGE: Final = 60e-6
FRAME: Final = 30e-6
READ: Final = 5e-6
BYTE: Final = 10e-9
"""What each costs in event-loop time, in seconds, on top of what is measured."""

DAY: Final = 24 * 3600.0

asked_by: ContextVar[str] = ContextVar("asked_by", default="")
"""The source that the current task works for; empty if the server works for itself."""


class Budgets:
    """The budgets of all sources on one server."""

    def __init__(self, settings: ServerSettings) -> None:
        self.places = Places(settings.max_connections, settings.max_connections_per_address)
        rate = settings.requests_per_second
        self.requests = Buckets(rate, rate * REQUEST_BURST_SECONDS)
        new = settings.tables_per_minute
        self.tables = Buckets(new / 60, new * TABLE_BURST_MINUTES)
        guesses = settings.guesses_per_minute
        self.guesses = Buckets(guesses / 60, guesses * GUESS_BURST_MINUTES)
        """Wrong codes: of 64 million codes, a few hundred are in use."""
        self.knocks = Buckets(KNOCKS_PER_SECOND, KNOCKS_AT_ONCE)
        share = settings.core_share_per_address
        self._time = Buckets(share, share * TIME_BURST_SECONDS)
        self._most_owed = self._time.brim / 2
        more = max(1.0, share / WORK_SHARE)  # a large share of the loop allows as much outside it
        self._work = Buckets(WORK_SHARE * more, WORK_BURST * more)
        size = settings.megabytes_per_day * 1e6
        self.disk = Buckets(size / DAY, size)
        self._proxies = settings.proxies
        self._frames = FRAMES_OF_A_MESSAGE * settings.messages_per_second

    # Several nodes count together: each tells the others what addresses have used there.

    def _shared(self) -> dict[str, Buckets]:
        return {
            "requests": self.requests,
            "tables": self.tables,
            "guesses": self.guesses,
            "knocks": self.knocks,
            "time": self._time,
            "work": self._work,
            "disk": self.disk,
        }

    def share(self) -> None:
        """Note from now on what is used."""
        for buckets in self._shared().values():
            buckets.used = {}

    def used(self, most: int) -> dict[str, dict[str, float]]:
        """What has been used since the last call, by the addresses that have used most."""
        found = {}
        for kind, buckets in self._shared().items():
            if buckets.used:
                found[kind] = dict(nlargest(most, buckets.used.items(), key=itemgetter(1)))
                buckets.used = {}
        return found

    def use(self, used: Mapping[str, Mapping[str, float]]) -> None:
        """Charge what was used at another node; unknown kinds are ignored."""
        shared = self._shared()
        for kind, sources in used.items():
            if kind in shared:
                for source, cost in sources.items():
                    shared[kind].spent_elsewhere(source, cost)

    def frames(self) -> Bucket:
        """What a new connection may send."""
        return Bucket(self._frames, self._frames * FRAME_BURST_SECONDS)

    def source_of_peer(self, host: str) -> str | None:
        """The source a connection counts against; None for a proxy, which has many behind it."""
        return None if is_among(host, self._proxies) else line_of(host)

    def pays(self, source: str, seconds: float) -> bool:
        """Charge event-loop time; returns whether the source has any left."""
        return self._time.spend(source, seconds) > 0

    def check_work(self, source: str) -> None:
        """Raise `Refused` if a source has used up its work outside the event loop."""
        if source and self._work.spend(source, 0.0) <= 0:
            raise Refused("too_fast")

    def has_worked(self, source: str, seconds: float) -> None:
        if source:
            self._work.spend(source, seconds)

    def bears(self, source: str, seconds: float) -> bool:
        """The same for work that cannot be refused; False if the source is to be cut off."""
        return self._time.spend(source, seconds) > -self._most_owed


@lru_cache(maxsize=1024)
def is_among(host: str, listed: str) -> bool:
    """Whether an address is in a comma-separated list of addresses, networks or `*`."""
    for one in (part.strip() for part in listed.split(",")):
        if one in ("*", host):
            return True
        try:
            if ip_address(host) in ip_network(one):
                return True
        except ValueError:
            continue
    return False

"""What one address may cost all others: time of the event loop, work beside it, and disk.

Everything that comes from an address is paid for from its budgets, however many connections it has.
Whoever has spent one is refused until it has filled again; whoever goes on regardless, and owes
half of what it could ever have had, is cut off.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Final

from foretold.server.quotas.limits import Bucket, Buckets, Places, line_of
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused

REQUEST_BURST_SECONDS: Final = 10
TABLE_BURST_MINUTES: Final = 3
TIME_BURST_SECONDS: Final = 5
"""How much of its rate an address may use at once."""

FRAMES_OF_A_MESSAGE: Final = 4
FRAME_BURST_SECONDS: Final = 5
"""Frames, of any kind, from one connection; more than it could say before it is closed for saying
too much."""

WORK_SHARE: Final = 0.25
WORK_BURST: Final = 20.0
"""Seconds of work beside the event loop (hints, reviews, replays, waking tables): a second, and at
once."""

GUESS_BURST_MINUTES: Final = 5
"""How many minutes' worth of codes that open nothing an address may try at once."""
KNOCKS_PER_SECOND: Final = 0.1
KNOCKS_AT_ONCE: Final = 10
"""How often an address may ask hosts to be let in."""

CONNECTION: Final = 100e-6
REQUEST: Final = 150e-6
HANDSHAKE: Final = 1500e-6
MESSAGE: Final = 60e-6
FRAME: Final = 30e-6
READ: Final = 5e-6
BYTE: Final = 10e-9
"""What each costs of the event loop's time, in seconds, besides what is measured."""

DAY: Final = 24 * 3600.0

asked_by: ContextVar[str] = ContextVar("asked_by", default="")
"""The source that the present task works for; nothing where the server works for itself."""


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
        """Codes that open nothing: there are 64 million, and some hundred that do."""
        self.knocks = Buckets(KNOCKS_PER_SECOND, KNOCKS_AT_ONCE)
        share = settings.core_share_per_address
        self._time = Buckets(share, share * TIME_BURST_SECONDS)
        self._most_owed = self._time.brim / 2
        more = max(1.0, share / WORK_SHARE)  # who may have so much of the loop may have it beside
        self._work = Buckets(WORK_SHARE * more, WORK_BURST * more)
        size = settings.megabytes_per_day * 1e6
        self.disk = Buckets(size / DAY, size)
        self._proxies = settings.proxies
        self._frames = FRAMES_OF_A_MESSAGE * settings.messages_per_second

    def frames(self) -> Bucket:
        """What a new connection may send."""
        return Bucket(self._frames, self._frames * FRAME_BURST_SECONDS)

    def source_of_peer(self, host: str) -> str | None:
        """Whom a connection counts to; None for a proxy, behind which there are many."""
        return None if is_among(host, self._proxies) else line_of(host)

    def pays(self, source: str, seconds: float) -> bool:
        """Take time of the event loop; whether the source has any left."""
        return self._time.spend(source, seconds) > 0

    def check_work(self, source: str) -> None:
        """Raise `Refused` if a source has had all the work beside the event loop that it may."""
        if source and self._work.spend(source, 0.0) <= 0:
            raise Refused("too_fast")

    def has_worked(self, source: str, seconds: float) -> None:
        if source:
            self._work.spend(source, seconds)

    def bears(self, source: str, seconds: float) -> bool:
        """The same, for what nobody can refuse; False where the source is to be cut off."""
        return self._time.spend(source, seconds) > -self._most_owed


@lru_cache(maxsize=1024)
def is_among(host: str, listed: str) -> bool:
    """Whether an address is in a list by commas of addresses, networks or `*`."""
    for one in (part.strip() for part in listed.split(",")):
        if one in ("*", host):
            return True
        try:
            if ip_address(host) in ip_network(one):
                return True
        except ValueError:
            continue
    return False

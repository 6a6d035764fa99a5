"""Players and addresses that are banned for a time."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from ipaddress import ip_address, ip_network
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.quotas.limits import line_of
from foretold.server.storage.schema import bans
from foretold.server.storage.store import now_ms
from foretold.table.refusals import Refused

BAN_PLAYER: Final = "player"
BAN_ADDRESS: Final = "address"
MOST_BANS: Final = 10_000
"""More than anyone sets by hand; beyond that, only the bans that end last are in force."""

_PLAYER: Final = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Ban:
    """One player or address, and until when."""

    id: str
    kind: str
    subject: str
    created: int
    until: int

    def row(self) -> dict[str, Any]:
        return asdict(self)


def subject_of(text: str) -> tuple[str, str]:
    """The kind and value of a ban's subject: a player's id or an address (IPv6: its network)."""
    if _PLAYER.fullmatch(text):
        return BAN_PLAYER, text
    try:
        if "/" not in text:
            return BAN_ADDRESS, line_of(str(ip_address(text)))
        network = ip_network(text)
    except ValueError:
        raise Refused("bad_subject") from None
    address = str(network.network_address)
    if str(network) not in (line_of(address), f"{address}/{network.max_prefixlen}"):
        raise Refused("bad_subject")
    return BAN_ADDRESS, line_of(address)


def current_bans(connection: Connection, most: int = MOST_BANS) -> list[Ban]:
    """The bans in force, last to end first."""
    query = sa.select(bans).where(bans.c.until > now_ms()).order_by(bans.c.until.desc())
    return [Ban(**row._mapping) for row in connection.execute(query.limit(most))]


class Bans:
    """The bans in force, in memory."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}

    def replace(self, found: list[Ban]) -> None:
        self._until = {one.subject: one.until for one in found}

    @property
    def has_ended(self) -> bool:
        """Whether one of them has ended and can be dropped."""
        now = now_ms()
        return any(until <= now for until in self._until.values())

    def is_banned(self, *subjects: str | None) -> bool:
        return bool(self._until) and any(self._ends(one) for one in subjects)

    def check(self, subject: str | None) -> None:
        """Raise `Refused` if a player or address is banned now."""
        until = self._ends(subject) if self._until else None
        if until is not None:
            raise Refused("banned", until=until)

    def _ends(self, subject: str | None) -> int | None:
        until = None if subject is None else self._until.get(subject)
        return until if until is not None and until > now_ms() else None

"""The server's settings: options of `foretold serve`, or environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from foretold.errors import ServerError
from foretold.words import shown

PREFIX: Final = "FORETOLD_"

SHORTEST_TOKEN: Final = 16

_MAY_BE_NOTHING: Final = ("port", "grace", "reveal_wait", "linger", "keep_days", "archive_days")
"""Zero is allowed here; any other number at zero would make the server useless."""


def _data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("foretold", appauthor=False)


def _spare_cores() -> int:
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True)
class ServerSettings:
    """Every setting; `FORETOLD_GRACE=60` in the environment sets `grace`, and so on."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=_data_folder)
    """The folder for the server's key, and for the database unless that is elsewhere."""
    database: str = ""
    """A URL such as ``postgresql://user@host/name``; by default SQLite in the data folder."""
    origins: str = ""
    """Additional addresses of the site, such as ``https://wizard.example``, separated by commas."""
    proxies: str = "127.0.0.1"
    """The proxies whose forwarded addresses are trusted, separated by commas."""

    processes: int = 1
    """Processes that serve the site at one port; more than one requires PostgreSQL and a bus."""
    bus: str = ""
    """The bus of a site of several processes, such as ``nats://host:4222``; needs PostgreSQL. Sites
    that share a bus each need their own path, such as ``nats://host:4222/cards``."""
    node: str = ""
    """The name of this process among them; by default that of the machine, with the port."""
    drain: float = 30.0
    """Seconds in which a process that stops hands its tables over to the others."""

    keys: str = ""
    """Keys to sign cookies and links with, in hexadecimal, separated by commas: the first signs,
    all verify. By default they are in the data folder, or in the database."""
    operator_token: str = ""
    """Opens `/api/operator` to anyone who has the token; closed by default."""
    keep_days: float = 365.0
    """How long a table or score sheet is kept after the last activity there; 0: forever.
    Shared replays stay, as does anything of a player who has used a link to another device."""
    archive_days: float = 1.0
    """How long after its end a game's log is packed into the archive; 0: never."""

    workers: int = field(default_factory=_spare_cores)
    """Processes in which bots think."""
    bot_seconds: float = 5.0
    """How long a bot may think."""
    grace: float = 30.0
    """Seconds to wait for an absent player while others are waiting."""
    reveal_wait: float = 3.0
    """Seconds to wait for the players' bytes before the first deal."""
    linger: float = 10.0
    """Seconds a table stays in memory when nobody is there."""

    max_tables: int = 20_000
    """Tables in memory."""
    max_connections: int = 10_000
    max_connections_per_address: int = 100
    max_waiting: int = 2000
    """HTTP connections; beyond that, the one that has been idle longest is cut off."""
    backlog: int = 256
    """Messages that may wait for a slow connection before it is cut off."""
    messages_per_second: float = 20.0
    """Messages from one connection; three seconds' worth may come at once."""
    requests_per_second: float = 20.0
    """HTTP requests from one address; ten seconds' worth may come at once."""
    tables_per_minute: float = 10.0
    """New tables from one address; three minutes' worth may come at once."""
    guesses_per_minute: float = 6.0
    """Wrong codes from one address; five minutes' worth may be tried at once."""
    core_share_per_address: float = 0.2
    """One address's share of the event loop's time; five seconds' worth may be used at once."""
    megabytes_per_day: float = 50.0
    """What one address may have written to the database; a day's worth may be written at once."""
    kept_megabytes: float = 256.0
    """Disk space for the replays and reviews of finished games."""

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'foretold.db'}"

    @property
    def allowed_origins(self) -> frozenset[str]:
        return frozenset(one.strip().rstrip("/") for one in self.origins.split(",") if one.strip())

    @property
    def site(self) -> str:
        """The site's public address, if the operator has set one."""
        return next((one.strip().rstrip("/") for one in self.origins.split(",")), "")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, **given: Any
    ) -> ServerSettings:
        """The given values, then the environment, then the defaults."""
        kinds = {"int": int, "float": float, "str": str, "Path": Path}
        found: dict[str, Any] = {}
        for one in fields(cls):
            if given.get(one.name) is not None:
                found[one.name] = given[one.name]
                continue
            name = PREFIX + one.name.upper()
            if name in environment:
                try:
                    found[one.name] = kinds[str(one.type)](environment[name])
                except ValueError:
                    text = shown(environment[name])
                    raise ServerError(f"{name} is {text}: expected a number") from None
        settings = cls(**found)
        for one in fields(cls):
            value = getattr(settings, one.name)
            if isinstance(value, int | float):
                _check_number(one.name, value)
        if 0 < len(settings.operator_token) < SHORTEST_TOKEN:
            raise ServerError(
                f"{PREFIX}OPERATOR_TOKEN is too short to be secret: give {SHORTEST_TOKEN} letters "
                "or more, such as openssl rand -hex 16 prints"
            )
        return settings


def _check_number(name: str, value: float) -> None:
    if name in _MAY_BE_NOTHING:
        fits, expected = 0 <= value < 1e9, "a number from 0 on"
    else:
        fits, expected = 0 < value < 1e9, "a number above 0"
    if not fits:
        raise ServerError(f"{PREFIX}{name.upper()} is {shown(value)}: expected {expected}")

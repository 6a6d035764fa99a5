"""Connections to PostgreSQL that do not wait forever.

A database may go silent without closing a connection: a fail-over, a forgetful firewall, a
suspended machine. The server's timeouts do not help then, nor do TCP's if something in between
still acknowledges. So every wait for an answer is limited here as well.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, Final

import psycopg
from psycopg.abc import PQGen
from sqlalchemy.engine import URL

APPLICATION: Final = "foretold"
CONNECT_SECONDS: Final = 3
ANSWER_SECONDS: Final = 4
"""For a single statement; none of ours takes a tenth of it."""

CONNECT: Final[dict[str, Any]] = {
    "application_name": APPLICATION,
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": 1000 * ANSWER_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}

SESSION: Final = (
    f"SET statement_timeout = '{ANSWER_SECONDS}s'",
    # A transaction that lost its client keeps its locks, and the next attempt would wait for them.
    f"SET idle_in_transaction_session_timeout = '{2 * ANSWER_SECONDS}s'",
)


def connect_settings(url: URL) -> dict[str, Any]:
    """Connection settings, which the URL can override."""
    return {name: value for name, value in CONNECT.items() if name not in url.query}


class BoundedConnection(psycopg.Connection[Any]):
    """Gives up, and closes, when an answer takes too long."""

    def wait(self, gen: PQGen[Any], *args: Any, **kwargs: Any) -> Any:
        return super().wait(self._bounded(gen), *args, **kwargs)

    def _bounded(self, gen: PQGen[Any]) -> Generator[Any, Any, Any]:
        # psycopg wakes up ten times a second, and reports that nothing is ready.
        deadline = time.monotonic() + ANSWER_SECONDS + 0.5
        try:
            waits_for = next(gen)
            while True:
                ready = yield waits_for
                if not ready and time.monotonic() > deadline:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the database does not answer")
                waits_for = gen.send(ready)
        except StopIteration as end:
            return end.value


def bounded_connection(
    _dialect: object, _record: object, arguments: Any, settings: Any
) -> BoundedConnection:
    """For SQLAlchemy's event `do_connect`."""
    connection = BoundedConnection.connect(*arguments, **settings)
    connection.autocommit = True
    for setting in SESSION:
        connection.execute(setting)
    connection.autocommit = False
    return connection

"""Logs: one JSON object a line, or lines for people where that is a terminal.

Nothing secret is logged: no cookies, tokens, addresses of device links, cards or player ids.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any, Final

import structlog

SELDOM: Final = 10.0
"""Seconds between two lines about the same trouble."""


def set_up_logs() -> None:
    """Once for the process; the lines of libraries come out alike."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    for_people = sys.stderr.isatty()
    # A plain traceback: the usual one shows the values of all names, and cards are among them.
    renderer: Any = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if for_people
        else structlog.processors.JSONRenderer()
    )
    last = [] if for_people else [structlog.processors.format_exc_info]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *last,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("foretold").setLevel(logging.INFO)


def logger() -> Any:
    return structlog.get_logger("foretold")


class Seldom:
    """Tells of a trouble that many run into at once: the first time, then how many more did."""

    def __init__(self) -> None:
        self._told_at = -SELDOM
        self._untold = 0

    def error(self, event: str, **values: Any) -> None:
        now = time.monotonic()
        if now - self._told_at < SELDOM:
            self._untold += 1
            return
        logger().error(event, **values, untold=self._untold)
        self._told_at, self._untold = now, 0

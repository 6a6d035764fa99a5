"""Logs: one JSON object per line, or readable lines in a terminal.

Nothing secret is logged: no cookies, tokens, device links, cards or player ids. And nobody can fill
the disk with logs: a repeated line is logged once, then counted.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any, Final

import structlog

QUIET_SECONDS: Final = 10.0
"""How long a repeated line is held back."""


MOST_KINDS: Final = 1000


class Once(logging.Filter):
    """Lets the first of several similar lines through; a later one says how many were held back.

    Lines are alike if they have the same words and the same kind of failure, whatever the table.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[object, ...], tuple[float, int]] = {}
        """When each was last logged, and how many came since."""

    def filter(self, record: logging.LogRecord) -> bool:
        event = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
        # Later lines of a library's message may name individual tasks.
        key = (record.levelno, str(event).partition("\n")[0], _fault(record))
        now = time.monotonic()
        at, more = self._told.get(key, (-QUIET_SECONDS, 0))
        if now - at < QUIET_SECONDS:
            self._told[key] = (at, more + 1)
            return False
        if len(self._told) >= MOST_KINDS:
            self._told.clear()
        self._told[key] = (now, 0)
        if more and isinstance(record.msg, dict):
            record.msg["untold"] = more
        elif more:
            record.msg = f"{record.msg} (and {more} like it untold)"
        return True


def _fault(record: logging.LogRecord) -> object:
    told = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    error = sys.exc_info()[1] if told is True else told[1] if isinstance(told, tuple) else told
    return type(error) if isinstance(error, BaseException) else None


def set_up_logs() -> None:
    """Call once per process; libraries' lines get the same format."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    for_people = sys.stderr.isatty()
    # A plain traceback: structlog's default shows local variables, which include cards.
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
    handler.addFilter(Once())
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
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # invalid requests are not news


def logger() -> Any:
    return structlog.get_logger("foretold")

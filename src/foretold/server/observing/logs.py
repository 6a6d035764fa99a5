"""Logs: one JSON object a line, or lines for people where that is a terminal.

Nothing secret is logged: no cookies, tokens, addresses of device links, cards or player ids. And
nobody can fill the disk with them: what is told again and again is told once, and then counted.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any, Final

import structlog

QUIET_SECONDS: Final = 10.0
"""How long the same is not told again."""


MOST_KINDS: Final = 1000


class Once(logging.Filter):
    """Lets through the first of what is alike; the next one after a while says how many were not.

    Alike is what has the same words and the same kind of failure, whatever table it was at.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[object, ...], tuple[float, int]] = {}
        """When each was last told, and how many came since."""

    def filter(self, record: logging.LogRecord) -> bool:
        event = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
        # What libraries tell may go on with names of single tasks.
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
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # requests that are none are no news


def logger() -> Any:
    return structlog.get_logger("foretold")

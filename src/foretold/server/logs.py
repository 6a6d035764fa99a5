"""Logs: one JSON object a line, or lines for people where that is a terminal.

Nothing secret is logged: no cookies, tokens, addresses of device links, cards or player ids.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


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

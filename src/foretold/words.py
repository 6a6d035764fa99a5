"""Words that every door needs."""

from __future__ import annotations

from collections.abc import Iterable

MAX_SHOWN = 40

FORMER_PLAYER = "a former player"
"""Somebody who was erased, where no reader's language is known."""


def counted(count: int, noun: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(words: Iterable[str], last: str) -> str:
    """``a, b or c`` for a, b, c and ``or``."""
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end


def shown(value: object) -> str:
    """A value from outside, whatever it is, as a short piece of one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(value) if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]!r}…"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**MAX_SHOWN else "a huge number"
    if isinstance(value, float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


def printable(text: str) -> str:
    """A text from outside without what could move the cursor or end the line."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )

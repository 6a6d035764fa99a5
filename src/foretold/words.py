"""Wording shared by every interface."""

from __future__ import annotations

from collections.abc import Iterable

MAX_SHOWN = 40

FORMER_PLAYER = "a former player"
"""An erased player, where the reader's language is not known."""


def counted(count: int, noun: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(words: Iterable[str], last: str) -> str:
    """``a, b or c`` for a, b, c and ``or``."""
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end


def shown(value: object) -> str:
    """Any value from outside, as short text on one line."""
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
    """Text from outside, without characters that could move the cursor or end the line."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )

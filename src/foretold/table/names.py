"""Names at a table: no two are alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

BOT_NAMES: Final = ("Ada", "Bran", "Cleo", "Dag", "Edda", "Finn", "Gwen", "Hal")
"""Apprentices of the Academy; more than there are seats, so that one is always free."""


def numbered(names: Sequence[str], order: Iterable[int]) -> tuple[str, ...]:
    """Names, no two alike: of two that look alike, the later in `order` gets a number."""
    shown = list(names)
    taken: set[str] = set()
    for seat in order:
        name, number = names[seat], 1
        while name and folded(name) in taken:
            number += 1
            name = f"{names[seat]} {number}"
        taken.add(folded(name))
        shown[seat] = name
    return tuple(shown)


def folded(name: str) -> str:
    """A key that is equal for names that look alike."""
    return unicodedata.normalize("NFKC", name).casefold()

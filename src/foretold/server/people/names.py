"""Names that people give themselves, in any script."""

from __future__ import annotations

import unicodedata
from typing import Final

from foretold.protocol.words import NAME_LENGTH
from foretold.table.refusals import Refused

MOST_MARKS: Final = 4
"""Combining marks per letter; more would climb out of the line."""

_JOINERS: Final = "\u200c\u200d"
"""Formatting characters that some scripts, and emoji, need."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible characters that Unicode classes as letters or symbols."""


def clean_name(text: str) -> str:
    """The name as it is stored; raises `Refused` if it ends up empty or too long."""
    spaced = " ".join(unicodedata.normalize("NFC", text[:1000]).split())
    kept: list[str] = []
    marks = 0
    for letter in spaced:
        category = unicodedata.category(letter)
        if (category[0] == "C" and letter not in _JOINERS) or letter in _BLANK:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    name = " ".join("".join(kept).split()).strip(_JOINERS)
    visible = sum(unicodedata.category(one)[0] not in "MC" for one in name)
    if not 1 <= visible <= NAME_LENGTH or len(name) > 4 * NAME_LENGTH:
        raise Refused("bad_name", most=NAME_LENGTH)
    return name

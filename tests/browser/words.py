"""What the site says, in every language."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "web" / "messages"
LANGUAGES: Final = sorted(path.stem for path in FOLDER.glob("*.json"))


# What is said of somebody else, where the reader may be meant.
OF_OTHERS: Final = re.compile(r"\{who, select, you \{[^{}]*\} other \{((?:[^{}]|\{\w+\})*)\}\}")


@cache
def words(language: str) -> dict[str, str]:
    """All messages of a language, by their names."""
    texts: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def said(language: str, key: str, **values: object) -> str:
    """A message without plurals and choices, with its values; what it says of others."""
    text = OF_OTHERS.sub(r"\1", words(language)[key])
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    assert "{" not in text, text
    return text

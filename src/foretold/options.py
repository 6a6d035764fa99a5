"""An option of the rules: what it may be, what it is by default, and what it means.

`Rules` declares every option once; the kernel, the command line, the site and the docs all read
them from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar, overload

from foretold.cards import SPECIALS, Card
from foretold.errors import ForetoldError, RulesError, TooManyRoundsError
from foretold.words import listed, shown

Value = TypeVar("Value")
Kind = TypeVar("Kind", bound=StrEnum)
Chosen = TypeVar("Chosen")
"""A set of rules."""

MAX_ROUNDS: Final = 1000


class Option(Generic[Value]):
    """On the class, the attribute is the option itself; on an instance, the chosen value."""

    name: str

    def __init__(
        self,
        meaning: str,
        read: Callable[[str, object], Value],
        default: object,
        values: Sequence[str],
        *,
        words: Mapping[Value, str] | None = None,
        in_state: Callable[[Value], int] | None = None,
    ) -> None:
        self.meaning = meaning
        self.default = default
        """None if it depends on the mode."""
        self.values = tuple(values)
        """All possible values, as text; examples if there are too many to list."""
        self.words = words or {}
        """What single values mean."""
        self.in_state = in_state
        """The number that represents a value in the kernel; None if the kernel does not need it."""
        self._read = read

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, rules: None, owner: type) -> Option[Value]: ...
    @overload
    def __get__(self, rules: object, owner: type) -> Value: ...
    def __get__(self, rules: object | None, owner: type) -> Any:
        # Chosen values are in the instance itself, where Python looks first.
        if rules is None:
            return self
        raise AttributeError(self.name)

    def read(self, given: object) -> Value:
        """Check and convert a given value; raises `RulesError`."""
        return self._read(self.name, given)

    def plain(self, value: Any) -> Any:
        """A value as records have it."""
        if isinstance(value, tuple):
            return [card.code for card in value]
        return value.value if isinstance(value, StrEnum) else value


@dataclass(frozen=True)
class Exclusion(Generic[Chosen]):
    """Two options that do not go together, why, and how to fix it."""

    first: str
    second: str
    applies: Callable[[Chosen], bool]
    why: str
    mend: str

    def message(self, options: Mapping[str, Any]) -> str:
        def given(name: str) -> str:
            value = options[name]
            return f"{name} {' '.join(value) if isinstance(value, list) else value}"

        if self.first == self.second:
            return f"{given(self.first)}: {self.why}; {self.mend}"
        return f"{given(self.first)} does not go with {given(self.second)}: {self.why}; {self.mend}"


def choice(
    kind: type[Kind],
    meaning: str,
    words: Mapping[Kind, str] | None = None,
    *,
    default: Kind | None = None,
    in_state: Callable[[Kind], int] | None = None,
) -> Option[Kind]:
    """An option with a few named values."""

    def read(name: str, given: object) -> Kind:
        if isinstance(given, str):
            for member in kind:
                if member.value == given:
                    return member
        raise RulesError(f"{name} is {shown(given)}: expected {listed(kind, 'or')}")

    return Option(meaning, read, default, tuple(kind), words=words, in_state=in_state)


def number(low: int, high: int, meaning: str, *, default: int | None = None) -> Option[int]:
    def read(name: str, given: object) -> int:
        if isinstance(given, int) and not isinstance(given, bool) and low <= given <= high:
            return int(given)
        raise RulesError(f"{name} is {shown(given)}: expected a number from {low} to {high}")

    values = [str(one) for one in range(low, high + 1)]
    return Option(meaning, read, default, values, in_state=int)


def flag(meaning: str, words: Mapping[bool, str]) -> Option[bool]:
    def read(name: str, given: object) -> bool:
        if isinstance(given, bool):
            return given
        raise RulesError(f"{name} is {shown(given)}: expected true or false")

    return Option(meaning, read, False, ("false", "true"), words=words, in_state=int)


def special_cards(meaning: str) -> Option[tuple[Card, ...]]:
    codes = tuple(card.code for card in SPECIALS)
    expected = f"expected a list of {', '.join(codes)}"

    def read(name: str, given: object) -> tuple[Card, ...]:
        if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
            raise RulesError(f"{name} is {shown(given)}: {expected}")
        found: list[Card] = []
        for code in given:
            try:
                card = Card(code) if isinstance(code, str | Card) else None
            except ForetoldError:
                card = None
            if card is None or not card.is_special:
                raise RulesError(f"{shown(code)} is not a special card: {expected}")
            if card in found:
                raise RulesError(f"{card} is among the specials twice: there is one of each")
            found.append(card)
        return tuple(sorted(found))

    return Option(meaning, read, (), codes)


def round_sizes(meaning: str) -> Option[str]:
    """The cards dealt, round by round, as text; `expanded` reads it."""
    return Option(meaning, _rounds, "all", ("all", "1-10", "1,3,5", "1-15,14-1"))


def _rounds(name: str, given: object) -> str:
    expected = 'expected "all" or the sizes in order, such as "1-10", "1,3,5" or "1-15,14-1"'
    if not isinstance(given, str):
        raise RulesError(f"{name} is {shown(given)}: {expected}", name, name)
    if given == "all":
        return given
    text = given.replace(" ", "")
    # Count commas first, so that a huge text is refused before it is parsed.
    if text.count(",") >= MAX_ROUNDS or not re.fullmatch(_SIZES, text):
        raise RulesError(f"{name} is {shown(given)}: {expected}", name, name)
    count = sum(1 for _ in expanded(text))
    if count > MAX_ROUNDS:
        raise TooManyRoundsError(count, MAX_ROUNDS)
    return text


_SIZES: Final = r"[1-9][0-9]?(-[1-9][0-9]?)?(,[1-9][0-9]?(-[1-9][0-9]?)?)*"


def expanded(text: str) -> Iterable[int]:
    """The sizes that a text such as ``1-3,2`` lists."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high else range(low, high - 1, -1)

"""The printed editions: what each starts with, and the variants it offers (RULES 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from foretold.errors import RulesError
from foretold.figures import FIGURES
from foretold.words import shown

if TYPE_CHECKING:
    from foretold.rules import Rules


@dataclass(frozen=True)
class Variant:
    """A variant that a printed edition offers, as the options that give it."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Edition:
    """A printed edition: its defaults, and the variants it offers first."""

    name: str
    title: str
    options: Mapping[str, Any]
    variants: tuple[Variant, ...]

    def rules(self, **options: Any) -> Rules:
        from foretold.rules import Rules

        return Rules.from_options({"edition": self.name, **options})


_UNEVEN: Final = Variant("plus/minus one", {"bid_rule": "plus_minus_one"})
_HIDDEN: Final = Variant("hidden bids", {"bidding": "hidden"})
_SECRET: Final = Variant("secret bids", {"bidding": "secret"})
_FIRST: Final = Variant("clairvoyance in the first round", {"clairvoyance": "first_round"})
_EVERY: Final = Variant("clairvoyance in every round", {"clairvoyance": "every_round"})
_MONO: Final = Variant("monocolour", {"mode": "monocolour"})
_WITHOUT: Final[Mapping[str, Any]] = {"specials": []}


def _specials_of(*editions: str) -> list[str]:
    """The special cards that these editions added."""
    return [figure.code for figure in FIGURES if figure.edition in editions]


EDITIONS: Final = {
    one.name: one
    for one in (
        Edition("amigo", "Amigo, German", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST)),
        Edition("piatnik-hu", "Piatnik, Hungarian", {}, (_UNEVEN, _HIDDEN, _SECRET, _EVERY, _MONO)),
        Edition("piatnik-pl", "Piatnik, Polish", {}, (_UNEVEN, _SECRET, _EVERY, _MONO)),
        Edition("piatnik-cs", "Piatnik, Czech", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST, _MONO)),
        Edition("piatnik-sk", "Piatnik, Slovak", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST, _MONO)),
        Edition("gigamic", "Gigamic, French", {}, (_UNEVEN,)),
        Edition(
            "fisher",
            "after Ken Fisher, Italian",
            {"dealer_by": "high_card"},
            (
                _HIDDEN,
                _SECRET,
                Variant("dark wizard", {"dark_wizard": True}),
                Variant("two players", {"mode": "two_player"}),
                Variant("leader uneven", {"bid_rule": "leader_uneven"}),
                _EVERY,
                _MONO,
            ),
        ),
        Edition(
            "anniversary",
            "25-year edition, Portuguese",
            {"specials": _specials_of("anniversary")},
            (
                Variant("for newcomers: the Shapeshifter alone", {"specials": ["SH"]}),
                Variant("without special cards", _WITHOUT),
                _UNEVEN,
                _HIDDEN,
                _SECRET,
                Variant(_FIRST.name, {**_FIRST.options, **_WITHOUT}),
                Variant(_MONO.name, {**_MONO.options, **_WITHOUT}),
            ),
        ),
    )
}
"""The printed editions by name."""


def edition(name: object) -> Edition:
    """The edition of that name."""
    if not isinstance(name, str) or name not in EDITIONS:
        raise RulesError(f"unknown edition {shown(name)}: there are {', '.join(EDITIONS)}")
    return EDITIONS[name]

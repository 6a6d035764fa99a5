"""The editions, the options and what may be combined, as tables and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from foretold.editions import EDITIONS
from foretold.figures import FIGURES, Turned
from foretold.rules import EXCLUSIONS, OPTIONS, Rules


def as_data() -> dict[str, Any]:
    """All of it as one JSON object."""
    defaults = Rules().to_options()
    return {
        "editions": [
            {
                "name": edition.name,
                "title": edition.title,
                "rules": edition.rules().to_options(),
                "variants": [
                    {"name": variant.name, "options": dict(variant.options)}
                    for variant in edition.variants
                ],
            }
            for edition in EDITIONS.values()
        ],
        "options": {
            name: {"default": defaults[name], "values": option.values, "meaning": option.meaning}
            for name, option in OPTIONS.items()
        },
        "cards": [
            {
                "code": figure.code,
                "name": figure.name,
                "meaning": figure.meaning,
                "turned": figure.turned.value,
                "edition": figure.edition or None,
            }
            for figure in FIGURES
        ],
        "exclusions": [
            {"options": [one.first, one.second], "why": one.why, "mend": one.mend}
            for one in EXCLUSIONS
        ],
    }


def tables() -> Iterator[Table]:
    """The same as tables for the terminal."""
    yield _editions()
    yield _options()
    yield _cards()
    yield _exclusions()


def _editions() -> Table:
    table = Table("edition", "rulebook", "starts with", "variants it offers", title="Editions")
    for edition in EDITIONS.values():
        differs = [f"{name} {_shown(value)}" for name, value in edition.options.items()]
        table.add_row(
            edition.name,
            edition.title,
            ", ".join(differs) or "the base game",
            ", ".join(variant.name for variant in edition.variants),
        )
    return table


def _options() -> Table:
    table = Table("option", "values (default first)", "meaning", title="Options")
    defaults = Rules().to_options()
    for name, option in OPTIONS.items():
        default = _shown(defaults[name])
        others = [value for value in option.values if value != default]
        table.add_row(name, ", ".join([default, *others]), option.meaning)
    return table


def _cards() -> Table:
    table = Table("card", "name", "meaning", "turned up", title="Cards without a suit")
    turned = {Turned.NO_TRUMP: "no trump", Turned.DEALER_NAMES: "the dealer names trump"}
    for figure in FIGURES:
        table.add_row(figure.code, figure.name, figure.meaning, turned[figure.turned])
    return table


def _exclusions() -> Table:
    table = Table("options", "why", "mend", title="What cannot be combined")
    for one in EXCLUSIONS:
        pair = one.first if one.first == one.second else f"{one.first}, {one.second}"
        table.add_row(pair, one.why, one.mend)
    return table


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)

"""The editions, the options and what may be combined, as tables and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from rich.table import Table

from foretold.cards import SPECIALS
from foretold.rules import (
    EDITIONS,
    EXCLUSIONS,
    Bidding,
    BidRule,
    Clairvoyance,
    DealerBy,
    Mode,
    Rules,
    SuitAfterWizard,
)


@dataclass(frozen=True)
class Option:
    """What an option may be, and what it is about."""

    values: tuple[str, ...]
    meaning: str


OPTION_TABLE: Final = {
    "players": Option(("2", "3", "4", "5", "6"), "how many play"),
    "mode": Option(tuple(Mode), "the game: standard, each with an own suit, or for two"),
    "specials": Option(
        tuple(card.code for card in SPECIALS),
        "the special cards added, any of the seven; Dragon and Fairy together",
    ),
    "bidding": Option(
        tuple(Bidding),
        "bids one after another, or all at once and shown before or after the tricks",
    ),
    "bid_rule": Option(
        tuple(BidRule),
        "whether the last bidder may make the total equal the tricks: always, never, or unless "
        "leading alone",
    ),
    "clairvoyance": Option(
        tuple(Clairvoyance),
        "bid seeing every hand but the own, in the one-card round or in all",
    ),
    "dark_wizard": Option(("false", "true"), "the last Wizard in a trick wins, not the first"),
    "suit_after_wizard": Option(
        tuple(SuitAfterWizard), "whether a suit after a leading Wizard must be followed"
    ),
    "rounds": Option(
        ("all", "1-10", "1,3,5", "1-15,14-1"), "the cards dealt, round by round (examples)"
    ),
    "dealer_by": Option(tuple(DealerBy), "who deals first"),
}


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
            for name, option in OPTION_TABLE.items()
        },
        "exclusions": [
            {"options": [one.first, one.second], "why": one.why, "mend": one.mend}
            for one in EXCLUSIONS
        ],
    }


def tables() -> Iterator[Table]:
    """The same as tables for the terminal."""
    yield _editions()
    yield _options()
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
    for name, option in OPTION_TABLE.items():
        default = _shown(defaults[name])
        others = [value for value in option.values if value != default]
        table.add_row(name, ", ".join([default, *others]), option.meaning)
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

"""Everything a new table can be, and which choices go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from foretold.bots import LEVELS
from foretold.cards import SPECIALS
from foretold.errors import RulesError
from foretold.protocol.settings import LIMITS
from foretold.protocol.words import NAME_LENGTH
from foretold.rulebook import as_data
from foretold.rules import MAX_PLAYERS, OPTIONS, Rules
from foretold.table.creation import refused_rules, rules_of

PHRASES: Final = (
    "hello",
    "good_luck",
    "well_played",
    "nice_bid",
    "thinking",
    "your_turn",
    "oops",
    "sorry",
    "thanks",
    "one_more",
    "good_game",
    "bye",
    "smile",
    "laugh",
    "wow",
    "sweat",
    "cry",
    "clap",
)
"""Everything players can say to each other; the client has the words, and pictures for some."""


def options_data() -> dict[str, Any]:
    """For `GET /api/options`."""
    known = as_data()
    return {
        "editions": known["editions"],
        "options": known["options"],
        "levels": list(LEVELS),
        "phrases": list(PHRASES),
        "limits": {**LIMITS, "name": NAME_LENGTH, "players": (2, MAX_PLAYERS)},
    }


def rules_data(options: Mapping[str, Any]) -> dict[str, Any]:
    """For `POST /api/rules`: what a choice means, and what would conflict with it."""
    rules = rules_of(options)
    return {
        "rules": rules.to_options(),
        "sizes": rules.sizes,
        "turned": rules.turned,
        "excluded": list(_excluded(rules)),
    }


def _excluded(rules: Rules) -> Iterator[dict[str, Any]]:
    """Every single change that the other choices exclude, and why."""
    for option, value, change in _choices(rules):
        try:
            rules.replace(**{option: change})
        except RulesError as error:
            yield {"option": option, "value": value, **refused_rules(error).to_data()}


def _choices(rules: Rules) -> Iterator[tuple[str, Any, Any]]:
    """An option, a choice a client may make for it, and the option's value then."""
    now = rules.to_options()
    for option, known in OPTIONS.items():
        if option == "specials":
            for card in SPECIALS:
                # Cards that come only as a pair are chosen as one.
                chosen = {card, card.partner}
                codes = [one.code for one in SPECIALS if one in {*rules.specials, *chosen}]
                yield option, card.code, codes
            continue
        for text in known.values:
            value: Any = {"true": True, "false": False}.get(text, text)
            if option == "players":
                value = int(text)
            if value != now[option]:
                yield option, value, value

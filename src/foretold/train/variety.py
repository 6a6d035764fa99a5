"""The rules used in training: every mode and option, the base game most often."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any, Final

from foretold.cards import PAIRS, SPECIALS, Card
from foretold.errors import RulesError
from foretold.rules import PLAYERS_OF, Bidding, BidRule, Clairvoyance, Mode, Rules, SuitAfterWizard

BASE_BELOW: Final = 0.60
SPECIALS_BELOW: Final = 0.75
OPTIONS_BELOW: Final = 0.90
MONOCOLOUR_BELOW: Final = 0.95
"""Cumulative shares of the kinds of tables: the base game as printed, special cards, other
options, monocolour; the rest are two-player tables.
"""

USUAL_ROUNDS: Final = 0.85
"""The share of those that play all rounds in order."""

_SINGLE: Final = tuple(card for card in SPECIALS if card.partner is None)


def some_rules(count: int, seed: int) -> list[Rules]:
    """That many sets of rules, drawn with replacement."""
    chance = Random(seed)
    return [draw_rules(chance) for _ in range(count)]


def draw_rules(chance: Random) -> Rules:
    kind = chance.random()
    players = chance.choice(PLAYERS_OF[Mode.STANDARD])
    if kind < BASE_BELOW:
        return Rules(players=players)
    if kind < MONOCOLOUR_BELOW:
        options = _options(chance)
        if kind >= OPTIONS_BELOW:
            players = chance.choice(PLAYERS_OF[Mode.MONOCOLOUR])
            options |= {"mode": Mode.MONOCOLOUR, "suit_after_wizard": SuitAfterWizard.FREE}
        elif kind < SPECIALS_BELOW:
            options["specials"] = _specials(chance)
        else:
            options["clairvoyance"] = _clairvoyance(chance)
        rules = Rules(players=players, **options)
        return rules.replace(rounds=_rounds(chance, rules.largest_size))
    rounds = "all" if chance.random() < USUAL_ROUNDS else _two_player_rounds(chance)
    return Rules(mode=Mode.TWO_PLAYER, dark_wizard=_seldom(chance), rounds=rounds)


def _rounds(chance: Random, most: int) -> str:
    """All rounds, or others, so that sizes are not tied to round numbers."""
    if chance.random() < USUAL_ROUNDS:
        return "all"
    kind = chance.randrange(3)
    if kind == 0:
        return f"{most}-1"
    if kind == 1:
        return f"1-{chance.randint(1, most)}"
    return ",".join(str(chance.randint(1, most)) for _ in range(chance.randint(1, 8)))


def _two_player_rounds(chance: Random) -> str:
    """As many rounds as the cards last for."""
    rounds = str(chance.randint(1, 20))
    while True:
        longer = f"{rounds},{chance.randint(1, 12)}"
        try:
            Rules(mode=Mode.TWO_PLAYER, rounds=longer)
        except RulesError:
            return rounds
        rounds = longer


def _options(chance: Random) -> dict[str, Any]:
    bidding = chance.choice((Bidding.OPEN, Bidding.OPEN, Bidding.HIDDEN, Bidding.SECRET))
    bid_rule = chance.choice(tuple(BidRule)) if bidding is Bidding.OPEN else BidRule.FREE
    after = SuitAfterWizard.BINDING if _seldom(chance) else SuitAfterWizard.FREE
    return {
        "bidding": bidding,
        "bid_rule": bid_rule,
        "dark_wizard": _seldom(chance),
        "suit_after_wizard": after,
    }


def _specials(chance: Random) -> tuple[Card, ...]:
    """All, or any of them."""
    if chance.random() < 0.5:
        return SPECIALS
    chosen = [card for card in _SINGLE if chance.random() < 0.5]
    pairs = [pair for pair in PAIRS if chance.random() < 0.5]
    return (*itertools.chain(*pairs), *chosen)


def _clairvoyance(chance: Random) -> Clairvoyance:
    return (
        Clairvoyance.EVERY_ROUND
        if chance.random() < 0.4
        else chance.choice((Clairvoyance.OFF, Clairvoyance.FIRST_ROUND))
    )


def _seldom(chance: Random) -> bool:
    return chance.random() < 0.2

"""The tables that are trained at: every mode and option, the base game most often."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from foretold.cards import SPECIALS
from foretold.rules import Bidding, BidRule, Clairvoyance, Mode, Rules, SuitAfterWizard

BASE_SHARE: Final = 0.35
"""How many tables play the base game as printed; the others have options."""

ALL_SPECIALS: Final = tuple(card.code for card in SPECIALS)
_PAIR: Final = ("DR", "FA")
_SINGLE: Final = tuple(code for code in ALL_SPECIALS if code not in _PAIR)


def some_rules(count: int, seed: int) -> list[Rules]:
    """So many rules, drawn with repeats: the more often one is drawn, the more it is trained."""
    chance = Random(seed)
    return [draw_rules(chance) for _ in range(count)]


def draw_rules(chance: Random) -> Rules:
    kind = chance.random()
    players = chance.randint(3, 6)
    if kind < BASE_SHARE:
        return Rules(players=players)
    if kind < 0.60:
        return Rules(players=players, specials=_specials(chance), **_options(chance))
    if kind < 0.86:
        return Rules(players=players, clairvoyance=_clairvoyance(chance), **_options(chance))
    if kind < 0.93:
        options = {**_options(chance), "suit_after_wizard": SuitAfterWizard.FREE}
        return Rules(mode=Mode.MONOCOLOUR, players=chance.randint(3, 4), **options)
    return Rules(mode=Mode.TWO_PLAYER, dark_wizard=_seldom(chance))


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


def _specials(chance: Random) -> tuple[str, ...]:
    """All seven, or any of them; Dragon and Fairy come together."""
    if chance.random() < 0.5:
        return ALL_SPECIALS
    chosen = [code for code in _SINGLE if chance.random() < 0.5]
    return (*(_PAIR if chance.random() < 0.5 else ()), *chosen)


def _clairvoyance(chance: Random) -> Clairvoyance:
    return (
        Clairvoyance.EVERY_ROUND
        if chance.random() < 0.4
        else chance.choice((Clairvoyance.OFF, Clairvoyance.FIRST_ROUND))
    )


def _seldom(chance: Random) -> bool:
    return chance.random() < 0.2

"""A few rules for every kind of game, and moments from games played by them."""

from __future__ import annotations

from random import Random
from typing import Any

from foretold import Card, Deal, Game, Rules, Suit, View
from other_worlds import OtherWorlds
from play import SPECIALS
from strategies import deal_if_due, length, new_game, play

VARIANTS: dict[str, dict[str, Any]] = {
    "base": {"players": 4, "rounds": "1-4"},
    "plus/minus one": {"players": 3, "bid_rule": "plus_minus_one", "rounds": "2,20"},
    "leader uneven": {"players": 5, "bid_rule": "leader_uneven", "rounds": "1-3"},
    "hidden": {"players": 6, "bidding": "hidden", "dark_wizard": True, "rounds": "1,10"},
    "special cards": {"players": 4, "specials": SPECIALS, "rounds": "5,15"},
    "special cards, secret": {
        "players": 6,
        "specials": SPECIALS,
        "bidding": "secret",
        "rounds": "4",
    },
    "clairvoyance": {"players": 3, "clairvoyance": "every_round", "rounds": "1-3"},
    "monocolour": {"mode": "monocolour", "players": 3, "rounds": "1,4,15"},
    "monocolour, secret": {"mode": "monocolour", "bidding": "secret", "rounds": "4"},
    "two players": {"mode": "two_player"},
}


def some_game(rules: Rules, chance: Random) -> Game:
    """A game at some moment at which somebody has to decide."""
    while True:
        game = new_game(rules, chance)
        for _ in zip(range(chance.randrange(length(rules))), play(game, chance), strict=False):
            pass
        deal_if_due(game, chance)
        if game.to_act:
            return game


def look_alikes(rules: Rules) -> list[tuple[View, View]]:
    """Views of seats that have to decide, each with its view of a world with other hidden cards."""
    found = []
    for seed in range(30):
        chance = Random(seed)
        game = some_game(rules, chance)
        for seat in game.to_act:
            other = OtherWorlds(game, seat, chance).find()
            if other is not None:
                found.append((game.view(seat), other.view(seat)))
    assert len(found) > 3
    return found


# The frame


def renamed(deal: Deal, names: dict[Suit, Suit]) -> Deal:
    def other(card: Card) -> Card:
        return card if card.suit is None else Card(names[card.suit] * 13 + card % 13)

    turned = None if deal.turned is None else other(deal.turned)
    return Deal(tuple(tuple(other(card) for card in hand) for hand in deal.hands), turned)

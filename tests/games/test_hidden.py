"""No view reveals a hidden card."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from foretold.cards import Card
from foretold.deal import Deal
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Rules
from other_worlds import OtherWorlds
from strategies import length, new_game, play

# No view reveals a hidden card: everything its seat cannot know is changed at random into another
# world in which everything the seat has seen happens again, and the view must be the same.

ALL_SPECIALS = ["DR", "FA", "BO", "WE", "JU", "CL", "SH"]
VARIANTS: dict[str, dict[str, Any]] = {
    "open": {"players": 4, "rounds": "1,3"},
    "last round": {"players": 6, "rounds": "10"},
    "hidden": {"players": 3, "bidding": "hidden", "rounds": "2,5"},
    "secret": {"players": 5, "bidding": "secret", "rounds": "3,1"},
    "clairvoyance, first round": {
        "players": 3,
        "clairvoyance": "first_round",
        "rounds": "2,1",
    },
    "clairvoyance, every round": {"players": 4, "clairvoyance": "every_round", "rounds": "2,1"},
    "clairvoyance, hidden": {
        "players": 4,
        "clairvoyance": "every_round",
        "bidding": "hidden",
        "rounds": "3",
    },
    "clairvoyance, secret": {
        "players": 3,
        "clairvoyance": "every_round",
        "bidding": "secret",
        "rounds": "3",
    },
    "specials": {"players": 4, "specials": ALL_SPECIALS, "rounds": "4,3"},
    "specials, hidden": {
        "players": 3,
        "specials": ALL_SPECIALS,
        "bidding": "hidden",
        "rounds": "5",
    },
    "specials, secret": {
        "players": 5,
        "specials": ALL_SPECIALS,
        "bidding": "secret",
        "rounds": "4",
    },
    "juggler": {"players": 4, "specials": ["JU"], "bidding": "secret", "rounds": "3"},
    "monocolour": {"mode": "monocolour", "players": 3, "bidding": "open", "rounds": "2,4"},
    "monocolour, secret": {"mode": "monocolour", "bidding": "secret", "rounds": "5"},
    "two players": {"mode": "two_player", "rounds": "2,5"},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_view_is_the_same_in_all_worlds_that_its_seat_cannot_tell_apart(name: str) -> None:
    rules = Rules(**VARIANTS[name])
    found: Counter[Phase] = Counter()
    for seed in range(100):
        chance = Random(seed)
        game = new_game(rules, chance)
        for _ in zip(range(chance.randrange(length(rules))), play(game, chance), strict=False):
            pass
        if game.phase in (Phase.DEAL, Phase.OVER):
            continue
        for seat in (None, *range(rules.players)):
            other = OtherWorlds(game, seat, chance).find()
            if other is None:
                continue
            found[game.phase] += 1
            assert other.view(seat) == game.view(seat)
            assert repr(other.view(seat)) == repr(game.view(seat))
    assert found[Phase.PLAY] > 20
    assert found.total() > 60
    if Card("JU") in rules.specials and rules.players == 4:
        assert found[Phase.PASS] > 5


def test_own_suits_do_not_tell_that_a_hand_has_none() -> None:
    rules = Rules(mode="monocolour", players=3, rounds="1")
    wizard = Game(rules, deals=[Deal.of([["B1"], ["W"], ["R2"]])])
    number = Game(rules, deals=[Deal.of([["B1"], ["G5"], ["R2"]])])
    assert wizard.view(0) == number.view(0)
    assert wizard.view(None) == number.view(None)

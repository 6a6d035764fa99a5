"""Nothing leaks: whatever cards a seat cannot see, it is sent the same bytes."""

from __future__ import annotations

import pytest

from foretold.cards import SPECIALS
from foretold.rules import Bidding, Clairvoyance, Mode, Rules
from table.leaks import any_rules, assert_nothing_leaks

CASES = {
    "base": Rules(rounds="1-4"),
    "plus minus one": Rules(players=3, bid_rule="plus_minus_one", rounds="2-4"),
    "hidden": Rules(bidding=Bidding.HIDDEN, rounds="2-4"),
    "secret": Rules(bidding=Bidding.SECRET, rounds="2-4"),
    "special cards": Rules(specials=SPECIALS, rounds="3-5"),
    "special cards, hidden": Rules(specials=SPECIALS, bidding=Bidding.HIDDEN, rounds="4-5"),
    "special cards, secret, six": Rules(
        players=6, specials=SPECIALS, bidding=Bidding.SECRET, rounds="3-5"
    ),
    "juggler": Rules(players=3, specials=("JU", "WE"), rounds="19,20"),
    "clairvoyance": Rules(clairvoyance=Clairvoyance.EVERY_ROUND, rounds="1-4"),
    "first round clairvoyance": Rules(clairvoyance=Clairvoyance.FIRST_ROUND, rounds="1,1,3"),
    "monocolour": Rules(mode=Mode.MONOCOLOUR, players=3, rounds="4-6"),
    "monocolour, secret": Rules(mode=Mode.MONOCOLOUR, bidding=Bidding.SECRET, rounds="4-6"),
    "two players": Rules(mode=Mode.TWO_PLAYER, rounds="2-5"),
}


@pytest.mark.parametrize("rules", CASES.values(), ids=CASES.keys())
def test_hidden_cards_leave_every_byte_to_others_as_it_is(rules: Rules) -> None:
    compared = sum(assert_nothing_leaks(rules, seed) for seed in range(12))
    assert compared >= 3


def test_nothing_leaks_in_games_of_any_rules() -> None:
    """Fifty here; `make soak` plays 100,000."""
    assert sum(assert_nothing_leaks(any_rules(seed), seed) for seed in range(50)) >= 20

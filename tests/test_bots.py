"""The simple bots: legal and sensible in every mode."""

from __future__ import annotations

import pytest

from foretold import Game, Rules
from foretold.bots import Bot, RandomBot, SimpleBot

TABLES = {
    "base": Rules(players=4),
    "three players": Rules(players=3, rounds="1-10"),
    "special cards": Rules(players=4, specials=("DR", "FA", "BO", "SH", "JU", "CL", "WE")),
    "hidden": Rules(players=6, bidding="hidden"),
    "plus/minus one": Rules(players=5, bid_rule="plus_minus_one"),
    "clairvoyance": Rules(players=4, clairvoyance="every_round", rounds="1-8"),
    "monocolour": Rules(players=4, mode="monocolour"),
    "two players": Rules(mode="two_player"),
}


def play(rules: Rules, bots: list[Bot], seed: int) -> Game:
    game = Game(rules, seed=seed)
    while game.outcome() is None:
        seat = game.to_act[0]
        game.push(bots[seat].choose(game.view(seat)), seat)
    return game


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_simple_is_far_better_than_random(rules: Rules) -> None:
    """Seats alternate, so that neither has the better place."""
    simple = others = 0
    for seed in range(12):
        bots: list[Bot] = [
            SimpleBot(seed) if (seat + seed) % 2 else RandomBot(seed)
            for seat in range(rules.players)
        ]
        for bot, total in zip(bots, play(rules, bots, seed).totals, strict=True):
            if isinstance(bot, SimpleBot):
                simple += total
            else:
                others += total
    assert simple > others + 12 * 25 * rules.players


def test_a_seed_repeats_a_game() -> None:
    rules = TABLES["special cards"]
    records = [
        play(rules, [SimpleBot(seat) for seat in range(4)], seed=3).to_record() for _ in range(2)
    ]
    assert records[0] == records[1]

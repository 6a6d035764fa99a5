"""Sampling hidden cards: every world replays the whole round, and all are equally likely."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import pytest

import oracle
from enumeration import CASES, assert_fits, enumerated, late_positions
from foretold import Card, Deal, Game, Phase, Rules
from foretold.cards import SPECIALS
from foretold.sampling import Sampler


@pytest.mark.parametrize("chunk", range(8))
def test_every_world_replays_the_whole_round(chunk: int) -> None:
    """In games of every mode and option, cut at any moment, for every seat."""
    drawn = passed = 0
    for seed in range(40 * chunk, 40 * chunk + 40):
        game = Game.from_record(oracle.random_record(random.Random(seed), stop_early=1.0))
        if game.phase in (Phase.DEAL, Phase.OVER):
            continue
        for seat in range(game.rules.players):
            for world in Sampler(game.view(seat), seed=seed).worlds(3):
                assert_fits(game, seat, world)
                drawn += 1
                passed += world.passed is not None
    assert drawn > 200


def assert_uniform(game: Game, seat: int, seed: int) -> int:
    """A chi-square test of many worlds against all possible ones; returns how many exist."""
    expected = enumerated(game, seat)
    ways = sum(expected.values())
    sampler = Sampler(game.view(seat), seed=seed)
    assert sampler.ways == pytest.approx(ways)
    count = max(2000, 12 * len(expected))
    found = Counter((world.hands, world.passed) for world in sampler.worlds(count))
    assert set(found) <= set(expected)
    square: float = sum(
        (found[world] - count * weight / ways) ** 2 / (count * weight / ways)
        for world, weight in expected.items()
    )
    freedom = len(expected) - 1
    assert square <= freedom + 4.5 * sqrt(2 * freedom) + 10
    return len(expected)


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_uniform(name: str) -> None:
    """Compared with full enumeration, in positions small enough for it."""
    rules, left, wanted = CASES[name]
    compared = 0
    for seed, game in enumerate(late_positions(rules, left, range(60), wanted)):
        for seat in range(rules.players):
            if assert_uniform(game, seat, seed) > 1:
                compared += 1
        if compared >= 3:
            return
    assert compared >= 3


@pytest.mark.parametrize("turned", ["W", "J", "R7"])
def test_the_card_that_the_werewolf_was_swapped_for(turned: str) -> None:
    """It may be kept, passed on, or played by the next player, and be one of four of its kind."""
    passed = 0
    for seed in range(150):
        chance = random.Random(seed)
        players, size = chance.randrange(3, 7), chance.randrange(2, 7)
        rules = Rules(players=players, specials=("JU", "WE"), rounds=str(size))
        pack = [card for card in rules.deck if card.code not in ("WE", "JU")]
        pack.remove(Card(turned))
        # Most of the cards of that kind are dealt.
        pack.sort(key=lambda card: (card.code != turned, chance.random()))
        dealt = [Card("WE"), Card("JU"), *pack][: players * size]
        chance.shuffle(dealt)
        hands = [dealt[at : at + size] for at in range(0, players * size, size)]
        game = Game(rules, deals=[Deal.of(hands, turned)], first_dealer=seed % players)
        while game.outcome() is None:
            seat = chance.choice(game.to_act)
            sampler = Sampler(game.view(seat), seed=seed)
            assert sampler.ways >= 1
            if game.view(seat).passes and chance.random() < 0.3:
                world = sampler.worlds(1)[0]
                assert_fits(game, seat, world)
                passed += world.passed is not None
            game.push(chance.choice(list(game.legal_actions(seat))), seat)
    assert passed > 100


def test_the_real_world_is_among_them() -> None:
    """No position is a dead end: the real world can always be drawn."""
    rules = Rules(players=4, specials=SPECIALS, rounds="3-6")
    for seed in range(25):
        chance = random.Random(seed)
        game = Game(rules, seed=seed)
        while game.outcome() is None:
            seat = game.to_act[0]
            assert Sampler(game.view(seat)).ways >= 1
            game.push(chance.choice(list(game.legal_actions(seat))), seat)


def test_a_seed_repeats_the_worlds() -> None:
    view = Game("anniversary", seed=4).view(1)
    assert Sampler(view, seed=1).worlds(20) == Sampler(view, seed=1).worlds(20)
    assert Sampler(view, seed=1).worlds(20) != Sampler(view, seed=2).worlds(20)


def test_spectators_have_no_worlds() -> None:
    with pytest.raises(ValueError, match="for a seat"):
        Sampler(Game("amigo", seed=1).view(None))

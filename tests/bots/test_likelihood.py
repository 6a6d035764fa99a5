"""Worlds sampled by weight: in proportion to how well they explain bids, passes and plays."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import oracle
from enumeration import CASES, Key, enumerated, late_positions
from foretold import Game, Phase, Rules
from foretold.bots.likelihood import PastWeigher, dealt_hands, past_plays
from foretold.kernel import cards_in, word_of
from foretold.kernel.layout import BIDS, HAND, PHASE
from foretold.sampling import DRAWN_FOR_ONE, Draw, Sampler
from play import start


def as_draw(keys: list[Key]) -> Draw:
    """Worlds as arrays."""
    hands = np.array([[word_of(hand) for hand in now] for now, _ in keys], dtype=np.int64)
    passed = np.full_like(hands, -1)
    for row, (_, cards) in enumerate(keys):
        if cards is not None:
            passed[row] = cards
    return Draw(hands, passed)


@pytest.mark.parametrize("name", ["base", "special cards", "passed", "monocolour"])
def test_worlds_come_in_proportion_to_their_weights(name: str) -> None:
    """Compared with full enumeration, in positions small enough for it."""
    rules, left, wanted = CASES[name]
    compared = 0
    for seed, game in enumerate(late_positions(rules, left, range(60), wanted)):
        view = game.view(0)
        ways = enumerated(game, 0)
        if len(ways) < 2:
            continue
        keys = list(ways)
        weigh = PastWeigher(view)
        weights = weigh(as_draw(keys)) * [ways[key] for key in keys]
        expected = weights / weights.sum()
        count = 8_000
        found = Counter(
            (world.hands, world.passed) for world in Sampler(view, seed).worlds(count, weigh)
        )
        share = np.array([found[key] / count for key in keys])
        # The worlds drawn and weighed, four for each one kept, vary by chance.
        squares = np.square(weights / np.array([ways[key] for key in keys]))
        effective = (
            count * weights.sum() ** 2 / (squares @ list(ways.values())) / sum(ways.values())
        )
        allowed = 5 * np.sqrt(expected * (1 - expected) / max(effective, 1)) + 2 / count
        assert (np.abs(share - expected) <= allowed).all()
        compared += 1
        if compared >= 3:
            return
    assert compared


def test_equal_weights_choose_evenly_among_uniform_worlds() -> None:
    view = Game("amigo", players=3, seed=7).view(0)

    def equal(drawn: Draw) -> NDArray[np.float64]:
        return np.ones(len(drawn.hands))

    kept = Sampler(view, seed=3).draw(500, equal).hands.tolist()
    drawn = Sampler(view, seed=3).draw(500 * DRAWN_FOR_ONE).hands.tolist()
    assert kept in [drawn[first::DRAWN_FOR_ONE] for first in range(DRAWN_FOR_ONE)]


@pytest.mark.parametrize("seed", range(30))
def test_every_mode_has_weights(seed: int) -> None:
    """In games of every mode and option, cut at any moment; played cards return to their hands."""
    game = Game.from_record(oracle.random_record(random.Random(seed), stop_early=1.0))
    if game.phase in (Phase.DEAL, Phase.OVER):
        return
    for seat in range(game.rules.players):
        view = game.view(seat)
        sampler = Sampler(view, seed)
        drawn = sampler.draw(20)
        for plays in (False, True):
            weigh = PastWeigher(view, plays=plays)
            weights = weigh(drawn)
            assert (weights > 0).all()
            assert np.isfinite(weights).all()
        if view.tricks and weigh._scratch[PHASE] == view.phase:
            # The last world, replayed, has reached the current position.
            assert (
                weigh._scratch[HAND:BIDS][: view.rules.players].tolist() == drawn.hands[-1].tolist()
            )
        dealt = dealt_hands(drawn, past_plays(view))
        assert all(len(cards_in(word)) == view.size for word in dealt.flat)
        assert len(sampler.draw(5, PastWeigher(view)).hands) == 5


def mean_of(game: Game, seat: int, count: Callable[[tuple[int, ...]], int]) -> dict[bool, float]:
    """The mean number of such cards in the next seat's hand, by whether plays are weighed."""
    means: dict[bool, float] = defaultdict(float)
    for plays in (False, True):
        view = game.view(seat)
        worlds = Sampler(view, seed=1).worlds(2000, PastWeigher(view, plays=plays))
        means[plays] = sum(count(world.hands[seat + 1]) for world in worlds) / 2000
    return means


def test_a_high_bid_tells_of_wizards() -> None:
    hands = ["B2 G3 Y4", "B5 G6 Y7", "B9 G9 Y9"]
    low, high = (start(*hands, turned="R5") for _ in range(2))
    for game, bid in ((low, "bid 0"), (high, "bid 3")):
        game.push("bid 0")
        game.push(bid)
        game.push("bid 0")

    def wizards(hand: tuple[int, ...]) -> int:
        return sum(int(card) == 52 for card in hand)

    assert mean_of(high, 0, wizards)[False] > mean_of(low, 0, wizards)[False] + 0.1


def test_a_high_card_under_a_higher_one_tells_that_there_was_none_lower() -> None:
    """A player who needs a trick would not throw away a king if a small card would do."""
    hands = ["R13 B2 G3", "R12 B5 G6", "B9 G9 Y9"]
    game = start(*hands, turned="Y5")
    for action in ("bid 1", "bid 1", "bid 0", "play R13", "play R12"):
        game.push(action)

    def low_reds(hand: tuple[int, ...]) -> int:
        return sum(26 <= int(card) < 37 for card in hand)

    means = mean_of(game, 0, low_reds)
    assert means[True] < 0.9 * means[False]


def test_under_clairvoyance_bids_tell_nothing() -> None:
    game = Game(Rules(players=3, clairvoyance="every_round", rounds="3"), seed=2)
    while game.phase is Phase.BID:
        game.push(game.legal_actions()[0])
    assert not PastWeigher(game.view(0))

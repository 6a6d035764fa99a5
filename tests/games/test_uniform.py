"""Deals and draws are uniform: chi-square statistics with fixed seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from foretold.cards import Suit, full_deck
from foretold.deal import Deal
from foretold.fair import FairDeals
from foretold.kernel.batch import Batch
from foretold.kernel.layout import DEALER, ROUND
from foretold.rules import Rules
from games.ranks import rank


def assert_uniform(counts: NDArray[np.int64], shares: NDArray[np.float64] | float) -> None:
    """Check that counts, whose rows have equal sums, are distributed like the shares of a row."""
    table = np.atleast_2d(counts).astype(float)
    expected = np.broadcast_to(np.asarray(shares) * table.sum(axis=1, keepdims=True), table.shape)
    assert expected.min() >= 20
    statistic = ((table - expected) ** 2 / expected).sum()
    freedom = table.shape[0] * (table.shape[1] - 1)
    assert abs(statistic - freedom) < 4.5 * np.sqrt(2 * freedom)


FULL_HANDS = Rules(players=3, rounds="1,19")
SHARES = np.array([Counter(full_deck())[card] / 60 for card in sorted(set(full_deck()))])


def card_positions(deals: Sequence[Deal]) -> NDArray[np.int64]:
    """How often each kind of card came at each place of the deal; the last place is turned up."""
    places = np.array([deal.cards for deal in deals])
    return np.array([np.bincount(column, minlength=len(SHARES)) for column in places.T])


def test_fair_deals_are_uniform() -> None:
    deals = [FairDeals.from_seed(FULL_HANDS, s).deal(FULL_HANDS, 2, (), ()) for s in range(6000)]
    counts = card_positions(deals)
    assert_uniform(counts, SHARES)
    assert_uniform(counts[-1], SHARES)


def batch_deals(rules: Rules, games: int, rounds: int) -> list[Deal]:
    """The deals of a batch after that many rounds."""
    batch = Batch(rules, games, seed=2)
    while (batch.states[:, ROUND] < rounds).any():
        batch.step(batch.random_actions())
    return [batch.deal_of(game) for game in range(games)]


@pytest.mark.parametrize("rounds", [0, 1], ids=["first round", "second round"])
def test_deals_of_a_batch_are_uniform(rounds: int) -> None:
    rules = FULL_HANDS if rounds else FULL_HANDS.replace(rounds="19")
    counts = card_positions(batch_deals(rules, 6000, rounds))
    assert_uniform(counts, SHARES)
    assert_uniform(counts[-1], SHARES)


def neighbours(deals: Sequence[Deal]) -> NDArray[np.int64]:
    """Of 60 cards, how far apart neighbours are in the documented order."""
    places = np.array([deal.cards for deal in deals])
    return np.bincount((np.diff(places, axis=1) % 54).ravel(), minlength=54)


def test_the_two_shuffles_agree_on_neighbours() -> None:
    fair = [FairDeals.from_seed(FULL_HANDS, s).deal(FULL_HANDS, 2, (), ()) for s in range(3000)]
    batch = batch_deals(FULL_HANDS, 3000, 1)
    one, other = neighbours(fair), neighbours(batch)
    statistic = ((one - other) ** 2 / (one + other)).sum()
    assert abs(statistic - 53) < 4.5 * np.sqrt(2 * 53)


@pytest.mark.parametrize("players", [3, 4])
def test_monocolour_hands_are_uniform(players: int) -> None:
    rules = Rules(mode="monocolour", players=players, rounds="5,5")
    fair = [FairDeals.from_seed(rules, seed) for seed in range(2000)]
    drawn = [one.deal(rules, 1, (), one.set_up(rules).suits or ()) for one in fair]
    for deals in (drawn, batch_deals(rules, 2000, 0), batch_deals(rules, 2000, 1)):
        ranks = np.array([[rank(card) for card in deal.cards] for deal in deals])
        counts = np.array([np.bincount(column, minlength=15) for column in ranks.T])
        assert_uniform(counts, 1 / 15)


@pytest.mark.parametrize("players", [3, 4])
def test_own_suits_are_uniform(players: int) -> None:
    rules = Rules(mode="monocolour", players=players, rounds="15")
    orders = list(permutations(Suit, players))
    fair = [FairDeals.from_seed(rules, seed).set_up(rules).suits for seed in range(2400)]
    batch = [tuple(min(hand).suit for hand in deal.hands) for deal in batch_deals(rules, 2400, 0)]
    for suits in (fair, batch):
        found = Counter(suits)
        assert set(found) == set(orders)
        assert_uniform(np.array([found[order] for order in orders]), 1 / len(orders))


@pytest.mark.parametrize("dealer_by", ["random", "high_card"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_dealer_is_uniform(players: int, dealer_by: str) -> None:
    rules = Rules(players=players, dealer_by=dealer_by, rounds="1")
    fair = [FairDeals.from_seed(rules, seed).set_up(rules).first_dealer for seed in range(1200)]
    batch = Batch(rules, 1200, seed=3).states[:, DEALER].tolist()
    for dealers in (fair, batch):
        assert_uniform(np.bincount(dealers, minlength=players), 1 / players)


def test_random_choices_of_a_batch_are_uniform() -> None:
    batch = Batch(Rules(players=3, rounds="20", dealer_by="seat"), 1, seed=4)
    legal = np.flatnonzero(batch.legal_table()[0])
    drawn = [int(batch.random_actions()[0]) for _ in range(100 * len(legal))]
    assert_uniform(np.bincount(drawn, minlength=legal[-1] + 1)[legal], 1 / len(legal))

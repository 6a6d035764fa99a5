"""The figures of a match: checked by hand, with intervals that hold."""

from __future__ import annotations

import random

import pytest

from foretold import Rules
from foretold.arena import Match, Played, summarise
from foretold.arena.results import GameResult, SeatResult, SetResult
from foretold.report.stats import Tally, student


def test_mean_by_hand() -> None:
    """Two sets of two: their means are 3 and 7, whose standard error is 2."""
    tally = tallied([[2, 4], [6, 8]])
    value, low, high = tally.mean()
    assert value == 5
    assert (low, high) == pytest.approx((5 - 12.7062 * 2, 5 + 12.7062 * 2), abs=1e-3)


def test_sets_of_unequal_size_weigh_by_their_games() -> None:
    """Sums 6 and 3 over 3 and 1: residuals are 6 - 3 * 2.25 and its opposite."""
    tally = tallied([[2, 2, 2], [3]])
    assert tally.value == 2.25
    assert tally.variance == pytest.approx(2 * 2 * 0.75**2 / 16)


def test_rate_by_hand() -> None:
    """Wins 2, 1, 1, 0 of 2: variance 1/24, so as good as 6 independent games."""
    value, low, high = tallied([[1, 1], [1, 0], [0, 1], [0, 0]]).rate()
    assert value == 0.5
    assert (low, high) == pytest.approx((0.1038, 0.8962), abs=1e-4)


def test_all_won_is_not_certainty() -> None:
    value, low, high = tallied([[1, 1, 1, 1]] * 20).rate()
    assert (value, high) == (1, 1)
    assert low == pytest.approx(20 / (20 + 2.09302**2), abs=1e-5)


def test_one_set_gives_no_limits() -> None:
    assert tallied([[1, 0]]).rate() == (0.5, 0, 1)
    assert tallied([[1, 4]]).mean() == (2.5, None, None)


def test_student() -> None:
    table = {1: 12.70620, 2: 4.30265, 5: 2.57058, 30: 2.04227, 100: 1.98397, 1000: 1.96234}
    for freedom, reach in table.items():
        assert student(freedom) == pytest.approx(reach, abs=1e-5)


def test_limits_hold_the_truth_as_often_as_they_say() -> None:
    """Games of a set share their luck; taken as independent, barely 70 % of intervals hold."""
    chance = random.Random(3)
    held = 0
    for _ in range(600):
        sets = []
        for _ in range(25):
            luck = chance.gauss(0, 10)
            sets.append([luck + chance.gauss(50, 8) for _ in range(4)])
        _, low, high = tallied(sets).mean()
        assert low is not None
        assert high is not None
        held += low < 50 < high
    assert 0.925 < held / 600 < 0.975


def tallied(sets: list[list[float]]) -> Tally:
    tally = Tally()
    for index, values in enumerate(sets):
        for value in values:
            tally.add(index, value)
    return tally


def seat(bot: int, *rounds: tuple[int, int], faults: int = 0) -> SeatResult:
    points, off = zip(*rounds, strict=True)
    fault = "it fell" if faults else None
    return SeatResult(bot, points, off, 4, 0.008, 0.004, faults, fault)


def test_figures_of_a_small_match_by_hand() -> None:
    match = Match(("a", "b", "b"), Rules(players=3, rounds="1-2"), games=6)
    level = GameResult(
        (seat(0, (20, 0), (30, 0)), seat(1, (20, 0), (30, 0)), seat(2, (0, 1), (-10, 1)))
    )
    lost = GameResult(
        (
            seat(1, (30, 0), (20, 0)),
            seat(2, (20, 0), (-10, -1)),
            seat(0, (-10, 1), (10, 2), faults=2),
        )
    )
    played = Played(match, (SetResult(0, (level,) * 3), SetResult(1, (lost,) * 3)))
    summary = summarise(played)
    a, b = summary.bots
    assert (a.games, a.seats, b.games, b.seats) == (6, 6, 6, 12)
    assert a.points_per_game.value == (50 + 0) / 2
    assert a.win_rate.value == (1 / 2 + 0) / 2
    assert b.win_rate.value == pytest.approx((1 / 2 + 0 + 1 + 0) / 4)
    assert a.exact_bid_rate.value == 2 / 4
    assert [one.exact_bid_rate.value for one in b.by_size] == [3 / 4, 2 / 4]
    assert a.mean_place.value == (1 + 3) / 2
    assert [place.value for place in b.places] == [2 / 4, 1 / 4, 1 / 4]
    assert a.running_totals == ((20 - 10) / 2, (50 + 0) / 2)
    assert (a.faults, a.first_fault, b.faults) == (6, "it fell", 0)
    assert a.ms_per_decision == pytest.approx(2)
    assert a.max_ms == 4
    pairing = summary.pairings["a", "b"]
    assert (pairing.above.value, pairing.level) == (1 / 4, 1 / 4)
    assert pairing.difference.value == (0 + 60 - 50 - 10) / 4
    assert a.rating is None  # b would be rated against itself

"""Playing to win: a lead is kept, a gamble taken, and an even game is played for points."""

from __future__ import annotations

import numpy as np
import pytest

from foretold.actions import ACTION_COUNT, BID
from foretold.bots.prospect import SCORES, TRICK_COUNTS, Outlook, win_chances
from foretold.env import AT, OBSERVATION_SIZE

SAFE, BOLD = 0, 5
HITS = {SAFE: 0.9, BOLD: 0.5}
"""How likely each bid comes true."""


def bid_chances(totals: list[int], left: int, others: float = 0.0) -> dict[int, float]:
    """The chance to win with each bid of the first of three seats; totals in tens, the own first.

    The others have bid 2 each, and are expected to make so many points.
    """
    seen = np.zeros((1, OBSERVATION_SIZE), dtype=np.int8)
    seen[0, AT["mode"]] = 1
    seen[0, AT["players"] + 1] = 1
    seen[0, AT["phase"] + 1] = 1
    seen[0, AT["size"]] = 10
    seen[0, AT["rounds_left"]] = left
    seen[0, AT["totals"] : AT["totals"] + 3] = totals
    seen[0, AT["bids"] + 1 : AT["bids"] + 3] = 2
    seen[0, AT["shown"] + 1 : AT["shown"] + 3] = 1
    tricks = np.zeros((1, 1 + TRICK_COUNTS, TRICK_COUNTS), dtype=np.float32)
    tricks[:, :, 0] = 1
    points = np.zeros((1, ACTION_COUNT), dtype=np.float32)
    for bid, hit in HITS.items():
        tricks[0, 1 + bid] = 0
        tricks[0, 1 + bid, [bid, bid + 1]] = hit, 1 - hit
        points[0, BID + bid] = 10 * tricks[0, 1 + bid] @ SCORES[bid]
    chances = win_chances(seen, Outlook(points - np.float32(others), points, tricks, points))[0]
    return {bid: float(chances[BID + bid]) for bid in HITS}


def test_an_even_game_with_many_rounds_to_come_is_played_for_points() -> None:
    chances = bid_chances([10, 10, 10], left=15, others=20)
    assert all(chance == pytest.approx(1 / 3, abs=0.05) for chance in chances.values())
    assert chances[BOLD] > chances[SAFE]  # 30 points on average against 17


def test_who_leads_before_the_last_round_plays_safe() -> None:
    # 50 ahead: 20 more are enough, whatever the others make of their bids of 2.
    chances = bid_chances([25, 20, 0], left=0, others=15)
    assert chances[SAFE] > chances[BOLD]
    assert chances[SAFE] > 0.9


def test_who_is_behind_before_the_last_round_gambles() -> None:
    chances = bid_chances([20, 26, 0], left=0, others=15)
    assert chances[SAFE] < 0.01
    assert chances[BOLD] > 0.2


def test_with_no_round_left_equals_share_the_win() -> None:
    # If the second misses, which is as good as sure, its 0 - 10 equal the own -30 + 20.
    sure = bid_chances([-3, 0, -30], left=0, others=-10)
    assert sure[SAFE] == pytest.approx(0.9 * 0.97 * 0.5, abs=0.01)


def test_others_who_do_well_make_winning_harder() -> None:
    easy, hard = (bid_chances([20, 20, 20], left=0, others=mean) for mean in (-8, 35))
    assert all(hard[bid] < easy[bid] for bid in HITS)


def test_chances_are_chances() -> None:
    generator = np.random.default_rng(3)
    for _ in range(50):
        totals = generator.integers(-30, 60, 3).tolist()
        found = bid_chances(
            totals, int(generator.integers(0, 20)), float(generator.uniform(-20, 60))
        )
        assert all(0 <= chance <= 1 for chance in found.values())


def test_an_outlook_without_tricks_is_refused() -> None:
    nothing = np.zeros((1, ACTION_COUNT), dtype=np.float32)
    with pytest.raises(ValueError, match="tricks"):
        win_chances(
            np.zeros((1, OBSERVATION_SIZE), dtype=np.int8), Outlook(nothing, nothing, None, nothing)
        )

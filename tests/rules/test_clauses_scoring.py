"""RULES 7: scoring. The printed examples are in `test_examples`."""

from __future__ import annotations

import pytest

from foretold import Game
from play import await_deals, bid, deal_of, finish, play, round_of

HANDS = {
    0: ("J B1 B2", "W B3 B4", "R1 R2 R3"),
    1: ("W B1 B2", "B3 B4 R4", "R1 R2 R3"),
    2: ("W W B1", "B3 B4 R4", "R1 R2 R3"),
    3: ("W W W", "B3 B4 R4", "R1 R2 R3"),
}
PLAYS = {
    0: "J W R1 B3 R2 B1 R3 B2 B4",
    1: "W B3 R1 B1 B4 R2 R3 B2 R4",
    2: "W B3 R1 W B4 R2 B1 R4 R3",
    3: "W B3 R1 W B4 R2 W R4 R3",
}
"""Red is trump; seat 0 takes 0, 1, 2 or 3 tricks."""


def round_taking(taken: int, made: int) -> Game:
    """A round of three cards in which seat 0 bids and takes that many tricks."""
    game = round_of(*HANDS[taken], bids=(made, 0, 0), turned="R13")
    play(game, PLAYS[taken])
    assert game.sheet[0].taken[0] == taken
    return game


@pytest.mark.parametrize(("taken", "points"), [(0, 20), (1, 30), (2, 40), (3, 50)])
def test_a_bid_met_exactly(taken: int, points: int) -> None:
    """RULES 7: 20 + 10 per trick taken."""
    assert round_taking(taken, taken).sheet[0].points[0] == points


@pytest.mark.parametrize("made", range(4))
@pytest.mark.parametrize("taken", range(4))
def test_a_bid_missed(taken: int, made: int) -> None:
    """RULES 7: otherwise -10 per trick over or under."""
    if made != taken:
        assert round_taking(taken, made).sheet[0].points[0] == -10 * abs(made - taken)


def test_totals_carry_over_and_may_be_negative() -> None:
    """RULES 7: totals carry over and may be negative."""
    game = await_deals(players=3, rounds="1,1,1", dealer=2)
    for bids in ((0, 1, 0), (1, 1, 1), (0, 0, 1)):
        game.deal(deal_of("W", "B1", "B2"))
        finish(bid(game, *bids))
    assert [line.points for line in game.sheet] == [
        (-10, -10, 20),
        (30, -10, -10),
        (-10, -10, 20),
    ]
    assert [line.totals for line in game.sheet] == [(-10, -10, 20), (20, -20, 10), (10, -30, 30)]
    assert game.totals == (10, -30, 30)

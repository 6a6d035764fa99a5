"""RULES 4: bids, what they may add up to, who sees them, clairvoyance."""

from __future__ import annotations

from typing import Any

import pytest

from foretold import Game, IllegalActionError, Phase, UnreadableError, WrongMomentError
from play import await_deals, bid, choices, deal_of, hand, play, round_of, start, text_of

PLUS_MINUS_ONE: dict[str, Any] = {"bid_rule": "plus_minus_one"}
LEADER_UNEVEN: dict[str, Any] = {"bid_rule": "leader_uneven"}
SEATS_AND_SPECTATOR = [0, 1, 2, None]


@pytest.mark.parametrize("dealer", range(4))
def test_left_of_the_dealer_bids_first(dealer: int) -> None:
    """RULES 4: the player left of the dealer bids first, then clockwise."""
    game = start("B1", "B2", "B3", "B4", dealer=dealer)
    order: list[int] = []
    while game.phase is Phase.BID:
        order.extend(game.to_act)
        game.push("bid 0")
    assert order == [(dealer + 1 + k) % 4 for k in range(4)]


def test_a_bid_is_0_to_r() -> None:
    """RULES 4: a bid is 0 to r."""
    game = start("B1 B2 B3", "B4 B5 B6", "B7 B8 B9")
    assert choices(game) == "0 1 2 3"
    with pytest.raises(IllegalActionError, match="a bid in this round is 0 to 3"):
        game.push("bid 4")
    with pytest.raises(UnreadableError):
        game.push("bid -1")


@pytest.mark.parametrize("watcher", SEATS_AND_SPECTATOR)
def test_open_bids_are_seen_as_they_are_made(watcher: int | None) -> None:
    """RULES 4: open: one after another, seen by all."""
    game = start("B1", "B2", "B3")
    bid(game, 1)
    assert game.view(watcher).bids == (1, None, None)
    bid(game, 0)
    assert game.view(watcher).bids == (1, 0, None)


def test_open_bids_keep_their_order() -> None:
    """RULES 4: open: one after another."""
    game = start("B1", "B2", "B3")
    with pytest.raises(WrongMomentError, match="it is seat 0's turn"):
        game.push("bid 0", 1)


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_sealed_bids_are_made_all_at_once(bidding: str) -> None:
    """RULES 4: hidden and secret: all at once, so in any order."""
    game = start("B1", "B2", "B3", bidding=bidding)
    waited_for = [game.to_act]
    for seat in (2, 0, 1):
        game.push("bid 1", seat)
        waited_for.append(game.to_act)
    assert waited_for == [(0, 1, 2), (0, 1), (1,), (0,)]
    assert game.phase is Phase.PLAY


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_a_sealed_bid_is_made_once(bidding: str) -> None:
    """RULES 4: all at once: whoever has bid may not bid again."""
    game = start("B1", "B2", "B3", bidding=bidding)
    game.push("bid 1", 2)
    with pytest.raises(WrongMomentError, match="already bid"):
        game.push("bid 0", 2)
    assert not game.legal_actions(2)


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_nobody_sees_a_sealed_bid_early(bidding: str) -> None:
    """RULES 4: nobody sees hidden and secret bids early, the dealer (seat 2) included."""
    game = start("B1", "B2", "B3", bidding=bidding)
    game.push("bid 1", 1)
    game.push("bid 0", 0)
    assert game.view(0).bids == (0, None, None)
    assert game.view(1).bids == (None, 1, None)
    assert game.view(2).bids == (None, None, None)
    assert game.view(None).bids == (None, None, None)


@pytest.mark.parametrize("watcher", SEATS_AND_SPECTATOR)
def test_hidden_bids_are_shown_before_the_first_card(watcher: int | None) -> None:
    """RULES 4: hidden: shown to all before the first card."""
    game = bid(start("B1", "B2", "B3", bidding="hidden"), 1, 0, 1)
    assert game.view(watcher).bids == (1, 0, 1)


def test_secret_bids_stay_closed_during_the_round() -> None:
    """RULES 4: secret: shown only when the round is over."""
    game = bid(start("B1 B2", "B3 B4", "B5 B6", bidding="secret"), 1, 0, 1)
    for card in ("B1", "B3", "B5", "B6", "B2"):
        play(game, card)
        assert game.view(0).bids == (1, None, None)
        assert game.view(1).bids == (None, 0, None)
        assert game.view(2).bids == (None, None, 1)
        assert game.view(None).bids == (None, None, None)


@pytest.mark.parametrize("watcher", SEATS_AND_SPECTATOR)
def test_secret_bids_are_shown_when_the_round_is_over(watcher: int | None) -> None:
    """RULES 4: secret: shown when the round is over."""
    game = await_deals(players=3, rounds="1,1", bidding="secret")
    game.deal(deal_of("B1", "B2", "B3"))
    play(bid(game, 1, 0, 1), "B1 B2 B3")
    assert game.view(watcher).bids == (1, 0, 1)
    assert game.view(watcher).sheet[0].bids == (1, 0, 1)


@pytest.mark.parametrize("bidding", ["open", "hidden", "secret"])
def test_free_bids_may_have_any_total(bidding: str) -> None:
    """RULES 4: free: any total, even r."""
    game = bid(start("B1 B2", "B3 B4", "B5 B6", bidding=bidding), 1, 0)
    assert choices(game) == "0 1 2"


@pytest.mark.parametrize(
    ("others", "left"),
    [
        ((0, 0), "0 1"),
        ((1, 0), "0 2"),
        ((0, 1), "0 2"),
        ((1, 1), "1 2"),
        ((2, 0), "1 2"),
        ((2, 1), "0 1 2"),
        ((2, 2), "0 1 2"),
    ],
)
def test_the_total_may_not_equal_r(others: tuple[int, int], left: str) -> None:
    """RULES 4: plus_minus_one: the total is not r; if the others already exceed r, no limit."""
    assert choices(bid(start("B1 B2", "B3 B4", "B5 B6", **PLUS_MINUS_ONE), *others)) == left


def test_only_the_last_bidder_is_limited() -> None:
    """RULES 4: plus_minus_one: only the last bidder may not make it so; those before may."""
    game = start("B1 B2", "B3 B4", "B5 B6", **PLUS_MINUS_ONE)
    assert choices(game) == "0 1 2"
    assert choices(bid(game, 2)) == "0 1 2"


@pytest.mark.parametrize("dealer", range(3))
def test_the_last_bidder_is_the_dealer(dealer: int) -> None:
    """RULES 4: plus_minus_one: the last bidder, in any seat."""
    game = bid(start("B1", "B2", "B3", dealer=dealer, **PLUS_MINUS_ONE), 0, 0)
    assert game.to_act == (dealer,)
    with pytest.raises(IllegalActionError, match="may not add up to 1"):
        game.push("bid 1")
    game.push("bid 0")


def second_round(takes_first: int, bids: tuple[int, int, int]) -> Game:
    """Two cards each, seat 0 bids last: seats 1 and 2 have bid 1 and 0.

    These were the bids in the one-card round before it, and that seat took the trick.
    """
    game = await_deals(players=3, rounds="1,2", **LEADER_UNEVEN)
    hands = ["B1", "B2", "B3"]
    hands[takes_first] = "W"
    game.deal(deal_of(*hands))
    play(bid(game, *bids), " ".join(hands))
    game.deal(deal_of("B1 B2", "B3 B4", "B5 B6"))
    return bid(game, 1, 0)


def test_the_sole_leader_may_not_make_the_total_r() -> None:
    """RULES 4: leader_uneven: as plus_minus_one while the last bidder alone leads on points."""
    game = second_round(0, (1, 0, 0))
    assert game.totals == (30, 20, 20)
    assert (game.to_act, choices(game)) == ((0,), "0 2")


@pytest.mark.parametrize(
    ("takes_first", "bids", "totals"),
    [
        (1, (0, 0, 0), (20, -10, 20)),
        (1, (0, 1, 0), (20, 30, 20)),
        (1, (1, 1, 0), (-10, 30, 20)),
        (0, (0, 0, 0), (-10, 20, 20)),
    ],
    ids=["tied for the lead", "another leads", "last", "behind two who tie"],
)
def test_who_does_not_lead_alone_may_make_the_total_r(
    takes_first: int, bids: tuple[int, int, int], totals: tuple[int, int, int]
) -> None:
    """RULES 4: leader_uneven: only while the last bidder alone leads."""
    game = second_round(takes_first, bids)
    assert game.totals == totals
    assert (game.to_act, choices(game)) == ((0,), "0 1 2")


def test_before_any_points_nobody_leads() -> None:
    """RULES 4: leader_uneven: in the first round all are tied."""
    assert choices(bid(start("B1", "B2", "B3", **LEADER_UNEVEN), 0, 0)) == "0 1"


def test_the_leader_who_bids_first_is_free() -> None:
    """RULES 4: leader_uneven: the last bidder is limited, not the leader."""
    game = await_deals(dealer=0, players=3, rounds="1,1", **LEADER_UNEVEN)
    game.deal(deal_of("B1", "B2", "W"))
    play(bid(game, 0, 1, 0), "B2 W B1")
    game.deal(deal_of("B1", "B2", "B3"))
    assert game.totals == (20, 20, 30)
    for _ in range(3):
        assert choices(game) == "0 1"
        game.push("bid 0")


def test_nothing_is_forbidden_to_the_leader_below_zero() -> None:
    """RULES 4: if the other bids already total more than r, nothing is forbidden."""
    game = second_round(0, (1, 0, 0))
    for _ in range(2):
        game.pop()
    assert choices(bid(game, 2, 1)) == "0 1 2"


def test_the_cloud_may_bring_the_total_to_r() -> None:
    """RULES 4: plus_minus_one: the Cloud may later bring the total to r."""
    game = round_of("CL", "B2", "B3", bids=(0, 0, 0), **PLUS_MINUS_ONE)
    play(game, "CL=B B2 B3").push("cloud +1")
    assert sum(game.sheet[0].scored_bids) == 1


def seen(game: Game, seat: int | None) -> list[str | None]:
    return [text_of(cards) for cards in game.view(seat).seen_hands]


@pytest.mark.parametrize("clairvoyance", ["first_round", "every_round"])
@pytest.mark.parametrize("bidding", ["open", "hidden", "secret"])
def test_each_player_sees_every_hand_but_their_own(clairvoyance: str, bidding: str) -> None:
    """RULES 4: until all have bid, each player sees every hand but their own."""
    game = start("B1", "W", "Y3", clairvoyance=clairvoyance, bidding=bidding)
    for _ in range(3):
        for seat in range(3):
            assert hand(game, seat) is None
            assert seen(game, seat) == [
                None if other == seat else card for other, card in enumerate(("B1", "W", "Y3"))
            ]
        game.push("bid 0")


def test_after_the_bids_each_player_sees_their_own_hand() -> None:
    """RULES 4: after the bids each player sees their own hand; what they saw remains known."""
    game = round_of("B1", "W", "Y3", clairvoyance="first_round")
    assert [hand(game, seat) for seat in range(3)] == ["B1", "W", "Y3"]
    assert seen(game, 0) == [None, "W", "Y3"]


def test_first_round_clairvoyance_is_for_the_one_card_round() -> None:
    """RULES 4: first_round: in the one-card round."""
    game = start("B1 B2", "W J", "Y3 Y4", clairvoyance="first_round")
    assert hand(game, 0) == "B1 B2"
    assert seen(game, 0) == [None, None, None]


def test_every_round_clairvoyance_is_for_every_round() -> None:
    """RULES 4: every_round: the same in every round."""
    game = start("B1 B2", "W J", "Y3 Y4", clairvoyance="every_round")
    assert hand(game, 0) is None
    assert seen(game, 0) == [None, "W J", "Y3 Y4"]


@pytest.mark.parametrize("size", ["B1", "B1 B2"])
def test_without_clairvoyance_each_player_sees_their_own_hand(size: str) -> None:
    """RULES 4: off: each player sees their own hand, and no other."""
    game = start(size, size.replace("B", "G"), size.replace("B", "R"))
    assert hand(game, 0) == size
    assert seen(game, 0) == [None, None, None]


def test_a_spectator_sees_no_hand() -> None:
    """RULES 4: clairvoyance shows the hands to the players, not to others."""
    game = start("B1", "W", "Y3", clairvoyance="every_round")
    assert game.view(None).hand is None
    assert seen(game, None) == [None, None, None]

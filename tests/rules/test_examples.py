"""The worked examples of the printed rulebooks, and of RULES 7, played out at the table."""

from __future__ import annotations

import pytest

from foretold import Game, IllegalActionError, Phase, Rules, Trump
from play import await_deals, bid, choices, deal_of, play, round_of, start

BOOKLETS = {
    "amigo": ("Thomas", "Ute", "Kevin"),
    "piatnik-hu": ("Tamás", "Andi", "Bence"),
    "piatnik-cs": ("Paul", "Thomas", "Marie"),
    "piatnik-sk": ("Paul", "Thomas", "Mária"),
    "piatnik-pl": ("Tomek", "Ania", "Bartek"),
    "gigamic": ("Arnaud", "Anna", "Émilie"),
    "fisher": ("Paolo", "Tommaso", "Maria"),
    "anniversary": ("João", "Maria", "Pedro"),
}
"""The three who play the first two rounds in every booklet."""


def first_two_rounds(edition: str) -> Game:
    """The rounds described in all booklets; the first player deals first."""
    game = Game(edition, deals=(), first_dealer=0, names=BOOKLETS[edition], players=3, rounds="1-3")
    game.deal(deal_of("B2", "B9", "B13", turned="G1"))
    bid(game, 1, 1, 0)  # the second player bids first, the dealer last
    play(game, "B9 B13 B2")
    game.deal(deal_of("W B2", "G3 Y3", "Y13 B9", turned="J"))
    bid(game, 0, 2, 0)  # the third player bids first
    play(game, "Y13 W Y3 B2 G3 B9")
    return game


@pytest.mark.parametrize("edition", BOOKLETS)
def test_the_first_two_rounds(edition: str) -> None:
    """Every booklet, "Example": bids, points, and the sheet after two rounds."""
    game = first_two_rounds(edition)
    first, second = game.sheet
    assert (first.bids, first.taken) == ((0, 1, 1), (0, 0, 1))
    assert first.points == first.totals == (20, -10, 30)
    assert (second.bids, second.points) == ((2, 0, 0), (-10, 20, -10))
    assert second.totals == (10, 10, 20)
    assert second.taken == (1, 0, 1)
    assert game.names == BOOKLETS[edition]


def third_round() -> Game:
    """Gigamic: Émilie deals the third round and turns up the red 8; the bids are 2, 2 and 0."""
    game = first_two_rounds("gigamic")
    game.deal(deal_of("B5 W J", "B3 G11 R7", "J B7 R3", turned="R8"))
    return bid(game, 2, 2, 0)


def test_red_8_is_turned_up() -> None:
    """Gigamic: Émilie reveals a red 8; the trump colour is red."""
    view = third_round().view(None)
    assert (view.dealer, str(view.turned), view.trump) == (2, "R8", Trump.RED)


def test_two_and_two_of_three() -> None:
    """Gigamic: Arnaud and Anna both predict two, though there are only three tricks."""
    assert third_round().view(None).bids == (2, 2, 0)


def test_the_first_trick_of_the_third_round() -> None:
    """Gigamic: B5; Anna must follow with her B3, not trump; Émilie plays a Jester, not her B7."""
    game = play(third_round(), "B5")
    assert choices(game) == "B3"
    play(game, "B3")
    assert choices(game) == "B7 J"
    play(game, "J")
    assert game.view(None).tricks[0].winner == 0


def test_the_second_trick_of_the_third_round() -> None:
    """Gigamic: Arnaud leads a Wizard; any card may follow; he takes the trick again."""
    game = play(third_round(), "B5 B3 J W")
    assert choices(game) == "G11 R7"
    play(game, "G11")
    assert choices(game) == "B7 R3"
    play(game, "B7")
    assert game.view(None).tricks[1].winner == 0
    assert game.to_act == (0,)


def test_the_third_trick_of_the_third_round() -> None:
    """Gigamic: Arnaud leads a Jester, Anna's R7 sets the colour, Émilie follows with R3."""
    game = play(third_round(), "B5 B3 J W G11 B7 J R7 R3")
    assert game.sheet[2].tricks[2].winner == 1


def test_the_sheet_after_three_rounds() -> None:
    """Gigamic: 40, -10 and 20 points make 50, 0 and 40."""
    game = play(third_round(), "B5 B3 J W G11 B7 J R7 R3")
    line = game.sheet[2]
    assert (line.bids, line.taken) == ((2, 2, 0), (2, 1, 0))
    assert (line.points, line.totals) == ((40, -10, 20), (50, 0, 40))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)


BLUE, GREEN, YELLOW = ([f"{suit}{value}" for value in range(1, 11)] for suit in "BGY")


def bids_8(seat_1: list[str], plays: str) -> int:
    """The points of seat 0, who bids 8 with four Wizards and B1 to B6; red is trump."""
    own = ["W"] * 4 + BLUE[:6]
    game = start(" ".join(own), " ".join(seat_1), " ".join(YELLOW), turned="R1")
    return play(bid(game, 8, 0, 0), plays).sheet[0].points[0]


def test_bid_8_took_10() -> None:
    """Piatnik, Hungarian and Polish: bid 8, took 10: -20 points."""
    own = ["W"] * 4 + BLUE[:6]
    plays = zip(own, GREEN, YELLOW, strict=True)
    assert bids_8(GREEN, " ".join(" ".join(cards) for cards in plays)) == -20


def test_bid_8_took_6() -> None:
    """Piatnik, Hungarian and Polish: bid 8, took 6: -20 points."""
    own = ["W"] * 4 + BLUE[:2]
    first_six = zip(own, GREEN[:6], YELLOW[:6], strict=True)
    plays = " ".join(" ".join(cards) for cards in first_six)
    plays += " B3 R10 Y7 R11 Y8 B4 R12 Y9 B5 R13 Y10 B6"
    assert bids_8([*GREEN[:6], "R10", "R11", "R12", "R13"], plays) == -20


@pytest.mark.parametrize("change", ["cloud +1", "cloud -1"])
def test_the_cloud_spoils_a_bid_that_was_met(change: str) -> None:
    """25-year edition: João bid 3 and took 3, one with the Cloud: -10 points either way."""
    game = round_of("W W CL B1", "G1 G2 G3 B2", "Y1 Y2 Y3 B3", bids=(3, 0, 0))
    play(game, "W G1 Y1 W G2 Y2 CL=R G3 Y3 B1 B2 B3")
    game.push(change)
    assert game.sheet[0].taken == (3, 0, 1)
    assert game.sheet[0].points[0] == -10


def test_the_cloud_mends_a_bid_that_was_missed() -> None:
    """25-year edition: Maria bid 5 and took 4, one with the Cloud: she bids 4 and scores 60."""
    hands = ("W W W CL B1", "G1 G2 G3 G4 B2", "Y1 Y2 Y3 Y4 B3")
    game = play(round_of(*hands, bids=(5, 0, 0)), "W G1 Y1 W G2 Y2 W G3 Y3 CL=R G4 Y4 B1 B2 B3")
    game.push("cloud -1")
    assert game.sheet[0].taken == (4, 0, 1)
    assert (game.sheet[0].bids[0], game.sheet[0].scored_bids[0]) == (5, 4)
    assert game.sheet[0].points[0] == 60


@pytest.mark.parametrize(("cards", "winner"), [("B5 B3 J", 0), ("W G11 B7", 0), ("J R7 R3", 1)])
def test_the_tricks_of_rules_7(cards: str, winner: int) -> None:
    """RULES 7: trump red: B5 B3 J, the first; W G11 B7, the first; J R7 R3, the second."""
    game = play(round_of(*cards.split(), turned="R8"), cards)
    assert game.sheet[0].tricks[0].winner == winner


def test_plus_minus_one_in_round_5() -> None:
    """Every booklet with plus/minus one: in round 5 the bids may not add up to 5."""
    hands = ["B1 B2 B3 B4 B5", "G1 G2 G3 G4 G5", "R1 R2 R3 R4 R5"]
    game = bid(start(*hands, bid_rule="plus_minus_one"), 1, 2)
    with pytest.raises(IllegalActionError, match="may not add up to 5"):
        game.push("bid 2")
    assert choices(game) == "0 1 3 4 5"


def test_zero_or_one_in_the_first_round() -> None:
    """Italian booklet: in the first round a bid is zero or one."""
    assert choices(start("B1", "B2", "B3")) == "0 1"


@pytest.mark.parametrize("players", [3, 4])
def test_only_jesters(players: int) -> None:
    """Every booklet: only Jesters: the first wins; possible only with three or four players."""
    cards = " ".join(["J"] * players)
    game = play(round_of(*cards.split(), turned="R8"), cards)
    assert game.sheet[0].tricks[0].winner == 0


@pytest.mark.parametrize(("players", "rounds"), [(6, 10), (5, 12), (4, 15), (3, 20)])
@pytest.mark.parametrize("edition", BOOKLETS)
def test_the_number_of_rounds(edition: str, players: int, rounds: int) -> None:
    """Every booklet, "The End": 10, 12, 15 and 20 rounds."""
    assert len(Game(edition, players=players, seed=1).rules.sizes) == rounds


def test_the_two_player_game_ends_with_the_deck() -> None:
    """Italian booklet: two cards in the first round, then one more each, six rounds in all."""
    assert Rules(mode="two_player").sizes == (2, 3, 4, 5, 6, 7)


def test_a_tie_at_the_top_lifts_the_limit() -> None:
    """Italian booklet: the leader rule does not apply if two or more lead with equal points."""
    game = await_deals(players=3, rounds="1,1", bid_rule="leader_uneven")
    game.deal(deal_of("B1", "B2", "W"))
    play(bid(game, 0, 0, 0), "B1 B2 W")
    assert game.totals == (20, 20, -10)
    game.deal(deal_of("B1", "B2", "B3"))
    bid(game, 0, 0)
    assert (game.phase, game.to_act, choices(game)) == (Phase.BID, (0,), "0 1")

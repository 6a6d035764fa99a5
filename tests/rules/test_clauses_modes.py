"""RULES 8: the monocolour game and the two-player game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from foretold import DealError, FairDeals, Game, Phase, Rules, RulesError, Suit, Trump
from play import bid, choices, deal_of, finish, hand, play, round_of, start


def mono(cards: str, **options: Any) -> int | None:
    """Which of these cards, one from each player's own deck, takes the trick."""
    game = round_of(*cards.split(), turned=None, mode="monocolour", **options)
    return play(game, cards).sheet[0].tricks[0].winner


# Monocolour


@pytest.mark.parametrize("players", [2, 5, 6])
def test_monocolour_is_for_three_or_four(players: int) -> None:
    """RULES 8: monocolour, 3 or 4 players."""
    with pytest.raises(RulesError, match=f"players {players} does not go with mode monocolour"):
        Rules(mode="monocolour", players=players)


@pytest.mark.parametrize("players", [3, 4])
def test_monocolour_has_twelve_rounds(players: int) -> None:
    """RULES 8: twelve rounds; round k draws k+3 cards; the deal still passes left."""
    game = finish(Game(Rules(mode="monocolour", players=players), seed=5, first_dealer=1))
    assert [line.size for line in game.sheet] == [k + 3 for k in range(1, 13)]
    assert [line.dealer for line in game.sheet] == [(1 + k) % players for k in range(12)]


@pytest.mark.parametrize("players", [3, 4])
def test_each_player_keeps_one_deck_for_the_whole_game(players: int) -> None:
    """RULES 8: a deck of one suit, one Wizard and one Jester for the whole game."""
    game = Game(Rules(mode="monocolour", players=players), seed=6)
    suits = [suit for suit in game.view(0).suits if suit is not None]
    assert len(set(suits)) == players
    rounds = finish(game).to_record()["rounds"]
    for seat, suit in enumerate(suits):
        deck = {*(f"{suit.letter}{value}" for value in range(1, 14)), "W", "J"}
        for one in rounds:
            assert set(one["hands"][seat]) <= deck
            assert max(Counter(one["hands"][seat]).values()) == 1
        assert set(rounds[-1]["hands"][seat]) == deck


def test_the_suits_are_drawn_at_random() -> None:
    """RULES 8: suits drawn at random; with three players one suit stays in the box."""
    rules = Rules(mode="monocolour", players=3)
    drawn = [FairDeals.from_seed(rules, seed).set_up(rules).suits for seed in range(100)]
    assert {suit for suits in drawn for suit in suits or ()} == set(Suit)
    assert {(suits or ())[0] for suits in drawn} == set(Suit)
    assert all(len(set(suits or ())) == 3 for suits in drawn)


@pytest.mark.parametrize(
    ("hands", "why"),
    [
        (("B1 G1", "R1 R2", "Y1 Y2"), "seat 0 has the blue deck but is dealt G1"),
        (("B1 B2", "B3 W", "Y1 Y2"), "two seats are dealt blue cards"),
        (("B1 B1", "R1 R2", "Y1 Y2"), "seat 0 is dealt B1 2 times"),
        (("W W", "R1 R2", "Y1 Y2"), "seat 0 is dealt W 2 times"),
        (("J J", "R1 R2", "Y1 Y2"), "seat 0 is dealt J 2 times"),
        (("SH J", "R1 R2", "Y1 Y2"), "SH is not in the deck"),
    ],
)
def test_a_hand_comes_from_its_players_deck(hands: tuple[str, ...], why: str) -> None:
    """RULES 8: one suit, one Wizard and one Jester each."""
    rules = Rules(mode="monocolour", players=3, rounds="2")
    with pytest.raises(DealError, match=why):
        Game(rules, deals=(deal_of(*hands, turned=None),))


def test_everyone_keeps_their_suit() -> None:
    """RULES 8: ... for the whole game, though the cards come back after each round."""
    game = Game(Rules(mode="monocolour", players=3, rounds="1,1"), deals=())
    game.deal(deal_of("B1", "R1", "W", turned=None))
    finish(game)
    with pytest.raises(DealError, match="seat 0 has the blue deck"):
        game.deal(deal_of("Y1", "R1", "G1", turned=None))
    with pytest.raises(DealError, match="two seats are dealt red cards"):
        game.deal(deal_of("B1", "W", "R1", turned=None))
    game.deal(deal_of("B1", "R1", "G1", turned=None))


def test_monocolour_has_no_trump() -> None:
    """RULES 8: no trump; no card is turned up."""
    game = start("B1", "R1", "Y1", turned=None, mode="monocolour")
    assert game.phase is Phase.BID
    assert (game.view(0).trump, game.view(0).turned) == (Trump.NONE, None)
    with pytest.raises(DealError, match="there is no card to turn up"):
        start("B1", "R1", "Y1", turned="J", mode="monocolour")


@pytest.mark.parametrize("dealer", range(3))
def test_the_dealer_fixes_who_bids_and_leads(dealer: int) -> None:
    """RULES 8: the deal determines who bids and leads first."""
    game = start("B1", "R1", "Y1", turned=None, mode="monocolour", dealer=dealer)
    first = (dealer + 1) % 3
    assert game.to_act == (first,)
    assert bid(game, 0, 0, 0).to_act == (first,)


@pytest.mark.parametrize("led", ["B5 B6 B7", "W B6 B7", "J B6 B7"])
@pytest.mark.parametrize("after_wizard", ["free", "binding"])
def test_there_is_no_suit_to_follow(led: str, after_wizard: str) -> None:
    """RULES 8: no suit to follow; `suit_after_wizard` has no effect."""
    game = round_of(
        led, "R1 R9 W", "Y1 Y9 J", turned=None, mode="monocolour", suit_after_wizard=after_wizard
    )
    play(game, led.split()[0])
    assert choices(game) == "R1 R9 W"
    play(game, "R1")
    assert choices(game) == "Y1 Y9 J"


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        # the highest number, whatever its suit
        ("B5 R6 Y4", 1),
        ("Y5 R4 B6", 2),
        ("Y13 B1 G2", 0),
        ("B13 Y12 G11", 0),
        # the first played among equals
        ("B6 R6 Y4", 0),
        ("Y6 B6 R4", 0),
        ("B4 Y6 R6 G6", 1),
        # Wizards above all
        ("B13 W Y13", 1),
        ("B13 W W", 1),
        # Jesters below all
        ("J R1 Y1", 1),
        ("J J Y1", 2),
        # only Jesters: the first
        ("J J J", 0),
        ("J J J J", 0),
    ],
)
def test_the_highest_number_wins(cards: str, best: int) -> None:
    """RULES 8: the highest number, the first among equals; Wizards above, Jesters below."""
    assert mono(cards) == best


@pytest.mark.parametrize(("cards", "best"), [("W W B1", 1), ("B13 W W W", 3), ("B6 R6 Y4", 0)])
def test_dark_wizard_applies_in_monocolour(cards: str, best: int) -> None:
    """RULES 8: `dark_wizard` applies."""
    assert mono(cards, dark_wizard=True) == best


@pytest.mark.parametrize("bidding", ["open", "hidden", "secret"])
def test_monocolour_bidding(bidding: str) -> None:
    """RULES 8: bidding open, hidden or secret."""
    game = start("B1", "R1", "Y1", turned=None, mode="monocolour", bidding=bidding)
    assert game.to_act == ((0,) if bidding == "open" else (0, 1, 2))
    assert finish(game).outcome()


# Two players


def two_players(**options: Any) -> Rules:
    return Rules(mode="two_player", dealer_by="seat", **options)


def test_the_two_player_game_has_six_rounds() -> None:
    """RULES 8: six rounds of 2 to 7 cards, a trump card turned up in each, the last included."""
    game = finish(Game(two_players(), seed=7))
    assert [line.size for line in game.sheet] == [2, 3, 4, 5, 6, 7]
    assert [line.dealer for line in game.sheet] == [0, 1, 0, 1, 0, 1]
    assert all(line.turned is not None for line in game.sheet)


def test_the_deck_ends_exactly() -> None:
    """RULES 8: cards used or turned up are out until the game ends: 2 x 27 + 6 = 60."""
    rounds = finish(Game(two_players(), seed=8)).to_record()["rounds"]
    dealt = [card for one in rounds for cards in one["hands"] for card in cards]
    turned = [one["turned"] for one in rounds]
    assert Counter(dealt + turned) == Counter(card.code for card in Rules().deck)


@pytest.mark.parametrize("again", ["B1", "B3", "R13"], ids=["own", "other's", "turned"])
def test_cards_used_or_turned_are_out(again: str) -> None:
    """RULES 8: cards used or turned up are out; RULES 2: no shuffling together."""
    game = Game(two_players(rounds="2,2"), deals=(deal_of("B1 B2", "B3 B4", turned="R13"),))
    finish(game)
    with pytest.raises(DealError, match=f"{again} is out"):
        game.deal(deal_of(f"{again} G2", "G3 G4", turned="G5"))
    with pytest.raises(DealError, match=f"{again} is out"):
        game.deal(deal_of("G1 G2", "G3 G4", turned=again))
    game.deal(deal_of("G1 G2", "G3 G4", turned="G5"))
    assert [card.code for card in game.view(0).out] == ["B1", "B2", "B3", "B4", "R13"]


def test_of_four_wizards_only_those_used_are_out() -> None:
    """RULES 8: a game cannot have a fifth Wizard."""
    game = Game(two_players(rounds="2,2"), deals=(deal_of("W W", "W B4", turned="R13"),))
    finish(game)
    with pytest.raises(DealError, match="W is out"):
        game.deal(deal_of("W G2", "W G4", turned="G5"))
    game.deal(deal_of("W G2", "G3 G4", turned="G5"))


def test_the_mode_implies_two_players_and_secret_bids() -> None:
    """RULES 8: the mode implies `players` 2 and `bidding` secret."""
    game = start("B1 B2", "B3 B4", turned="R1", mode="two_player")
    assert game.rules == Rules(
        mode="two_player", players=2, bidding="secret", rounds="2", dealer_by="seat"
    )
    assert game.to_act == (0, 1)
    game.push("bid 1", 1)
    assert game.view(0).bids == (None, None)


def test_two_players_follow_suit_and_trump_as_ever() -> None:
    """RULES 8: the rules are those of the standard game."""
    game = bid(start("B5 G1", "B3 R1", turned="R13", mode="two_player"), 0, 0)
    play(game, "B5")
    assert choices(game) == "B3"
    play(game, "B3 G1 R1")
    assert [one.winner for one in game.sheet[0].tricks] == [0, 1]


def test_a_wizard_turned_up_lets_the_dealer_choose() -> None:
    """RULES 3 in the two-player game."""
    game = start("B5 G1", "B3 R1", turned="W", mode="two_player", dealer=0)
    assert game.to_act == (0,)
    assert hand(game, 0) == "B5 G1"
    assert choices(game) == "B G R Y"


@pytest.mark.parametrize("cards", ["J J", "W W"])
def test_two_equal_cards(cards: str) -> None:
    """RULES 5 in the two-player game: of two Wizards or two Jesters the first."""
    one = cards.split()[0]
    game = bid(start(one, one, turned="R13", mode="two_player"), 0, 0)
    assert play(game, cards).sheet[0].tricks[0].winner == 0

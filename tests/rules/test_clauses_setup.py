"""RULES 1 and 2: the cards, the length of the game, the dealer, what lies open on the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from foretold import DealError, FairDeals, Game, Phase, Rules, RulesError, Suit, Trump
from play import (
    SPECIALS,
    SUIT_CARDS,
    await_deals,
    bid,
    choices,
    deal_of,
    finish,
    play,
    round_of,
    start,
    winner,
)

# Section 1


def test_the_deck_has_60_cards_and_the_special_cards_chosen() -> None:
    """RULES 1: four suits of 13, four Wizards, four Jesters, and one of each special card."""
    expected = Counter({**dict.fromkeys(SUIT_CARDS, 1), "W": 4, "J": 4})
    assert Counter(card.code for card in Rules().deck) == expected
    with_specials = Counter(card.code for card in Rules(specials=SPECIALS).deck)
    assert with_specials == expected + Counter(SPECIALS)


@pytest.mark.parametrize(
    ("letter", "suit"),
    [("B", Suit.BLUE), ("G", Suit.GREEN), ("R", Suit.RED), ("Y", Suit.YELLOW)],
)
def test_a_letter_names_a_suit(letter: str, suit: Suit) -> None:
    """RULES 1: humans are blue B, elves green G, dwarves red R, giants yellow Y."""
    game = start(f"{letter}1", f"{letter}13", "J", turned=f"{letter}7")
    assert game.view(0).trump == Trump(suit)
    assert [card.suit for card in game.view(0).hand or ()] == [suit]


@pytest.mark.parametrize("value", range(1, 13))
def test_the_higher_number_is_the_stronger(value: int) -> None:
    """RULES 1: 13 is high and 1 is low."""
    assert winner(f"G{value} G{value + 1} J") == 1
    assert winner(f"G{value + 1} G{value} J") == 0


def test_a_wizard_beats_every_suit_card() -> None:
    """RULES 1: a Wizard beats every suit card, even a trump."""
    for card in SUIT_CARDS:
        assert winner(f"{card} W J", trump=card[0]) == 1, card


def test_a_jester_loses_to_every_suit_card() -> None:
    """RULES 1: a Jester loses to every suit card."""
    for card in SUIT_CARDS:
        assert winner(f"J {card} J") == 1, card


@pytest.mark.parametrize("card", ["W", "J"])
def test_wizards_and_jesters_are_interchangeable(card: str) -> None:
    """RULES 1: two Wizards (or Jesters) in a hand are one choice, and both can be played."""
    game = round_of(f"{card} {card}", "B1 B2", "G1 G2", turned="R1")
    assert choices(game) == card
    play(game, f"{card} B1 G1")
    game = game if card == "W" else play(game, "B2 G2")
    assert choices(game, 0) == card


@pytest.mark.parametrize("card", ["W", "J"])
def test_there_are_four_wizards_and_four_jesters(card: str) -> None:
    """RULES 1: four are possible, five are not."""
    start(f"{card} {card}", f"{card} {card}", "B1 B2", turned="B3")
    with pytest.raises(DealError, match=f"{card} is dealt 5 times"):
        start(f"{card} {card}", f"{card} {card}", "B1 B2", turned=card)


@pytest.mark.parametrize("card", ["B1", "Y13", *SPECIALS])
def test_of_every_other_card_there_is_one(card: str) -> None:
    """RULES 1: there is one of each suit card and special card."""
    with pytest.raises(DealError, match=f"{card} is dealt 2 times"):
        start(card, card, "B2")


def test_a_special_card_that_was_not_added_is_not_dealt() -> None:
    """RULES 6: the deck holds the special cards chosen, and no other."""
    with pytest.raises(DealError, match="CL is not in the deck"):
        start("CL", "B1", "B2", specials=["SH"])


# Section 2


@pytest.mark.parametrize("specials", [(), SPECIALS], ids=["plain", "specials"])
@pytest.mark.parametrize(("players", "last"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_round_k_deals_k_cards(players: int, last: int, specials: tuple[str, ...]) -> None:
    """RULES 2: round k deals k cards; the last is 60/n, with or without special cards."""
    game = finish(Game(Rules(players=players, specials=specials), seed=1))
    assert [line.size for line in game.sheet] == list(range(1, last + 1))
    assert [len(line.tricks) for line in game.sheet] == list(range(1, last + 1))


@pytest.mark.parametrize("players", [2, 7])
def test_the_standard_game_is_for_three_to_six(players: int) -> None:
    """RULES 2: 3 to 6 players (2 only in the two-player game)."""
    with pytest.raises(RulesError, match=f"players.* {players}"):
        Rules(players=players)


def test_every_player_is_dealt_the_same_number() -> None:
    """RULES 2: round k deals k cards to each player."""
    with pytest.raises(DealError, match="seat 1 is dealt 1 card in a round of 2"):
        start("B1 B2", "B3", "B4 B5")


@pytest.mark.parametrize("seat", range(4))
def test_the_first_dealer_is_named(seat: int) -> None:
    """RULES 2: `dealer_by` seat: named at set-up."""
    game = Game(Rules(dealer_by="seat"), seed=1, first_dealer=seat)
    assert game.view(0).dealer == seat


def test_the_first_dealer_is_random() -> None:
    """RULES 2: `dealer_by` random: every seat comes up."""
    dealers = {Game(Rules(dealer_by="random"), seed=seed).first_dealer for seed in range(40)}
    assert dealers == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(8))
def test_the_highest_card_deals_first(seed: int) -> None:
    """RULES 2: `dealer_by` high_card: Wizard high, Jester low; those tied draw again."""
    rules = Rules(players=6, dealer_by="high_card")
    set_up = FairDeals.from_seed(rules, seed).set_up(rules)
    drawing = list(range(6))
    for drawn in set_up.high_cards:
        assert [seat for seat, _ in drawn] == drawing
        ranks = {seat: {"W": 14, "J": 0}.get(card.code, card.value) for seat, card in drawn}
        best = max(rank for rank in ranks.values() if rank is not None)
        drawing = [seat for seat, rank in ranks.items() if rank == best]
    assert drawing == [set_up.first_dealer]
    assert Game(rules, seed=seed).first_dealer == set_up.first_dealer


def test_high_cards_are_drawn_from_the_60_cards() -> None:
    """RULES 2: each player draws one of the 60 cards, special cards are left out."""
    rules = Rules(players=6, dealer_by="high_card", specials=SPECIALS)
    draws = [FairDeals.from_seed(rules, seed).set_up(rules).high_cards for seed in range(60)]
    for rounds in draws:
        drawn = Counter(card for one in rounds for _, card in one)
        assert drawn <= Counter(Rules().deck)
    first_cards = {card.code for rounds in draws for _, card in rounds[0]}
    assert {"W", "J"} < first_cards
    assert any(len(rounds) > 1 for rounds in draws), "no tie was ever drawn"


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_deal_passes_left(players: int) -> None:
    """RULES 2: the deal passes left each round."""
    rules = Rules(players=players, rounds="1,1,1,1,1,1,1")
    game = finish(Game(rules, seed=2, first_dealer=1))
    assert [line.dealer for line in game.sheet] == [(1 + k) % players for k in range(7)]


def test_all_cards_are_shuffled_together_again() -> None:
    """RULES 2: a card of one round may come again in the next."""
    game = await_deals(players=3, rounds="1,1")
    for _ in range(2):
        game.deal(deal_of("B1", "B2", "B3", turned="R1"))
        finish(game)
    assert game.outcome()


def one_trick(game: Game, bids: tuple[int, ...]) -> Game:
    """A one-card round that the leader takes."""
    game.deal(deal_of("B13", "B2", "B3"))
    return finish(bid(game, *bids))


def test_the_most_points_win() -> None:
    """RULES 2: whoever has the most points after the last round wins."""
    game = one_trick(await_deals(players=3, rounds="1"), (1, 0, 1))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((30, 20, -10), (0,))


def test_equal_totals_share_the_win() -> None:
    """RULES 2: equal totals share the win."""
    game = one_trick(await_deals(players=3, rounds="1"), (0, 0, 0))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((-10, 20, 20), (1, 2))
    assert outcome.places == (3, 1, 1)


def test_there_is_no_winner_before_the_last_round() -> None:
    """RULES 2: ... after the last round."""
    game = one_trick(await_deals(players=3, rounds="1,1"), (1, 0, 1))
    assert game.outcome() is None
    assert game.phase is Phase.DEAL
    assert game.to_act == ()


@pytest.mark.parametrize(
    ("rounds", "sizes"),
    [
        ("all", list(range(1, 16))),
        ("1-10", list(range(1, 11))),
        ("1,3,5,7", [1, 3, 5, 7]),
        ("3-1,1-3", [3, 2, 1, 1, 2, 3]),
        ("1-15,14-1", [*range(1, 16), *range(14, 0, -1)]),
        ("2,2,2", [2, 2, 2]),
        ("15", [15]),
    ],
)
def test_rounds_lists_the_hand_sizes(rounds: str, sizes: list[int]) -> None:
    """RULES 2: `rounds` lists the sizes in order; repeats and descending order are fine."""
    game = finish(Game(Rules(players=4, rounds=rounds), seed=3))
    assert [line.size for line in game.sheet] == sizes


@pytest.mark.parametrize(
    ("options", "fits", "too_much"),
    [
        ({"players": 3}, "20", "21"),
        ({"players": 4}, "15", "16"),
        ({"players": 5}, "12", "13"),
        ({"players": 6}, "10", "11"),
        ({"players": 6, "specials": SPECIALS}, "10", "11"),
        ({"mode": "monocolour"}, "15", "16"),
        ({"mode": "two_player"}, "29", "30"),
        ({"mode": "two_player"}, "14,15", "15,15"),
        ({"mode": "two_player"}, "1-6,2-3", "1-6,2-3,1"),
    ],
)
def test_every_size_must_fit(options: dict[str, Any], fits: str, too_much: str) -> None:
    """RULES 2: standard 1 to 60/n, monocolour 1 to 15, two players 2 x sum + rounds <= 60."""
    finish(Game(Rules(rounds=fits, **options), seed=1))
    with pytest.raises(RulesError, match="rounds"):
        Rules(rounds=too_much, **options)


@pytest.mark.parametrize("bidding", ["open", "hidden"])
@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_bids_stay_in_sight(bidding: str, watcher: int | None) -> None:
    """RULES 2: all bids are known before the first card and stay in sight."""
    game = bid(start("B1 B2", "B3 B4", "B5 B6", bidding=bidding), 2, 0, 1)
    assert game.view(watcher).bids == (2, 0, 1)
    play(game, "B1 B3 B5 B6")
    assert game.view(watcher).bids == (2, 0, 1)


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_the_tricks_taken_are_always_visible(watcher: int | None) -> None:
    """RULES 2: the tricks taken by every player are always visible."""
    game = play(round_of("B1 B2", "B3 B4", "B5 B6"), "B1 B3 B5")
    assert game.view(watcher).taken == (0, 0, 1)


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_the_named_trump_is_shown_beside_the_turned_up_card(watcher: int | None) -> None:
    """RULES 2: the named trump is shown beside the turned-up card."""
    game = start("B1", "B3", "B5", turned="W")
    game.push("trump Y")
    view = game.view(watcher)
    assert (str(view.turned), view.trump) == ("W", Trump.YELLOW)


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_the_last_trick_may_be_looked_at(watcher: int | None) -> None:
    """RULES 2: of the tricks taken, the last one may be looked at."""
    game = play(round_of("B1 B2", "B3 B4", "B5 B6"), "B1 B3 B5")
    last = game.view(watcher).last_trick
    assert last is not None
    assert [play.object for play in last.plays] == ["B1", "B3", "B5"]
    assert last.winner == 2


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_the_last_trick_of_a_round_may_be_looked_at_until_there_is_another(
    watcher: int | None,
) -> None:
    """RULES 2: of the tricks taken, the last one may be looked at."""
    game = Game(Rules(players=3, rounds="1,1"), seed=1)
    assert game.view(watcher).last_trick is None
    while not game.sheet:
        game.push(next(iter(game.legal_actions())))
    assert game.view(watcher).tricks == ()
    assert game.view(watcher).last_trick == game.sheet[0].tricks[0]


def test_a_replay_shows_all_tricks() -> None:
    """RULES 2: a replay shows all tricks."""
    game = play(round_of("B1 B2", "B3 B4", "B5 B6"), "B1 B3 B5 B6 B2 B4")
    assert [[play.object for play in trick.plays] for trick in game.sheet[0].tricks] == [
        ["B1", "B3", "B5"],
        ["B6", "B2", "B4"],
    ]

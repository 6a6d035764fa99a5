"""RULES 3: the turned-up card, trump, and the Werewolf in a hand."""

from __future__ import annotations

import pytest

from foretold import DealError, Game, IllegalActionError, Phase, Trump, WrongMomentError
from play import SUIT_CARDS, bid, choices, deal_of, finish, hand, play, rules_for, start

DEALER_CHOOSES = ["W", "DR", "SH", "JU", "CL", "WE"]
NO_TRUMP = ["J", "FA", "BO"]


def test_a_suit_card_makes_its_suit_trump() -> None:
    """RULES 3: a suit card turned up: its suit; nobody is asked."""
    for turned in set(SUIT_CARDS) - {"B1", "B2", "B3"}:
        game = start("B1", "B2", "B3", turned=turned)
        assert game.phase is Phase.BID
        trump = game.view(0).trump
        assert trump is not None
        assert trump.code == turned[0]


@pytest.mark.parametrize("turned", NO_TRUMP)
def test_jester_fairy_and_bomb_mean_no_trump(turned: str) -> None:
    """RULES 3: Jester, Fairy or Bomb turned up: none; nobody is asked."""
    game = start("B1", "B2", "B3", turned=turned)
    assert game.phase is Phase.BID
    assert game.view(0).trump is Trump.NONE


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("turned", DEALER_CHOOSES)
def test_the_dealer_names_a_suit(turned: str, dealer: int) -> None:
    """RULES 3: a Wizard turned up, or a special card like it: the dealer names a suit."""
    game = start("B1", "B2", "B3", turned=turned, dealer=dealer)
    assert (game.phase, game.to_act) == (Phase.TRUMP, (dealer,))
    assert choices(game) == "B G R Y"
    assert game.view(0).trump is None
    game.push("trump G")
    assert game.view(0).trump is Trump.GREEN
    assert game.phase is Phase.BID


@pytest.mark.parametrize("turned", DEALER_CHOOSES)
def test_the_dealer_may_not_name_none(turned: str) -> None:
    """RULES 3: ... not "none"."""
    game = start("B1", "B2", "B3", turned=turned)
    with pytest.raises(IllegalActionError, match="only the holder of the Werewolf"):
        game.push("trump none")


@pytest.mark.parametrize("suit", ["B", "G", "R", "Y"])
def test_the_suit_named_is_trump(suit: str) -> None:
    """RULES 3: each of the four suits can be named, and then beats the others."""
    others = [other for other in "BGRY" if other != suit]
    game = start(f"{others[0]}13", f"{suit}1", f"{others[1]}13", turned="W")
    game.push(f"trump {suit}")
    play(bid(game, 0, 0, 0), f"{others[0]}13 {suit}1 {others[1]}13")
    assert game.sheet[0].tricks[0].winner == 1


def test_the_dealer_looks_at_the_hand_first() -> None:
    """RULES 3: ... after looking at their hand."""
    game = start("B1 B2", "B3 B4", "B5 B6", turned="W")
    assert hand(game, 2) == "B5 B6"


def test_under_clairvoyance_the_dealer_names_trump_unseen() -> None:
    """RULES 3: under clairvoyance, without seeing it."""
    game = start("B1", "B2", "B3", turned="W", clairvoyance="first_round")
    assert game.to_act == (2,)
    assert hand(game, 2) is None


def test_the_last_round_without_special_cards_has_no_trump() -> None:
    """RULES 3: no card left: none."""
    pack = [*SUIT_CARDS, *["W"] * 4, *["J"] * 4]
    game = start(*(" ".join(pack[seat::6]) for seat in range(6)), turned=None)
    assert game.phase is Phase.BID
    assert game.view(0).trump is Trump.NONE
    assert game.view(0).turned is None


def test_with_a_special_card_the_last_round_has_a_turned_up_card() -> None:
    """RULES 3: no card is left only if there are no special cards."""
    pack = [*SUIT_CARDS, *["W"] * 4, *["J"] * 4]
    hands = [" ".join(pack[seat::6]) for seat in range(6)]
    game = start(*hands, turned="SH")
    assert (game.phase, game.to_act) == (Phase.TRUMP, (5,))
    with pytest.raises(DealError, match="no card is turned up, but there are cards left"):
        start(*hands, turned=None, specials=["SH"])


def test_a_card_must_be_turned_up() -> None:
    """RULES 3: after the deal the top card of the stock is turned up."""
    with pytest.raises(DealError, match="no card is turned up, but there are cards left"):
        start("B1", "B2", "B3", turned=None)


@pytest.mark.parametrize("turned", ["R8", "J", "W", "FA", "BO", "DR", "SH", "JU", "CL"])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_the_werewolf_is_swapped_for_the_turned_up_card(holder: int, turned: str) -> None:
    """RULES 3: its holder swaps it for the turned-up card, whatever that is."""
    hands = ["B1 B2", "B3 B4", "B5 B6"]
    hands[holder] = hands[holder].split()[0] + " WE"
    game = start(*hands, turned=turned)
    assert hand(game, holder) == f"{hands[holder].split()[0]} {turned}"


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
def test_the_swap_is_open(watcher: int | None) -> None:
    """RULES 3: ... openly: all see who took which card."""
    view = start("B1 B2", "B3 WE", "B5 B6", turned="R8").view(watcher)
    assert (view.werewolf, str(view.turned)) == (1, "R8")


@pytest.mark.parametrize("turned", ["R8", "J", "W", "FA", "BO", "DR", "SH", "JU", "CL"])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_the_holder_of_the_werewolf_names_a_suit_or_none(holder: int, turned: str) -> None:
    """RULES 3: then names a suit or none, whatever was turned up; the dealer does not choose."""
    hands = ["B1", "B3", "B5"]
    hands[holder] = "WE"
    game = start(*hands, turned=turned)
    assert (game.phase, game.to_act) == (Phase.TRUMP, (holder,))
    assert choices(game) == "B G R Y none"
    game.push("trump none")
    assert game.view(0).trump is Trump.NONE
    assert game.phase is Phase.BID


def test_the_dealer_does_not_also_choose() -> None:
    """RULES 3: the Werewolf replaces what a turned-up Wizard would have done."""
    game = start("WE", "B3", "B5", turned="W")
    with pytest.raises(WrongMomentError, match="it is seat 0's turn"):
        game.push("trump R", 2)
    game.push("trump R")
    assert game.phase is Phase.BID


def test_the_turned_up_suit_is_not_trump_once_the_werewolf_was_swapped() -> None:
    """RULES 3: the Werewolf replaces what a suit card would have done."""
    game = start("WE", "B3", "Y1", turned="R8")
    assert game.view(0).trump is None
    game.push("trump Y")
    play(bid(game, 0, 0, 0), "R8 B3 Y1")
    assert game.sheet[0].tricks[0].winner == 2


@pytest.mark.parametrize("hands", [("B1", "B2", "B3"), ("B1", "WE", "B3")], ids=["dealer", "wolf"])
def test_trump_comes_before_the_first_bid(hands: tuple[str, str, str]) -> None:
    """RULES 3: all of this happens before the first bid, which stays left of the dealer."""
    game = start(*hands, turned="W")
    with pytest.raises(WrongMomentError):
        game.push("bid 0", 0)
    game.push("trump R")
    assert (game.phase, game.to_act) == (Phase.BID, (0,))


def test_the_werewolf_is_gone_in_the_next_round() -> None:
    """RULES 3: the swap belongs to one round."""
    first, second = deal_of("WE", "B2", "B3"), deal_of("B1", "B2", "B3", turned="R1")
    game = Game(rules_for(first, rounds="1,1"), deals=(first, second))
    while len(game.sheet) < 1:
        game.push(next(iter(game.legal_actions())))
    assert game.view(0).werewolf is None
    assert game.view(0).trump is Trump.RED
    assert finish(game).outcome()

"""RULES 5: who leads, what may be played, who wins."""

from __future__ import annotations

from typing import Any

import pytest

from foretold import Game, IllegalActionError, WrongMomentError
from play import choices, next_leader, play, round_of, start, trick, winner

JUGGLER = "JU=B JU=G JU=R JU=Y"
CLOUD = "CL=B CL=G CL=R CL=Y"
BINDING: dict[str, Any] = {"suit_after_wizard": "binding"}
DARK: dict[str, Any] = {"dark_wizard": True}


def facing(played: str, held: str, **options: Any) -> Game:
    """A round in which these cards lie in the trick and the next seat holds this hand.

    The other cards dealt are yellow, so no yellow card may be led here.
    """
    before, size = played.split(), len(held.split())
    filler = (f"Y{value}" for value in range(1, 13))
    hands = [[card.partition("=")[0]] for card in before]
    for one in hands:
        one.extend(next(filler) for _ in range(size - 1))
    hands.append(held.split())
    while len(hands) < 3:
        hands.append([next(filler) for _ in range(size)])
    return play(round_of(*map(" ".join, hands), turned="Y13", **options), played)


# Leading


@pytest.mark.parametrize("dealer", range(3))
def test_left_of_the_dealer_leads(dealer: int) -> None:
    """RULES 5: the player left of the dealer leads the first trick, the others follow clockwise."""
    game = start("B1", "B2", "B3", dealer=dealer)
    for _ in range(3):
        game.push("bid 0")
    order = [(dealer + 1 + k) % 3 for k in range(3)]
    for seat in order:
        assert game.to_act == (seat,)
        game.push(next(iter(game.legal_actions())))
    assert game.sheet[0].tricks[0].leader == order[0]


def test_the_winner_leads_the_next_trick() -> None:
    """RULES 5: the winner of a trick leads the next."""
    game = play(round_of("B1 B2", "B3 B4", "B5 B6"), "B1 B3 B5")
    assert game.to_act == (2,)
    assert game.view(0).trick is not None
    play(game, "B6 B2 B4")
    assert [one.leader for one in game.sheet[0].tricks] == [0, 2]


def test_only_the_seat_on_turn_plays() -> None:
    """RULES 5: one after another."""
    with pytest.raises(WrongMomentError, match="it is seat 0's turn"):
        round_of("B1", "B3", "B5").push("play B3", 1)


def test_nobody_plays_a_card_not_held() -> None:
    """RULES 5: a player plays a card from their own hand."""
    with pytest.raises(IllegalActionError, match="does not hold B9"):
        round_of("B1", "B3", "B5").push("play B9")


# What may be played


@pytest.mark.parametrize(
    ("played", "held", "may_play"),
    [
        # a leader is free
        ("", "B5 G3 W J", "B5 G3 W J"),
        ("", "DR FA BO SH", "DR FA BO SH=W SH=J"),
        ("", "JU CL", f"{JUGGLER} {CLOUD}"),
        # a suit card sets the suit
        ("B5", "B1 B9 G3", "B1 B9"),
        ("B5", "G3 R2", "G3 R2"),
        ("R5", "B1 R9 G3", "R9"),
        # Juggler and Cloud set their announced suit
        ("JU=R", "R1 G3", "R1"),
        ("CL=G", "R1 G3", "G3"),
        ("J JU=R", "R1 G3", "R1"),
        ("FA CL=G", "R1 G3", "G3"),
        # Jester-like cards before it set nothing
        ("J", "B1 G3", "B1 G3"),
        ("FA", "B1 G3", "B1 G3"),
        ("BO", "B1 G3", "B1 G3"),
        ("SH=J", "B1 G3", "B1 G3"),
        ("J J", "B1 G3", "B1 G3"),
        ("J B5", "B1 G3", "B1"),
        ("FA B5", "B1 G3", "B1"),
        ("BO B5", "B1 G3", "B1"),
        ("SH=J B5", "B1 G3", "B1"),
        ("J FA BO SH=J B5", "B1 G3", "B1"),
        # a Wizard-like card before any suit: no suit to follow
        ("W", "B1 G3", "B1 G3"),
        ("DR", "B1 G3", "B1 G3"),
        ("SH=W", "B1 G3", "B1 G3"),
        ("W B5", "B1 G3", "B1 G3"),
        ("DR B5", "B1 G3", "B1 G3"),
        ("SH=W B5", "B1 G3", "B1 G3"),
        ("W JU=B", "B1 G3", "B1 G3"),
        ("J W B5", "B1 G3", "B1 G3"),
        ("FA W B5", "B1 G3", "B1 G3"),
        ("BO DR B5", "B1 G3", "B1 G3"),
        ("SH=J W B5", "B1 G3", "B1 G3"),
        ("J SH=W B5", "B1 G3", "B1 G3"),
        ("W B5 G9", "B1 G3", "B1 G3"),
        # once set, it never changes
        ("B5 G9", "B1 G3", "B1"),
        ("B5 W", "B1 G3", "B1"),
        ("B5 DR", "B1 G3", "B1"),
        ("B5 SH=W G9", "B1 G3", "B1"),
        ("B5 JU=G", "B1 G3", "B1"),
        ("JU=B CL=G", "B1 G3", "B1"),
        ("B5 J G9", "B1 G3", "B1"),
        # settled: blue must be followed
        ("FA B5 DR", "B1 G3", "B1"),
    ],
)
def test_the_suit_to_follow(played: str, held: str, may_play: str) -> None:
    """RULES 5: the first card that has a suit sets it, unless a Wizard-like card came before."""
    assert choices(facing(played, held)) == may_play


@pytest.mark.parametrize("card", ["W", "J", "DR", "FA", "BO", "SH", "JU", "CL"])
def test_a_card_that_is_no_suit_card_may_always_be_played(card: str) -> None:
    """RULES 5: Wizards, Jesters and special cards may always be played."""
    ways = {"SH": "SH=W SH=J", "JU": JUGGLER, "CL": CLOUD}.get(card, card)
    assert choices(facing("B5", f"B1 G3 {card}")) == f"B1 {ways}"


@pytest.mark.parametrize("card", ["W", "J", "DR", "FA", "BO", "SH", "JU", "CL"])
def test_a_card_that_is_no_suit_card_need_not_be_played(card: str) -> None:
    """RULES 5: only a suit card obliges: without one of the suit, any card may be played."""
    ways = {"SH": "SH=W SH=J", "JU": JUGGLER, "CL": CLOUD}.get(card, card)
    assert choices(facing("B5", f"G3 R2 {card}")) == f"G3 R2 {ways}"


def test_nobody_has_to_trump() -> None:
    """RULES 5: a player who cannot follow may play any card, trump (yellow here) or not."""
    assert choices(facing("B5", "G3 Y12")) == "G3 Y12"


def test_a_revoke_is_refused_with_its_reason() -> None:
    """RULES 5: a player who holds a suit card of the suit to follow must play one."""
    with pytest.raises(IllegalActionError) as refused:
        facing("R5", "B1 R4").push("play B1")
    assert str(refused.value) == "seat 1 may not play B1: it holds R4 and must follow red"
    assert refused.value.reason == "you hold R4 and must follow red"


def test_a_card_played_is_gone() -> None:
    """RULES 5: with the last card of the suit gone, the player is free."""
    game = play(round_of("B5 B6", "B1 G3", "R1 R2"), "B5 B1 R1 B6")
    assert choices(game) == "G3"


# Who wins


@pytest.mark.parametrize(
    ("cards", "trump", "best"),
    [
        # 1. Dragon and Fairy: the Fairy
        ("DR FA B5", None, 1),
        ("FA DR B5", None, 0),
        ("W DR FA", "R", 2),
        ("FA W SH=W DR", None, 0),
        ("R13 FA DR", "R", 1),
        # settled: the Fairy wins
        ("FA B5 DR", None, 0),
        # 2. the Dragon
        ("B5 W DR", None, 2),
        ("DR W SH=W", None, 0),
        ("SH=W DR W", None, 1),
        ("R13 DR J", "R", 1),
        # 3. the first Wizard-like card
        ("W W W", None, 0),
        ("B5 W W", None, 1),
        ("SH=W W B1", None, 0),
        ("W SH=W B1", None, 0),
        ("R13 SH=W W", "R", 1),
        ("J W B13", None, 1),
        ("FA W B13", None, 1),
        ("W R13 R12", "R", 0),
        # 4. the highest trump
        ("B13 R1 B12", "R", 1),
        ("B13 R1 R2", "R", 2),
        ("R9 R13 B13", "R", 1),
        ("J B13 R1", "R", 2),
        ("B13 J R1", "R", 2),
        ("B13 JU=R CL=R", "R", 2),
        ("B13 R8 JU=R", "R", 1),
        ("B13 JU=R R7", "R", 1),
        ("B13 R10 CL=R", "R", 1),
        ("B13 CL=R R9", "R", 1),
        ("Y13 B1 G13", "B", 1),
        ("B13 G1 Y13", "G", 1),
        ("B13 Y1 G13", "Y", 1),
        # 5. the highest card of the suit to follow
        ("B5 G13 B6", None, 2),
        ("B5 G13 Y13", "R", 0),
        ("J B2 G13", None, 1),
        ("FA B2 G13", None, 1),
        ("SH=J B2 G13", None, 1),
        ("J J B2 G13", None, 2),
        ("JU=B B7 G13", None, 0),
        ("JU=B B8 G13", None, 1),
        ("CL=B B9 G13", None, 0),
        ("CL=B B10 G13", None, 1),
        ("B5 JU=G CL=Y", None, 0),
        ("B5 FA J", None, 0),
        # 6. only Jester-like cards: the first Jester
        ("J J J", None, 0),
        ("J J J J", "R", 0),
        ("SH=J J J", None, 0),
        ("J SH=J J", None, 0),
        ("FA J J", None, 1),
        ("FA SH=J J", None, 1),
        ("FA J SH=J", None, 1),
    ],
)
def test_who_wins(cards: str, trump: str | None, best: int) -> None:
    """RULES 5: who wins, lines 1 to 6."""
    assert winner(cards, trump) == best


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("W W B1", 1),
        ("W B1 W", 2),
        ("W SH=W B1", 1),
        ("SH=W W B1", 1),
        ("W W W W SH=W B1", 4),
        ("W B1 B2", 0),
        ("B1 W B2", 1),
        ("SH=W B1 J", 0),
        # the other lines apply as usual
        ("DR W W", 0),
        ("W FA DR", 1),
        ("B2 B3 B1", 1),
        ("J J J", 0),
    ],
)
def test_the_dark_wizard(cards: str, best: int) -> None:
    """RULES 5: line 3, `dark_wizard`: the last Wizard-like card."""
    assert winner(cards, **DARK) == best


@pytest.mark.parametrize(
    ("cards", "leads"),
    [
        ("BO J J", 1),
        ("BO SH=J J", 1),
        ("FA BO J", 2),
        ("BO FA SH=J", 2),
        ("J BO J", 0),
    ],
)
def test_a_bomb_never_wins_an_all_jester_trick(cards: str, leads: int) -> None:
    """RULES 5: line 6: the first Jester, never Fairy or Bomb."""
    assert winner(cards) is None
    assert next_leader(cards) == leads


@pytest.mark.parametrize(
    "cards", ["DR FA BO", "DR BO FA", "FA DR BO", "FA BO DR", "BO DR FA", "BO FA DR"]
)
def test_dragon_fairy_and_bomb_together(cards: str) -> None:
    """RULES 5, settled: nobody takes the trick, and the Fairy's player leads."""
    assert winner(cards) is None
    assert next_leader(cards) == cards.split().index("FA")


# House option


@pytest.mark.parametrize(
    ("played", "held", "may_play"),
    [
        ("W B5", "B1 G3", "B1"),
        ("DR B5", "B1 G3", "B1"),
        ("SH=W B5", "B1 G3", "B1"),
        ("W W B5", "B1 G3", "B1"),
        ("W J B5", "B1 G3", "B1"),
        ("W FA B5 G9", "B1 G3", "B1"),
        ("W JU=G", "B1 G3", "G3"),
        ("W CL=G", "B1 G3", "G3"),
        # nothing set yet
        ("W", "B1 G3", "B1 G3"),
        ("W J", "B1 G3", "B1 G3"),
        # the first card is not Wizard-like
        ("J W B5", "B1 G3", "B1 G3"),
        ("FA DR B5", "B1 G3", "B1 G3"),
        ("SH=J W B5", "B1 G3", "B1 G3"),
        ("B5 W G9", "B1 G3", "B1"),
    ],
)
def test_a_suit_after_a_leading_wizard_may_be_binding(
    played: str, held: str, may_play: str
) -> None:
    """RULES 5: `suit_after_wizard` binding: the first card that has a suit still sets it."""
    assert choices(facing(played, held, **BINDING)) == may_play


@pytest.mark.parametrize(("cards", "best"), [("W B13 B12", 0), ("DR B13 W", 0), ("J W B13", 1)])
def test_binding_does_not_change_who_wins(cards: str, best: int) -> None:
    """RULES 5: `suit_after_wizard` is about what may be played."""
    assert winner(cards, **BINDING) == best


def test_free_is_the_default() -> None:
    """RULES 5: `suit_after_wizard` is free by default."""
    assert choices(facing("W B5", "B1 G3", suit_after_wizard="free")) == "B1 G3"
    assert choices(facing("W B5", "B1 G3")) == "B1 G3"


@pytest.mark.parametrize("leader", range(6))
def test_the_place_of_the_winner_is_counted_from_the_leader(leader: int) -> None:
    """RULES 5: the card wins wherever its player sits."""
    hands = ["B1", "B2", "B3", "B4", "B5", "B6"]
    game = start(*hands, dealer=leader - 1)
    for _ in hands:
        game.push("bid 0")
    for seat in range(leader, leader + 6):
        game.push(f"play {hands[seat % 6]}")
    assert game.sheet[0].tricks[0].winner == 5


def test_a_trick_under_way_has_no_winner() -> None:
    """RULES 5: a trick is decided by its last card."""
    view = facing("W B5", "B1 G3").view(0)
    assert view.tricks == ()
    assert view.trick is not None
    assert [one.object for one in view.trick.plays] == ["W", "B5"]
    assert trick("W B5 B1").winner == 0

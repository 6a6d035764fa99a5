"""The lessons: their cards suit what they teach, and each can be played to the end."""

from __future__ import annotations

from random import Random

import pytest

from foretold.cards import Card
from foretold.deal import Deal
from foretold.game import Game
from foretold.kernel import Phase
from foretold.table import Logged, Refused, Table
from foretold.table.entries import BotSeat, Dealt, PlayerSeat, Started
from foretold.table.lessons import LESSONS, lesson_table


def table_of(lesson: str) -> Table:
    log = [Logged(1, 0, lesson_table("p0", "Ana", lesson)), Logged(2, 0, Started())]
    return Table.replayed("KQXMRP", [*log, Logged(3, 0, Dealt())])


def game_of(lesson: str) -> Game:
    game = table_of(lesson).game
    assert game is not None
    return game


def first_deal(lesson: str) -> Deal:
    return game_of(lesson).position.logs[0].deal


def pupil(lesson: str) -> list[str]:
    return [card.code for card in first_deal(lesson).hands[0]]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_a_game_that_begins_at_once_and_can_be_played(lesson: str) -> None:
    table = table_of(lesson)
    assert table.lesson == lesson
    assert isinstance(table.seats[0], PlayerSeat)
    assert all(isinstance(seat, BotSeat) for seat in table.seats[1:])
    game = game_of(lesson)
    chance = Random(1)
    while not game.outcome():
        game.push(chance.choice(tuple(game.legal_actions())))


def test_the_first_lessons_have_the_cards_they_talk_about() -> None:
    assert first_deal("tricks").turned == Card("J")
    assert all(Card(code).suit is not None for code in pupil("tricks"))
    trump = first_deal("trump").turned
    assert trump is not None
    assert [Card(code).suit for code in pupil("trump")].count(trump.suit) == 1
    assert {"W", "J"} <= set(pupil("wizards"))
    assert len(LESSONS["first_game"].rules.sizes) == 3


@pytest.mark.parametrize(
    ("lesson", "card"),
    [
        ("shapeshifter", "SH"),
        ("dragon", "DR"),
        ("fairy", "FA"),
        ("bomb", "BO"),
        ("werewolf", "WE"),
        ("juggler", "JU"),
        ("cloud", "CL"),
        ("dark_wizard", "W"),
        ("monocolour", "W"),
    ],
)
def test_the_pupil_holds_the_card_of_the_lesson(lesson: str, card: str) -> None:
    assert card in pupil(lesson)


def test_the_fairy_has_her_dragon_and_the_dragon_no_fairy() -> None:
    hands = [card.code for hand in first_deal("fairy").hands[1:] for card in hand]
    assert "DR" in hands
    assert "FA" not in [card.code for hand in first_deal("dragon").hands for card in hand]


def test_the_pupil_with_the_werewolf_names_trump_first() -> None:
    game = game_of("werewolf")
    assert game.phase is Phase.TRUMP
    assert game.to_act == (0,)


def test_the_pupil_leads_and_may_not_make_the_bids_add_up() -> None:
    game = game_of("leader_uneven")
    assert game.to_act == (0,)
    for action in ("bid 1", "bid 0", "bid 0"):
        game.push(action)
    while game.view(0).round == 1:
        game.push(next(iter(game.legal_actions())))
    assert game.totals == (30, 20, 20)
    for action in ("bid 1", "bid 0"):
        game.push(action)
    assert game.to_act == (0,)
    assert "bid 2" not in map(str, game.legal_actions())
    assert {"R12", "R13"} <= {card.code for card in game.view(0).hand or ()}


def test_there_is_no_other_lesson() -> None:
    with pytest.raises(Refused):
        lesson_table("p0", "Ana", "poker")

"""A played card is told in the same bytes whether they are written directly or found by comparing.

`test_views` compares what is sent with views that are built anew from the log.
"""

from __future__ import annotations

from random import Random

import pytest

from foretold.game import Game
from foretold.rules import Rules
from foretold.table.plays import Plays, is_only_a_card
from foretold.table.views import compared
from table.test_views import EVERY_MODE

WITHOUT = ("monocolour", "monocolour, secret")
"""The modes in which a card tells more than itself."""


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_a_card_is_told_in_the_same_bytes_as_by_comparing(mode: str) -> None:
    rules, chance = EVERY_MODE[mode], Random(mode)
    told = sum(play_and_compare(rules, chance, seed) for seed in range(4))
    assert mode in WITHOUT or told > 20


def play_and_compare(rules: Rules, chance: Random, seed: int) -> int:
    """Play a game; returns how many cards were told directly."""
    game, told, turn = Game(rules, seed=seed), 0, 1
    plays = Plays()
    viewers = {None, *range(rules.players)}
    while not game.outcome():
        before, turn = game.position, turn + 1
        seat = chance.choice(game.to_act)
        game.push(chance.choice(tuple(game.legal_actions(seat))), seat)
        now = game.position
        if is_only_a_card(before, now):
            told += 1
            some = {viewer for viewer in viewers if chance.random() < 0.8}
            direct = plays.news(before, now, turn, some)
            assert direct == compared(before, now, turn - 1, turn, some)
    return told

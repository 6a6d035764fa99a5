"""Whole games in the terminal, played with keys only."""

from __future__ import annotations

import pytest

from foretold import EDITIONS, Rules
from foretold.actions import Verb
from foretold.kernel import Phase
from foretold.tui.pages import EndPage
from foretold.tui.setting import Setting
from foretold.tui.telling import YOU
from tui.keyboard import Keyboard, decisions, on_screen, over, seed_where

SHORT = {
    "base": Rules(players=4, rounds="1-3"),
    "uneven": Rules(players=3, rounds="1-3", bid_rule="plus_minus_one"),
    "hidden": Rules(players=3, rounds="1,2", bidding="hidden"),
    "secret": Rules(players=5, rounds="1,2", bidding="secret"),
    "clairvoyance": Rules(players=3, rounds="1,3", clairvoyance="every_round"),
    "monocolour": Rules(players=3, mode="monocolour", rounds="4"),
    "two players": Rules(mode="two_player", rounds="2,3"),
    "six": Rules(players=6, rounds="2"),
}


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_keyboard(name: str) -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(over)
        await keys.press("enter")
        assert keys.is_at(EndPage)
        assert "points" in keys.screen_text()

    app = on_screen(Setting(SHORT[name], seed=7), steps)
    assert app.session.game.outcome() is not None


@pytest.mark.parametrize(
    "wanted",
    [(Verb.TRUMP, False), (Verb.PLAY, True), (Verb.PASS, False), (Verb.CLOUD, False)],
    ids=["trump", "announcement", "pass", "cloud"],
)
def test_every_decision_of_the_special_cards(wanted: tuple[Verb, bool]) -> None:
    rules = EDITIONS["anniversary"].rules(players=4, rounds="4")
    seed = seed_where(rules, lambda game: wanted in decisions(game))

    async def steps(keys: Keyboard) -> None:
        await keys.play(over)

    app = on_screen(Setting(rules, seed=seed), steps)
    assert wanted in decisions(app.session.game)


def test_the_werewolf_may_name_no_trump() -> None:
    rules = EDITIONS["anniversary"].rules(players=3, rounds="4")
    seed = seed_where(rules, lambda game: game.position.werewolf == YOU)

    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.phase is Phase.TRUMP)
        assert "no trump" in keys.screen_text()
        assert "You swap the Werewolf" in keys.screen_text()
        await keys.press("end", "enter")
        await keys.settle()
        assert str(keys.view.trump) == "no trump"

    on_screen(Setting(rules, seed=seed), steps)


def test_a_large_screen_keeps_the_tablet_open() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.round == 2 and view.phase is Phase.PLAY)
        assert "Tablet of Truth" in keys.screen_text()
        await keys.play(over)

    on_screen(Setting(Rules(rounds="1-2"), seed=3), steps, size=(120, 40))

"""What the terminal screen shows, and what keys and clicks do."""

from __future__ import annotations

import random
from itertools import product

import pytest

from foretold import EDITIONS, Game, Rules
from foretold.kernel import Phase
from foretold.tui.cardface import LARGE, SMALL
from foretold.tui.choices import choices_of
from foretold.tui.hand import Fan
from foretold.tui.pages import EndPage, LeavePage
from foretold.tui.setting import Setting
from foretold.tui.telling import YOU
from foretold.view import View
from tui.keyboard import Keyboard, on_screen, over


def test_twenty_cards_and_bids_fit() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        text = keys.screen_text()
        for card in keys.view.hand or ():
            assert card.code[0] in text
        assert " 18 19 20 " in text
        await keys.press("2", "0")
        assert "[20]" in keys.screen_text()
        assert "Enter bids 20" in keys.screen_text()

    on_screen(Setting(Rules(players=3, rounds="20"), seed=2), steps)


def test_the_largest_bid_of_all_can_be_seen() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        await keys.press("end")
        assert "[29]" in keys.screen_text()
        await keys.press("enter")
        assert keys.view.bids[YOU] == 29

    on_screen(Setting(Rules(mode="two_player", rounds="29"), seed=2), steps)


@pytest.mark.parametrize("width", [80, 100])
def test_a_fan_of_any_hand_fits(width: int) -> None:
    for count, height in product(range(1, 30), (6, 9)):
        fan = Fan.of(count, width, height)
        assert fan.start + fan.step * (count - 1) + fan.size.width <= width
        assert fan.step >= 2 or count > 20
        assert [fan.at(fan.start + index * fan.step) for index in range(count)] == [*range(count)]
        assert fan.size in (SMALL, LARGE)


def test_a_refused_card_says_why_and_is_not_played() -> None:
    def refuses(view: View) -> bool:
        return (
            view.phase is Phase.PLAY
            and YOU in view.to_act
            and any(not choice.is_legal for choice in choices_of(view))
        )

    async def steps(keys: Keyboard) -> None:
        await keys.play(refuses)
        barred = [index for index, one in enumerate(choices_of(keys.view)) if not one.is_legal]
        await keys.press("home", *["right"] * barred[0])
        assert "and must follow" in keys.screen_text()
        before = keys.view
        await keys.press("enter")
        assert keys.view == before
        assert "and must follow" in keys.screen_text()

    on_screen(Setting(Rules(rounds="12"), seed=2), steps)


def test_the_forbidden_bid_is_struck_out_and_explained() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(
            lambda view: (
                view.phase is Phase.BID
                and YOU in view.to_act
                and len(view.legal_actions) == view.size
            )
        )
        choices = choices_of(keys.view)
        (forbidden,) = [choice for choice in choices if not choice.is_legal]
        assert f"({forbidden.label})" in keys.screen_text()
        assert "may not add up to" in keys.screen_text()
        await keys.press(forbidden.label, "enter")
        assert keys.session.is_your_turn
        assert "may not add up to" in keys.screen_text()

    rules = Rules(players=3, rounds="3-8", bid_rule="plus_minus_one")
    on_screen(Setting(rules, seed=1), steps)


def test_bids_that_are_hidden_stay_sealed() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        assert keys.screen_text().count("bid sealed") == 2
        await keys.press("1", "enter")
        await keys.settle()
        assert "Bids: You 1" in keys.screen_text() or keys.view.tricks or keys.view.trick
        assert "sealed" not in keys.screen_text()

    on_screen(Setting(Rules(players=3, rounds="3", bidding="hidden"), seed=1), steps)


def test_secret_bids_stay_sealed_until_the_round_is_over() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.phase is Phase.PLAY)
        assert keys.screen_text().count("· sealed") == 2
        assert "bids sealed" in keys.screen_text()
        await keys.play(over)
        assert "sealed" not in keys.screen_text()

    on_screen(Setting(Rules(players=3, rounds="2", bidding="secret"), seed=1), steps)


def test_clairvoyance_shows_all_hands_but_your_own() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        assert keys.view.hand is None
        text = keys.screen_text()
        assert "every hand but your own" in text
        assert "░░" in text
        await keys.press("1", "enter")
        await keys.settle()
        assert "░░" not in keys.screen_text()

    rules = Rules(players=3, rounds="20", clairvoyance="every_round")
    on_screen(Setting(rules, seed=1), steps)


def test_bids_of_two_digits_and_what_is_too_large() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        await keys.press("1", "2")
        assert "[12]" in keys.screen_text()
        await keys.press("9")
        assert "[9]" in keys.screen_text()
        await keys.press("escape")
        assert "[" not in keys.screen_text()
        await keys.press("enter")  # with nothing chosen it only chooses, and does not bid
        assert "[0]" in keys.screen_text()
        assert keys.session.is_your_turn

    on_screen(Setting(Rules(players=3, rounds="15"), seed=1), steps)

    async def small(keys: Keyboard) -> None:
        await keys.settle()
        await keys.press("9")
        assert "a bid in this round is 0 to 2" in keys.screen_text().replace("A bid", "a bid")

    on_screen(Setting(Rules(players=3, rounds="2"), seed=1), small)


def test_a_card_can_be_clicked() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.phase is Phase.PLAY and YOU in view.to_act)
        hand = keys.view.hand or ()
        await keys.pilot.click("#hand", offset=(39, 3))
        assert keys.table.chosen == 0
        await keys.pilot.click("#hand", offset=(39, 3))
        await keys.settle()
        assert keys.view.hand != hand

    on_screen(Setting(Rules(rounds="1"), seed=1), steps)


def test_a_small_window_says_so_and_a_larger_one_goes_on() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        await keys.pilot.resize_terminal(60, 20)
        await keys.pilot.pause()
        assert "needs 80 by 24" in keys.screen_text()
        await keys.pilot.resize_terminal(100, 30)
        await keys.pilot.pause()
        assert "Your bid" in keys.screen_text()

    on_screen(Setting(Rules(rounds="1"), seed=1), steps)


KEYS = (
    *("left", "right", "home", "end", "enter", "enter", "enter", "space", "escape"),
    *("0", "1", "2", "9", "t", "l", "h", "r", "question_mark", "plus", "minus", "d", "q", "n"),
    *("b", "w", "up", "down", "tab", "x"),
)


@pytest.mark.parametrize("seed", range(2))
def test_any_keys_in_any_order_do_no_harm(seed: int) -> None:
    """Whatever is pressed, the game can still be replayed from its record."""
    chance = random.Random(seed)
    rules = EDITIONS["anniversary"].rules(players=3, rounds="2,5")

    async def steps(keys: Keyboard) -> None:
        for _ in range(120):
            if keys.is_at(LeavePage) or keys.is_at(EndPage):
                await keys.press("escape")
            else:
                await keys.press(chance.choice(KEYS))
        game = keys.session.game
        assert Game.from_record(game.to_record()).position.log == game.position.log

    on_screen(Setting(rules, seed=seed), steps)

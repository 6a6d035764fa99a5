"""Pages over the table, pace and bots, leaving and saving."""

from __future__ import annotations

import asyncio
import io
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from foretold import EDITIONS, Action, Game, Rules, UnreadableError, cli
from foretold.bots import LEVELS, Player
from foretold.errors import BotError
from foretold.kernel import Phase
from foretold.record import read_records
from foretold.tui import app as app_module
from foretold.tui import session as session_module
from foretold.tui.choices import choices_of
from foretold.tui.pages import LeavePage, TabletPage, TrickPage, WordsPage
from foretold.tui.palette import DARK, MONO
from foretold.tui.session import Session
from foretold.tui.setting import Setting
from foretold.tui.table import TableScreen
from foretold.tui.telling import YOU
from foretold.view import View
from tui.keyboard import Keyboard, on_screen, over, seed_where

# Pages


PAGES: list[tuple[str, type[Screen[Any]], str]] = [
    ("t", TabletPage, "Tablet of Truth"),
    ("l", TrickPage, "the trick."),
    ("r", WordsPage, "any total of the bids is fine"),
    ("question_mark", WordsPage, "leave the game"),
]


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_pages_open_and_close(size: tuple[int, int]) -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.round == 2 and view.phase is Phase.PLAY)
        for key, page, words in PAGES:
            for close in ("escape", key, "enter"):
                await keys.press(key)
                assert keys.is_at(page)
                assert words in keys.screen_text()
                await keys.press("down", "up", close)
                assert keys.is_at(TableScreen)

    rules = EDITIONS["anniversary"].rules(rounds="1-2", players=6)
    on_screen(Setting(rules, seed=1), steps, size=size)


def test_the_tablet_and_the_last_trick_before_there_are_any() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        await keys.press("l")
        assert "There is no trick yet" in keys.screen_text()
        await keys.press("t")
        assert "first round" in keys.screen_text()
        await keys.press("escape")

    on_screen(Setting(Rules(rounds="1"), seed=1), steps)


def test_a_hint_names_a_legal_action_and_a_reason() -> None:
    async def steps(keys: Keyboard) -> None:
        for phase in (Phase.BID, Phase.PLAY):
            await keys.play(lambda view: view.phase is phase and len(view.legal_actions) > 1)  # noqa: B023
            await keys.press("h")
            await keys.see("Hint: ")
            assert keys.table.chosen is not None
            assert choices_of(keys.view)[keys.table.chosen].is_legal

    on_screen(Setting(Rules(players=3, rounds="5"), seed=1), steps)


def test_light_and_dark() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        assert keys.table.palette is DARK
        await keys.press("d")
        assert keys.app.theme == "foretold-light"
        await keys.press("d")
        assert keys.app.theme == "foretold-dark"

    on_screen(Setting(Rules(rounds="1"), seed=1), steps)


def test_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.phase is Phase.PLAY and YOU in view.to_act)
        assert keys.table.palette is MONO
        for card in keys.view.hand or ():
            if card.suit is not None:
                assert card.suit.letter in keys.screen_text()
        await keys.press("question_mark", "escape", "d")

    on_screen(Setting(Rules(rounds="5"), seed=1), steps)


# Pace, bots, leaving, saving


def test_the_pace_can_be_changed_and_the_bots_hurried() -> None:
    async def steps(keys: Keyboard) -> None:
        assert "pace slow" in keys.screen_text()
        await keys.press("minus")
        assert "pace slow" in keys.screen_text()
        assert keys.session.next_bot is not None
        await keys.press("enter", "right", "h")  # nothing happens out of turn
        await keys.press("space")
        await keys.settle()
        await keys.press(*["plus"] * 6)
        assert "pace instant" in keys.screen_text()

    rules = Rules(rounds="1")
    seed = seed_where(rules, lambda game: game.position.dealer == YOU)
    on_screen(Setting(rules, seed=seed), steps, pace="slow")


class Sleeper:
    """A bot that never answers."""

    def __init__(self, seed: int = 0) -> None:
        pass

    may_end = threading.Event()

    def choose(self, view: View) -> Action:
        self.may_end.wait()
        raise AssertionError("nobody waits for this")


def test_a_bot_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "PATIENCE", 0.05)

    async def ask() -> None:
        session = Session(Setting(Rules(rounds="1"), seed=1))
        seat = session.next_bot
        assert seat is not None
        session.players[seat] = Player(Sleeper())
        session.push(seat, await session.think(seat))
        assert "a simple bot plays on" in " ".join(session.news)

    try:
        asyncio.run(ask())
    finally:
        Sleeper.may_end.set()


def test_leaving_asks_once() -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.settle()
        for ask, stay in (("q", "escape"), ("ctrl+c", "n"), ("ctrl+q", "escape")):
            await keys.press(ask)
            assert keys.is_at(LeavePage)
            await keys.press(stay)
            assert keys.is_at(TableScreen)
        await keys.press("t", "ctrl+c")
        assert keys.is_at(LeavePage)
        await keys.press("ctrl+c")
        await keys.pilot.pause()
        assert not keys.app.is_running

    on_screen(Setting(Rules(rounds="1"), seed=1), steps)


def test_the_record_is_saved_as_it_goes_and_another_game_is_added(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    setting = Setting(Rules(players=3, rounds="1"), seed=1, write=lambda b: _replace(path, b))

    def saved() -> list[Game]:
        with path.open("rb") as file:
            games = []
            for record in read_records(file):
                assert not isinstance(record, UnreadableError)
                games.append(Game.from_record(record))
            return games

    async def steps(keys: Keyboard) -> None:
        assert len(saved()) == 1
        await keys.settle()
        (game,) = saved()
        assert game.position.log == keys.session.game.position.log
        await keys.play(over)
        await keys.press("enter")
        await keys.press("t")
        assert keys.is_at(TabletPage)
        await keys.press("escape", "p")
        await keys.settle()
        assert [game.outcome() is None for game in saved()] == [False, True]
        await keys.press("q", "q")

    on_screen(setting, steps)
    assert [game.outcome() is None for game in saved()] == [False, True]


def _replace(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def test_a_disk_that_fills_up_is_told_and_the_game_goes_on() -> None:
    written = 0

    def write(content: bytes) -> None:
        nonlocal written
        written += 1
        if written > 1:
            raise UnreadableError("cannot write there: No space left on device")

    async def steps(keys: Keyboard) -> None:
        await keys.play(over)
        assert any("No space left" in line for line in keys.session.news)

    on_screen(Setting(Rules(players=3, rounds="1"), seed=1, write=write), steps)


@pytest.mark.parametrize("plain", [False, True])
def test_the_command_takes_the_screen_unless_told_not_to(
    plain: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[Setting] = []
    monkeypatch.setattr(cli.play, "has_screen", lambda: True)
    monkeypatch.setattr(app_module, "play_on_screen", played.append)
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    words = ["play", "--bots", "adept simple", "-b", "search,ms=5", *["--plain"] * plain]
    monkeypatch.setattr(sys, "argv", ["foretold", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 0
    assert [list(one.bots) for one in played] == [["adept", "simple", "search,ms=5"]] * (not plain)
    assert ("You have left the game" in capsys.readouterr().out) == plain


def test_the_levels_are_named_where_one_looks_for_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text()
    for level in LEVELS:
        assert f"`{level}`" in page
        assert level in (cli.play.play.__doc__ or "")


def test_bots_are_named_for_the_seats() -> None:
    setting = Setting(Rules(players=4), ["adept", "random"])
    assert [setting.bot_of(seat) for seat in (1, 2, 3)] == ["adept", "random", "adept"]
    with pytest.raises(BotError, match="4 bots for 3 opponents"):
        Setting(Rules(players=4), ["adept"] * 4)
    with pytest.raises(BotError, match="unknown bot"):
        Setting(Rules(players=4), ["merlin"]).players()

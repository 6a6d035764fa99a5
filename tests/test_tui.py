"""The full-screen game, played by its keys alone."""

from __future__ import annotations

import asyncio
import io
import random
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from rich.color import Color
from textual.pilot import Pilot
from textual.screen import Screen

from foretold import EDITIONS, Action, Game, Rules, UnreadableError, cli
from foretold.actions import Verb
from foretold.bots import LEVELS, Player, SimpleBot
from foretold.errors import BotError
from foretold.kernel import Phase
from foretold.record import read_records
from foretold.tui import app as app_module
from foretold.tui import session as session_module
from foretold.tui.app import ForetoldApp
from foretold.tui.background import light_in
from foretold.tui.canvas import Canvas
from foretold.tui.cardface import LARGE, SMALL
from foretold.tui.choices import choices_of
from foretold.tui.hand import Fan
from foretold.tui.pages import Dialog, EndPage, LeavePage, TabletPage, TrickPage, WordsPage
from foretold.tui.palette import DARK, LIGHT, MONO, Palette
from foretold.tui.session import Session
from foretold.tui.setting import Setting
from foretold.tui.table import TableScreen
from foretold.tui.tablet import chart
from foretold.tui.telling import YOU
from foretold.view import View

Steps = Callable[["Keyboard"], Coroutine[Any, Any, None]]


class Keyboard:
    """Someone at the keyboard, who sees the screen and presses keys."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app
        self.pressed = 0

    @property
    def table(self) -> TableScreen:
        return next(one for one in self.app.screen_stack if isinstance(one, TableScreen))

    @property
    def session(self) -> Session:
        return self.table.session

    @property
    def view(self) -> View:
        return self.session.view

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def is_at(self, page: type[Screen[Any]]) -> bool:
        """Whether such a page is open."""
        return isinstance(self.app.screen, page)

    async def settle(self) -> None:
        """Wait until the bots have decided all that they can."""
        end = time.monotonic() + 60
        while self.session.next_bot is not None:
            assert time.monotonic() < end, "the bots do not get on"
            await self.pilot.pause(0.005)
        await self.pilot.pause()

    async def see(self, words: str) -> None:
        """Wait until something is on the screen."""
        end = time.monotonic() + 60
        while words not in self.screen_text():
            assert time.monotonic() < end, f"{words!r} does not appear"
            await self.pilot.pause(0.02)

    async def do(self, action: Action) -> None:
        """Take a decision by keys."""
        if action.verb is Verb.BID:
            await self.press(*str(action.bid))
        else:
            choices = choices_of(self.view)
            wanted = next(index for index, one in enumerate(choices) if action in one.actions)
            await self.press("home", *["right"] * wanted)
        await self.press("enter")
        if self.is_at(Dialog):
            await self.press(action.object[-1].lower())

    async def play(self, until: Callable[[View], bool]) -> None:
        """Play as the simple bot would, until the table looks as wanted."""
        await self.settle()
        while not until(self.view):
            assert not over(self.view), "the game ended before"
            if self.session.resting:
                await self.press("enter")
            else:
                await self.do(SimpleBot().choose(self.view))
            await self.settle()

    def screen_text(self) -> str:
        """All that is on the screen, without its styles."""
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips()
        lines = ["".join(segment.text for segment in strip) for strip in strips]
        assert len(lines) == height
        assert all(len(line) == width for line in lines)
        return "\n".join(lines)


def on_screen(
    setting: Setting, steps: Steps, size: tuple[int, int] = (80, 24), **options: Any
) -> ForetoldApp:
    """Run steps in the game, on a screen of that size."""
    app = ForetoldApp(setting, **{"pace": "instant", **options})

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await steps(Keyboard(pilot))

    asyncio.run(run())
    return app


def over(view: View) -> bool:
    return view.phase is Phase.OVER


def decisions(game: Game) -> list[tuple[Verb, bool]]:
    """The kinds of decision that you took, each with whether something was announced."""
    return [
        (action.verb, "=" in action.object)
        for log in game.position.logs
        for seat, action in log.actions
        if seat == YOU
    ]


def seed_where(rules: Rules, wanted: Callable[[Game], bool]) -> int:
    """The first seed with which simple bots play a game that has what is wanted."""
    for seed in range(500):
        game = Game(rules, seed=seed)
        while game.outcome() is None:
            game.push(SimpleBot().choose(game.view(game.to_act[0])))
        if wanted(game):
            return seed
    raise AssertionError("no such game")


# Whole games

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


# What is on the screen


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


@pytest.mark.parametrize("count", range(1, 30))
@pytest.mark.parametrize("width", [80, 100])
def test_a_fan_of_any_hand_fits(count: int, width: int) -> None:
    for height in (6, 9):
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


def test_clairvoyance_shows_all_hands_but_the_own() -> None:
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
        await keys.press("enter")  # with nothing chosen it chooses, and does not bid
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
    """Whatever is pressed, the game stays one that its record replays."""
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


# Pages


@pytest.mark.parametrize(
    ("key", "page", "words"),
    [
        ("t", TabletPage, "Tablet of Truth"),
        ("l", TrickPage, "the trick."),
        ("r", WordsPage, "any total of the bids is fine"),
        ("question_mark", WordsPage, "leave the game"),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_pages_open_and_close(
    key: str, page: type[Screen[Any]], words: str, size: tuple[int, int]
) -> None:
    async def steps(keys: Keyboard) -> None:
        await keys.play(lambda view: view.round == 2 and view.phase is Phase.PLAY)
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

    def choose(self, view: View) -> Action:
        time.sleep(5)
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

    start = time.monotonic()
    asyncio.run(ask())
    assert time.monotonic() - start < 4


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
    monkeypatch.setattr(cli, "_has_screen", lambda: True)
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
    page = (Path(__file__).parent.parent / "docs" / "play.md").read_text()
    for level in LEVELS:
        assert f"`{level}`" in page
        assert level in (cli.play.__doc__ or "")


def test_bots_are_named_for_the_seats() -> None:
    setting = Setting(Rules(players=4), ["adept", "random"])
    assert [setting.bot_of(seat) for seat in (1, 2, 3)] == ["adept", "random", "adept"]
    with pytest.raises(BotError, match="4 bots for 3 opponents"):
        Setting(Rules(players=4), ["adept"] * 4)
    with pytest.raises(BotError, match="unknown bot"):
        Setting(Rules(players=4), ["merlin"]).players()


# Small parts


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_text_is_legible(palette: Palette) -> None:
    """Contrast of at least 4.5 to 1 (WCAG AA) on every background that text stands on."""
    for style in (*palette.suits, palette.magic, palette.special, palette.jester, palette.text):
        for ground in (palette.table, palette.panel, palette.face):
            assert contrast(style.split()[-1], ground) >= 4.5, (style, ground)
    for ground in (palette.table, palette.panel):
        for style in (palette.faint, palette.bad, *palette.seats):
            assert contrast(style.split()[-1], ground) >= 4.5, (style, ground)


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        triplet = Color.parse(colour).triplet
        assert triplet is not None
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in triplet.normalized
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;4c", True),
        (b"\x1b]11;rgb:1c/1c/1c\x07\x1b[?6c", False),
        (b"\x1b[?62;4c", None),
        (b"", None),
    ],
)
def test_the_background_of_the_terminal(answer: bytes, light: bool | None) -> None:
    assert light_in(answer) is light


def test_the_chart_names_every_line() -> None:
    names = ("You", "Ada", "Bran")
    text = chart([(20, 20, 20), (20, 20, 20)], names, MONO, 40, 6).plain
    assert text.count("\n") == 5
    for name in names:
        assert name in text
    assert chart([], names, MONO, 40, 6).plain.count("You") == 1


def test_a_canvas_leaves_out_what_does_not_fit() -> None:
    canvas = Canvas(4, 2)
    canvas.put(-1, 0, "abcdefgh", "bold")
    canvas.put(0, 5, "x")
    assert canvas.text().plain == "bcde\n    "

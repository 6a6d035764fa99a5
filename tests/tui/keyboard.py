"""Someone at the keyboard of the full-screen game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from foretold import Action, Game, Rules
from foretold.actions import Verb
from foretold.bots import SimpleBot
from foretold.kernel import Phase
from foretold.tui.app import ForetoldApp
from foretold.tui.choices import choices_of
from foretold.tui.pages import Dialog
from foretold.tui.session import Session
from foretold.tui.setting import Setting
from foretold.tui.table import TableScreen
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
        """Wait until the bots have decided everything they can."""
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
        """Take a decision with keys."""
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
        """Everything on the screen, without styles."""
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
    """The first seed with which simple bots play a game that satisfies `wanted`."""
    for seed in range(500):
        game = Game(rules, seed=seed)
        while game.outcome() is None:
            game.push(SimpleBot().choose(game.view(game.to_act[0])))
        if wanted(game):
            return seed
    raise AssertionError("no such game")

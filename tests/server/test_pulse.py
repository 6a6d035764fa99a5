"""A table goes on, whatever happens to a bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from foretold.actions import Action
from foretold.server.rooms import pulse
from foretold.server.rooms.pulse import Happen, Pulse
from foretold.server.rooms.timing import Timing
from foretold.server.settings import ServerSettings
from foretold.table.entries import Acted, Entry
from foretold.view import View
from tables import LiveTable, alone


class Bots:
    """Fail as they are told to, then decide."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)

    async def decide(self, level: str, view: View) -> Action:
        if self.failures:
            raise self.failures.pop(0)
        return next(iter(view.legal_actions))


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> LiveTable:
    """A table at which a bot is on turn."""
    monkeypatch.setattr(pulse, "AGAIN_SECONDS", 0.0)
    live = alone(rounds="2")
    while live.table.to_act == (0,):
        game = live.table.game
        assert game is not None
        live.write(Acted(seat=0, action=str(game.legal_actions(0)[0])))
    return live


def pulse_of(live: LiveTable, bots: object, happen: Happen) -> Pulse:
    timing = Timing(live.table, ServerSettings(data=Path()))
    return Pulse(live.table, timing, cast("Any", bots), happen, lambda: False)


def test_a_bot_that_could_not_decide_is_asked_again(live: LiveTable) -> None:
    async def story() -> None:
        happened: asyncio.Future[Entry | None] = asyncio.get_running_loop().create_future()

        def happen(ask: Callable[[], Entry | None]) -> None:
            happened.set_result(ask())

        bots = Bots(asyncio.CancelledError(), ValueError("no memory"))
        beating = pulse_of(live, bots, happen)
        beating.plan({0})
        async with asyncio.timeout(20):
            entry = await happened
        assert isinstance(entry, Acted)
        assert entry.by == "bot"
        assert bots.failures == []
        beating.stop()

    asyncio.run(story())


def test_a_bot_is_asked_once_if_telling_of_the_last_one_failed(live: LiveTable) -> None:
    class Slow(Bots):
        asked = 0

        async def decide(self, level: str, view: View) -> Action:
            self.asked += 1
            if self.asked > 1:
                await asyncio.Event().wait()
            return await super().decide(level, view)

    async def story() -> None:
        bots, failed = Slow(), asyncio.Event()

        def happen(_: Callable[[], Entry | None]) -> None:
            beating.plan({0})
            failed.set()
            raise ValueError("nobody foresaw this")

        beating = pulse_of(live, bots, happen)
        beating.plan({0})
        async with asyncio.timeout(20):
            await failed.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert bots.asked == 2
        beating.stop()

    asyncio.run(story())

"""A table goes on, whatever happens to a bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from foretold.actions import Action
from foretold.server.rooms import pulse
from foretold.server.rooms.pulse import Pulse
from foretold.server.rooms.timing import Timing
from foretold.server.settings import ServerSettings
from foretold.table.entries import Acted, Entry
from foretold.view import View
from tables import alone


class Bots:
    """Fail as they are told to, then decide."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)

    async def decide(self, level: str, view: View) -> Action:
        if self.failures:
            raise self.failures.pop(0)
        return next(iter(view.legal_actions))


def test_a_bot_that_could_not_decide_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "AGAIN_SECONDS", 0.0)
    live = alone(rounds="2")
    while live.table.to_act == (0,):
        game = live.table.game
        assert game is not None
        live.write(Acted(seat=0, action=str(game.legal_actions(0)[0])))

    async def story() -> None:
        happened: asyncio.Future[Entry | None] = asyncio.get_running_loop().create_future()

        def happen(ask: Callable[[], Entry | None]) -> None:
            happened.set_result(ask())

        bots = Bots(asyncio.CancelledError(), ValueError("no memory"))
        timing = Timing(live.table, ServerSettings(data=Path()))
        beating = Pulse(live.table, timing, cast("Any", bots), happen, lambda: False)
        beating.plan({0})
        async with asyncio.timeout(20):
            entry = await happened
        assert isinstance(entry, Acted)
        assert entry.by == "bot"
        assert bots.failures == []
        beating.stop()

    asyncio.run(story())

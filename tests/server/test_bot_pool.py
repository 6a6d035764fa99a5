"""Bots in separate processes: whatever happens to those, a legal action comes back."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator

import pytest

from foretold import Game
from foretold.bots import LEVELS
from foretold.server import bots
from foretold.server.bots import BotPool
from foretold.server.metrics import Metrics


def children() -> Iterator[int]:
    """The processes that this one has started, the bots' among them."""
    for process in os.listdir("/proc"):
        if process.isdecimal():
            try:
                with (
                    open(f"/proc/{process}/stat") as stat,
                    open(f"/proc/{process}/cmdline") as line,
                ):
                    if int(stat.read().rsplit(")", 1)[1].split()[1]) != os.getpid():
                        continue
                    if "foretold.server.bot_worker" in line.read():
                        yield int(process)
            except OSError:
                continue


def with_pool(story: Callable[[BotPool, Metrics], Awaitable[None]], seconds: float = 60.0) -> None:
    async def told() -> None:
        metrics = Metrics()
        pool = BotPool(1, seconds, metrics)
        pool.start()
        try:
            await story(pool, metrics)
        finally:
            await pool.close()
        assert list(children()) == []

    asyncio.run(told())


def faults(metrics: Metrics) -> float:
    value = metrics.registry.get_sample_value("foretold_bot_faults_total", {"level": "apprentice"})
    return value or 0.0


def test_every_level_decides() -> None:
    async def story(pool: BotPool, metrics: Metrics) -> None:
        game = Game(rounds="3", seed=1)
        levels = list(LEVELS)
        while game.to_act:
            seat = game.to_act[0]
            view = game.view(seat)
            action = await pool.decide(levels[seat], view)
            assert action in view.legal_actions
            game.push(action, seat)
        assert faults(metrics) == 0

    with_pool(story)


@pytest.mark.parametrize("harm", [signal.SIGSTOP, signal.SIGKILL], ids=["stalls", "dies"])
def test_a_process_that_stalls_or_dies_is_replaced(harm: signal.Signals) -> None:
    async def story(pool: BotPool, metrics: Metrics) -> None:
        game = Game(rounds="5", seed=1)
        view = game.view(game.to_act[0])
        await pool.decide("apprentice", view)
        pool.seconds = 0.5
        (before,) = children()
        os.kill(before, harm)
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1
        pool.seconds = 60.0
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1
        assert before not in set(children())

    with_pool(story)


def test_a_process_that_never_gets_ready_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "START_SECONDS", 0.3)
    monkeypatch.setattr(bots, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))

    async def story(pool: BotPool, metrics: Metrics) -> None:
        await asyncio.sleep(0.2)
        monkeypatch.undo()
        game = Game(rounds="5", seed=1)
        view = game.view(game.to_act[0])
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 0

    with_pool(story)


def test_without_a_process_any_legal_action_will_do() -> None:
    async def story() -> None:
        metrics = Metrics()
        pool = BotPool(0, 1.0, metrics)
        pool.patience = 0.05
        game = Game(rounds="5", seed=1)
        view = game.view(game.to_act[0])
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1

    asyncio.run(story())

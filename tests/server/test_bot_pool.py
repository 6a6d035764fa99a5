"""Bots in separate processes: whatever happens to those, a legal action comes back."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from foretold import Game
from foretold.bots import LEVELS
from foretold.server.observing.metrics import Metrics
from foretold.server.workers.bots import BotPool
from processes import children

WORKER = "foretold.workers.bot_worker"


def with_pool(story: Callable[[BotPool, Metrics], Awaitable[None]], seconds: float = 60.0) -> None:
    async def told() -> None:
        metrics = Metrics()
        pool = BotPool(1, seconds, metrics)
        pool.start()
        try:
            await story(pool, metrics)
        finally:
            await pool.close()
        assert list(children(WORKER)) == []

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
        pool.workers.seconds = 0.5
        (before,) = children(WORKER)
        os.kill(before, harm)
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1
        pool.workers.seconds = 60.0
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1
        assert before not in set(children(WORKER))

    with_pool(story)


def test_without_a_process_any_legal_action_will_do() -> None:
    async def story() -> None:
        metrics = Metrics()
        pool = BotPool(0, 1.0, metrics)
        pool.workers.patience = 0.05
        game = Game(rounds="5", seed=1)
        view = game.view(game.to_act[0])
        assert await pool.decide("apprentice", view) in view.legal_actions
        assert faults(metrics) == 1

    asyncio.run(story())

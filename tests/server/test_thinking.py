"""Other machines think for the nodes, and nobody waits for one that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import msgspec
import pytest

from foretold.bots.player import Decision
from foretold.editions import EDITIONS
from foretold.game import Game
from foretold.server.cluster.bus import open_bus
from foretold.server.cluster.thinking import MOST_ASKED, MOST_OF_ONE, Thinker, Thinkers
from foretold.server.observing.metrics import Metrics
from foretold.server.workers.bots import BotPool
from foretold.server.workers.elsewhere import BOT, Question, Thought, decode_view, encode_view
from foretold.server.workers.study import Study
from foretold.view import View
from server.nats import Nats

SECONDS = 2.0


def some_view() -> View:
    game = Game(players=4, seed=7, rounds="3-4")
    return game.view(game.to_act[0])


@contextmanager
def worker(bus: str) -> Iterator[subprocess.Popen[str]]:
    """`foretold think`, ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "foretold.cli", "think", "--bus", bus, "--workers", "1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == "Thinking with 1 worker.\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_a_view_is_the_same_after_the_journey(edition: str) -> None:
    game, chance = Game(edition, players=4, seed=3), Random(3)
    for _ in range(60):
        seat = chance.choice(game.to_act)
        view = game.view(seat)
        assert decode_view(encode_view(view)) == view
        game.push(chance.choice(view.legal_actions), seat)


def test_a_worker_decides_and_when_it_dies_the_node_does(
    bus: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = some_view()

    async def story() -> None:
        there = await open_bus(f"{bus.url}/thinking", "test")
        pool = BotPool(1, SECONDS, Metrics())
        pool.elsewhere = thinkers = Thinkers(there, "foretold.thinking.think", "n1")
        own: list[str] = []

        async def decide(level: str, of: View) -> Decision:
            own.append(level)
            return Decision(of.legal_actions[0], 0.0, None)

        monkeypatch.setattr(pool.workers, "decide", decide)
        start = time.monotonic()
        await pool.decide("apprentice", view)  # nobody is there
        assert own == ["apprentice"]
        assert time.monotonic() - start < SECONDS
        with worker(f"{bus.url}/thinking") as process:
            thinkers._rests_until = 0.0
            found = None
            async with asyncio.timeout(60):  # until its process is ready
                while found is None:
                    thinkers._rests_until = 0.0
                    found = await pool._thought("apprentice", view)
            assert found.action in view.legal_actions
            own.clear()
            await pool.decide("apprentice", view)
            assert own == []
            study = Study()
            study.elsewhere = thinkers
            hint = msgspec.json.decode(await study.hint(view))
            assert hint
            await study.close()

            # Killed in the middle of an answer.
            os.kill(process.pid, signal.SIGSTOP)
            asked = asyncio.create_task(pool.decide("apprentice", view))
            await asyncio.sleep(0.2)
            assert not asked.done()
            process.kill()
            assert await asked in view.legal_actions
            assert own == ["apprentice"]
        await there.close()

    asyncio.run(story())


def test_a_worker_refuses_what_it_does_not_know_and_more_than_it_can_do() -> None:
    view = encode_view(some_view())

    async def story() -> None:
        thinker = Thinker(1)  # its process is not started, so everything waits

        async def ask(question: Question | bytes) -> Thought:
            data = question if isinstance(question, bytes) else msgspec.msgpack.encode(question)
            return msgspec.msgpack.decode(await thinker.answer(data), type=Thought)

        for bad in (
            b"",
            b"nonsense",
            Question(BOT, b"no view", 1.0, "a", "apprentice"),
            Question(BOT, view, 1.0, "a", "os:system"),
            Question("riddle", view, 1.0, "a"),
            Question("review", b"{}", 1.0, "a"),
        ):
            answer = await ask(bad)
            assert answer.fault
            assert not answer.told
        question = Question(BOT, view, 60.0, "a", "apprentice")
        waiting = [asyncio.create_task(ask(question)) for _ in range(MOST_OF_ONE)]
        await asyncio.sleep(0)
        assert (await ask(question)).fault == "too many from one source wait"
        late = await asyncio.wait_for(ask(Question(BOT, view, 0.01, "b", "apprentice")), 5)
        assert late.fault
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await thinker.close()

    asyncio.run(story())


def test_a_node_asks_so_many_at_once_and_does_the_rest_itself(bus: Nats) -> None:
    async def story() -> None:
        there = await open_bus(bus.url, "test")
        thinkers = Thinkers(there, "test.many", "n1")
        goes_on = asyncio.Event()

        async def slow(_: bytes) -> bytes:
            await goes_on.wait()
            return msgspec.msgpack.encode(Thought(b"bid 0"))

        await there.answer("test.many", slow)
        asked = [asyncio.create_task(thinkers.ask(BOT, b"", 20.0)) for _ in range(MOST_ASKED)]
        await asyncio.sleep(0)
        assert await thinkers.ask(BOT, b"", 20.0) is None
        goes_on.set()
        assert all(one == Thought(b"bid 0") for one in await asyncio.gather(*asked))
        await there.close()

    asyncio.run(story())

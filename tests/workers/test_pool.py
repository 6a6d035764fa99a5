"""Workers that an event loop asks: a question is answered or fails, and processes are replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from foretold import Game
from foretold.bots import SimpleBot
from foretold.workers.bots import BotWorkers
from foretold.workers.failures import LateError, RaisedError, WorkerError
from foretold.workers.fair_queue import FairQueue, FullError
from foretold.workers.loop_process import LoopProcess
from foretold.workers.pool import Pool
from foretold.workers.starting import command
from processes import children

ODD = "workers.odd_worker"


def fails_silently(error: WorkerError) -> None:
    pass


def with_pool(pool: Callable[[], Pool], story: Callable[[Pool], Awaitable[None]]) -> None:
    async def told() -> None:
        made = pool()
        try:
            await story(made)
        finally:
            await made.close()
        assert list(children(ODD)) == []

    asyncio.run(told())


def lazy() -> Pool:
    return Pool(command(ODD), 1, fails_silently, is_lazy=True)


def test_a_process_is_started_when_it_is_needed_and_again_when_it_has_failed() -> None:
    async def story(pool: Pool) -> None:
        assert list(children(ODD)) == []
        assert await pool.ask(b"say hello", 60) == b"hello"
        (before,) = children(ODD)
        with pytest.raises(RaisedError, match="oh"):
            await pool.ask(b"raise oh", 60, tries=9)
        assert list(children(ODD)) == [before]
        with pytest.raises(LateError):
            await pool.ask(b"hang", 0.1)
        assert await pool.ask(b"say hello", 60) == b"hello"
        assert list(children(ODD)) != [before]

    with_pool(lazy, story)


def test_a_question_is_tried_again_and_paid_for() -> None:
    failures, paid = list[str](), list[float]()

    def pool() -> Pool:
        return Pool(command(ODD), 1, lambda error: failures.append(str(error)), is_lazy=True)

    async def story(pool: Pool) -> None:
        with pytest.raises(WorkerError, match="exit status 6"):
            await pool.ask(b"exit 6", 60, tries=2, busy=paid.append)

    with_pool(pool, story)
    assert failures == ["ended by itself (exit status 6)"]
    assert len(paid) == 2


def test_who_goes_away_leaves_no_answer_to_the_next() -> None:
    async def story(pool: Pool) -> None:
        await pool.ask(b"say ready", 60)
        asking = asyncio.ensure_future(pool.ask(b"say one", 60))
        await asyncio.sleep(0)
        asking.cancel()
        assert await pool.ask(b"say two", 60) == b"two"

    with_pool(lazy, story)


def test_a_process_that_never_gets_ready_is_given_up(tmp_path: Path) -> None:
    """And started again, until it does."""
    first = tmp_path / "first"
    stalls_once = f"if [ ! -e {first} ]; then touch {first}; sleep 600; fi; exec "
    words = ("sh", "-c", f'{stalls_once}"$@"', "sh", *command(ODD))
    failures = set[str]()

    async def story() -> None:
        def failed(error: WorkerError) -> None:
            failures.add(str(error))
            pool.start_seconds = 60.0 if first.exists() else 0.3

        pool = Pool(words, 1, failed)
        pool.start_seconds = 0.3
        pool.start()
        try:
            assert await pool.ask(b"say hello", 60) == b"hello"
        finally:
            await pool.close()

    asyncio.run(story())
    assert failures == {"was ended: no answer within 0.3 s"}


def test_only_so_many_wait() -> None:
    async def story() -> None:
        waiting = FairQueue[LoopProcess](most=1)
        pool = Pool(command(ODD), 1, fails_silently, waiting=waiting)
        first = asyncio.ensure_future(pool.ask(b"", 60, patience=0.1))
        await asyncio.sleep(0)
        with pytest.raises(FullError):
            await pool.ask(b"", 60)
        with pytest.raises(WorkerError, match=r"did not come free within 0.1 s"):
            await first

    asyncio.run(story())


def test_bots_that_fail_lose_their_move_to_the_simple_bot() -> None:
    game = Game(rounds="5", seed=1)
    view = game.view(game.to_act[0])
    simple = SimpleBot().choose(view)
    faults = {
        "Raises": "RuntimeError: I am lost",
        "Illegal": "which is not legal",
        "Dies": "ended by itself (exit status 3)",
        "Hangs": "no answer within 2 s",
    }

    async def story() -> None:
        bots = BotWorkers(2, 60.0, fails_silently, "workers.odd_bots")
        bots.start()
        try:
            assert (await bots.decide("simple", view)).fault is None
            for name, fault in faults.items():
                bots.seconds = 2.0 if name == "Hangs" else 60.0
                decision = await bots.decide(f"workers.odd_bots:{name}", view)
                assert decision.action == simple
                assert fault in (decision.fault or "")
        finally:
            await bots.close()

    asyncio.run(story())

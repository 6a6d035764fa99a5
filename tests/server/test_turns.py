"""One thing at a time, whoever asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from foretold.server.rooms.turns import Turns


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 10))


def test_the_turn_is_free_at_once_and_then_everyone_waits_in_order() -> None:
    async def story() -> None:
        turns = Turns()
        begun: list[int] = []

        async def visit(number: int) -> None:
            async with turns:
                begun.append(number)
                await asyncio.sleep(0)

        turns.take(partial(begun.append, 0))
        assert begun == [0]
        visits = [asyncio.create_task(visit(1))]
        await asyncio.sleep(0)
        turns.take(partial(begun.append, 2))
        visits.append(asyncio.create_task(visit(3)))
        await asyncio.sleep(0)
        assert begun == [0]
        turns.end()
        await visits[0]
        await asyncio.sleep(0)
        assert begun == [0, 1, 2]
        assert turns.is_taken
        turns.end()
        await visits[1]
        assert begun == [0, 1, 2, 3]
        assert not turns.is_taken

    run(story)


def test_a_long_queue_of_short_turns_is_no_deep_recursion() -> None:
    async def story() -> None:
        turns = Turns()
        turns.take(lambda: None)
        for _ in range(5000):
            turns.take(turns.end)
        last: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns.take(partial(last.set_result, None))
        turns.end()
        await last

    run(story)


def test_who_fails_or_gives_up_waiting_leaves_the_turn_to_the_next() -> None:
    async def story() -> None:
        turns = Turns()
        with pytest.raises(ZeroDivisionError):
            turns.take(lambda: divmod(1, 0) and None)
        assert not turns.is_taken

        async def visit() -> None:
            async with turns:
                pass

        turns.take(lambda: None)
        waiting, next_one = asyncio.create_task(visit()), asyncio.create_task(visit())
        await asyncio.sleep(0)
        waiting.cancel()
        turns.end()
        await next_one
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not turns.is_taken

    run(story)


def test_who_is_cancelled_in_the_moment_of_getting_the_turn_leaves_it_too() -> None:
    async def story() -> None:
        turns = Turns()

        async def visit() -> None:
            async with turns:
                raise AssertionError("it was cancelled before")

        turns.take(lambda: None)
        waiting = asyncio.create_task(visit())
        await asyncio.sleep(0)
        turns.end()
        # The turn is given in the next iteration of the loop, before the task can continue.
        asyncio.get_running_loop().call_soon(waiting.cancel)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not turns.is_taken

    run(story)

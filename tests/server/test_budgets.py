"""What one address may cost the others, and in which order they are served."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from foretold.rules import Rules
from foretold.server.observing.timed import Timed
from foretold.server.quotas import limits
from foretold.server.quotas.budgets import WORK_BURST, Budgets, asked_by, is_among
from foretold.server.quotas.pace import MOST_WAITING, Pace
from foretold.server.quotas.sizes import MOVE, entry_size, game_size, table_size
from foretold.server.settings import ServerSettings
from foretold.server.workers.labour import Labour, Turnstile
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Logged, Started, TookBack, encode_entry
from foretold.table.refusals import Refused
from foretold.table.table import Table
from server.test_limits import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


@pytest.fixture
def budgets(clock: Clock) -> Budgets:
    return Budgets(ServerSettings(data=Path()))


def test_time_is_refused_before_a_connection_is_cut_off(budgets: Budgets, clock: Clock) -> None:
    assert budgets.pays("eve", 0.9)
    assert not budgets.pays("eve", 0.2)
    assert budgets.bears("eve", 0.2)
    assert not budgets.bears("eve", 0.3)
    assert budgets.pays("ana", 0.9)
    clock.now += 2  # a fifth of a second for each
    assert budgets.bears("eve", 0.0)
    assert not budgets.pays("eve", 0.0)
    clock.now += 1000
    assert budgets.pays("eve", 0.9)
    budgets.pays("eve", 1000)  # nobody owes more than can be paid back soon
    clock.now += 10
    assert budgets.pays("eve", 0.1)


@pytest.mark.parametrize(
    ("host", "listed", "is_proxy"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.2", "127.0.0.1", False),
        ("10.1.2.3", "127.0.0.1, 10.0.0.0/8", True),
        ("192.0.2.1", "*", True),
        ("::1", "127.0.0.1,::1", True),
        ("::1", "10.0.0.0/8", False),
        ("", "127.0.0.1", False),
        ("192.0.2.1", "proxy.example", False),
    ],
)
def test_connections_of_proxies_are_nobodys_own(host: str, listed: str, is_proxy: bool) -> None:
    assert is_among(host, listed) is is_proxy


def test_the_steps_of_what_is_awaited_are_timed_and_waiting_is_not() -> None:
    async def work() -> str:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        await asyncio.sleep(0.05)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.sleep(10)
        return "done"

    async def story() -> None:
        timed = Timed(work())
        assert await timed == "done"
        assert 0.02 <= timed.seconds < 0.05

    asyncio.run(story())


def in_order(wait: Callable[[str], Awaitable[None]]) -> Callable[[str, list[str]], Awaitable[None]]:
    async def done(source: str, order: list[str]) -> None:
        await wait(source)
        order.append(source)

    return done


def test_requests_of_many_come_in_turn() -> None:
    async def story() -> list[str]:
        pace, order = Pace(), list[str]()
        done = in_order(pace.turn)
        await asyncio.gather(*(done(one, order) for one in ["eve"] * 100 + ["ana"] + ["ben"]))
        return order

    order = asyncio.run(story())
    assert set(order[:3]) == {"eve", "ana", "ben"}
    assert len(order) == 102


def test_too_much_of_one_does_not_wait() -> None:
    async def story() -> None:
        pace = Pace()
        waiting = [asyncio.ensure_future(pace.turn("eve")) for _ in range(MOST_WAITING + 1)]
        told: list[str] = []
        asyncio.get_running_loop().call_soon(check, pace, told)
        await asyncio.gather(*waiting)
        pace.check("eve")
        assert told == ["too_fast", "welcome"]

    def check(pace: Pace, told: list[str]) -> None:
        for one in ("eve", "ana"):
            try:
                pace.check(one)
                told.append("welcome")
            except Refused as refused:
                told.append(refused.code)

    asyncio.run(story())


def test_work_is_done_one_by_one_the_addresses_in_turn() -> None:
    async def story() -> list[str]:
        turns, order = Turnstile(most=9, most_of_one=8), list[str]()

        async def work(source: str) -> None:
            async with turns.turn(source):
                order.append(source)
                await asyncio.sleep(0)

        tasks = [asyncio.ensure_future(work(one)) for one in ["eve"] * 6 + ["ana"] * 2 + ["ben"]]
        await asyncio.sleep(0)
        tasks[2].cancel()  # someone who has left keeps nobody waiting
        await asyncio.gather(*tasks, return_exceptions=True)
        async with turns.turn("ana"):
            pass
        return order

    assert asyncio.run(story()) == ["eve", "eve", "ana", "ben", "eve", "ana", "eve", "eve"]


def test_only_so_much_work_waits() -> None:
    async def story() -> None:
        turns = Turnstile(most=5, most_of_one=3)
        async with turns.turn("eve"):
            waits = [asyncio.ensure_future(wait(turns, "eve")) for _ in range(3)]
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="too much"):
                await wait(turns, "eve")
            waits += [asyncio.ensure_future(wait(turns, "ana")) for _ in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="full or busy"):
                await wait(turns, "ben")
        await asyncio.gather(*waits)

    async def wait(turns: Turnstile, source: str) -> None:
        async with turns.turn(source):
            pass

    asyncio.run(story())


def test_work_costs_what_it_takes_of_a_core(budgets: Budgets) -> None:
    async def story() -> None:
        labour = Labour(budgets)
        asked_by.set("eve")
        assert await labour.do(lambda: sum(range(10))) == 45
        budgets.has_worked("eve", WORK_BURST)
        with pytest.raises(Refused, match="at once"):
            await labour.do(lambda: 1)
        asked_by.set("ana")
        assert await labour.do(lambda: 1) == 1
        with pytest.raises(ZeroDivisionError):
            await labour.do(lambda: 1 // 0)
        asked_by.set("")  # the server itself
        assert await labour.do(lambda: 1) == 1
        labour.close()

    asyncio.run(story())


def test_a_game_takes_no_more_disk_than_was_paid_for() -> None:
    created = new_table("p" * 32, "Ana", bots=[None, *["novice"] * 3])
    log = [Logged(1, 1, created), Logged(2, 1, Started()), Logged(3, 1, Dealt())]
    table = Table.replayed("KQXMRP", log)
    size = 0
    while table.game is not None and table.to_act:
        seat = table.to_act[0]
        action = str(table.game.legal_actions(seat)[0])
        acted = Acted(seat=seat, action=action, asked_by="p" * 32, ask_id="abcdefgh-123")
        table.apply(Logged(table.n + 1, 1, acted))
        size += len(encode_entry(acted))
    assert size / 2 < game_size(table.rules) < 3 * size
    assert table_size(created, (Started(),)) > game_size(table.rules)


def test_a_take_back_costs_the_moves_that_may_follow_it() -> None:
    """Whoever starts a game pays for each move once; taking back makes room for a round more."""
    rules = Rules(rounds="1-3")
    taken = entry_size(TookBack(seat=0, to=0), rules)
    assert taken >= MOVE * rules.players * (1 + max(rules.sizes))
    assert taken < game_size(rules)
    assert entry_size(Acted(seat=0, action="bid 1"), rules) == 0

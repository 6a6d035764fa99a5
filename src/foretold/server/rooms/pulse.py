"""What happens at a table without a request: the first deal, expiring clocks, and bots."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeAlias

from foretold.server.observing.logs import logger
from foretold.server.rooms.timing import Timing
from foretold.server.workers.bots import BotPool
from foretold.table.answers import bot_acts, claim_acts, stands_in
from foretold.table.entries import Dealt, Entry
from foretold.table.table import Table

LOOK_SECONDS: Final = 0.1
AGAIN_SECONDS: Final = 1.0
"""The pause after a bot failed unexpectedly: its table must not stop for ever."""

Happen: TypeAlias = Callable[[Callable[[], Entry | None]], None]
"""When the time comes, asks for the entry, applies it, and plans again."""


class Pulse:
    """Handles what is due at one table while somebody is present."""

    def __init__(
        self,
        table: Table,
        timing: Timing,
        bots: BotPool,
        happen: Happen,
        is_settling: Callable[[], bool],
    ) -> None:
        """While `is_settling`, people are coming back after a restart, and bots wait."""
        self._table = table
        self._timing = timing
        self._bots = bots
        self._happen = happen
        self._is_settling = is_settling
        self._people: Collection[int] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._bot_task: asyncio.Task[None] | None = None
        self._is_stopped = False

    def plan(self, people: Collection[int]) -> None:
        """Schedule what is due next; `people` are the seats whose players are present."""
        self.pause()
        self._people = people
        due = self._timing.next_due(people)
        if due is not None:
            delay = max(0.0, due - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(delay, self._do_what_is_due)
        self._start_bot()

    def _start_bot(self) -> None:
        if self._bot_task is None and not self._is_stopped and self._next_bot() is not None:
            self._bot_task = asyncio.create_task(self._let_bot_act())
            self._bot_task.add_done_callback(self._finished)

    def pause(self) -> None:
        """Nobody is waiting, so nothing is due; a bot already thinking may still act."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stop(self) -> None:
        self._is_stopped = True
        self.pause()
        if self._bot_task is not None:
            self._bot_task.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        if self._is_stopped:
            return
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if error is not None:
            logger().error("a bot failed", table=self._table.code, exc_info=error)
            if self._bot_task is task:  # and not one that was started before this one failed
                self._bot_task = None
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._start_bot)

    def _do_what_is_due(self) -> None:
        self._happen(self._due)

    def _due(self) -> Entry | None:
        """The first thing that is due; the rest follows when `plan` runs again."""
        if self._timing.deal_is_due():
            return Dealt()
        if self._table.claimed:
            return claim_acts(self._table)
        late = self._timing.late(self._people)
        found = (stands_in(self._table, seat, reason) for seat, reason in late)
        return next((entry for entry in found if entry is not None), None)

    def _next_bot(self) -> int | None:
        for seat in () if self._table.claimed else self._table.to_act:
            if self._table.level_of(seat) is not None:
                return seat
        return None

    async def _let_bot_act(self) -> None:
        """Let the next bot think and act when it is time, then plan again."""
        while self._is_settling():
            await asyncio.sleep(LOOK_SECONDS)
        table = self._table
        seat, turn, game = self._next_bot(), table.turn, table.game
        if seat is None or game is None:
            self._bot_task = None
            return
        level = table.level_of(seat)
        assert level is not None
        action = await self._bots.decide(level, game.view(seat))
        await asyncio.sleep(self._timing.until_bots())
        self._bot_task = None
        self._happen(partial(bot_acts, self._table, seat, turn, action))

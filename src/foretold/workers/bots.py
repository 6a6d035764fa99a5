"""Bots asked from an event loop: whatever happens to one, the table goes on.

If a bot raises an exception or answers illegally, the simple bot decides in the same process
(`Player`). If the process itself fails, the simple bot is asked in another one.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Final

from foretold.actions import ACTIONS, Action
from foretold.bots.player import Decision
from foretold.view import View
from foretold.workers.failures import WorkerError, told
from foretold.workers.pool import Pool
from foretold.workers.starting import command

PATIENCE: Final = 60.0
"""Seconds to wait for a free process."""

STAND_IN: Final = "simple"
"""The bot that replaces one that fails."""


class BotWorkers:
    """Worker processes in which bots decide."""

    def __init__(
        self,
        workers: int,
        seconds: float,
        on_failure: Callable[[WorkerError], None],
        module: str = "foretold.workers.bot_worker",
    ) -> None:
        """`seconds` is how long a bot may think; see `Pool` for `on_failure`."""
        self.seconds = seconds
        self.patience = PATIENCE
        self._pool = Pool(command(module), workers, on_failure)

    def start(self) -> None:
        """Start the processes; they get ready in the background."""
        self._pool.start()

    async def close(self) -> None:
        await self._pool.close()

    async def decide(self, bot: str, view: View) -> Decision:
        """The decision of a bot, or of the simple bot in its place, with the fault. Raises an
        exception only if neither can be asked.
        """
        begun = time.perf_counter()
        try:
            action, fault = await self._ask(bot, view)
        except Exception as error:
            fault, seconds = told(error), time.perf_counter() - begun
            action, _ = await self._ask(STAND_IN, view)
            return Decision(action, seconds, fault)
        return Decision(action, time.perf_counter() - begun, fault)

    async def _ask(self, bot: str, view: View) -> tuple[Action, str | None]:
        question = pickle.dumps((bot, view), protocol=5)
        answer = await self._pool.ask(question, self.seconds, patience=self.patience)
        number, fault = pickle.loads(answer)
        action = ACTIONS[int(number)]
        if action not in view.legal_actions:
            raise WorkerError(f"answered {action}, which is not legal")
        return action, fault

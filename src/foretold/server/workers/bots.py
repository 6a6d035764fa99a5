"""Bots at the server's tables: they think in their own processes, for a limited time."""

from __future__ import annotations

import random

from foretold.actions import Action
from foretold.bots.player import Decision
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import span
from foretold.server.workers.elsewhere import BOT, Elsewhere, encode_view
from foretold.view import View
from foretold.workers.bots import BotWorkers
from foretold.workers.failures import WorkerError, told


class BotPool:
    """The worker processes in which bots think."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics) -> None:
        """`seconds` is how long a bot may think."""
        self._metrics = metrics
        self.workers = BotWorkers(workers, seconds, _process_failed)
        self.elsewhere: Elsewhere | None = None

    def start(self) -> None:
        """Start the processes; they get ready while the server is already running."""
        self.workers.start()

    async def close(self) -> None:
        await self.workers.close()

    async def decide(self, level: str, view: View) -> Action:
        """The decision of a bot of that level; always a legal action."""
        try:
            with span("bot", level=level):
                decision = await self._thought(level, view)
                if decision is None:
                    decision = await self.workers.decide(level, view)
        except Exception as error:
            self._metrics.bot_faults.labels(level).inc()
            logger().error("no bot can think", fault=told(error))
            return random.choice(view.legal_actions)
        self._metrics.bot_seconds.labels(level).observe(decision.seconds)
        if decision.fault is not None:
            self._metrics.bot_faults.labels(level).inc()
            logger().warning("bot replaced", level=level, fault=decision.fault)
        return decision.action

    async def _thought(self, level: str, view: View) -> Decision | None:
        """The decision of a bot on another machine, if there is one."""
        if self.elsewhere is None:
            return None
        found = await self.elsewhere.ask(BOT, encode_view(view), self.workers.seconds, level=level)
        action = None if found is None else found.told.decode("ascii", "replace")
        legal = {str(one): one for one in view.legal_actions}
        if found is None or action not in legal:
            return None
        return Decision(legal[action], found.seconds, found.fault or None)


def _process_failed(error: WorkerError) -> None:
    logger().warning("bot process failed", fault=told(error))

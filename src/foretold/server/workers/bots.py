"""Bots at the tables of the server: they think in processes of their own, and nobody waits long."""

from __future__ import annotations

import random

from foretold.actions import Action
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import span
from foretold.view import View
from foretold.workers.bots import BotWorkers
from foretold.workers.failures import WorkerError, told


class BotPool:
    """The worker processes in which bots decide."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics) -> None:
        """`seconds` is how long a bot may think."""
        self._metrics = metrics
        self.workers = BotWorkers(workers, seconds, _process_failed)

    def start(self) -> None:
        """Start the processes; they get ready while the server already runs."""
        self.workers.start()

    async def close(self) -> None:
        await self.workers.close()

    async def decide(self, level: str, view: View) -> Action:
        """What a bot of that level does; always one of the legal actions."""
        try:
            with span("bot", level=level):
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


def _process_failed(error: WorkerError) -> None:
    logger().warning("bot process failed", fault=told(error))

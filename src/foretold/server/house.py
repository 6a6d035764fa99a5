"""All that the doors share."""

from __future__ import annotations

import asyncio

from foretold.server.archive import Archive
from foretold.server.bots import BotPool
from foretold.server.budgets import Budgets
from foretold.server.database import open_database
from foretold.server.health import Health
from foretold.server.identity import Identity, server_key
from foretold.server.kept import Kept
from foretold.server.labour import Labour
from foretold.server.metrics import Metrics
from foretold.server.pace import Pace
from foretold.server.rooms import Rooms
from foretold.server.settings import ServerSettings
from foretold.server.sheets import Sheets
from foretold.server.static import Client
from foretold.server.store import Store
from foretold.server.study import Study


class House:
    """A running server, apart from its sockets. Made within the event loop."""

    def __init__(self, settings: ServerSettings, budgets: Budgets) -> None:
        asyncio.get_running_loop()
        self.settings = settings
        self.identity = Identity(server_key(settings.data))
        self.metrics = Metrics()
        engine = open_database(settings.database_url)
        self.budgets = budgets
        self.pace = Pace()
        self.store = Store(engine, self.metrics, Labour(budgets))
        self.health = Health(engine)
        self.bots = BotPool(settings.workers, settings.bot_seconds, self.metrics)
        self.rooms = Rooms(settings, self.store, self.bots, self.metrics, budgets)
        self.sheets = Sheets(settings, self.store, self.metrics, budgets)
        self.study = Study(budgets)
        self.archive = Archive(
            Kept(settings.data / "kept", int(settings.kept_megabytes * 1e6)),
            self.rooms,
            self.store,
            self.study,
        )
        self.client = Client(settings.site)
        self.bots.start()

    async def stop(self) -> None:
        """Finish what is being written, and say goodbye to everyone."""
        await asyncio.gather(self.rooms.stop(), self.sheets.stop())

    async def close(self) -> None:
        """After the rooms have stopped: what is written is on disk when this returns."""
        await self.bots.close()
        await self.archive.close()
        await self.study.close()
        self.health.close()
        await self.store.close()

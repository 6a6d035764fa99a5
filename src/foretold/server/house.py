"""All that the doors share."""

from __future__ import annotations

import asyncio
import shutil

from foretold.server.client.static import Client
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.operation.caretaker import Caretaker
from foretold.server.operation.health import Health, watch
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity, server_key
from foretold.server.quotas.budgets import Budgets
from foretold.server.quotas.pace import Pace
from foretold.server.replays.archive import Archive
from foretold.server.replays.kept import Kept
from foretold.server.rooms.rooms import Rooms
from foretold.server.rooms.scoresheets import Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store
from foretold.server.workers.bots import BotPool
from foretold.server.workers.labour import Labour
from foretold.server.workers.study import Study

SECONDS_TO_STOP = 3


class House:
    """A running server, apart from its sockets. Made within the event loop."""

    def __init__(self, settings: ServerSettings, budgets: Budgets) -> None:
        asyncio.get_running_loop()
        self.settings = settings
        self.identity = Identity(server_key(settings.data))
        self.metrics = Metrics()
        self.metrics.free_disk.set_function(lambda: shutil.disk_usage(settings.data).free)
        self.budgets = budgets
        self.pace = Pace()
        engine = open_database(settings.database_url)
        self.store = Store(engine, self.metrics, Labour(budgets))
        self.health = Health(self.store)
        self.bots = BotPool(settings.workers, settings.bot_seconds, self.metrics)
        doors = Doors(self.identity, budgets)
        self.rooms = Rooms(settings, self.store, self.bots, self.metrics, budgets, doors)
        self.sheets = Sheets(settings, self.store, self.metrics, budgets, doors)
        self.study = Study(budgets)
        self.archive = Archive(
            Kept(settings.data / "kept", int(settings.kept_megabytes * 1e6)),
            self.rooms,
            self.store,
            self.study,
        )
        self.caretaker = Caretaker(
            settings, engine, self.store, self.rooms, self.sheets, self.archive, budgets
        )
        self.client = Client(settings.site)
        self.bots.start()
        self._has_stopped = False
        self._watch = asyncio.create_task(watch(self.store, self._tell_saving))

    def _tell_saving(self, works: bool) -> None:
        self.metrics.saves.set(works)
        for rooms in (self.rooms, self.sheets):
            rooms.tell_saving(works)

    async def stop(self) -> None:
        """Finish what is being written, and say goodbye to everyone; once."""
        if self._has_stopped:
            return
        self._has_stopped = True
        try:
            async with asyncio.timeout(SECONDS_TO_STOP):
                await asyncio.gather(self.rooms.stop(), self.sheets.stop())
        except TimeoutError:
            logger().warning("some tables did not stop in time")

    async def close(self) -> None:
        """After the rooms have stopped: what is written is on disk when this returns."""
        self._watch.cancel()
        self.caretaker.close()
        await self.bots.close()
        await self.archive.close()
        await self.study.close()
        await self.store.close()

"""Everything the endpoints share."""

from __future__ import annotations

import asyncio
import shutil
from typing import Any

from foretold.server.client.static import Client
from foretold.server.cluster.bus import open_bus
from foretold.server.cluster.node import Node
from foretold.server.cluster.passing import Places, RemoteRoom
from foretold.server.cluster.sharing import Sharing
from foretold.server.cluster.subjects import node_name
from foretold.server.cluster.thinking import Thinkers
from foretold.server.ending import SECONDS_TO_CLOSE, SECONDS_TO_EXIT, Ending
from foretold.server.net.handing import Sibling
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.operation.caretaker import Caretaker
from foretold.server.operation.health import LOOKS, Health, watch
from foretold.server.people.device_links import DeviceLinks
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from foretold.server.quotas.budgets import Budgets
from foretold.server.quotas.pace import Pace
from foretold.server.replays.archive import Archive
from foretold.server.replays.kept import Kept
from foretold.server.rooms.awake import LiveRooms
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.live import LiveRoom
from foretold.server.rooms.rooms import Rooms
from foretold.server.rooms.scoresheets import Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store
from foretold.server.workers.bots import BotPool
from foretold.server.workers.labour import Labour
from foretold.server.workers.study import Study


class House:
    """A running server, apart from its sockets. Created inside the event loop."""

    def __init__(
        self,
        settings: ServerSettings,
        budgets: Budgets,
        sibling: Sibling | None = None,
        ending: Ending | None = None,
    ) -> None:
        """`sibling` hands sockets to the other processes at this port, if there are any; `ending`
        is the deadline for stopping."""
        asyncio.get_running_loop()
        self._ending = ending or Ending()
        self.settings = settings
        self.metrics = Metrics()
        self.metrics.free_disk.set_function(lambda: shutil.disk_usage(settings.data).free)
        self.budgets = budgets
        self.pace = Pace()
        engine = open_database(settings.database_url)
        keys = Keys.of(settings, engine)
        self.identity = Identity(keys)
        self.store = Store(engine, self.metrics, Labour(budgets))
        self.links = DeviceLinks(self.store)
        self.health = Health(self.store)
        self.bots = BotPool(settings.workers, settings.bot_seconds, self.metrics)
        doors = Doors(self.identity, budgets)
        self.rooms = Rooms(settings, self.store, self.bots, self.metrics, budgets, doors)
        self.sheets = Sheets(settings, self.store, self.metrics, budgets, doors)
        self.study = Study(budgets)
        self.archive = Archive(
            Kept(settings.data / _kept(settings), int(settings.kept_megabytes * 1e6)),
            self.rooms,
            self.store,
            self.study,
        )
        self.caretaker = Caretaker(
            settings, engine, self.store, self.rooms, self.sheets, self.archive, budgets, keys
        )
        self.client = Client(settings.site)
        self.bots.start()
        self.node: Node | None = None
        self._sharing: Sharing | None = None
        self._engine = engine
        self._sibling = sibling
        if sibling is not None:
            sibling.count = lambda outcome: self.metrics.handed.labels(outcome).inc()
        self._has_stopped = False
        self._watch = asyncio.create_task(watch(self.store, self._tell_saving))

    async def start(self) -> None:
        """Join the other nodes, if there are any; raises `ServerError`."""
        if not self.settings.bus:
            return
        bus = await open_bus(self.settings.bus, node_name(self.settings))
        places: Places = {"tables": self.rooms, "sheets": self.sheets}
        self.node = Node(self.settings, self._engine, bus, self.rooms, places)
        self.node.sibling = self._sibling
        self._sharing = Sharing(self.node, self.store, self.rooms, self.sheets, self.budgets)
        self.caretaker.share(self._sharing.look, self._sharing.census)
        self.bots.elsewhere = self.study.elsewhere = Thinkers(
            bus, self.node.subjects.think, self.node.id
        )
        await self.node.start()
        await self._sharing.start(self.caretaker)

    async def is_ready(self) -> bool:
        """Whether the database can be read and written, and clients should connect here."""
        return (self.node is None or self.node.is_well) and await self.health.is_good()

    async def enter(
        self, place: str, code: str, connection: Connection, since: int | None
    ) -> LiveRoom | RemoteRoom:
        """Join a table or sheet; raises `Refused`."""
        if self.node is not None:
            return await self.node.enter(place, code, connection, since)
        rooms: LiveRooms[Any] = self.sheets if place == "sheets" else self.rooms
        room: LiveRoom = await rooms.join(code, connection, since)
        return room

    async def move_seat(self, code: str, before: str, player: str, name: str) -> None:
        """Move a player's seat to another browser; raises `Refused` if that is impossible."""
        await (self.node or self.rooms).move_seat(code, before, player, name)

    def rename(self, player: str, name: str) -> None:
        """Update a player's name, which is already saved, wherever they are."""
        self.rooms.rename(player, name)
        self.sheets.rename(player, name)
        if self._sharing is not None:
            self._sharing.renamed(player, name)

    def _tell_saving(self, works: bool) -> None:
        self.metrics.saves.set(works)
        for rooms in (self.rooms, self.sheets):
            rooms.tell_saving(works)

    async def stop(self) -> None:
        """Finish pending writes, and say goodbye to everyone; once."""
        if self._has_stopped:
            return
        self._has_stopped = True
        self._ending.begin()
        hands_over = False
        if self.node is not None and self.node.is_well:
            hands_over = True
            self._ending.hand_over(self.settings.drain, self.node.answered_at)
        limit = asyncio.timeout(self._ending.left(SECONDS_TO_CLOSE))
        keeping = asyncio.create_task(self._keep_to_the_end(limit))
        try:
            async with limit:
                if self.node is not None:
                    await self.node.leave()
                await asyncio.gather(self.rooms.stop(hands_over), self.sheets.stop(hands_over))
                if self.node is not None:
                    await self.node.send_away()
        except TimeoutError:
            logger().warning("some tables did not stop in time")
        finally:
            keeping.cancel()

    async def _keep_to_the_end(self, limit: asyncio.Timeout) -> None:
        """Move the limit with the deadline, which moves as long as the database answers."""
        loop = asyncio.get_running_loop()
        while not limit.expired():
            limit.reschedule(loop.time() + self._ending.left(SECONDS_TO_CLOSE))
            await asyncio.sleep(LOOKS)

    async def close(self) -> None:
        """Call after the rooms have stopped: everything written is on disk when this returns."""
        self._watch.cancel()
        if self._sharing is not None:
            self._sharing.close()
        if self.node is not None:
            await self.node.close()
        self.caretaker.close()
        await self.bots.close()
        await self.archive.close()
        await self.study.close()
        await self.store.close(self._ending.left(SECONDS_TO_EXIT))


def _kept(settings: ServerSettings) -> str:
    """The folder for replays: nodes that share a data folder have one each."""
    return f"kept-{node_name(settings)}" if settings.bus else "kept"

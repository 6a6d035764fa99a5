"""What every node tells all others: new names, notices, and its status once a second."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final, Protocol

from foretold.server.cluster.messages import Beat, Look, News, Renamed, encode, read_news
from foretold.server.cluster.node import RENEW_SECONDS, Node
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.awake import LiveRooms
from foretold.server.rooms.rooms import Rooms
from foretold.server.rooms.scoresheets import Sheets
from foretold.server.storage.owners import LEASE_SECONDS
from foretold.server.storage.store import Store
from foretold.table.refusals import Refused

MOST_USED: Final = 500
"""Addresses in one message, of each kind of budget: those that have used most."""


class Caretaker(Protocol):
    """Follows the notices in the database."""

    async def look(self) -> None: ...


class Sharing:
    """The news of one node, to and from the others."""

    def __init__(
        self, node: Node, store: Store, rooms: Rooms, sheets: Sheets, budgets: Budgets
    ) -> None:
        self._node = node
        self._store = store
        self._rooms = rooms
        self._places: tuple[LiveRooms[Any], ...] = (rooms, sheets)
        self._budgets = budgets
        self._beats: dict[str, tuple[float, Beat]] = {}
        """When the last beat of each other node arrived, and the beat."""
        self._caretaker: Caretaker | None = None
        self._looking: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        budgets.share()
        rooms.public_elsewhere = self._public
        node.others_save = lambda: any(beat.saves for beat in self._living())

    async def start(self, caretaker: Caretaker) -> None:
        self._caretaker = caretaker
        await self._node.bus.subscribe(
            self._node.subjects.everyone, lambda data: self._hear(read_news(data))
        )
        self._telling = asyncio.create_task(self._tell_on())

    def close(self) -> None:
        for task in (self._telling, self._looking):
            if task is not None:
                task.cancel()

    # Telling

    def renamed(self, player: str, name: str) -> None:
        self._publish(Renamed(player, name))

    def look(self) -> None:
        """There are new notices in the database."""
        self._publish(Look(self._node.id))

    def _publish(self, news: News) -> None:
        self._node.bus.publish(self._node.subjects.everyone, encode(news))

    async def _tell_on(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            self._publish(
                Beat(
                    self._node.id,
                    self._node.has_lease,
                    self._budgets.places.taken,
                    len(self._rooms),
                    self._rooms.public_codes(),
                    self._budgets.used(MOST_USED),
                )
            )

    # Hearing

    def _hear(self, news: News) -> None:
        if isinstance(news, Renamed):
            self._store.forget_name(news.player)
            for rooms in self._places:
                rooms.rename(news.player, news.name)
        elif news.sender == self._node.id:
            return
        elif isinstance(news, Beat):
            self._beats[news.sender] = (time.monotonic(), news)
            self._budgets.use(news.used)
        elif self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        assert self._caretaker is not None
        try:
            await self._caretaker.look()
        except Refused:
            pass  # it looks again in two seconds
        except Exception:
            logger().exception("the caretaker failed")

    def _living(self) -> list[Beat]:
        """The beats of the nodes that are alive."""
        now = time.monotonic()
        self._beats = {
            node: one for node, one in self._beats.items() if now - one[0] < LEASE_SECONDS
        }
        return [beat for _, beat in self._beats.values()]

    def _public(self) -> frozenset[str]:
        return frozenset(code for beat in self._living() for code in beat.public)

    def census(self) -> tuple[int, int]:
        """The sockets and the live tables of all nodes."""
        beats = self._living()
        return (
            self._budgets.places.taken + sum(beat.sockets for beat in beats),
            len(self._rooms) + sum(beat.tables for beat in beats),
        )

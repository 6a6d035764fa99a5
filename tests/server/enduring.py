"""People play at three nodes, through any of them, while things fail; then all is checked."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is
from foretold.server.storage.owners import LEASE_SECONDS
from server.client import Person, run
from server.killing import Player, check_all
from server.nats import Nats
from server.nodes import Roamer
from server.nursery import NurseryServer
from server.postgres import restarted
from server.wires import Wire
from system import find_postgres

NODES = 3
TABLES = 3
BACK_WITHIN = 30.0
"""Seconds until everyone plays on, on a machine that may be busy with other tests."""


@dataclass
class Node:
    """A node, and its wires to the database and to the bus."""

    server: NurseryServer
    database: Wire
    bus: Wire

    @property
    def pid(self) -> int:
        assert self.server._pid is not None
        return self.server._pid


class Site:
    """Three nodes that things happen to; each fault returns when it is over."""

    def __init__(self, database: str, bus: Nats, chance: random.Random) -> None:
        self.database = database
        self.bus = bus
        self.nodes: list[Node] = []
        self.urls: list[str] = []
        """Of the nodes that clients may choose, as a balancer knows it."""
        self._chance = chance

    def any(self) -> Node:
        """A node that owns a table."""
        with open_as_it_is(self.database) as connection:
            owners = set(connection.execute(sa.text("SELECT node FROM owners")).scalars())
        own = [
            node for node in self.nodes if any(f"-{node.server.port}-" in owner for owner in owners)
        ]
        return self._chance.choice(own or self.nodes)

    async def kill(self) -> None:
        """A node dies, and is started again."""
        node = self.any()
        self.urls.remove(node.server.url)
        await asyncio.to_thread(node.server.kill)
        await self._start(node)

    async def leave(self) -> None:
        """A node is stopped properly, and is started again: a deploy."""
        node = self.any()
        self.urls.remove(node.server.url)
        os.kill(node.pid, signal.SIGTERM)
        while Path(f"/proc/{node.pid}").exists():
            await asyncio.sleep(0.01)
        await self._start(node)

    async def _start(self, node: Node) -> None:
        await asyncio.to_thread(node.server.start)
        self.urls.append(node.server.url)

    async def pause(self) -> None:
        """A node stops for longer than its lease, and wakes with all its memories."""
        node = self.any()
        self.urls.remove(node.server.url)
        os.kill(node.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(LEASE_SECONDS + 1)
        finally:
            os.kill(node.pid, signal.SIGCONT)
        self.urls.append(node.server.url)

    async def cut_database(self) -> None:
        """A node cannot reach the database for a while."""
        await self._cut(self.any().database)

    async def cut_bus(self) -> None:
        """A node cannot reach the bus for a while."""
        await self._cut(self.any().bus)

    async def _cut(self, wire: Wire) -> None:
        wire.cut()
        await asyncio.sleep(LEASE_SECONDS + 2)
        wire.mend()

    async def restart_bus(self) -> None:
        self.bus.stop()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(self.bus.start)

    async def restart_database(self) -> None:
        home = find_postgres()
        assert home is not None
        await asyncio.to_thread(restarted, home, self.database)

    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {
            "kill": self.kill,
            "leave": self.leave,
            "pause": self.pause,
            "cut database": self.cut_database,
            "cut bus": self.cut_bus,
            "restart bus": self.restart_bus,
            "restart database": self.restart_database,
        }


@dataclass(frozen=True)
class Endured:
    """What faults did to the people who played."""

    acknowledged: int
    """Actions; all of them are saved, once and in order."""
    away: list[tuple[str, float]]
    """Each fault, and the longest that somebody was without a connection."""


def endure(
    folder: Path, database: str, bus: Nats, faults: Sequence[str], seed: int, rounds: str = "1-15"
) -> Endured:
    chance = random.Random(seed)
    endured: list[Endured] = []

    async def story() -> None:
        site = Site(database, bus, chance)
        parts = urlsplit(database)
        async with AsyncExitStack() as stack:
            for at in range(NODES):
                wires = [
                    await stack.enter_async_context(Wire(port))
                    for port in (parts.port or 5432, bus.port)
                ]
                server = NurseryServer(
                    folder / f"node-{at}",
                    database=database.replace(f":{parts.port}", f":{wires[0].port}"),
                    bus=f"nats://127.0.0.1:{wires[1].port}/{folder.name}",
                )
                server.settings["FORETOLD_DATA"] = str(folder)
                await asyncio.to_thread(server.start)
                stack.callback(server.__exit__)
                site.nodes.append(Node(server, *wires))
                site.urls.append(server.url)
            endured.append(await _play(site, faults, chance, rounds))

    run(story)
    return endured[0]


async def _play(site: Site, faults: Sequence[str], chance: random.Random, rounds: str) -> Endured:
    players: list[Player] = []
    for table in range(TABLES):
        people = [await Person.named(chance.choice(site.urls), f"P{table}{at}") for at in range(2)]
        bots = [None, None, "apprentice", "apprentice"]
        code = await people[0].new_table(rules={"rounds": rounds}, bots=bots)
        clients = [Roamer(person, code, site.urls, chance) for person in people]
        for client in clients:
            await client.__aenter__()
        await clients[1].ask("sit", seat=1)
        await clients[0].ask("start")
        players += [Player(client, chance) for client in clients]
    for player in players:
        player.longest_thought = 0.2
    playing = [asyncio.create_task(player.play()) for player in players]
    away = []
    for fault in faults:
        await asyncio.sleep(chance.uniform(0, 0.3))
        for player in players:
            player.client.longest_gap = 0.0
        await site.faults()[fault]()
        await _all_play_on(players)
        away.append((fault, max(player.client.longest_gap for player in players)))
    for player in players:
        player.longest_thought = 0
    async with asyncio.timeout(10 * BACK_WITHIN):
        await asyncio.gather(*playing)
    for player in players:
        await player.client.leave()
        player.client.person.http.base_url = site.urls[0]
    await check_all(site.database, players)
    return Endured(sum(len(player.acknowledged) for player in players), away)


async def _all_play_on(players: list[Player]) -> None:
    """Wait until everybody has heard of something new."""
    before = {player: player.client.n or 0 for player in players}
    deadline = time.monotonic() + BACK_WITHIN
    while any(
        (player.client.n or 0) <= n and not player.client.is_over for player, n in before.items()
    ):
        assert time.monotonic() < deadline, "somebody is stuck"
        await asyncio.sleep(0.02)

"""People play at three nodes, through any of them, while things fail; then all is checked."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is
from foretold.server.storage.owners import LEASE_SECONDS
from ports import free_port
from server import witness
from server.client import run
from server.killing import check_all
from server.nats import Nats, nats, routed
from server.networks import Network, networks
from server.nursery import BACK, FORTH, NurseryServer
from server.parties import Party
from server.postgres import restarted
from server.standby import Standby
from server.wires import Wire
from system import find_postgres

CUT_NODES = "cut nodes"
FAULTS = (
    *("kill", "leave", "pause", "cut database", "cut bus", "cut off", CUT_NODES, "restart bus"),
    *("restart database", "fail over", "slow disk", "jump clock"),
)
NODES = 3
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
        self.source = "127.0.0.1"
        """Where clients come from; any address, if nodes have networks of their own."""
        self.route: Wire | None = None
        """Between the parts of the bus, if it has two."""
        self.ends = ExitStack()
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
        await asyncio.to_thread(node.server.leave)
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

    async def cut_off(self) -> None:
        """A node can reach neither."""
        node = self.any()
        await self._cut(node.database, node.bus)

    async def cut_nodes(self) -> None:
        """The bus is of two parts, which cannot reach each other for a while: so nodes hear from
        the bus and from the database, but not all of them from each other."""
        assert self.route is not None
        await self._cut(self.route)

    async def _cut(self, *wires: Wire) -> None:
        is_told = self._chance.random() < 0.5
        for wire in wires:
            (wire.cut if is_told else wire.lose)()
        await asyncio.sleep(LEASE_SECONDS + 2)
        for wire in wires:
            wire.mend()

    async def restart_bus(self) -> None:
        self.bus.stop()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(self.bus.start)

    async def restart_database(self) -> None:
        """As after a power cut."""
        await asyncio.to_thread(restarted, self._home(), self.database)

    async def fail_over(self) -> None:
        """The database is gone for good, and another that has followed it takes its place."""
        standby = Standby(self._home(), self.database)
        self.ends.callback(standby.close)
        await asyncio.to_thread(standby.follow)
        await asyncio.to_thread(standby.take_over)
        for node in self.nodes:
            node.database.target = standby.port
            node.database.cut()
            node.database.mend()
        self.database = standby.url

    async def slow_disk(self) -> None:
        """Every commit takes a tenth of a second longer for a while."""
        await asyncio.to_thread(self._set, "commit_delay = 100000", "commit_siblings = 0")
        await asyncio.sleep(LEASE_SECONDS + 2)
        await asyncio.to_thread(self._set, "commit_delay = 0")

    def _set(self, *settings: str) -> None:
        with open_as_it_is(self.database, "AUTOCOMMIT") as connection:
            for setting in settings:
                connection.exec_driver_sql(f"ALTER SYSTEM SET {setting}")
            connection.exec_driver_sql("SELECT pg_reload_conf()")

    async def jump_clock(self) -> None:
        """A node's clock is set an hour back or forth; or the database's is, and all leases end."""
        if self._chance.random() < 0.5:
            os.kill(self.any().pid, self._chance.choice((BACK, FORTH)))
        else:
            hour = self._chance.choice((-3_600_000, 3_600_000))
            with open_as_it_is(self.database) as connection, connection.begin():
                connection.execute(sa.text("UPDATE nodes SET until = until + :by"), {"by": hour})
        await asyncio.sleep(1)

    def _home(self) -> Path:
        home = find_postgres()
        assert home is not None
        return home

    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {fault: getattr(self, fault.replace(" ", "_")) for fault in FAULTS}


@dataclass(frozen=True)
class Endured:
    """What faults did to the people who played."""

    acknowledged: int
    """Actions; all of them are saved, once and in order."""
    away: list[tuple[str, float]]
    """Each fault, and the longest that somebody had to wait: for a connection, or for an
    acknowledgement."""
    epochs: int
    """Of all tables; each had one owner."""
    games: int
    """All of them finished, and their deals verified."""


def endure(
    folder: Path, database: str, bus: Nats, faults: Sequence[str], seed: int, parties: int = 3
) -> Endured:
    chance = random.Random(seed)
    endured: list[Endured] = []

    async def story() -> None:
        async with AsyncExitStack() as stack:
            site = Site(database, bus, chance)
            stack.enter_context(site.ends)
            apart = stack.enter_context(networks(NODES))
            if apart is not None:
                site.source = "0.0.0.0"
            second = await _join_second(site, stack) if CUT_NODES in faults else bus.port
            ports = [*[site.bus.port] * (NODES - 1), second]
            for at, port in enumerate(ports):
                network = None if apart is None else apart[at]
                await _add_node(site, stack, folder / f"node-{at}", port, network)
            await asyncio.to_thread(witness.watch, database)
            endured.append(await _play(site, faults, chance, parties))
            await asyncio.to_thread(witness.forget, site.database)

    run(story)
    return endured[0]


async def _add_node(
    site: Site, stack: AsyncExitStack, folder: Path, bus: int, network: Network | None
) -> None:
    """Start a node, on a machine of its own if it has a network."""
    parts = urlsplit(site.database)
    wires = [
        await stack.enter_async_context(Wire(port, network.cable() if network else None))
        for port in (parts.port or 5432, bus)
    ]
    name = folder.parent.name
    server = NurseryServer(folder, bus=f"nats://{wires[1].host}:{wires[1].port}/{name}")
    if network is not None:
        server.network, server.host = network.name, network.cable().far
    there = f"{parts.username}@{wires[0].host}:{wires[0].port}"
    url = parts._replace(netloc=there).geturl()
    server.settings["FORETOLD_DATABASE"] = f"{url}?application_name={witness.name(server.port)}"
    server.settings["FORETOLD_DATA"] = str(folder.parent)
    await asyncio.to_thread(server.start)
    stack.callback(server.__exit__)
    site.nodes.append(Node(server, *wires))
    site.urls.append(server.url)


async def _join_second(site: Site, stack: AsyncExitStack) -> int:
    """Add a second part to the bus, and return its port."""
    meeting = free_port()
    site.bus.stop()
    site.bus = stack.enter_context(nats(site.bus.program, *routed(meeting)))
    site.route = await stack.enter_async_context(Wire(meeting))
    second = nats(site.bus.program, *routed(free_port(), site.route.port))
    return (await asyncio.to_thread(stack.enter_context, second)).port


async def _play(site: Site, faults: Sequence[str], chance: random.Random, count: int) -> Endured:
    parties = [await Party.of(f"P{at}-", site.urls, chance, site.source) for at in range(count)]
    playing = [asyncio.create_task(party.play()) for party in parties]
    away = []
    for fault in faults:
        await asyncio.sleep(chance.uniform(0, 0.3))
        for party in parties:
            party.forget_waits()
        await site.faults()[fault]()
        await _all_play_on(site, fault, parties, playing)
        away.append((fault, max(party.longest_wait for party in parties)))
    for party in parties:
        party.go_home()
    async with asyncio.timeout(10 * BACK_WITHIN):
        await asyncio.gather(*playing)
    players = [player for party in parties for player in party.finished]
    for player in players:
        player.client.person.http.base_url = site.urls[0]
    games = await check_all(site.database, players)
    epochs = await asyncio.to_thread(witness.check_epochs, site.database)
    return Endured(sum(len(player.acknowledged) for player in players), away, epochs, games)


async def _all_play_on(
    site: Site, fault: str, parties: list[Party], playing: list[asyncio.Task[None]]
) -> None:
    """Wait until everybody has heard of something new."""
    before = [(party, party.mark()) for party in parties]
    deadline = time.monotonic() + BACK_WITHIN
    while stuck := [party for party, mark in before if party.is_stuck(mark)]:
        for task in playing:
            if task.done():
                task.result()
        if time.monotonic() > deadline:
            raise AssertionError(f"after {fault!r}, somebody is stuck: {_told(site, stuck)}")
        await asyncio.sleep(0.02)


def _told(site: Site, stuck: list[Party]) -> str:
    """What those who are stuck know, and what the nodes have logged: for whoever must find out
    why."""
    people = [f"load {os.getloadavg()[0]:.0f}"]
    for client in (client for party in stuck for client in party.clients):
        heard = [message["t"] for message in client.heard[-5:]]
        known = {
            "table": client.code,
            "you": client.you,
            "at": client.person.url,
            "is connected": client.transport is not None,
            "n": client.n,
            "welcomes": client.welcomes,
            "may": client.legal[:3],
            "to act": None if client.view is None else client.view.get("to_act"),
            "waits for answers": len(client._unanswered),
            "heard last": heard,
            "refused": client.refusal,
            "saves": client.saves,
        }
        people.append(", ".join(f"{name} {value}" for name, value in known.items()))
    logs = [f"{node.server.url}:\n{node.server.log[-4000:]}" for node in site.nodes]
    return "\n".join([*people, *logs])

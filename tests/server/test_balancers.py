"""Balancers before several nodes, with the configurations of `deploy/`."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is
from server.balancers import BALANCERS, balanced
from server.client import Client, Person, run
from server.nats import Nats
from server.nodes import site
from server.nursery import NurseryServer
from server.postgres import emptied
from system import find_balancer

TABLES = 6


@pytest.fixture(scope="module")
def nodes(
    tmp_path_factory: pytest.TempPathFactory, postgres: str, bus: Nats
) -> Iterator[list[NurseryServer]]:
    with site(tmp_path_factory.mktemp("site"), emptied(postgres), bus.url) as nodes:
        yield nodes


def owners(database: str) -> dict[str, str]:
    with open_as_it_is(database) as connection:
        rows = connection.execute(sa.text("SELECT code, node FROM owners"))
        return {row.code: row.node for row in rows}


@pytest.mark.parametrize("name", BALANCERS)
def test_a_table_stays_at_one_node_and_moves_when_that_leaves(
    name: str, tmp_path: Path, nodes: list[NurseryServer], postgres: str
) -> None:
    program = find_balancer(name)
    if program is None:
        pytest.skip(f"no {name} here")

    async def story(url: str) -> None:
        people = [await Person.named(url, one) for one in ("Ann", "Ben")]
        for path in ("/metrics", "/readyz"):
            assert (await people[0].http.get(path)).status_code == 404
        clients = []
        for _ in range(TABLES):
            code = await people[0].new_table(
                rules={"rounds": "1-2"}, bots=[None, None, "apprentice", "apprentice"]
            )
            for person in people:
                clients.append(Client(person, code))
                await clients[-1].__aenter__()
        for host, guest in zip(clients[::2], clients[1::2], strict=True):
            await guest.ask("sit", seat=1)
            await host.ask("start")
        # Nobody's messages are passed on: each socket is where its table is.
        own = owners(postgres)
        homes = [own[client.code] for client in clients]
        at = [sum(f"-{node.port}-" in home for home in homes) for node in nodes]
        async with asyncio.timeout(20):  # those of an earlier test may not be closed yet
            while [await open_sockets(node) for node in nodes] != at:
                await asyncio.sleep(0.05)
        leaving = next(node for node, count in zip(nodes, at, strict=True) if count)
        await asyncio.to_thread(leaving.leave)
        chance = random.Random(1)
        await asyncio.gather(*(client.play_on(chance.choice) for client in clients))
        for client in clients:
            await client.leave()
        await asyncio.to_thread(leaving.start)

    async def open_sockets(node: NurseryServer) -> int:
        there = Person(node.url)
        page = (await there.http.get("/metrics")).text
        line = next(line for line in page.splitlines() if line.startswith("foretold_connections "))
        return int(float(line.split()[1]))

    with balanced(name, program, tmp_path / name, [node.port for node in nodes]) as (url, _):
        run(lambda: story(url))

"""A deploy: two versions run side by side, and tables go from one to the other in mid-game."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is
from server.client import Person, run
from server.killing import Player, check_all
from server.later import VERSION
from server.nats import Nats
from server.nodes import Roamer, site
from server.nursery import NurseryServer


def snapshot_maker(database: str, code: str) -> str:
    with open_as_it_is(database) as connection:
        query = sa.text("SELECT made_by FROM snapshots WHERE code = :code")
        return str(connection.execute(query, {"code": code}).scalar())


async def told(person: Person, node: NurseryServer, metric: str) -> float:
    """A figure that a node tells Prometheus."""
    answer = await person.http.get(f"{node.url}/metrics")
    lines = [line for line in answer.text.splitlines() if line.startswith(metric + " ")]
    return float(lines[0].split()[-1]) if lines else 0.0


def test_a_game_goes_on_through_an_upgrade_and_back(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    chance = random.Random(3)

    async def story(nodes: list[NurseryServer]) -> None:
        present, later = nodes
        people = [await Person.named(present.url, name) for name in ("Ann", "Ben")]
        code = await people[0].new_table(
            rules={"rounds": "1-12"}, bots=[None, None, "apprentice", "apprentice"]
        )
        clients = [
            Roamer(person, code, [node.url], chance)
            for person, node in zip(people, nodes, strict=True)
        ]
        for client in clients:
            await client.__aenter__()
        host, guest = clients
        await guest.ask("sit", seat=1)
        await host.ask("start")
        players = [Player(client, chance) for client in clients]
        for player in players:
            player.longest_thought = 0.05
        playing = [asyncio.create_task(player.play()) for player in players]

        async def go_on(entries: int) -> None:
            """Play that much, and pause."""
            before = host.n or 0
            for player in players:
                player.may_act.set()
            await host.until(lambda: (host.n or 0) >= before + entries or host.is_over)
            for player in players:
                player.may_act.clear()
            assert not host.is_over

        async def without(node: NurseryServer, other: NurseryServer) -> None:
            """One node leaves while people play, and they play on at the other."""
            for client in clients:
                client.urls = [other.url]
            welcomes = [client.welcomes for client in clients]
            leaving = asyncio.create_task(asyncio.to_thread(node.leave))
            for player in players:
                player.may_act.set()
            for client, before in zip(clients, welcomes, strict=True):
                await client.until(lambda c=client, b=before: c.welcomes > b)  # type: ignore[misc]
            await go_on(1)
            await leaving
            assert await told(people[0], other, 'foretold_wake_seconds_count{source="snapshot"}')

        await go_on(20)
        await without(present, later)
        # The node that took over has seen to a snapshot that it can read.
        assert snapshot_maker(empty_postgres, code) == VERSION
        await asyncio.to_thread(present.start)
        await go_on(20)
        await without(later, present)
        assert snapshot_maker(empty_postgres, code) != VERSION
        for player in players:
            player.may_act.set()
            player.longest_thought = 0
        await asyncio.gather(*playing)
        for client in clients:
            await client.leave()
            client.person.http.base_url = present.url
        await check_all(empty_postgres, players)

    with site(tmp_path, empty_postgres, bus.url, linger=60) as nodes:
        nodes[1].kill()
        nodes[1].is_later = True
        nodes[1].start()
        run(lambda: story(nodes))
        for node in nodes:
            assert '"level": "error"' not in node.log, node.log

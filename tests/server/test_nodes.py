"""Several nodes as one site: any of them takes any socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.client import Client, Person, RefusedError, run
from server.nats import Nats
from server.nodes import site
from server.nursery import NurseryServer
from server.postgres import emptied


@pytest.fixture(scope="module")
def nodes(
    tmp_path_factory: pytest.TempPathFactory, postgres: str, bus: Nats
) -> Iterator[list[NurseryServer]]:
    with site(tmp_path_factory.mktemp("site"), emptied(postgres), bus.url) as nodes:
        yield nodes
        for node in nodes:
            assert '"level": "error"' not in node.log, node.log


async def at(person: Person, node: NurseryServer) -> Person:
    """The same person, at another node."""
    there = Person(node.url)
    there.http.cookies = person.http.cookies
    there.keys = person.keys
    return there


def test_a_game_is_played_from_two_nodes(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        ben = await Person.named(nodes[1].url, "Ben")
        code = await ann.new_table(rules={"rounds": "1-3"}, bots=[None, None, *["apprentice"] * 2])
        async with Client(ann, code) as host, Client(ben, code) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
            await asyncio.gather(host.play_on(), guest.play_on())
            await guest.until(lambda: guest.n == host.n)
            assert guest.events[-1] == host.events[-1]
            assert guest.table["state"] == host.table["state"] == "over"
            assert guest.presence["here"][:2] == [True, True]
            await guest.leave()
            await host.until(lambda: host.presence["here"][1] is False)

    run(story)


def test_a_name_changes_at_all_nodes_at_once(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        code = await ann.new_table()
        async with Client(ann, code) as host:
            await (await at(ann, nodes[1])).call("PUT", "/api/me", {"name": "Anna"})
            await host.until(lambda: host.table["seats"][0]["name"] == "Anna")

    run(story)


def test_somebody_without_a_right_is_refused_by_the_owner(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        code = await ann.new_table(rules={"rounds": "1"}, bots=[None, *["apprentice"] * 3])
        async with Client(ann, code) as host:
            await host.ask("start")
            stranger = Client(await Person.named(nodes[1].url, "Cy"), code)
            stranger.comes_back = False
            async with stranger:
                assert stranger.refusal is not None
                assert stranger.refusal["code"] == "need_key"

    run(story)


def test_public_tables_are_listed_everywhere(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        code = await ann.new_table(public=True)
        ben = await Person.named(nodes[1].url, "Ben")
        async with Client(ann, code):
            listed = (await ben.call("GET", "/api/tables"))["tables"]
            assert code in [one["code"] for one in listed]

    run(story)


def test_a_seat_is_moved_by_whichever_node_is_asked(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        code = await ann.new_table()
        async with Client(ann, code) as host:
            link = await ann.call("POST", f"/api/tables/{code}/seat")
            new = Person(nodes[1].url)
            taken = await new.call("POST", "/api/me/seat", {"token": link["path"].split("#")[1]})
            assert taken["code"] == code
            await host.until(lambda: host.seat is None)

    run(story)


def test_a_link_to_another_device_works_once_at_any_node(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        link = (await ann.call("POST", "/api/me/link"))["path"].split("/")[-1]
        phone, thief = Person(nodes[1].url), Person(nodes[0].url)
        assert (await phone.call("POST", "/api/me/device", {"token": link}))["name"] == "Ann"
        with pytest.raises(RefusedError, match="no longer valid"):
            await thief.call("POST", "/api/me/device", {"token": link})

    run(story)

"""Several nodes as one site: any of them takes any socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from foretold.server.operation.acts import ABOUT_KEYS
from foretold.server.people.keys import SETTLE_MS, rotate
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import notices
from foretold.server.storage.store import now_ms
from server.client import Client, Person, RefusedError, run
from server.nats import Nats
from server.nodes import site
from server.nursery import NurseryServer
from server.postgres import emptied

TOKEN = "0123456789abcdef0123"
GUESSES = 6


@pytest.fixture(scope="module")
def nodes(
    tmp_path_factory: pytest.TempPathFactory, postgres: str, bus: Nats
) -> Iterator[list[NurseryServer]]:
    folder = tmp_path_factory.mktemp("site")
    limits = {"guesses_per_minute": GUESSES}
    with site(folder, emptied(postgres), bus.url, 2, operator_token=TOKEN, **limits) as nodes:
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


def test_who_is_banned_at_one_node_is_sent_away_from_all(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        operator = Person(nodes[0].url)
        operator.http.headers["authorization"] = f"Bearer {TOKEN}"
        mallory = await Person.named(nodes[1].url, "Mallory")
        player = (await mallory.call("GET", "/api/me/data"))["player"]["id"]
        async with Client(mallory, await mallory.new_table()) as client:
            await operator.call("POST", "/api/operator/bans", {"subject": player, "hours": 1})
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "banned"
        for node in nodes:
            with pytest.raises(RefusedError, match="cannot use this site until"):
                await (await at(mallory, node)).call("GET", "/api/me")

    run(story)


def test_what_an_address_uses_at_one_node_counts_at_all(nodes: list[NurseryServer]) -> None:
    async def story() -> None:
        here, there = [Person(node.url, source="127.0.0.8") for node in nodes]
        guesses = 0
        while await refusal(here) == "no_table":
            guesses += 1
        # They tell each other every second; it would need as many guesses to be refused there.
        for _ in range(guesses - 10):
            if await refusal(there) == "too_many_guesses":
                return
            await asyncio.sleep(0.5)
        raise AssertionError("the other node does not know")

    async def refusal(person: Person) -> str:
        with pytest.raises(RefusedError) as refused:
            await person.call("GET", "/api/tables/BBBBBB")
        return refused.value.code

    run(story)


def test_a_new_key_is_known_to_all_nodes_and_nobody_is_logged_out(
    nodes: list[NurseryServer], postgres: str
) -> None:
    async def story() -> None:
        ann = await Person.named(nodes[0].url, "Ann")
        old = ann.cookie
        engine = open_database(postgres)
        with engine.begin() as connection:
            # As if it had been added a minute ago, since when it has been known to all.
            rotate(connection, now_ms() - SETTLE_MS - 1, None)
            changed = sa.insert(notices).values(at=now_ms(), about=ABOUT_KEYS, subject="")
            connection.execute(changed)
        engine.dispose()
        for node in nodes:
            there = await at(ann, node)
            async with asyncio.timeout(20):
                while there.cookie == old:  # it gets a new one where the new key is known
                    assert (await there.call("GET", "/api/me"))["name"] == "Ann"

    run(story)

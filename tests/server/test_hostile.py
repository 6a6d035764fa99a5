"""Whatever is sent, it is answered or refused, and the table goes on."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from foretold.server.rooms.connection import REFUSED, TRY_LATER
from server.client import Client, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess

BOTS: list[str | None] = [None, "novice", "novice", "novice"]

HOSTILE = [
    "",
    "null",
    "[]",
    "{",
    '"act"',
    "{}",
    '{"t": "act"}',
    '{"t": "act", "id": ""}',
    '{"t": "act", "id": "a"}',
    '{"t": "act", "id": "a", "turn": "1", "action": "bid 0"}',
    '{"t": "act", "id": "a", "turn": 1, "action": "bid 0", "extra": 1}',
    '{"t": "act", "id": "a", "turn": 1e300, "action": "bid 0"}',
    '{"t": "act", "id": "a", "turn": 99999999999999999999999, "action": "bid 0"}',
    '{"t": "act", "id": "a", "turn": 1, "action": "' + "x" * 4000 + '"}',
    '{"t": "act", "id": "' + "i" * 41 + '", "turn": 1, "action": "bid 0"}',
    '{"t": "nothing", "id": "a"}',
    '{"t": "sit", "id": "a", "seat": -1}',
    '{"t": "sit", "id": "a", "seat": 99}',
    '{"t": "bot", "id": "a", "seat": 1, "level": "god"}',
    '{"t": "settings", "id": "a", "settings": {"pace": -1}}',
    '{"t": "settings", "id": "a", "settings": {"clock": 1}}',
    '{"t": "settings", "id": "a", "settings": {"nothing": 1}}',
    '{"t": "settings", "id": "a", "rules": {"players": 99}}',
    '{"t": "settings", "id": "a", "rules": {"rounds": "' + "1-15," * 400 + '1"}}',
    '{"t": "settings", "id": "a", "rules": {"edition": ["amigo"]}}',
    '{"t": "reveal", "id": "a", "bytes": "zz"}',
    '{"t": "commit", "id": "a", "commitment": "00"}',
    '{"t": "say", "id": "a", "phrase": "<script>"}',
    '{"t": "sync", "id": "a", "since": -5}',
    '{"t": "close", "id": "\\ud800"}',
    "[" * 4000,
    '{"t":' * 1000,
    "\x00\x01",
    "\u202e{}",
]


def test_hostile_frames_are_refused_and_the_game_goes_on(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve")
        code = await ana.new_table(rules={"rounds": "2"}, bots=BOTS)
        eve.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as client, Client(eve, code) as intruder:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            before = (client.n, client.table)
            for frame in HOSTILE:
                for one in (client, intruder):
                    heard = len(one.heard)
                    await one.send_raw(frame)
                    await one.until(lambda o=one, h=heard: len(o.heard) > h)  # type: ignore[misc]
                    answer = one.heard[-1]
                    assert answer["t"] in ("refused", "welcome"), frame
                    if answer["t"] == "refused":
                        assert answer["code"] not in ("internal", "too_fast")
                        assert answer["reason"]
                        assert "\n" not in answer["reason"]
            assert (client.n, client.table) == before
            for kind, fields in (
                ("act", {"turn": client.turn, "action": client.legal[0]}),
                ("start", {}),
                ("leave", {}),
                ("clear", {"seat": 1}),
                ("host", {"seat": 1}),
                ("let_in", {"knock": 1}),
                ("bot", {"seat": 1, "level": "adept"}),
                ("settings", {"settings": {"pace": 3000}}),
                ("close", {}),
                ("back", {}),
                ("rematch", {}),
            ):
                with pytest.raises(RefusedError) as refused:
                    await intruder.ask(kind, **fields)
                assert refused.value.code in ("not_seated", "not_host")
            assert client.n == before[0]
            await client.play_on()

    run(story)


def test_binary_and_oversized_frames_end_the_connection_or_are_refused(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"}, bots=BOTS)
        async with Client(ana, code) as client:
            await client.send_raw(b"\x00\xff binary")
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "bad_message"
            await client.send_raw('{"t": "ping", "id": "' + "x" * 9000 + '"}')
            await client.until(lambda: client.welcomes == 2)
            await client.ask("start")
            await client.play_on()

    run(story)


def test_a_flood_is_slowed_down_and_then_cut(tmp_path_factory: pytest.TempPathFactory) -> None:
    async def story() -> None:
        ana = await Person.named(strict.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"}, bots=BOTS)
        async with Client(ana, code) as client:
            for _ in range(20):
                await client.send_raw('{"t": "ping", "id": "p"}')
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "too_fast"
            assert client.refusal["id"] == "p"
            for _ in range(150):
                await client.send_raw('{"t": "ping", "id": "p"}')
            await client.until(lambda: client.welcomes == 2)
        # Handshakes count as requests: without requests left there are no more sockets either.
        address = f"{strict.url.replace('http', 'ws')}/api/tables/{code}/socket"
        begun = time.monotonic()
        codes = [await refusal(address, strict.url) for _ in range(40)]
        statuses = [(await ana.http.get("/api/me")).status_code for _ in range(40)]
        let_in = len(codes) - codes.count("too_fast") + statuses.count(200)
        # What the bucket held, plus three a second since; the last one too, if it came that late.
        assert let_in <= 30 + 3 * (time.monotonic() - begun)
        assert set(statuses) <= {200, 429}
        # On a slow machine the bucket has refilled meanwhile: it is empty when it refuses.
        while (await ana.http.get("/api/me")).status_code == 200:
            pass
        emptied = time.monotonic()
        await asyncio.sleep(1)
        statuses = [(await ana.http.get("/api/me")).status_code for _ in range(40)]
        assert statuses[0] == 200
        assert statuses.count(200) <= 1 + 3 * (time.monotonic() - emptied)
        assert set(statuses) <= {200, 429}
        await asyncio.sleep(2)
        statuses = [(await ana.http.post("/api/play")).status_code for _ in range(4)]
        assert statuses[0] == 200
        assert statuses[-1] == 429

    folder = tmp_path_factory.mktemp("strict")
    with NurseryServer(
        folder, messages_per_second=4, requests_per_second=3, tables_per_minute=1
    ) as strict:
        run(story)


def test_play_now_leaves_nobody_behind_when_it_is_refused(tmp_path: Path) -> None:
    def players() -> list[str]:
        with closing(sqlite3.connect(tmp_path / "foretold.db")) as database:
            return [name for (name,) in database.execute("SELECT name FROM players")]

    async def story() -> None:
        async with httpx.AsyncClient(base_url=strict.url) as http:
            refused = await http.post("/api/play", json={})
            assert (refused.status_code, refused.json()["code"]) == (401, "no_name")
            refused = await http.post("/api/play", json={"name": " "})
            assert refused.json()["code"] == "bad_name"
            opened = await http.post("/api/play", json={"name": "Ana", "level": "novice"})
            assert opened.status_code == 200
            table = (await http.get(f"/api/tables/{opened.json()['code']}")).json()
            assert (table["state"], table["your_seat"], table["taken_back"]) == ("playing", 0, 0)
            assert [one.get("level") for one in table["seats"]] == [None, *["novice"] * 3]
        opened_for = ["Ana"]
        for name in ("Ben", "Cleo", "Dov", "Eva"):
            async with httpx.AsyncClient(base_url=strict.url) as http:
                answer = await http.post("/api/play", json={"name": name})
            if answer.status_code != 200:
                break
            opened_for.append(name)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
        assert "set-cookie" not in answer.headers
        assert players() == opened_for

    with NurseryServer(tmp_path, tables_per_minute=1) as strict:
        run(story)


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://127.0.0.1:1"])
def test_other_sites_get_no_socket(server: ServerProcess, origin: str | None) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table()
        address = server.url.replace("http", "ws") + f"/api/tables/{code}/socket"
        with pytest.raises(InvalidStatus) as refused:
            async with connect(address, origin=None if origin is None else Origin(origin)):
                pass
        assert refused.value.response.status_code == 403

    run(story)


def test_other_sites_cannot_act_for_a_player(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        headers = {"origin": "http://evil.example"}
        answer = await ana.http.put("/api/me", json={"name": "Eve"}, headers=headers)
        assert answer.status_code == 403
        assert (await ana.call("GET", "/api/me"))["name"] == "Ana"

    run(story)


def test_a_table_that_is_not_there(server: ServerProcess) -> None:
    async def story() -> None:
        nobody = Person(server.url)
        client = Client(nobody, "BBBBBB")
        client.comes_back = False
        async with client:
            assert client.refusal is not None
            assert client.refusal["code"] == "no_table"
            assert client.refusal["id"] is None

    run(story)


def test_there_are_only_so_many_places(tmp_path_factory: pytest.TempPathFactory) -> None:
    async def story() -> None:
        ana = await Person.named(small.url, "Ana")
        code = await ana.new_table()
        async with Client(ana, code), Client(ana, code):
            third = Client(ana, code)
            third.comes_back = False
            async with third:
                assert third.refusal is not None
                assert third.refusal["code"] == "too_many_open"
            # It passes, so nobody is sent away for good.
            address = small.url.replace("http", "ws") + f"/api/tables/{code}/socket"
            assert await raw(address, origin=Origin(small.url)) == TRY_LATER
        async with Client(ana, code):
            pass

    with NurseryServer(tmp_path_factory.mktemp("small"), max_connections_per_address=2) as small:
        run(story)


KINDS = st.sampled_from(
    [
        "act",
        "sit",
        "leave",
        "bot",
        "clear",
        "host",
        "knock",
        "let_in",
        "settings",
        "commit",
        "start",
        "reveal",
        "back",
        "say",
        "rematch",
        "close",
        "sync",
        "ping",
        "x",
    ]
)
NAMES = st.sampled_from(
    [
        "id",
        "turn",
        "action",
        "seat",
        "level",
        "settings",
        "rules",
        "commitment",
        "bytes",
        "knock",
        "may_return",
        "phrase",
        "since",
        "t",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
FRAMES = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    st.builds(
        lambda kind, fields: json.dumps({"t": kind, "id": "f", **fields}),
        KINDS,
        st.dictionaries(NAMES, VALUES, max_size=4),
    ),
)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames=st.lists(FRAMES, min_size=10, max_size=40))
def test_whatever_an_intruder_sends_the_table_is_unharmed(
    server: ServerProcess, frames: list[str | bytes]
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve")
        code = await ana.new_table(rules={"rounds": "2"}, bots=BOTS)
        eve.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as client, Client(eve, code) as intruder:
            await client.ask("start")
            chance = random.Random(0)

            async def intrude() -> None:
                for frame in frames:
                    await intruder.send_raw(frame)
                    await asyncio.sleep(0.001)

            await asyncio.gather(client.play_on(chance.choice), intrude())
            internal = [one for one in intruder.heard if one.get("code") == "internal"]
            assert internal == []
        assert (await ana.http.get("/healthz")).status_code == 200

    run(story)


async def refusal(address: str, origin: str) -> str | None:
    """Connect; returns the code of the first message, if it is a refusal."""
    async with connect(address, origin=Origin(origin)) as socket:
        code: str | None = json.loads(await socket.recv()).get("code")
        return code


async def raw(address: str, **options: Any) -> int | None:
    """Connect, wait for the close, and return its code."""
    try:
        async with connect(address, **options) as socket:
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_the_end_of_a_refused_connection_has_a_code(server: ServerProcess) -> None:
    async def story() -> None:
        address = server.url.replace("http", "ws") + "/api/tables/BBBBBB/socket"
        assert await raw(address, origin=Origin(server.url)) == REFUSED

    run(story)

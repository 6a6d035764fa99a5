"""The HTTP side: identity, lists, what a table can be, and what browsers are told."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from foretold.server.people.names import clean_name
from foretold.table.entries import Created, decode_entry
from foretold.table.refusals import Refused
from server.client import Client, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess


def test_somebody_new_gets_a_name_and_a_cookie(server: ServerProcess) -> None:
    async def story() -> None:
        ana = Person(server.url)
        assert await ana.call("GET", "/api/me") == {"name": None, "face": None}
        for path in ("/api/play", "/api/tables", "/api/me/link"):
            with pytest.raises(RefusedError) as refused:
                await ana.call("POST", path, {})
            assert refused.value.code == "no_name"
        answer = await ana.http.put("/api/me", json={"name": "  Ana \u202e "})
        assert answer.json() == {"name": "Ana", "face": None}
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "secure" not in cookie
        assert await ana.call("GET", "/api/me") == {"name": "Ana", "face": None}
        await ana.call("PUT", "/api/me", {"name": "Anna"})
        assert await ana.call("GET", "/api/me") == {"name": "Anna", "face": None}

    run(story)


def test_by_https_the_cookie_is_this_hosts_alone(server: ServerProcess) -> None:
    """And an older cookie is replaced, so that nobody loses a seat."""

    async def story() -> None:
        https = {"x-forwarded-proto": "https"}
        ana = Person(server.url)
        answer = await ana.http.put("/api/me", json={"name": "Ana"}, headers=https)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-foretold=")
        assert {"secure", "httponly", "path=/"} <= set(cookie.lower().split("; "))
        assert "domain" not in cookie.lower()
        value = cookie.split(";")[0]
        again = await asked({**https, "cookie": value})
        assert again.json() == {"name": "Ana", "face": None}
        assert "set-cookie" not in again.headers
        assert (await asked({"cookie": value})).json() == {
            "name": None,
            "face": None,
        }  # not by HTTP
        old = value.removeprefix("__Host-")
        replaced = await asked({**https, "cookie": old})
        assert replaced.json() == {"name": "Ana", "face": None}
        given = replaced.headers.get_list("set-cookie")
        assert [one.split("=")[0] for one in given] == ["__Host-foretold", "foretold"]
        assert "max-age=0" in given[1].lower()

    async def asked(headers: dict[str, str]) -> httpx.Response:
        return await Person(server.url).http.get("/api/me", headers=headers)

    run(story)


@pytest.mark.parametrize(
    ("scheme", "origin", "is_ours"),
    [
        ("http", "http", True),
        ("https", "https", True),
        ("https", "http", False),
        ("http", "https", False),
    ],
)
def test_a_page_by_the_other_scheme_is_another_site(
    server: ServerProcess, scheme: str, origin: str, is_ours: bool
) -> None:
    headers = {
        "origin": f"{origin}://127.0.0.1:{server.port}",
        "x-forwarded-proto": scheme,
    }
    answer = httpx.put(f"{server.url}/api/me", json={"name": "Eve"}, headers=headers)
    assert answer.status_code == (200 if is_ours else 403)


def test_a_cookie_that_was_made_up_is_nobodys(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        real = ana.http.cookies["foretold"]
        for cookie in (real[:-1], real + "x", "x", "", '"', real.split(".")[0] + ".AAAA"):
            headers = {"cookie": f"foretold={cookie}"}
            answer = httpx.get(f"{server.url}/api/me", headers=headers)
            assert answer.json() == {"name": None, "face": None}

    run(story)


def test_a_link_carries_a_player_to_another_device(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table()
        link = await ana.call("POST", "/api/me/link")
        assert link["minutes"] == 15
        phone = Person(server.url)
        token = link["path"].removeprefix("/device/")
        assert await phone.call("POST", "/api/me/device", {"token": token}) == {
            "name": "Ana",
            "face": None,
        }
        async with Client(phone, code) as client:
            assert client.seat == 0
        with pytest.raises(RefusedError) as refused:
            await phone.call("POST", "/api/me/device", {"token": token[:-2]})
        assert refused.value.code == "bad_link"

    run(story)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ana  Maria ", "Ana Maria"),
        ("A\u0301na", "Ána"),
        ("نور", "نور"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\u202eb\u0000c\u200b", "abc"),
        ("<b>x</b>", "<b>x</b>"),
        ("x" + "\u0335" * 50, "x" + "\u0335" * 4),
        ("ก็็็็็็็็็็", "ก็็็็"),
        ("a" * 24, "a" * 24),
    ],
)
def test_names_are_trimmed_whatever_their_script(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize("text", ["", " ", "\u200b\u200d", "\u3164", "\u2800 ", "a" * 25, "\ud800"])
def test_names_that_show_nothing_or_too_much_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(text)
    assert refused.value.code == "bad_name"


def test_what_cannot_be_combined_is_told_with_its_reason(server: ServerProcess) -> None:
    async def story() -> None:
        ana = Person(server.url)
        meaning = await ana.call("POST", "/api/rules", {"edition": "anniversary"})
        assert meaning["sizes"][-1] == 15
        assert meaning["turned"] == [True] * 15
        base = await ana.call("POST", "/api/rules", {"players": 6})
        assert base["turned"] == [True] * 9 + [False]  # the last round takes all 60 cards
        excluded = {(one["option"], str(one["value"])): one for one in meaning["excluded"]}
        barred = excluded["clairvoyance", "every_round"]
        assert barred["code"] == "bad_rules"
        assert (barred["params"]["option"], barred["params"]["other"]) == (
            "specials",
            "clairvoyance",
        )
        assert "without special cards" in barred["reason"]
        assert ("bidding", "hidden") not in excluded
        assert ("specials", "DR") not in excluded
        with pytest.raises(RefusedError) as refused:
            await ana.call("POST", "/api/rules", {"specials": ["DR"]})
        assert refused.value.code == "bad_rules"
        options = await ana.call("GET", "/api/options")
        assert options["levels"] == ["novice", "apprentice", "adept", "archmage"]
        assert "anniversary" in [one["name"] for one in options["editions"]]

    run(story)


def test_browsers_are_told_to_trust_nothing_else(server: ServerProcess) -> None:
    for path in ("/", "/api/me", "/healthz", "/nothing.js", "/api/nothing"):
        answer = httpx.get(server.url + path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers


def test_public_tables_are_listed_while_somebody_is_there_or_was_just_now(
    server: ServerProcess,
) -> None:
    async def listed(person: Person) -> list[tuple[str, int | None]]:
        tables = (await person.call("GET", "/api/tables"))["tables"]
        return [(one["code"], one["your_seat"]) for one in tables if one["code"] in codes]

    def age(minutes: int) -> None:
        """As if everything at these tables had happened that much earlier."""
        database = sqlite3.connect(server.data / "foretold.db", timeout=10)
        for code in codes:
            ms = minutes * 60_000
            database.execute("UPDATE log SET at = at - ? WHERE code = ?", (ms, code))
            database.execute("UPDATE tables SET updated = updated - ? WHERE code = ?", (ms, code))
        database.commit()
        database.close()

    codes: list[str] = []

    async def story() -> None:
        ana, ben = await Person.named(server.url, "Ana"), await Person.named(server.url, "Ben")
        for _ in range(2):
            codes.append(await ana.new_table(public=True))
        newest_first = [(codes[1], 0), (codes[0], 0)]
        assert await listed(ana) == newest_first
        age(14)
        assert await listed(ana) == newest_first
        age(2)
        assert await listed(ana) == []
        async with Client(ana, codes[0]) as host, Client(ben, codes[1]):  # Ben only watches
            assert await listed(ana) == [(codes[0], 0)]
            assert await listed(ben) == [(codes[0], None)]
            await host.ask("settings", settings={"public": False})
            assert await listed(ana) == []

    run(story)


def test_health_metrics_and_what_is_not_there(server: ServerProcess) -> None:
    for path in ("/livez", "/readyz", "/healthz"):
        assert httpx.get(server.url + path).json() == {"status": "ok"}
    page = httpx.get(server.url + "/metrics").text
    assert "foretold_commit_seconds_bucket" in page
    assert httpx.get(server.url + "/api/nothing").json()["code"] == "not_available"
    assert httpx.delete(server.url + "/api/me").status_code == 405
    garbled = httpx.put(
        server.url + "/api/me",
        content=b'{"name": "\xff"}',
        headers={"content-type": "application/json"},
    )
    assert (garbled.status_code, garbled.json()["code"]) == (422, "bad_message")
    large = httpx.put(server.url + "/api/me", json={"name": "x" * 20_000})
    assert (large.status_code, large.json()["code"]) == (413, "too_large")


def test_logs_hold_no_secrets(tmp_path: Path) -> None:
    """Whatever fails, the log reports it, but not what it was about."""

    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "3"}, bots=[None, *["novice"] * 3])
        link = await ana.call("POST", "/api/me/link")
        token = link["path"].split("/")[-1]
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            database = sqlite3.connect(tmp_path / "foretold.db", timeout=10)
            (first,) = database.execute("SELECT entry FROM log WHERE n = 1").fetchone()
            created = decode_entry(first)
            assert isinstance(created, Created)
            (player,) = database.execute("SELECT id FROM players").fetchone()
            for event in ("INSERT ON log", "INSERT ON players", "UPDATE ON players"):
                database.execute(
                    f'CREATE TRIGGER "no {event}" BEFORE {event} '
                    "BEGIN SELECT RAISE(ABORT, 'not today'); END"
                )
            database.execute("UPDATE log SET entry = x'00' WHERE n = 2")
            database.commit()
            database.close()
            client.comes_back = False
            asked = client.ask_as("secret-ask", "act", turn=client.turn, action=client.legal[0])
            acting = asyncio.create_task(asked)
            answers = [
                await ana.http.put("/api/me", json={"name": "Veiled"}),
                await Person(server.url).http.put("/api/me", json={"name": "Veiled"}),
                await ana.http.get(f"/api/tables/{code}/record"),
            ]
            assert [answer.status_code for answer in answers] == [500] * 3
            assert {answer.headers["retry-after"] for answer in answers} == {"30"}
            await ana.http.post("/api/me/device", json={"token": token})
            await ana.http.get(link["path"])
            await client.until(lambda: client.transport is None)
            acting.cancel()
        async with Client(ana, code) as client:
            client.comes_back = False
        told = server.log
        for event in ("a request failed", "a table was written to", "nobody can join"):
            assert event in told
        secrets = [
            *created.secrets,
            ana.http.cookies["foretold"],
            token,
            player,
            "Veiled",
            "secret-ask",
        ]
        assert [one for one in secrets if one in told] == []

    with NurseryServer(tmp_path) as server:
        run(story)


def test_the_http_side_keeps_to_its_document(server: ServerProcess) -> None:
    """Schemathesis makes requests of every kind; none fails, and all answers match the document."""
    cookie = asyncio.run(_cookie(server.url))
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")

    for result in schema.get_all_operations():
        assert isinstance(result, Ok), "the document has an operation that cannot be read"
        check_operation(result.ok(), cookie)


def check_operation(operation: Any, cookie: str) -> None:
    @given(case=operation.as_strategy())
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    def conforms(case: Any) -> None:
        case.call_and_validate(
            headers={"cookie": cookie},
            checks=[
                schemathesis.checks.not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_schema_conformance,
            ],
        )

    conforms()


async def _cookie(url: str) -> str:
    ana = await Person.named(url, "Ana")
    await ana.http.aclose()
    return ana.cookie

"""The operator: the same acts at the terminal and over HTTP, while people play."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from commands import Run, runner
from foretold.errors import ServerError
from foretold.server.people.bans import BAN_ADDRESS, BAN_PLAYER, Ban, Bans, subject_of
from foretold.server.settings import ServerSettings
from foretold.table.refusals import Refused
from server.client import Client, Data, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess

TOKEN = "0123456789abcdef0123"
BOTS: list[str | None] = [None, "novice", "novice", "novice"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operated")
    with NurseryServer(folder, operator_token=TOKEN, linger=0) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


@pytest.fixture
def admin(
    site: ServerProcess, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    monkeypatch.setenv("FORETOLD_DATA", str(site.data))
    command = runner(capfd, monkeypatch)
    return lambda *arguments, stdin=b"": command("admin", *arguments, stdin=stdin)


async def operate(site: ServerProcess, method: str, path: str, body: object = None) -> Data:
    operator = Person(site.url)
    operator.http.headers["authorization"] = f"Bearer {TOKEN}"
    return await operator.call(method, f"/api/operator{path}", body)


async def id_of(person: Person) -> str:
    data = await person.call("GET", "/api/me/data")
    return str(data["player"]["id"])


def test_the_doors_are_closed_without_the_token(site: ServerProcess, server: ServerProcess) -> None:
    async def story() -> None:
        for url, token in (
            (site.url, "x"),
            (site.url, "wrong"),
            (server.url, "x"),
            (server.url, TOKEN),
        ):
            person = Person(url)
            person.http.headers["authorization"] = f"Bearer {token}"
            for method, path in (("GET", "/tables"), ("DELETE", "/players/x"), ("POST", "/bans")):
                answer = await person.http.request(method, f"/api/operator{path}", json={})
                assert answer.status_code == 404, (url, token, path)

    run(story)


def test_texts_that_no_database_keeps_are_refused(url: str, tmp_path: Path) -> None:
    """PostgreSQL would fail over a zero byte."""

    async def story() -> None:
        operator = Person(running.url)
        operator.http.headers["authorization"] = f"Bearer {TOKEN}"
        await operator.call("PUT", "/api/me", {"name": "Op\0erator"})
        for method, path, status, code in (
            ("GET", "/tables/AB%00CDE", 404, "no_table"),
            ("GET", "/tables/ABCD%C3%A9F/replay", 404, "no_table"),
            ("POST", "/tables/%00/share", 404, "no_table"),
            ("GET", "/sheets/AB%00CDE", 404, "no_sheet"),
            ("GET", "/sheets/AB%00CDE/csv", 404, "no_sheet"),
            ("GET", "/sheets/AB%00CDE/kept", 404, "no_sheet"),
            ("GET", "/operator/tables/AB%00CDE", 404, "no_table"),
            ("POST", "/operator/tables/AB%00CDE/hide", 404, "no_table"),
            ("GET", "/operator/tables?state=%00", 422, "bad_message"),
            ("GET", "/operator/players?name=A%00", 422, "bad_message"),
            ("DELETE", "/operator/players/%00", 422, "bad_message"),
            ("DELETE", "/operator/bans/%00", 422, "bad_message"),
            ("GET", "/operator/days/2026%00", 422, "bad_message"),
        ):
            answer = await operator.http.request(method, f"/api{path}")
            assert (answer.status_code, answer.json()["code"]) == (status, code), path
        renaming = await operator.http.put("/api/operator/players/%00", json={"name": "Ana"})
        assert renaming.status_code == 422
        banning = {"subject": "\0", "hours": 1}
        assert (await operator.http.post("/api/operator/bans", json=banning)).status_code == 422

    with NurseryServer(tmp_path, database=url, operator_token=TOKEN) as running:
        run(story)
        assert '"level": "error"' not in running.log, running.log


def test_a_token_must_be_long(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="OPERATOR_TOKEN is too short"):
        ServerSettings.from_environment({"FORETOLD_OPERATOR_TOKEN": "secret"}, data=tmp_path)


def test_tables_are_listed_by_state_and_size(site: ServerProcess, admin: Run) -> None:
    async def story() -> tuple[str, str]:
        ana = await Person.named(site.url, "Ana")
        lobby = await ana.new_table(bots=BOTS)
        over = await ana.new_table(rules={"rounds": "1"}, bots=BOTS)
        async with Client(ana, over) as client:
            await client.ask("start")
            await client.play_on()
        await asyncio.sleep(0)
        found = await operate(site, "GET", "/tables?state=lobby&limit=500")
        assert lobby in {one["code"] for one in found["tables"]}
        assert {one["state"] for one in found["tables"]} == {"lobby"}
        shown = await operate(site, "GET", f"/tables/{over}")
        assert [(one["seat"], one["name"]) for one in shown["seats"]] == [(0, "Ana")]
        assert shown["bytes"] > 1000
        with pytest.raises(RefusedError) as refused:
            await operate(site, "GET", "/tables/BBBBBB")
        assert refused.value.code == "no_table"
        return lobby, over

    codes: list[str] = []

    async def told() -> None:
        codes.extend(await story())

    run(told)
    lobby, over = codes
    rows = [
        json.loads(line) for line in admin("tables", "--sort", "size", "--json").out.splitlines()
    ]
    assert [one["entries"] for one in rows] == sorted(
        (one["entries"] for one in rows), reverse=True
    )
    by_code = {one["code"]: one for one in rows}
    assert by_code[over]["entries"] > by_code[lobby]["entries"]
    table = admin("tables", "--state", "lobby").out.splitlines()
    assert table[0].split()[:3] == ["code", "state", "entries"]
    assert any(line.startswith(lobby) for line in table)
    assert admin("show", over.lower()).json["code"] == over
    wrong = admin("show", "nonsense")
    assert (wrong.code, wrong.err) == (2, "error: there is no table of that code\n")
    for option, choices in (("--sort", "updated, created, size"), ("--state", "lobby, dealing,")):
        wrong = admin("tables", option, "beauty")
        assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
        assert choices in wrong.err


def test_alone_the_command_says_what_there_is(admin: Run) -> None:
    alone, asked = admin(), admin("--help")
    assert (alone.code, alone.err) == (0, "")
    assert alone.out == asked.out


def test_the_command_needs_a_database(admin: Run, tmp_path: Path) -> None:
    wrong = admin("tables", "--data", tmp_path)
    assert (wrong.code, wrong.err) == (2, f"error: there is no database {tmp_path}/foretold.db\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("way", ["terminal", "http"])
def test_a_game_is_closed_while_it_is_played(site: ServerProcess, admin: Run, way: str) -> None:
    async def story() -> None:
        ana = await Person.named(site.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1-10"}, bots=BOTS)
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            if way == "http":
                await operate(site, "POST", f"/tables/{code}/close")
            else:
                assert (await asyncio.to_thread(admin, "close", code)).code == 0
            await client.until(lambda: client.table["state"] == "closed")
            with pytest.raises(RefusedError) as refused:
                await client.ask("act", turn=client.turn, action="bid 0")
            assert refused.value.code == "closed"

    run(story)


def test_what_is_hidden_is_not_found_until_it_is_shown_again(
    site: ServerProcess, admin: Run
) -> None:
    async def story() -> None:
        ana = await Person.named(site.url, "Ana")
        code = await ana.new_table(bots=BOTS, public=True)
        opened = {"names": ["Ana", "Ben", "Cy"], "rules": {"rounds": "1"}}
        sheet = (await ana.call("POST", "/api/sheets", opened))["code"]
        async with Client(ana, code) as client:
            await operate(site, "POST", f"/tables/{code}/hide")
            await operate(site, "POST", f"/tables/{sheet}/hide")
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "no_table"
        for path in (f"/api/tables/{code}", f"/api/tables/{code}/replay", f"/api/sheets/{sheet}"):
            assert (await ana.http.get(path)).status_code == 404, path
        for path, name in (
            ("/api/me/games", "games"),
            ("/api/tables", "tables"),
            ("/api/me/sheets", "sheets"),
        ):
            assert (await ana.call("GET", path))[name] == []
        hidden = await operate(site, "GET", "/tables?hidden=true")
        assert {one["code"] for one in hidden["tables"]} == {code, sheet}
        assert (await asyncio.to_thread(admin, "unhide", code)).code == 0
        assert (await asyncio.to_thread(admin, "unhide", sheet)).code == 0
        assert (await ana.call("GET", f"/api/tables/{code}"))["state"] == "lobby"
        assert (await ana.call("GET", f"/api/sheets/{sheet}"))["names"] == opened["names"]

    run(story)


def test_players_are_found_renamed_and_erased(site: ServerProcess, admin: Run) -> None:
    async def story() -> None:
        eva = await Person.named(site.url, "Eva 100%_sure")
        code = await eva.new_table(bots=BOTS)
        found = await operate(site, "GET", "/players?name=100%25_")
        assert [(one["name"], one["tables"]) for one in found["players"]] == [("Eva 100%_sure", 1)]
        player = found["players"][0]["id"]
        async with Client(eva, code) as client:
            renamed = await asyncio.to_thread(admin, "rename", player, "Merlin")
            assert renamed.code == 0
            await client.until(lambda: client.table["seats"][0]["name"] == "Merlin")
        assert (await eva.call("GET", "/api/me"))["name"] == "Merlin"
        asked = await asyncio.to_thread(admin, "erase", player, stdin=b"n\n")
        assert asked.code == 130
        assert f"{player} (Merlin)" in asked.err
        assert (await asyncio.to_thread(admin, "erase", player, "--yes")).code == 0
        async with asyncio.timeout(10):
            while (await eva.call("GET", "/api/me"))["name"] is not None:
                await asyncio.sleep(0.1)
        for sure in ([], ["--yes"]):  # there is nothing to ask about
            again = await asyncio.to_thread(admin, "erase", player, *sure)
            assert (again.code, again.err) == (2, "error: there is no such player\n")
        with pytest.raises(RefusedError):
            await operate(site, "PUT", f"/players/{player}", {"name": "X"})

    run(story)


def test_a_banned_player_is_sent_away_until_the_ban_is_lifted(
    site: ServerProcess, admin: Run
) -> None:
    async def story() -> None:
        mallory, ana = await Person.named(site.url, "Mallory"), await Person.named(site.url, "Ana")
        player = await id_of(mallory)
        code = await ana.new_table(bots=BOTS)
        async with Client(mallory, code) as client, Client(ana, code) as other:
            ban = await operate(site, "POST", "/bans", {"subject": player, "hours": 2})
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "banned"
            assert client.refusal["params"] == {"until": ban["until"]}
            assert abs(ban["until"] / 1000 - time.time() - 2 * 3600) < 60
            with pytest.raises(RefusedError, match="cannot use this site until"):
                await mallory.call("GET", "/api/me")
            # Their data is still theirs.
            data = await mallory.call("GET", "/api/me/data")
            assert [one["until"] for one in data["bans"]] == [ban["until"]]
            assert other.welcomes == 1
        listed = await asyncio.to_thread(admin, "bans", "--json")
        assert listed.json["id"] == ban["id"]
        assert (await asyncio.to_thread(admin, "lift", ban["id"])).code == 0
        async with asyncio.timeout(10):
            while (await mallory.http.get("/api/me")).status_code == 403:
                await asyncio.sleep(0.1)
        assert (await operate(site, "GET", "/bans"))["bans"] == []
        with pytest.raises(RefusedError, match="no such ban"):
            await operate(site, "DELETE", f"/bans/{ban['id']}")

    run(story)


def test_a_banned_address_is_told_so_and_gets_the_page(site: ServerProcess, admin: Run) -> None:
    async def story() -> None:
        crowd = await Person.named(site.url, "Crowd", "127.0.0.9")
        ana = await Person.named(site.url, "Ana")
        done = await asyncio.to_thread(admin, "ban", "127.0.0.9", "--hours", "0.5")
        assert "127.0.0.9 is banned until" in done.out
        async with asyncio.timeout(10):
            while (await crowd.http.get("/api/options")).status_code == 200:
                await asyncio.sleep(0.1)
        with pytest.raises(RefusedError) as refused:
            await crowd.call("PUT", "/api/me", {"name": "Other"})
        assert refused.value.code == "banned"
        async with Client(crowd, await ana.new_table(bots=BOTS)) as client:
            assert client.refusal is not None
            assert client.refusal["code"] == "banned"
        assert (await crowd.http.get("/")).status_code == 200
        assert (await crowd.http.get("/api/privacy")).status_code == 200
        found = await operate(site, "GET", "/bans")
        for one in found["bans"]:
            await operate(site, "DELETE", f"/bans/{one['id']}")
        assert (await crowd.http.get("/api/options")).status_code == 200

    run(story)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("203.0.113.7", (BAN_ADDRESS, "203.0.113.7")),
        ("203.0.113.7/32", (BAN_ADDRESS, "203.0.113.7")),
        ("2001:db8::1", (BAN_ADDRESS, "2001:db8::/64")),
        ("2001:DB8::/64", (BAN_ADDRESS, "2001:db8::/64")),
        ("::ffff:203.0.113.7", (BAN_ADDRESS, "203.0.113.7")),
        ("0123456789abcdef0123456789abcdef", (BAN_PLAYER, "0123456789abcdef0123456789abcdef")),
    ],
)
def test_the_subject_of_a_ban(text: str, meant: tuple[str, str]) -> None:
    assert subject_of(text) == meant


@pytest.mark.parametrize("text", ["", "nobody", "203.0.113.0/24", "2001:db8::/48", "1.2.3"])
def test_what_cannot_be_the_subject_of_a_ban(text: str) -> None:
    with pytest.raises(Refused, match="a ban is for"):
        subject_of(text)


def test_a_ban_ends_by_itself() -> None:
    now = time.time_ns() // 1_000_000
    bans = Bans()
    bans.replace(
        [Ban("1", BAN_ADDRESS, "over", 0, now - 1), Ban("2", BAN_ADDRESS, "on", 0, now + 9999)]
    )
    assert bans.has_ended
    bans.check("over")
    bans.check(None)
    with pytest.raises(Refused, match="until"):
        bans.check("on")


def test_an_address_is_forgotten_when_its_ban_is_over(site: ServerProcess) -> None:
    def kept() -> list[object]:
        with closing(sqlite3.connect(site.data / "foretold.db")) as database:
            return database.execute("SELECT * FROM bans").fetchall()

    async def story() -> None:
        await operate(site, "POST", "/bans", {"subject": "198.51.100.7", "hours": 0.0003})
        assert len(kept()) == 1
        async with asyncio.timeout(20):
            while kept():
                await asyncio.sleep(0.1)

    run(story)


def test_a_day_in_figures(site: ServerProcess, admin: Run) -> None:
    async def story() -> None:
        before = await operate(site, "GET", f"/days/{time.strftime('%Y-%m-%d', time.gmtime())}")
        ana = await Person.named(site.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"}, bots=BOTS)
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.play_on()
            async with asyncio.timeout(10):
                while True:
                    day = await operate(site, "GET", f"/days/{before['day']}")
                    if day["most_connections"] and day["games_finished"] > before["games_finished"]:
                        break
                    await asyncio.sleep(0.1)
        assert day["tables_opened"] == before["tables_opened"] + 1
        assert day["new_players"] == before["new_players"] + 1
        assert day["players"] == before["players"] + 1
        with pytest.raises(RefusedError) as refused:
            await operate(site, "GET", "/days/yesterday")
        assert refused.value.code == "bad_message"

    run(story)
    assert "games finished" in admin("day").out
    assert admin("day", "1999-01-01", "--json").json["games_finished"] == 0
    assert admin("day", "soon").err == "error: a day is written like 2026-11-16\n"

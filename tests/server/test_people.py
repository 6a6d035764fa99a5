"""What is stored about people: names in one place, everything as a file, and erasing it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.client import Client, Data, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess

WITH_FRIEND: list[str | None] = [None, None, "novice", "novice"]
NAME, FRIEND = "Griselda", "Ottokar"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with NurseryServer(tmp_path_factory.mktemp("people"), linger=0) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


def everything_in(data: Path) -> bytes:
    """Everything a server has on disk, except free pages of the database."""
    with closing(sqlite3.connect(data / "foretold.db")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master")]
        tables = [
            name for name in names if name not in ("sqlite_sequence",) and "_autoindex" not in name
        ]
        rows = []
        for name in tables:
            try:
                rows += database.execute(f"SELECT * FROM {name}").fetchall()
            except sqlite3.OperationalError:
                continue  # an index
    kept = [file.read_bytes() for file in (data / "kept").rglob("*") if file.is_file()]
    return repr(rows).encode() + b"".join(kept)


async def finished_game(ana: Person, ben: Person) -> str:
    code = await ana.new_table(rules={"rounds": "1-2"}, bots=WITH_FRIEND)
    async with Client(ana, code) as first, Client(ben, code) as second:
        await second.ask("sit", seat=1)
        await first.ask("start")
        await asyncio.gather(first.play_on(), second.play_on())
    return code


async def my_data(person: Person) -> Data:
    return await person.call("GET", "/api/me/data")


def test_a_new_name_is_shown_everywhere_at_once(site: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = await Person.named(site.url, NAME), await Person.named(site.url, FRIEND)
        over = await finished_game(ana, ben)
        before = await ana.call("GET", f"/api/tables/{over}/replay")
        assert before["names"][:2] == [NAME, FRIEND]
        code = await ana.new_table(bots=WITH_FRIEND)
        async with Client(ben, code) as client:
            await client.ask("sit", seat=1)
            await ana.call("PUT", "/api/me", {"name": "Brunhild"})
            await client.until(lambda: client.table["seats"][0]["name"] == "Brunhild")
        replay = await ben.call("GET", f"/api/tables/{over}/replay")
        assert replay["names"][:2] == ["Brunhild", FRIEND]
        games = (await ben.call("GET", "/api/me/games"))["games"]
        assert {one["seats"][0]["name"] for one in games} == {"Brunhild"}

    run(story)


def test_who_sat_down_and_left_is_erased_from_what_a_table_tells(site: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = await Person.named(site.url, "Ana"), await Person.named(site.url, FRIEND)
        code = await ana.new_table(bots=WITH_FRIEND)
        async with Client(ana, code) as host:
            async with Client(ben, code) as client:
                await client.ask("sit", seat=1)
                await client.ask("leave")
            await ben.call("DELETE", "/api/me/data")
            newcomer = Client(await Person.named(site.url, "Cleo"), code)
            newcomer.n = 1  # like someone who comes back
            async with newcomer:
                assert [event["e"] for event in newcomer.missed] == ["sat", "left"]
                assert [event["name"] for event in newcomer.missed] == ["", ""]
            assert host.welcomes > 1  # and so is everyone already there

    run(story)


def test_who_is_erased_is_nowhere_any_more(site: ServerProcess) -> None:
    """In a lobby, in a game under way and in a finished one; on sheets too."""

    async def story() -> None:
        ana, ben = await Person.named(site.url, NAME), await Person.named(site.url, "Ben")
        over = await finished_game(ana, ben)
        await ana.call("GET", f"/api/tables/{over}/replay")
        assert (await ana.call("GET", f"/api/tables/{over}/record"))["names"][0] == NAME
        lobby = await ana.new_table()
        ben.keys[lobby] = await ana.key_of(lobby)
        sheet = {"names": [NAME, "Ben", "Cy"], "rules": {"rounds": "1"}}
        own = (await ana.call("POST", "/api/sheets", sheet))["code"]
        of_both = await ben.call("POST", "/api/sheets", sheet)
        common = of_both["code"]
        ana.keys[common] = of_both["key"]
        async with Client(ana, common, "sheets") as client:
            await client.ask("write", seen=1, round=1, note=f"{NAME} was here")
        going_on = await ben.new_table(rules={"rounds": "1-2"}, bots=WITH_FRIEND)
        async with Client(ana, going_on) as first, Client(ben, going_on) as second:
            await first.ask("sit", seat=1)
            await second.ask("start")
            await second.until(lambda: second.view is not None)
            assert NAME.encode() in everything_in(site.data)
            answer = await ana.http.delete("/api/me/data")
            assert answer.json() == {"name": None, "face": None}
            assert not ana.http.cookies
            # Nobody waits for a player who is gone: a bot plays on.
            await second.until(lambda: second.table["seats"][1]["stand_in"] == "left")
            assert second.table["seats"][1]["name"] == ""
            await second.play_on()
        assert NAME.encode() not in everything_in(site.data)
        replay = await ben.call("GET", f"/api/tables/{over}/replay")
        assert replay["names"][:2] == ["", "Ben"]
        record = await ben.call("GET", f"/api/tables/{over}/record")
        assert record["names"][:2] == ["a former player", "Ben"]
        assert (await ben.call("GET", f"/api/tables/{lobby}"))["state"] == "closed"
        with pytest.raises(RefusedError):
            await ben.call("GET", f"/api/sheets/{own}")
        assert (await ben.call("GET", f"/api/sheets/{common}"))["names"] == ["", "Ben", "Cy"]
        with pytest.raises(RefusedError) as refused:
            await my_data(ana)
        assert refused.value.code == "no_name"

    run(story)


def test_a_cookie_of_somebody_erased_is_nobodys(site: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(site.url, NAME)
        other = Person(site.url)
        path = (await ana.call("POST", "/api/me/link"))["path"]
        await other.call("POST", "/api/me/device", {"token": path.rpartition("/")[2]})
        code = await ana.new_table()
        async with Client(other, code) as client:
            assert client.seat == 0
            await ana.call("DELETE", "/api/me/data")
            await client.until(lambda: client.refusal is not None)
            assert client.refusal is not None
            assert client.refusal["code"] == "need_key"
        assert (await other.call("GET", "/api/me"))["name"] is None
        await other.call("PUT", "/api/me", {"name": "New"})
        assert (await other.call("GET", "/api/me/games"))["games"] == []

    run(story)


def test_all_that_is_kept_comes_in_one_file(site: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = await Person.named(site.url, NAME), await Person.named(site.url, FRIEND)
        over = await finished_game(ana, ben)
        lobby = await ana.new_table()
        opened = {"names": ["Ana", "Ben", "Cy"], "rules": {"rounds": "1"}}
        sheet = (await ana.call("POST", "/api/sheets", opened))["code"]
        answer = await ana.http.get("/api/me/data")
        assert "attachment" in answer.headers["content-disposition"]
        data = answer.json()
        assert data["player"]["name"] == NAME
        games = {one["code"]: one for one in data["tables"]}
        assert set(games) == {over, lobby}
        assert games[over]["seat"] == 0
        assert games[over]["record"] == await ana.call("GET", f"/api/tables/{over}/record")
        assert games[lobby]["record"] is None
        assert [(one["code"], one["sheet"]["names"]) for one in data["sheets"]] == [
            (sheet, opened["names"])
        ]
        assert data["bans"] == []
        assert {one["code"] for one in (await my_data(ben))["tables"]} == {over}

    run(story)


def test_the_page_about_privacy_knows_the_settings(site: ServerProcess) -> None:
    async def story() -> None:
        told = await Person(site.url).call("GET", "/api/privacy")
        assert told == {"keep_days": 365.0, "link_minutes": 15, "cookie_days": 400}

    run(story)

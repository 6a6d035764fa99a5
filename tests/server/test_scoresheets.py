"""Score sheets and lessons over HTTP and sockets."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from foretold.server.storage.listing import MOST_LISTED
from server.client import Client, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess

NAMES = ["Ana", "Ben", "Cleo"]


async def new_sheet(host: Person, **fields: Any) -> str:
    body = {"names": NAMES, "rules": {"rounds": "1-3"}, "first_dealer": 2, **fields}
    opened = await host.call("POST", "/api/sheets", body)
    host.keys[opened["code"]] = opened["key"]
    return str(opened["code"])


async def ask(client: Client, kind: str, **fields: Any) -> int:
    """Ask, and wait until it has happened."""
    n = await client.ask(kind, **fields)
    await client.until(lambda: client.n is not None and client.n >= n)
    return n


async def write(client: Client, number: int, **cells: Any) -> int:
    return await ask(client, "write", seen=client.n, round=number, **cells)


async def refused(client: Client, kind: str, **fields: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await client.ask(kind, **fields)
    return caught.value


def test_two_phones_keep_a_sheet(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        ben = await Person.named(server.url, "Ben")
        code = await new_sheet(ana)
        ben.keys.update(ana.keys)
        async with Client(ana, code, "sheets") as one, Client(ben, code, "sheets") as two:
            assert one.you == {"name": "Ana", "host": True, "key": ana.keys[code]}
            await write(one, 1, bids={0: 0, 1: 1, 2: 1})
            await write(two, 1, taken={0: 0, 1: 0, 2: 1})
            await one.until(lambda: one.sheet["rounds"][0]["totals"] == [20, -10, 30])
            assert one.events[-1]["by"] == "Ben"
            seen = two.n
            await write(one, 2, bids={1: 2})
            with pytest.raises(RefusedError) as caught:
                await two.ask("write", seen=seen, round=2, bids={1: 0})
            assert caught.value.code == "cell_taken"
            assert caught.value.params == {"name": "Ana", "value": 2}
            await two.until(lambda: two.n == one.n)
            await ask(two, "undo", n=two.sheet["last"])
            await one.until(lambda: one.sheet["rounds"][1]["bids"] == [None] * 3)
            assert one.sheet == {**two.sheet, "yours": []}
        for person in (ana, ben):
            sheets = (await person.call("GET", "/api/me/sheets"))["sheets"]
            assert [sheet["code"] for sheet in sheets] == [code]
            assert sheets[0]["round"] == 2
            assert await person.call("GET", f"/api/sheets/{code.lower()}") == sheets[0]
            assert (await person.call("GET", "/api/me/games"))["games"] == []

    run(story)


def test_a_sheet_survives_a_power_cut(tmp_path: Path) -> None:
    async def story() -> None:
        with NurseryServer(tmp_path) as running:
            ana = await Person.named(running.url, "Ana")
            code = await new_sheet(ana)
            async with Client(ana, code, "sheets") as client:
                number = await write(client, 1, bids={0: 1})
                running.kill()
                running.start()
                assert await ask(client, "write", seen=number, round=1, bids={1: 0}) == number + 1
                assert client.sheet["rounds"][0]["bids"] == [1, 0, None]

    run(story)


def test_what_was_written_while_a_sheet_changed_elsewhere_is_repeated(tmp_path: Path) -> None:
    """Another node has the sheet by now, say: that is nobody's mistake."""

    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await new_sheet(ana)
        async with Client(ana, code, "sheets") as phone:
            n = await write(phone, 1, bids={0: 0, 1: 1, 2: 1})
            with closing(sqlite3.connect(tmp_path / "foretold.db")) as database, database:
                query = "SELECT at, entry FROM log WHERE code = ? AND n = ?"
                at, entry = database.execute(query, (code, n)).fetchone()
                other = json.dumps({**json.loads(entry), "ask_id": "other"}).encode()
                columns = "INSERT INTO log (code, n, at, entry) VALUES (?, ?, ?, ?)"
                database.execute(columns, (code, n + 1, at, other))
            assert await write(phone, 1, taken={0: 0, 1: 0, 2: 1}) == n + 2
            assert phone.welcomes == 2
            await phone.until(lambda: phone.sheet["rounds"][0]["totals"] == [20, -10, 30])

    with NurseryServer(tmp_path) as server:
        run(story)
        assert "a sheet was written to elsewhere" in server.log
        assert "Traceback" not in server.log


def test_sealed_bids_stay_on_the_phone_that_entered_them(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        ben = await Person.named(server.url, "Ben")
        code = await new_sheet(ana, rules={"rounds": "1", "bidding": "hidden"})
        ben.keys.update(ana.keys)
        async with Client(ana, code, "sheets") as one, Client(ben, code, "sheets") as two:
            await ask(two, "claim", seat=1)
            await write(two, 1, bids={1: 1})
            await one.until(lambda: one.n == two.n)
            assert one.sheet["rounds"][0]["bids"] == [None] * 3
            assert one.sheet["rounds"][0]["bid"] == [False, True, False]
            assert two.sheet["rounds"][0]["bids"] == [None, 1, None]
            heard = json.dumps(one.heard, separators=(",", ":"))
            assert '"bid":[false,true,false]' in heard
            assert '"bids":[null,1' not in heard
            await write(one, 1, bids={0: 0})
            for person, bids in ((ana, [0, None, None]), (ben, [None, 1, None])):
                data = await person.call("GET", "/api/me/data")
                (kept,) = (sheet["sheet"] for sheet in data["sheets"] if sheet["code"] == code)
                assert kept["rounds"][0]["bids"] == bids

    run(story)


def test_a_sheet_as_a_spreadsheet_and_over_many_evenings(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        for taken in ({0: 1, 1: 0, 2: 0}, {0: 0, 1: 1, 2: 0}):
            code = await new_sheet(ana, rules={"rounds": "1"})
            async with Client(ana, code, "sheets") as client:
                await write(client, 1, bids={0: 1, 1: 0, 2: 0}, taken=taken, note=" a\tnote ")
                assert client.sheet["outcome"] is not None
        csv = (await ana.http.get(f"/api/sheets/{code}/csv")).content.decode("utf-8-sig")
        assert csv.splitlines()[1].startswith("1,1,Cleo,1,0,-10,-10,0,1,-10,-10,0,0,20,20,a note")
        players = (await ana.call("GET", "/api/me/statistics"))["players"]
        assert players == [
            {"name": "Ana", "games": 2, "wins": 1, "points": 20, "best": 30, "rounds": 2}
            | {"exact": 1},
            {"name": "Ben", "games": 2, "wins": 0, "points": 10, "best": 20, "rounds": 2}
            | {"exact": 1},
            {"name": "Cleo", "games": 2, "wins": 1, "points": 40, "best": 20, "rounds": 2}
            | {"exact": 2},
        ]

    run(story)


def test_a_deleted_sheet_says_so_and_is_gone_from_lists(server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = await Person.named(server.url, "Ana"), await Person.named(server.url, "Ben")
        code = await new_sheet(ana)
        ben.keys.update(ana.keys)
        async with Client(ana, code, "sheets") as client, Client(ben, code, "sheets") as other:
            await write(other, 1, bids={0: 1})
            client.comes_back = False
            await ask(client, "delete")
            # The other reconnects by itself, and is told that the sheet is gone.
            await other.until(lambda: other.refusal is not None)
            other.comes_back = False
            assert other.refusal is not None
            assert other.refusal["code"] == "sheet_deleted"
            assert other.refusal["reason"] == "this score sheet was deleted"
            for one in (client, other):
                assert one.sheet["deleted"] is True
                assert one.events[-1]["e"] == "deleted"
                last = one.heard.index(
                    next(m for m in one.heard if m.get("event", {}).get("e") == "deleted")
                )
                assert {m["t"] for m in one.heard[last + 1 :]} <= {"refused"}
        for path in (f"/api/sheets/{code}", f"/api/sheets/{code}/csv"):
            answer = await ana.http.get(path)
            assert (answer.status_code, answer.json()["code"]) == (410, "sheet_deleted")
        for person in (ana, ben):
            assert (await person.call("GET", "/api/me/sheets"))["sheets"] == []
            assert (await person.call("GET", "/api/me/statistics"))["players"] == []

    run(story)


def test_a_message_on_its_way_to_a_deleted_sheet_is_not_answered(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await new_sheet(ana)
        address = server.url.replace("http", "ws") + f"/api/sheets/{code}/socket"
        cookie = {"cookie": ana.cookie}
        heard: list[str] = []
        async with connect(address, origin=Origin(server.url), additional_headers=cookie) as socket:
            await socket.send('{"t": "delete", "id": "1"}')
            await socket.send('{"t": "sync", "id": "2"}')
            await socket.send('{"t": "ping", "id": "3"}')
            with suppress(ConnectionClosed):
                while True:
                    heard.append(json.loads(await socket.recv())["t"])
            assert socket.close_code == 4000
        assert heard == ["welcome", "presence", "done", "event"]

    run(story)


def test_statistics_are_of_all_sheets_and_lists_of_the_latest(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await new_sheet(ana, rules={"rounds": "1"})
        async with Client(ana, code, "sheets") as client:
            await write(client, 1, bids={0: 1, 1: 0, 2: 0}, taken={0: 1, 1: 0, 2: 0})
        for _ in range(MOST_LISTED + 5):
            await new_sheet(ana)
        players = (await ana.call("GET", "/api/me/statistics"))["players"]
        assert [one["games"] for one in players] == [1, 1, 1]
        assert len((await ana.call("GET", "/api/me/sheets"))["sheets"]) == MOST_LISTED

    run(story)


def test_bad_input_is_answered_and_harms_nothing(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await new_sheet(ana)
        table = await ana.new_table()
        for body in (
            {"names": ["Ana"]},
            {"names": ["Ana", "\u200b", "Cleo"]},
            {"names": ["Ana", "x" * 201, "Cleo"]},
            {"rules": {"rounds": "99"}},
            {"first_dealer": 3},
            {"first_dealer": -1},
        ):
            with pytest.raises(RefusedError):
                await new_sheet(ana, **body)
        async with Client(ana, code, "sheets") as client:
            assert (await refused(client, "rename", seat=0, name=" \u202e ")).code == "bad_name"
            assert (await refused(client, "rename", seat=9, name="Ana")).code == "no_seat"
            await ask(client, "rename", seat=0, name="\u05d0\u05e0\u05d4 \u202e")
            assert client.sheet["names"][0] == "\u05d0\u05e0\u05d4"
            for cells in ({"taken": {0: -1}}, {"bids": {0: 99}}, {"bids": {"x": 1}}, {"note": 7}):
                await refused(client, "write", seen=1, round=1, **cells)
            assert (await refused(client, "act", turn=1, action="bid 1")).code == "bad_message"
            await write(client, 1, bids={0: 1})
        for place, other in (("sheets", table), ("tables", code), ("sheets", "ZZZZZZ")):
            async with Client(ana, other, place) as client:
                client.comes_back = False
                assert client.refusal is not None
                assert client.refusal["code"] in ("no_table", "no_sheet")
        with pytest.raises(RefusedError):
            await ana.call("GET", f"/api/tables/{code}")

    run(story)


def test_a_lesson_is_a_table_that_has_begun(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        lessons = (await ana.call("GET", "/api/lessons"))["lessons"]
        assert lessons[0] == "tricks"
        code = (await ana.call("POST", "/api/lessons/tricks"))["code"]
        async with Client(ana, code) as client:
            assert client.table["lesson"] == "tricks"
            await client.ask("settings", settings={"pace": 0})
            await client.play_on()
        summary = await ana.call("GET", f"/api/tables/{code}")
        assert (summary["lesson"], summary["state"]) == ("tricks", "over")
        with pytest.raises(RefusedError):
            await ana.call("POST", "/api/lessons/poker")

    run(story)

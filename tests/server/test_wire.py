"""Every HTTP endpoint answers as the OpenAPI document says."""

from __future__ import annotations

from pathlib import Path

from server.client import Client, Person, run
from server.nursery import NurseryServer
from wire import CHECKED, doors

TOKEN = "0123456789abcdef0123"
ELSEWHERE = {("GET", "/api/tables/{code}/hint"), ("GET", "/api/tables/{code}/review")}
"""They need a trained player: tests/server/test_hints.py."""


def test_every_door_answers_by_its_type(tmp_path: Path) -> None:
    """`Person` reads each answer strictly."""

    async def story() -> None:
        ana, ben = [await Person.named(site.url, name) for name in ("Ana", "Ben")]
        operator = Person(site.url)
        operator.http.headers["authorization"] = f"Bearer {TOKEN}"
        code = await ana.new_table(rules={"rounds": "1"}, bots=[None, *["novice"] * 3], public=True)
        sheet = await played_sheet(ana)
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            seat = (await ana.call("POST", f"/api/tables/{code}/seat"))["path"].partition("#")[2]
            await ben.call("POST", "/api/me/seat", {"token": seat})
        async with Client(ben, code) as client:
            await client.play_on()
        link = (await ana.call("POST", "/api/me/link"))["path"].rpartition("/")[2]
        await Person(site.url).call("POST", "/api/me/device", {"token": link})
        for path in ("livez", "readyz", "healthz", "api/me", "api/privacy", "api/options"):
            await ana.call("GET", f"/{path}")
        for path in ("me/games", "tables", "lessons", "me/sheets", "me/statistics", "me/data"):
            await ana.call("GET", f"/api/{path}")
        await ana.call("POST", "/api/rules", {"edition": "anniversary"})
        await ana.call("POST", "/api/play", {})
        await ana.call("POST", "/api/lessons/tricks")
        for path in ("", "/record", "/replay", "/replay?as=0", "/kept"):
            await ben.call("GET", f"/api/tables/{code}{path}")
        await ben.call("POST", f"/api/tables/{code}/share")
        for path in ("", "/kept"):
            await ana.call("GET", f"/api/sheets/{sheet}{path}")
        # The operator
        for path in ("tables", f"tables/{code}", f"tables/{sheet}", "players", "days/2026-01-01"):
            await operator.call("GET", f"/api/operator/{path}")
        for act in ("hide", "unhide", "close"):
            await operator.call("POST", f"/api/operator/tables/{code}/{act}")
        found = await operator.call("GET", "/api/operator/players?name=Ben")
        player = found["players"][0]["id"]
        await operator.call("PUT", f"/api/operator/players/{player}", {"name": "Bo"})
        ban = await operator.call("POST", "/api/operator/bans", {"subject": player, "hours": 1})
        await operator.call("GET", "/api/operator/bans")
        await operator.call("DELETE", f"/api/operator/bans/{ban['id']}")
        await operator.call("DELETE", f"/api/operator/players/{player}")
        await ana.call("DELETE", "/api/me/data")

    with NurseryServer(tmp_path, operator_token=TOKEN) as site:
        run(story)
    assert doors() - CHECKED <= ELSEWHERE


async def played_sheet(person: Person) -> str:
    """A finished sheet: every bid 0, and every trick the first player's."""
    body = {"names": ["Ana", "Ben", "Cleo"], "rules": {"rounds": "1"}}
    code = str((await person.call("POST", "/api/sheets", body))["code"])
    async with Client(person, code, "sheets") as client:
        for cells in ({"bids": {0: 0, 1: 0, 2: 0}}, {"taken": {0: 1, 1: 0, 2: 0}}):
            await client.ask("write", seen=client.n, round=1, **cells)
    return code

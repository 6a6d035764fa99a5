"""Ways back to a seat: personal links, links to other devices, and a host who frees it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from server.client import Client, Person, run
from server.nursery import NurseryServer
from server.process import ServerProcess
from server.visiting import ELSEWHERE, game, refused, way_in


def test_a_personal_link_leads_back_to_a_seat_once_even_after_a_restart(tmp_path: Path) -> None:
    server = NurseryServer(tmp_path)

    async def lose() -> None:
        ana, ben = [await Person.named(server.url, name) for name in ("Ana", "Ben")]
        eve = await Person.named(server.url, "Eve")
        async with game(ana, ben) as [host, guest]:
            found = await ben.call("POST", f"/api/tables/{host.code}/seat")
            assert found["days"] == 30
            kept.update(code=host.code, token=found["path"].removeprefix("/seat#"))
            assert guest.view is not None
            kept["hand"] = guest.view["hand"]
            eve.keys[host.code] = host.you["key"]
            assert await refused(eve.call("POST", f"/api/tables/{host.code}/seat")) == "not_seated"
            kept["cookies"] = dict(ana.http.cookies), dict(ben.http.cookies)

    async def find() -> None:
        code, body = kept["code"], {"token": kept["token"]}
        ana, ben, fresh, other = [Person(server.url) for _ in range(4)]
        ana.http.cookies.update(kept["cookies"][0])
        ben.http.cookies.update(kept["cookies"][1])
        assert await refused(ana.call("POST", "/api/me/seat", body)) == "already_seated"
        assert await refused(fresh.call("POST", "/api/me/seat", {"token": "x"})) == "bad_link"
        taken = await fresh.call("POST", "/api/me/seat", body)
        assert taken == {"code": code, "name": "Ben", "face": None}
        async with Client(fresh, code) as back, Client(ana, code) as host:
            assert back.seat == 1
            assert back.view is not None
            assert back.view["hand"] == kept["hand"]
            assert [one["name"] for one in host.table["seats"]][:2] == ["Ana", "Ben"]
        assert await refused(other.call("POST", "/api/me/seat", body)) == "bad_link"
        assert (await other.call("GET", "/api/me"))["name"] is None
        assert ((await way_in(ben, code)) or {})["code"] == "need_key"  # it is the other's now

    kept: dict[str, Any] = {}
    with server:
        run(lose)
        server.kill()
        server.start()
        run(find)


def test_the_host_frees_the_seat_of_somebody_who_is_away(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(hasty_server.url, "Ana")
        ben = await Person.named(hasty_server.url, "Ben", ELSEWHERE)
        async with game(ana, ben) as [host, guest]:
            assert await refused(host.ask("clear", seat=1, may_return=True)) == "not_away"
            await guest.leave()
            while host.table["seats"][1]["stand_in"] is None:
                if host.legal:
                    await host.act(host.legal[0])
                await host.until(
                    lambda: bool(host.legal) or host.table["seats"][1]["stand_in"] is not None
                )
            assert host.table["seats"][1]["stand_in"] == "absent"
            await host.ask("clear", seat=1, may_return=True)
            assert host.table["seats"][1]["stand_in"] == "left"
            # Ben has lost his cookie; the host knows who he is.
            fresh = await Person.named(hasty_server.url, "Ben", ELSEWHERE)
            fresh.keys[host.code] = host.you["key"]
            async with Client(fresh, host.code) as again:
                asking = asyncio.create_task(again.ask("knock", seat=1))
                await host.until(lambda: bool(host.knocks))
                assert host.knocks[0]["like"] == ["Ben"]
                await host.ask("let_in", knock=host.knocks[0]["knock"])
                await asking
                await again.until(lambda: again.seat == 1)

    run(story)


def test_a_link_to_another_device_works_once_whatever_happens_to_the_server(tmp_path: Path) -> None:
    server = NurseryServer(tmp_path)

    async def make() -> None:
        ana, phone, thief = [Person(server.url) for _ in range(3)]
        await ana.call("PUT", "/api/me", {"name": "Ana"})
        for _ in range(2):
            tokens.append((await ana.call("POST", "/api/me/link"))["path"].split("/")[-1])
        body = {"token": tokens[0]}
        assert (await phone.call("POST", "/api/me/device", body))["name"] == "Ana"
        for again in (body, {"token": tokens[0] + "="}):
            assert await refused(thief.call("POST", "/api/me/device", again)) == "bad_link"

    async def use() -> None:
        phone, thief = Person(server.url), Person(server.url)
        body = {"token": tokens[1]}
        assert (await phone.call("POST", "/api/me/device", body))["name"] == "Ana"
        for token in tokens:
            stolen = thief.call("POST", "/api/me/device", {"token": token})
            assert await refused(stolen) == "bad_link"

    tokens: list[str] = []
    with server:
        run(make)
        server.kill()
        server.start()
        run(use)

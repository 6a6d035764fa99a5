"""People come and go, connections break, clocks run out: nothing is lost and nobody waits long."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from server.client import Client, Person, RefusedError, run
from server.nursery import NurseryServer
from server.process import ServerProcess

BOTS: list[str | None] = [None, "novice", "novice", "novice"]
WITH_FRIEND: list[str | None] = [None, None, "novice", "novice"]


async def friends(server: ServerProcess, **settings: Any) -> tuple[Person, Person, str]:
    """Two people, and a table hosted by one of them."""
    ana, ben = await Person.named(server.url, "Ana"), await Person.named(server.url, "Ben")
    code = await ana.new_table(rules={"rounds": "1-4"}, bots=WITH_FRIEND, **settings)
    return ana, ben, code


async def metric(person: Person, name: str) -> float:
    page = (await person.http.get("/metrics")).text
    found = re.search(rf"^{name} (\S+)$", page, re.MULTILINE)
    assert found is not None, page
    return float(found[1])


def test_a_lost_connection_resumes_with_what_was_missed(server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben, code = await friends(server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            playing = asyncio.gather(first.play_on(), second.play_on())
            for _ in range(6):
                await asyncio.sleep(0.03)
                await second.drop()
            await playing
            assert second.welcomes > 2
            numbers = [event["n"] for event in second.events]
            assert numbers == list(range(2, (second.n or 0) + 1))
            assert second.view == {
                **(first.view or {}),
                "hand": second.view and second.view["hand"],
            }

    run(story)


def test_the_same_id_is_done_once_and_answered_alike(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "3"}, bots=BOTS)
        async with Client(ana, code) as client:
            first = await client.ask_as("begin", "start")
            assert await client.ask_as("begin", "start") == first
            await client.until(lambda: bool(client.legal))
            turn, action = client.turn, client.legal[0]
            done = await client.ask_as("bid", "act", turn=turn, action=action)
            await client.drop()
            await client.until(lambda: client.welcomes == 2)
            assert await client.ask_as("bid", "act", turn=turn, action=action) == done
            own = [one for one in client.events if one.get("seat") == 0 and one.get("by")]
            assert len(own) == 1
            with pytest.raises(RefusedError) as refused:
                await client.ask_as("other", "act", turn=turn, action=action)
            assert refused.value.code == "stale"

    run(story)


def test_a_bot_stands_in_for_the_absent_while_others_wait(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben, code = await friends(hasty_server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            await second.leave()
            await first.until(lambda: first.presence["here"][1] is False)
            playing = asyncio.create_task(first.play_on())
            await first.until(lambda: first.table["seats"][1]["stand_in"] == "absent")
            await first.until(lambda: "stand_in" in {event.get("by") for event in first.events})
            async with Client(ben, code) as again:
                await again.until(lambda: again.table["seats"][1]["stand_in"] is None)
                await asyncio.gather(playing, again.play_on())
            kinds = [event["e"] for event in first.events]
            assert kinds.count("stand_in") == kinds.count("back") == 1

    run(story)


def test_the_others_wait_for_the_absent_or_let_a_bot_play(tmp_path: Path) -> None:
    async def story() -> None:
        ana, ben, code = await friends(server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            with pytest.raises(RefusedError) as refused:
                await first.ask("let_bot", seat=1)
            assert refused.value.code == "not_awaited"
            await first.until(lambda: first.table["state"] == "playing")
            playing = asyncio.create_task(first.play_on())
            await second.leave()
            await first.until(lambda: bool(first.presence["away"]))
            [away] = first.presence["away"]
            assert away["seat"] == 1
            assert 0 < away["left"] <= 6_000
            assert away["bot_in"] <= 1_000
            for seat in (10**300, 0, 2):
                with pytest.raises(RefusedError) as refused:  # nobody waits for them
                    await first.ask("wait", seat=seat)
                assert refused.value.code == "not_awaited"
            await first.ask("wait", seat=1)
            await first.until(lambda: first.presence["away"][0]["left"] > 200_000)
            await asyncio.sleep(away["bot_in"] / 1000)
            await first.ask("let_bot", seat=1)
            await first.until(lambda: first.table["seats"][1]["stand_in"] == "absent")
            await playing

    with NurseryServer(tmp_path, grace=6.0) as server:
        run(story)


def test_whoever_leaves_a_game_finds_it_in_the_list_and_returns_when_asked_to(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana, ben, code = await friends(server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            await second.until(lambda: second.table["state"] == "playing")
            await second.ask("leave")
            await second.leave()
            await first.until(lambda: first.table["seats"][1]["stand_in"] == "left")
            assert first.table["seats"][1]["name"] == "Ben"
            mine = (await ben.call("GET", "/api/me/games"))["games"]
            assert [(one["code"], one["your_seat"]) for one in mine] == [(code, 1)]
            async with Client(ben, code) as again:
                # Watching is not returning: a tab that reconnects must not stop the game.
                assert again.table["seats"][1]["stand_in"] == "left"
                await again.ask("back")
                await first.until(lambda: first.table["seats"][1]["stand_in"] is None)

    run(story)


def test_nobody_stands_in_where_nobody_waits(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben, code = await friends(hasty_server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            await first.until(lambda: first.table["state"] == "playing")
        nobody = Person(hasty_server.url)
        nobody.keys[code] = await ana.key_of(code)
        async with Client(nobody, code) as watcher:
            await asyncio.sleep(0.8)
            assert "stand_in" not in {event["e"] for event in watcher.events}

    run(story)


def test_when_the_clock_runs_out_a_bot_makes_that_one_decision(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "2"}, bots=BOTS, clock=5)
        async with Client(ana, code) as client:
            with pytest.raises(RefusedError) as refused:
                await client.ask("back")
            assert refused.value.code == "not_playing"
            await client.ask("start")
            await client.until(lambda: bool(client.legal) and client.presence["clock"] is not None)
            clock = client.presence["clock"]
            assert clock["seats"] == [0]
            assert clock["of"] == 5000
            assert 3000 < clock["left"] <= 5000
            begun, number, turn = client.events[-1]["at"], 0, client.turn
            assert client.view is not None
            asked = client.view["phase"]  # a bid, or trump first where a Wizard was turned up
            while client.turn == turn:
                # Whatever is asked, resent or saved, the clock keeps running.
                number += 1
                for message in (
                    {"t": "ping"},
                    {"t": "sync"},
                    {"t": "act", "turn": client.turn, "action": "cloud +1"},
                    {"t": "say", "phrase": "thinking"},
                ):
                    await client.send_raw(json.dumps({**message, "id": f"again {number}"}))
                await client.ask("settings", settings={"pace": number % 2})
                async with Client(ana, code):
                    await asyncio.sleep(0.1)
            stood_in = next(event for event in client.events if event["e"] == "stand_in")
            assert stood_in["reason"] == "clock"
            assert 4500 < stood_in["at"] - begun < 15_000
            decided = [one for one in client.events if one.get("by") == "stand_in"]
            assert [(one["seat"], one["action"].split()[0]) for one in decided] == [(0, asked)]
            assert client.table["seats"][0]["stand_in"] is None
            await client.play_on()

    run(story)


def test_tables_sleep_when_all_have_gone_and_wake_as_they_were(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(hasty_server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "3"}, bots=BOTS)
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            before = (client.n, client.view, client.table)
        async with asyncio.timeout(10):
            while await metric(ana, "foretold_tables"):
                await asyncio.sleep(0.05)
        summary = await ana.call("GET", f"/api/tables/{code}")
        assert summary["your_turn"]
        async with Client(ana, code) as client:
            assert (client.n, client.view, client.table) == before
            await client.play_on()

    run(story)


def test_a_client_that_does_not_read_is_cut_off(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben, code = await friends(hasty_server)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            before = await metric(ana, "foretold_cut_off_total")
            transport = second.transport
            assert transport is not None
            transport.pause_reading()
            async with asyncio.timeout(30):
                while await metric(ana, "foretold_cut_off_total") == before:
                    for _ in range(200):
                        await second.send_raw('{"t": "sync", "id": "x", "since": 0}')
            transport.resume_reading()
            await second.until(lambda: second.welcomes > 1)
            await first.ask("start")
            await asyncio.gather(first.play_on(), second.play_on())

    run(story)


def test_a_late_reveal_does_not_hold_up_the_deal(hasty_server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(hasty_server.url, "Ana")
        body = {"commitment": "ab" * 32}
        code = (await ana.call("POST", "/api/play", body))["code"]
        async with Client(ana, code) as client:
            await client.until(lambda: client.table["state"] == "playing")
            with pytest.raises(RefusedError) as refused:
                await client.ask("reveal", bytes="00" * 16)
            assert refused.value.code == "reveal_not_due"

    run(story)

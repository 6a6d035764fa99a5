"""Games as people play them: over HTTP and sockets, against bots and each other."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from foretold import Game
from foretold.verify import verify
from server.client import Client, Person, RefusedError, run
from server.process import ServerProcess


def test_a_game_against_bots_of_every_level(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(
            rules={"rounds": "1-3", "players": 5},
            bots=[None, "novice", "apprentice", "adept", "archmage"],
        )
        async with Client(ana, code) as client:
            assert client.you.items() >= {"seat": 0, "host": True, "name": "Ana"}.items()
            await client.ask("start")
            await client.play_on()
            assert client.view is not None
            assert client.view["outcome"]["places"].count(1) >= 1
            sheet = client.view["sheet"]
            assert client.n is not None
            assert [event["n"] for event in client.events] == list(range(2, client.n + 1))
        summary = await ana.call("GET", f"/api/tables/{code}")
        assert summary["state"] == "over"
        assert summary["totals"] == sheet[-1]["totals"]
        game = Game.from_record(await ana.call("GET", f"/api/tables/{code}/record"))
        assert game.outcome() is not None
        assert not any(verdict.is_negative for verdict in verify(game))

    run(story)


def test_play_now(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        drawn = b"chance of a player"
        body = {"commitment": hashlib.sha256(drawn).hexdigest()}
        code = (await ana.call("POST", "/api/play", body))["code"]
        async with Client(ana, code) as client:
            assert client.table["state"] == "dealing"
            await client.ask("reveal", bytes=drawn.hex())
            await client.until(lambda: client.table["state"] == "playing")
            await client.ask("settings", settings={"pace": 0})
            await client.until(lambda: bool(client.legal))
            assert client.table["fair"]["contributions"][0] == drawn.hex()
        games = await ana.call("GET", "/api/me/games")
        assert [(one["code"], one["your_seat"], one["your_turn"]) for one in games["games"]] == [
            (code, 0, True)
        ]

    run(story)


def test_a_new_table_starts_at_once_if_there_is_nobody_to_wait_for(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")

        async def state_of(bots: list[str | None], *, start: bool) -> str:
            body = {"rules": {"players": 3}, "bots": bots, "start": start}
            code = (await ana.call("POST", "/api/tables", body))["code"]
            return str((await ana.call("GET", f"/api/tables/{code}"))["state"])

        alone: list[str | None] = [None, "novice", "novice"]
        assert await state_of(alone, start=True) == "playing"
        assert await state_of(alone, start=False) == "lobby"
        assert await state_of([None, None, "novice"], start=True) == "lobby"

    run(story)


def test_two_people_and_bots_see_the_same_game_and_not_each_others_hands(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana, ben = await Person.named(server.url, "Ana"), await Person.named(server.url, "Ben")
        code = await ana.new_table(
            rules={"rounds": "1-4"}, bots=[None, None, "apprentice", "novice"], public=True
        )
        listed = (await ben.call("GET", "/api/tables"))["tables"]
        assert code in [one["code"] for one in listed]
        async with Client(ana, code) as first, Client(ben, code) as second:
            assert second.seat is None
            with pytest.raises(RefusedError, match="empty seats"):
                await first.ask("start")
            await second.ask("sit", seat=1)
            await second.until(lambda: second.seat == 1)
            assert second.you.items() >= {"seat": 1, "host": False, "name": "Ben"}.items()
            await first.until(lambda: first.table["seats"][1]["kind"] == "player")
            await first.ask("start")
            await asyncio.gather(first.play_on(), second.play_on(lambda legal: legal[-1]))
            assert first.n == second.n
            assert first.view is not None
            assert second.view is not None
            own = {"hand", "legal", "why", "passed"}
            for name in first.view.keys() - own:
                assert first.view[name] == second.view[name]

    run(story)


ALL_SPECIALS: dict[str, Any] = {
    "edition": "anniversary",
    "bidding": "hidden",
    "players": 3,
    "rounds": "6-9",
}


@pytest.mark.parametrize(
    "rules",
    [
        ALL_SPECIALS,
        {"clairvoyance": "every_round", "rounds": "1-3"},
        {"mode": "two_player"},
        {"mode": "monocolour", "rounds": "4-6"},
        {"bidding": "secret", "rounds": "1-3", "players": 6},
    ],
    ids=lambda rules: "-".join(map(str, rules.values())),
)
def test_every_mode_is_played_to_its_end(server: ServerProcess, rules: dict[str, Any]) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        meaning = await ana.call("POST", "/api/rules", rules)
        players = meaning["rules"]["players"]
        code = await ana.new_table(rules=rules, bots=[None, *["apprentice"] * (players - 1)])
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.play_on(lambda legal: legal[len(legal) // 2])
        for viewer in ("open", "0", str(players - 1)):
            replay = await ana.call("GET", f"/api/tables/{code}/replay?as={viewer}")
            assert replay["complete"]
            assert {verdict["answer"] for verdict in replay["verdicts"]} == {"verified"}

    run(story)


def test_somebody_takes_over_a_bot_and_leaves_again(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        ben = await Person.named(server.url, "Ben", "127.0.0.2")
        bots = [None, "novice", "novice", "novice"]
        code = await ana.new_table(rules={"rounds": "3"}, bots=bots, open=True)
        ben.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await first.ask("start")
            await first.until(lambda: bool(first.legal))
            await second.ask("sit", seat=2)
            await second.until(lambda: second.view is not None and second.view["hand"] is not None)
            with pytest.raises(RefusedError) as refused:
                await second.ask("sit", seat=3)
            assert refused.value.code == "already_seated"
            await first.act(first.legal[0])
            await second.until(lambda: bool(second.legal))
            await second.act(second.legal[0])
            await second.ask("leave")
            await first.until(lambda: first.table["seats"][2]["stand_in"] == "left")
            await first.play_on()
            assert {"sat", "stand_in"} <= {event["e"] for event in first.events}
            by = {event["by"] for event in first.events if event.get("seat") == 2 and "by" in event}
            assert {"player", "stand_in"} <= by

    run(story)


def test_spectators_see_what_is_public(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        nobody = Person(server.url)
        code = await ana.new_table(rules={"rounds": "2"}, bots=[None, "novice", "novice", "novice"])
        shut = await ana.new_table(
            rules={"rounds": "1"}, bots=[None, "novice", "novice", "novice"], spectators=False
        )
        nobody.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as player, Client(nobody, code) as watcher:
            await player.until(lambda: player.presence["watching"] == 1)
            with pytest.raises(RefusedError) as refused:
                await watcher.ask("sit", seat=1)
            assert refused.value.code == "no_name"
            await player.ask("start")
            await player.play_on()
            await watcher.until(lambda: watcher.is_over)
            heard = [message for message in watcher.heard if "view" in message]
            assert heard
            for message in heard:
                view = message["view"] or {}
                assert view.get("hand") is None
                assert not view.get("legal")
        nobody.keys[shut] = await ana.key_of(shut)
        async with Client(ana, shut) as player, Client(nobody, shut) as watcher:
            await player.ask("start")
            await player.play_on()
            await watcher.until(lambda: watcher.is_over)
            played = [event for event in watcher.events if event["e"] == "act"]
            assert all("action" not in event for event in played[:-1])

    run(story)


def test_talk_and_rematch(server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = await Person.named(server.url, "Ana"), await Person.named(server.url, "Ben")
        code = await ana.new_table(rules={"rounds": "1"}, bots=[None, None, "novice", "novice"])
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.say("hello")
            await second.until(lambda: second.refusal is not None)
            assert second.refusal is not None
            assert second.refusal["code"] == "not_seated"
            await second.ask("sit", seat=1)
            await second.say("hello")
            await first.until(lambda: bool(first.said))
            assert first.said == [{"t": "said", "seat": 1, "phrase": "hello"}]
            await first.ask("start")
            with pytest.raises(RefusedError) as refused:
                await first.ask("rematch")
            assert refused.value.code == "not_over"
            await asyncio.gather(first.play_on(), second.play_on())
            await asyncio.gather(first.ask("rematch"), second.ask("rematch"))
            await first.until(lambda: first.table["rematch"] is not None)
            again = first.table["rematch"]
            assert [event["e"] for event in first.events].count("rematch") == 1
        async with Client(ana, again) as first, Client(ben, again) as second:
            assert (first.seat, second.seat) == (0, 1)
            assert first.table["state"] == "lobby"

    run(story)


def test_everything_is_answered_in_the_order_in_which_it_was_said(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"})
        address = server.url.replace("http", "ws") + f"/api/tables/{code}/socket"
        cookie = {"cookie": ana.cookie}
        async with connect(address, origin=Origin(server.url), additional_headers=cookie) as socket:
            heard = [json.loads(await socket.recv()) for _ in range(2)]
            for frame in (
                '{"t": "settings", "id": "1", "settings": {"public": true}}',
                '{"t": "ping", "id": "2"}',
                '{"t": "bot", "id": "3", "seat": 1, "level": "novice"}',
                '{"t": "dance", "id": "4"}',
                '{"t": "sync", "id": "5"}',
                '{"t": "settings", "id": "1", "settings": {"public": true}}',
            ):
                await socket.send(frame)
            with suppress(TimeoutError):
                while len(heard) < 10:
                    heard.append(json.loads(await asyncio.wait_for(socket.recv(), 5)))
        told = "welcome presence done event pong done event refused welcome done"
        assert [message["t"] for message in heard] == told.split()

    run(story)

"""Who gets in: to a table, to a seat, to a score sheet, and back."""

from __future__ import annotations

import asyncio
from pathlib import Path

from server.client import Client, Person, run
from server.nursery import NurseryServer
from server.process import ServerProcess
from server.visiting import ELSEWHERE, game, refused, way_in

# Strangers in bot seats


def test_nobody_sits_down_in_a_solo_game_unless_the_host_lets_them_in(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve", ELSEWHERE)
        code = (await ana.call("POST", "/api/play"))["code"]
        assert ((await way_in(eve, code)) or {}).get("code") == "need_key"

        eve.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as host, Client(eve, code) as guest:
            assert host.table["hints"]
            assert await refused(guest.ask("sit", seat=1)) == "not_let_in"
            asking = asyncio.create_task(guest.ask("knock", seat=1))
            await host.until(lambda: bool(host.knocks))
            told = host.knocks[0]
            assert (told["name"], told["seat"], told["like"]) == ("Eve", 1, [])
            await host.ask("let_in", knock=told["knock"], yes=False)
            assert await refused(asking) == "turned_down"
            assert await refused(guest.ask("knock", seat=2)) == "turned_down"
            assert host.knocks == []
            assert host.table["hints"]
            assert guest.seat is None

    run(story)


def test_somebody_let_in_gets_the_seat_even_after_a_lost_connection(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve", ELSEWHERE)
        async with game(ana) as [host]:
            eve.keys[host.code] = host.you["key"]
            async with Client(eve, host.code) as guest:
                asking = asyncio.create_task(guest.ask("knock", seat=2))
                await host.until(lambda: bool(host.knocks))
                await guest.drop()
                await host.until(lambda: not host.knocks)
                await host.until(lambda: bool(host.knocks))  # it asks again by itself
                knock = host.knocks[0]["knock"]
                assert await refused(guest.ask("let_in", knock=knock)) == "not_host"
                await host.ask("let_in", knock=knock)
                assert await asking == host.n
                await guest.until(lambda: guest.seat == 2)
                assert guest.view is not None
                assert len(guest.view["hand"]) == 1
                assert await refused(host.ask("let_in", knock=knock)) == "no_knock"

    run(story)


def test_one_line_looks_into_one_hand_of_an_open_table(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        async with game(ana, open=True) as [host]:
            key = host.you["key"]
            guests = []
            for source in (ELSEWHERE, ELSEWHERE, "127.0.0.3"):
                guest = await Person.named(server.url, "Eve", source)
                guest.keys[host.code] = key
                guests.append(Client(guest, host.code))
            first, again, other = guests
            async with first, again, other:
                await first.ask("sit", seat=1)
                assert await refused(again.ask("sit", seat=2)) == "not_let_in"
                await other.ask("sit", seat=2)
                names = [one["name"] for one in host.table["seats"]]
                assert names[:3] == ["Ana", "Eve", "Eve 2"]

                asking = asyncio.create_task(again.ask("knock", seat=3))
                await host.until(lambda: bool(host.knocks))
                assert host.knocks[0]["like"] == ["Eve"]
                await host.ask("let_in", knock=host.knocks[0]["knock"])
                await asking

    run(story)


def test_a_host_sets_a_clock_and_hands_the_role_on_during_a_game(server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = [await Person.named(server.url, name) for name in ("Ana", "Ben")]
        async with game(ana, ben) as [host, guest]:
            assert await refused(guest.ask("settings", settings={"clock": 60})) == "not_host"
            await host.ask("settings", settings={"clock": 60})
            await host.until(lambda: host.presence["clock"] is not None)
            assert host.presence["clock"]["left"] > 50_000
            await host.ask("settings", settings={"clock": None})
            assert await refused(host.ask("settings", rules={"rounds": "1-3"})) == "not_in_lobby"
            await host.ask("host", seat=1)
            await guest.until(lambda: bool(guest.you["host"]))
            await host.until(lambda: not host.you["host"])
            assert await refused(host.ask("settings", settings={"open": True})) == "not_host"
            assert await refused(guest.ask("host", seat=3)) == "nobody_there"

    run(story)


def test_a_bot_plays_for_whoever_keeps_the_others_waiting(server: ServerProcess) -> None:
    async def story() -> None:
        ana, ben = [await Person.named(server.url, name) for name in ("Ana", "Ben")]
        async with game(ana, ben, patience=5) as [host, guest]:
            waiting = host if host.legal else guest
            while not waiting.legal:
                await waiting.until(lambda: bool(host.legal or guest.legal))
                waiting = host if host.legal else guest
            seat = waiting.seat
            assert seat is not None
            await waiting.until(lambda: waiting.table["seats"][seat]["stand_in"] == "idle")
            await waiting.ask("back")
            assert waiting.table["seats"][seat]["stand_in"] is None

    run(story)


# Removal


def test_whoever_was_removed_stays_out_with_a_fresh_cookie_until_the_host_approves(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve", ELSEWHERE)
        async with game(ana, eve, open=True) as [host, guest]:
            code = host.code
            await host.ask("clear", seat=1)
            await guest.until(lambda: guest.refusal is not None)
            assert (guest.refusal or {})["code"] == "removed"
            assert host.table["seats"][1]["kind"] == "bot"
            assert host.table["removed"] == ["Eve"]

            fresh = await Person.named(server.url, "Not Eve", ELSEWHERE)
            fresh.keys[code] = host.you["key"]
            async with Client(fresh, code) as again:
                assert await refused(again.ask("sit", seat=1)) == "not_let_in"
                asking = asyncio.create_task(again.ask("knock"))
                await host.until(lambda: bool(host.knocks))
                assert host.knocks[0]["like"] == ["Eve"]
                await host.ask("let_in", knock=host.knocks[0]["knock"])
                await asking

    run(story)


def test_the_removed_stay_out_of_the_lobby_too(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table()
        async with Client(ana, code) as host:
            for name, says in (("Eve", ""), ("Not Eve", "not_let_in")):
                person = await Person.named(server.url, name, ELSEWHERE)
                async with Client(person, code) as guest:
                    if says:
                        assert await refused(guest.ask("sit", seat=1)) == says
                    else:
                        await guest.ask("sit", seat=1)
                        await host.ask("clear", seat=1)
            other = await Person.named(server.url, "Ben", "127.0.0.3")
            async with Client(other, code) as guest:
                await guest.ask("sit", seat=1)

    run(story)


def test_two_players_of_one_name_are_told_apart_everywhere(server: ServerProcess) -> None:
    async def story() -> None:
        people = [await Person.named(server.url, name) for name in ("Ana", "ana", "Ana 2")]
        ana = people[0]
        code = await ana.new_table(rules={"players": 3, "rounds": "1"})
        clients = [Client(one, code) for one in people]
        async with clients[0] as host, clients[1] as second, clients[2] as third:
            await third.ask("sit", seat=1)
            await second.ask("sit", seat=2)
            shown = ["Ana", "Ana 2", "ana 3"]
            assert [one["name"] for one in host.table["seats"]] == shown
            told = [one["name"] for one in host.events if one["e"] == "sat"]
            assert told == shown[1:]
            summary = await ana.call("GET", f"/api/tables/{code}")
            assert [one["name"] for one in summary["seats"]] == shown
            await host.ask("start")
            await asyncio.gather(*(client.play_on() for client in clients))
            for what in ("record", "replay"):
                found = await ana.call("GET", f"/api/tables/{code}/{what}")
                assert found["names"] == shown

    run(story)


# Codes and keys


def test_a_short_code_opens_a_table_only_while_it_waits_for_players(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve, invited = [await Person.named(server.url, name) for name in ("Eve", "Ida")]
        code = await ana.new_table(
            rules={"players": 3, "rounds": "1"}, bots=[None, "novice", "novice"]
        )
        pages = [f"/api/tables/{code}{end}" for end in ("", "/record", "/replay", "/review")]
        assert (await eve.call("GET", pages[0]))["key"] is None
        eavesdropper = Client(eve, code)
        async with Client(ana, code) as host, eavesdropper:
            assert eavesdropper.you["key"] is None
            await host.ask("start")
            await eavesdropper.until(lambda: eavesdropper.refusal is not None)
            assert (eavesdropper.refusal or {})["code"] == "need_key"
            eavesdropper.comes_back = False
            assert eavesdropper.view is None
            for page in pages:
                assert await refused(eve.call("GET", page)) == "need_key"
            await host.play_on()
            invited.keys[code] = host.you["key"]
        for page in pages[:3]:
            assert await refused(eve.call("GET", page)) == "need_key"
            assert (await eve.ask("GET", page)).status_code == 403
            await invited.call("GET", page)
            await ana.call("GET", page)
        eve.keys[code] = "A" * 16
        assert ((await way_in(eve, code)) or {})["code"] == "need_key"
        assert await way_in(invited, code) is None
        assert await way_in(ana, code) is None

    run(story)


def test_a_public_table_stays_open_to_all_and_a_lone_code_says_who_invites(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana, eve = [await Person.named(server.url, name) for name in ("Ana", "Eve")]
        async with game(ana, public=True) as [host]:
            assert await way_in(eve, host.code) is None
            await eve.call("GET", f"/api/tables/{host.code}/record")
            await host.ask("settings", settings={"public": False})
            assert ((await way_in(eve, host.code)) or {})["code"] == "need_key"

    run(story)


def test_guesses_are_counted_and_slow_down(tmp_path: Path) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        eve = await Person.named(server.url, "Eve", ELSEWHERE)
        open_code = await ana.new_table()
        async with game(ana) as [host]:
            codes = [f"ZZZZ{a}{b}" for a in "BCDFG" for b in "BCDFG"][:10]
            asked = [await refused(eve.call("GET", f"/api/tables/{code}")) for code in codes]
            assert asked == ["no_table"] * 5 + ["too_many_guesses"] * 5
            # Nobody learns any more which codes there are, by whatever door.
            for page in (f"/api/tables/{open_code}", f"/api/sheets/{open_code}"):
                assert await refused(eve.call("GET", page)) == "too_many_guesses"
            assert ((await way_in(eve, open_code)) or {})["code"] == "too_many_guesses"
            assert "Ana" not in (await eve.ask("GET", f"/t/{open_code}")).text
            assert "Ana" in (await ana.ask("GET", f"/t/{open_code}")).text or not built()
            # The link still opens it.
            eve.keys[host.code] = host.you["key"]
            assert await way_in(eve, host.code) is None
            # Others have guessed nothing.
            ben = await Person.named(server.url, "Ben", "127.0.0.3")
            await ben.call("GET", f"/api/tables/{open_code}")

    with NurseryServer(tmp_path, guesses_per_minute=1) as server:
        run(story)


def built() -> bool:
    from foretold.server.client.static import Client as Site

    return Site().is_built


# Score sheets


def test_whoever_has_a_sheets_code_looks_and_whoever_was_let_in_writes(
    server: ServerProcess,
) -> None:
    async def story() -> None:
        ana, eve, ida = [await Person.named(server.url, name) for name in ("Ana", "Eve", "Ida")]
        names = {"names": ["Ana", "Eve", "Ida"], "rules": {"rounds": "1-3"}}
        code = (await ana.call("POST", "/api/sheets", names))["code"]
        async with Client(ana, code, "sheets") as host, Client(eve, code, "sheets") as guest:
            ida.keys[code] = host.you["key"]
            bid = {"seen": 1, "round": 1, "bids": {1: 1}}
            assert guest.sheet["names"] == names["names"]
            assert guest.you["key"] is None
            assert await refused(guest.ask("write", **bid)) == "not_a_writer"
            assert await refused(guest.ask("claim", seat=1)) == "not_a_writer"
            async with Client(ida, code, "sheets") as invited:
                await invited.ask("claim", seat=2)
            asking = asyncio.create_task(guest.ask("knock"))
            await host.until(lambda: bool(host.knocks))
            assert host.knocks[0]["name"] == "Eve"
            await host.ask("let_in", knock=host.knocks[0]["knock"])
            await asking
            await guest.until(lambda: guest.you["key"] is not None)
            await guest.ask("write", **{**bid, "seen": guest.n})
        # Anyone who has written needs no link the next time.
        del ida.keys[code]
        async with Client(ida, code, "sheets") as again:
            await again.ask("claim", seat=2, mine=False)

    run(story)


# A lost cookie

"""How long things are kept, on both databases; and erasing a player with many tables."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from foretold.rules import Rules
from foretold.scoresheet.entries import Opened, Written
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.api.personal import rows_of
from foretold.server.operation import overview
from foretold.server.operation.acts import Acts
from foretold.server.operation.retention import DAY_MS, stay_of
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import (
    bans,
    metadata,
    players,
    seats,
    sheet_names,
    snapshots,
    tables,
)
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, sheet_summary
from foretold.table.entries import Closed, Created, PlayerSeat, Started
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table
from server.client import Person, run
from server.nursery import NurseryServer
from server.stores import add_table, with_store

OLD = now_ms() - 400 * DAY_MS
YEAR_AGO = now_ms() - 365 * DAY_MS


def age(engine: Engine, *codes: str) -> None:
    """Make these look long abandoned."""
    with engine.begin() as connection:
        connection.execute(sa.update(tables).where(tables.c.code.in_(codes)).values(updated=OLD))


def expire_all(acts: Acts, but: Collection[str] = ()) -> list[str]:
    after: tuple[int, str] | None = (0, "")
    gone: list[str] = []
    while after is not None:
        after, some = acts.expire(YEAR_AGO, after, but)
        gone += some
    return gone


def test_old_tables_go_but_what_was_shared_or_is_known_stays(url: str) -> None:
    async def story(store: Store) -> None:
        for player in ("ana", "ben", "known"):
            await store.add_player(player, player.title())
        await store.know("known")
        old = [f"AAAAA{letter}" for letter in "BCDFGHJKLMNP"]
        for code in old:
            table = await add_table(store, code)
            await store.summarise(
                listed_of(table), snapshot_of(replayed(code, await store.log_of(code)))
            )
        for code, player in (
            ("SHARED", "ana"),
            ("KNOWN1", "known"),
            ("INUSE1", "ana"),
            ("YOUNG1", "ben"),
        ):
            await add_table(store, code, player)
        await store.share("SHARED")
        opened = Opened(Rules(players=3).to_options(), ("Ana", "Ben", "Cleo"), host="ana")
        summary = sheet_summary("SHEET1", Tablet(opened), 1, 1)
        await store.add_sheet("SHEET1", Written(1, 1, opened), summary, "ana")
        engine = open_database(url)
        age(engine, *old, "SHARED", "KNOWN1", "INUSE1", "SHEET1")
        acts = Acts(engine)
        with engine.connect() as connection:
            stays = {code: stay_of(connection, code, 365) for code in ("SHARED", "KNOWN1", old[0])}
            assert [one and one.because for one in stays.values()] == ["shared", "known", None]
            assert stays[old[0]] is not None
            assert stays[old[0]].until == OLD + 365 * DAY_MS  # type: ignore[union-attr]
            always = stay_of(connection, old[0], 0)
            assert always is not None
            assert (always.until, always.because) == (None, "always")
            assert stay_of(connection, "NOBODY", 365) is None
        assert sorted(expire_all(acts, {"INUSE1"})) == sorted([*old, "SHEET1"])
        with engine.connect() as connection:
            for kept in (tables, seats, snapshots, sheet_names, metadata.tables["log"]):
                left = set(connection.execute(sa.select(kept.c.code)).scalars())
                assert left <= {"SHARED", "KNOWN1", "INUSE1", "YOUNG1"}, kept.name
        assert await store.log_of("SHARED") != []
        engine.dispose()

    with_store(url, story)


def test_those_without_any_table_are_forgotten_in_time(url: str) -> None:
    async def story(store: Store) -> None:
        for player in ("old", "seated", "known", "young"):
            await store.add_player(player, player.title())
        await store.know("known")
        await add_table(store, "AAAAAB", "seated")
        engine = open_database(url)
        with engine.begin() as connection:
            aged = sa.update(players).where(players.c.id != "young").values(created=OLD)
            connection.execute(aged)
        acts = Acts(engine)
        assert acts.expire_players(YEAR_AGO, "", {"old"}) == ("old", [])  # whoever is here stays
        assert acts.expire_players(YEAR_AGO, "", ()) == ("old", ["old"])
        assert acts.expire_players(YEAR_AGO, "old", ()) == (None, [])
        engine.dispose()

    with_store(url, story)


def test_erasing_frees_every_seat_on_both_databases(url: str) -> None:
    async def story(store: Store) -> None:
        for player in ("ana", "ben"):
            await store.add_player(player, player.title())
        await add_table(store, "AAAAAB")
        engine = open_database(url)
        acts = Acts(engine)
        acts.ban("203.0.113.7", 1)
        assert list(acts.erase("ana")) == ["AAAAAB"]
        store.forget_name("ana")
        assert await store.name_of("ana") is None
        woken = await store.wake("AAAAAB")
        assert woken is not None
        seat = woken.audience.table.seats[0]
        assert isinstance(seat, PlayerSeat)
        assert (seat.name, seat.stand_in) == ("", "left")
        assert await store.tables_of("ana") == []
        found = await store.table("AAAAAB", None)
        assert found is not None
        assert found.is_current
        assert found.listed.summary["seats"][0]["name"] == ""
        engine.dispose()

    with_store(url, story)


def test_an_act_at_the_same_moment_as_a_move_is_tried_again(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_player("ana", "Ana")
        await add_table(store, "AAAAAB")
        engine = open_database(url)
        acts = Acts(engine)
        tries = 0

        def ask(table: Table) -> Closed:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise IntegrityError("a move was written under this number", None, Exception())
            return Closed()

        acts._append("AAAAAB", ask)
        acts.close("AAAAAB")  # once is enough
        kinds = [type(one.entry) for one in await store.log_of("AAAAAB")]
        assert kinds == [Created, Started, Closed]
        engine.dispose()

    with_store(url, story)


def test_names_are_in_no_row_but_those_of_players_and_sheets(url: str) -> None:
    name = "Griselda"

    async def story(store: Store) -> None:
        await store.add_player("ana", name)
        table = await add_table(store, "AAAAAB")
        log = await store.log_of("AAAAAB")
        await store.summarise(listed_of(table), snapshot_of(replayed("AAAAAB", log)))
        opened = Opened(Rules(players=3).to_options(), (name, "Ben", "Cleo"), host="ana")
        summary = sheet_summary("SHEET1", Tablet(opened), 1, 1)
        await store.add_sheet("SHEET1", Written(1, 1, opened), summary, "ana")
        engine = open_database(url)
        with engine.connect() as connection:
            holding = {
                one.name
                for one in metadata.sorted_tables
                if name
                in repr([tuple(map(_plain, row)) for row in connection.execute(sa.select(one))])
            }
        engine.dispose()
        assert holding == {"players", "sheet_names"}

    with_store(url, story)


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, bytes | memoryview) else value


def test_a_server_forgets_by_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'foretold.db'}"

    async def before(store: Store) -> None:
        await store.add_player("ana", "Ana")
        for code in ("AAAAAB", "AAAAAC"):
            await add_table(store, code)

    with_store(url, before)
    engine = open_database(url)
    age(engine, "AAAAAB")
    Acts(engine).ban("203.0.113.7", 1e-9)
    with engine.begin() as connection:
        connection.execute(sa.insert(players).values(id="eve", name="Zebulonius", created=OLD))
    list(Acts(engine).erase("eve"))
    written = tmp_path / "foretold.db-wal"
    assert b"Zebulonius" in written.read_bytes()
    with NurseryServer(tmp_path) as server:

        async def story() -> None:
            person = Person(server.url)
            key_of = Identity(Keys.in_folder(tmp_path)).invitation
            person.keys = {code: key_of(code) for code in ("AAAAAB", "AAAAAC")}
            async with asyncio.timeout(20):
                while (await person.ask("GET", "/api/tables/AAAAAB")).status_code == 200:
                    await asyncio.sleep(0.1)
            stay = await person.call("GET", "/api/tables/AAAAAC/kept")
            assert abs(stay["until"] - now_ms() - 365 * DAY_MS) < DAY_MS
            shared = await person.call("POST", "/api/tables/AAAAAC/share")
            assert shared == {"until": None, "because": "shared"}
            async with asyncio.timeout(20):
                while b"Zebulonius" in written.read_bytes():
                    await asyncio.sleep(0.1)
            assert b"Zebulonius" not in (tmp_path / "foretold.db").read_bytes()

        run(story)
    with engine.connect() as connection:
        assert connection.execute(sa.select(bans)).all() == []
    engine.dispose()


def test_both_databases_answer_the_operator_alike(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_player("ana", "Ana")
        await add_table(store, "AAAAAB")
        opened = Opened(Rules(players=3).to_options(), ("Ana", "Ben", "Cleo"), host="ana")
        now = now_ms()
        summary = sheet_summary("SHEET1", Tablet(opened), now, now)
        await store.add_sheet("SHEET1", Written(1, now, opened), summary, "ana")
        await store.note_day(f"{datetime.now(UTC):%Y-%m-%d}", 7, 3)
        engine = open_database(url)
        Acts(engine).hide("AAAAAB")
        Acts(engine).close("SHEET1")
        assert await store.log_of("AAAAAB") == []
        with engine.connect() as connection:
            listed = overview.list_tables(connection, sort="size")
            assert [(one["code"], one["state"], one["hidden"]) for one in listed] == [
                ("AAAAAB", "dealing", True),
                ("SHEET1", "sheet", False),
            ]
            shown = overview.show_table(connection, "AAAAAB", 365)
            assert shown["bytes"] > 100
            assert shown["seats"] == [{"seat": 0, "player": "ana", "name": "Ana"}]
            assert overview.show_table(connection, "SHEET1", 365)["names"] == []
            found = overview.list_players(connection, "AN")
            assert [(one["id"], one["tables"], one["known"]) for one in found] == [
                ("ana", 2, False)
            ]
            day = overview.day_of(connection)
            counts = {name: value for name, value in day.items() if name != "day"}
            assert counts == {
                "tables_opened": 1,
                "games_finished": 0,
                "sheets_opened": 1,
                "new_players": 1,
                "players": 1,
                "most_connections": 7,
                "most_tables": 3,
            }
            own = rows_of("ana", connection)
            assert [one["code"] for one in own["tables"]] == ["AAAAAB"]
            assert [one["code"] for one in own["sheets"]] == ["SHEET1"]
        engine.dispose()

    with_store(url, story)

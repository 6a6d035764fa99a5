"""A database from before names were kept apart: only the names in its logs are lost."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from foretold.protocol.requests import Clear, Readmit, Sit, Start
from foretold.rules import Rules
from foretold.server.storage import migrations
from foretold.server.storage.database import open_database, parsed_url
from foretold.server.storage.store import Store
from foretold.server.storage.summaries import listed_of
from foretold.table.entries import Dealt, Readmitted
from server.stores import with_store
from tables import LiveTable, play_on

MANY = 450
"""More tables than are read at a time."""
NAMES = ("Griselda", "Ottokar", "Kunigunde", "Adalbert")


def old_game() -> LiveTable:
    """A whole game; somebody was removed before it and came back."""
    live = LiveTable(rules={"players": 3, "rounds": "1-2"})
    live.ask(1, Sit, seat=1)
    live.ask(0, Clear, seat=1)
    live.ask(0, Readmit, name="Ben")
    live.ask(1, Sit, seat=1)
    live.ask(2, Sit, seat=2)
    live.ask(0, Start)
    live.write(Dealt())
    play_on(live, Random(1), 1000)
    assert live.table.state == "over"
    return live


def old_entry(entry: Any) -> bytes:
    """The entry as version 0.1 wrote it: with names."""
    data = msgspec.to_builtins(entry)
    for seat in data.get("seats", ()):
        if seat["kind"] == "player":
            seat.setdefault("stand_in", None)
    if isinstance(entry, Readmitted):
        del data["players"]
    return msgspec.json.encode(data)


OLD_SHEET: list[dict[str, Any]] = [
    {
        "e": "opened",
        "names": ["Griselda", "Ottokar", "Adalbert"],
        "rules": Rules(players=3, rounds="1").to_options(),
        "host": "p0",
    },
    {"e": "wrote", "round": 1, "bids": {"0": 1}, "by": "Griselda", "asked_by": "p0", "ask_id": "1"},
    {"e": "renamed", "seat": 2, "name": "Kunigunde", "asked_by": "p0", "ask_id": "2"},
]


def fill(connection: sa.Connection, live: LiveTable) -> None:
    rows: list[dict[str, Any]] = []
    listed = msgspec.to_builtins(listed_of(live.table))
    summary = msgspec.json.encode(listed)
    codes = [f"T{number:05}" for number in range(MANY)]
    insert = sa.text(
        "INSERT INTO tables (code, state, listed, created, updated, n, summary) "
        "VALUES (:code, :state, :listed, 1, 1, :n, :summary)"
    )
    base = {"state": "over", "listed": False, "n": live.table.n, "summary": summary}
    connection.execute(insert, [{**base, "code": code} for code in codes])
    sheet = {"code": "SHEET1", "state": "playing", "names": ["Griselda"], "totals": [0, 0, 0]}
    row = {"code": "SHEET1", "state": "sheet", "listed": False, "n": 3}
    connection.execute(insert, {**row, "summary": msgspec.json.encode(sheet)})
    for code in (codes[0], codes[-1]):
        rows += [
            {"code": code, "n": one.n, "at": one.at, "entry": old_entry(one.entry)}
            for one in live.log
        ]
    rows += [
        {"code": code, "n": 1, "at": 1, "entry": old_entry(live.log[0].entry)}
        for code in codes[1:-1]
    ]
    rows += [
        {"code": "SHEET1", "n": n, "at": n, "entry": msgspec.json.encode(entry)}
        for n, entry in enumerate(OLD_SHEET, start=1)
    ]
    connection.execute(
        sa.text("INSERT INTO log (code, n, at, entry) VALUES (:code, :n, :at, :entry)"), rows
    )
    sat = [{"code": codes[0], "seat": seat, "player": f"p{seat}"} for seat in range(3)]
    sat.append({"code": "SHEET1", "seat": 1, "player": "p0"})
    connection.execute(
        sa.text("INSERT INTO seats (code, seat, player) VALUES (:code, :seat, :player)"), sat
    )
    connection.execute(
        sa.text("INSERT INTO players (id, name, created) VALUES (:id, :name, 1)"),
        [{"id": f"p{number}", "name": name} for number, name in enumerate(NAMES)],
    )
    connection.execute(
        sa.text(
            "INSERT INTO snapshots (code, n, made_by, last, data) VALUES (:code, 1, 'x', :x, :x)"
        ),
        {"code": codes[0], "x": b"Griselda"},
    )


def make_old(url: str, live: LiveTable) -> None:
    """A database as version 0.1 left it."""
    engine = sa.create_engine(parsed_url(url))
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")
        fill(connection, live)
    engine.dispose()


def test_names_leave_the_logs_and_games_stay_whole(url: str) -> None:
    live = old_game()
    make_old(url, live)
    engine = open_database(url)
    with engine.connect() as connection:
        for table in ("log", "tables", "snapshots"):
            rows = connection.execute(sa.text(f"SELECT * FROM {table}")).all()
            text = b"".join(
                bytes(one) for row in rows for one in row if isinstance(one, bytes | memoryview)
            )
            for name in (*NAMES, "Ana", "Ben", "Cleo"):
                assert name.encode() not in text, (table, name)
    engine.dispose()

    async def story(store: Store) -> None:
        log = await store.log_of("T00000")
        assert len(log) == len(live.log)
        woken = await store.wake("T00000")
        assert woken is not None
        table = woken.audience.table
        assert table.names == NAMES[:3]
        assert table.removed == {}
        record, before = table.record(), live.table.record()
        assert record is not None
        assert before is not None
        assert record == {**before, "names": list(NAMES[:3])}
        found = await store.table("T00000", "p1")
        assert found is not None
        assert [one["name"] for one in found.listed.summary["seats"]] == list(NAMES[:3])
        assert found.seat == 1
        sheet = await store.sheet_log_of("SHEET1")
        assert sheet[0].entry.names == ("Griselda", "Ottokar", "Kunigunde")  # type: ignore[union-attr]
        assert sheet[1].entry.by == "Griselda"  # type: ignore[union-attr]
        assert (await store.sheets_of("p0"))[0]["names"] == ["Griselda", "Ottokar", "Kunigunde"]

    with_store(url, story)


def test_a_move_that_is_interrupted_changes_nothing(url: str) -> None:
    live = old_game()
    make_old(url, live)
    engine = sa.create_engine(parsed_url(url))
    with engine.begin() as connection:
        # A row that no version has written: the migration stops there, after changing others.
        connection.execute(
            sa.text("UPDATE log SET entry = :x WHERE code = 'T00449' AND n = 1"), {"x": b"{"}
        )
        before = connection.execute(
            sa.text("SELECT code, n, entry FROM log ORDER BY code, n")
        ).all()
    try:
        open_database(url)
    except ValueError:
        pass
    else:
        raise AssertionError("the migration should have failed")
    with engine.begin() as connection:
        after = connection.execute(sa.text("SELECT code, n, entry FROM log ORDER BY code, n")).all()
        assert [tuple(map(_plain, row)) for row in before] == [
            tuple(map(_plain, row)) for row in after
        ]
        mended = {"x": old_entry(live.log[0].entry)}
        connection.execute(
            sa.text("UPDATE log SET entry = :x WHERE code = 'T00449' AND n = 1"), mended
        )
    engine.dispose()
    open_database(url).dispose()


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, bytes | memoryview) else value

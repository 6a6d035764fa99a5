"""Backup, restore and move: all games arrive whole, and nothing is overwritten unasked."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from commands import Run, runner
from foretold.errors import ServerError
from foretold.rules import Rules
from foretold.scoresheet.entries import Opened, Written
from foretold.scoresheet.scoresheet import Tablet
from foretold.server import operation
from foretold.server.observing.metrics import Metrics
from foretold.server.operation.backup import backup, restore
from foretold.server.operation.copies import Contents
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, sheet_summary
from foretold.table.entries import Logged
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table
from server.stores import appended
from tables import LiveTable, play_on, started

CODES = tuple(f"AAAAA{letter}" for letter in "BCDFGHJK")
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def game() -> LiveTable:
    live = started(Rules(rounds="4-7"))
    play_on(live, Random(1), 1000)
    assert live.table.state == "over"
    return live


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


async def fill(store: Store, log: Sequence[Logged]) -> None:
    """Tables just started, a finished one with its snapshot, a player and a sheet."""
    await store.add_player("ana", "Анна 🧙")
    for code in CODES:
        await store.add_table(code, log[:1], listed_of(Table.replayed(code, log[:1])))
    over = Table.replayed("ZZZZZZ", log)
    await store.add_table("ZZZZZZ", log, listed_of(over))
    opened = Opened(Rules(players=3).to_options(), ("Ana", "Ben", "Cleo"), "amigo", 0, "ana")
    summary = sheet_summary("SSSSSS", Tablet(opened), 1, 1)
    await store.add_sheet("SSSSSS", Written(1, now_ms(), opened), summary, "ana")


def settings_of(folder: Path, url: str | None = None) -> ServerSettings:
    folder.mkdir(exist_ok=True)
    (folder / "server.key").write_bytes(KEY)
    return ServerSettings(data=folder, database=url or "")


def filled(folder: Path, game: LiveTable, url: str | None = None) -> ServerSettings:
    """A stopped server's data."""
    settings = settings_of(folder, url)

    async def story() -> None:
        store = Store(open_database(settings.database_url), Metrics())
        await fill(store, game.log)
        over = replayed("ZZZZZZ", game.log)
        await store.summarise(listed_of(over.table), snapshot_of(over))
        await store.close()

    asyncio.run(story())
    return settings


def logs_in(url: str) -> dict[str, list[tuple[int, bytes]]]:
    engine = open_database(url)
    with engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT code, n, entry FROM log ORDER BY code, n"))
        found: dict[str, list[tuple[int, bytes]]] = {}
        for code, n, entry in rows:
            found.setdefault(code, []).append((n, bytes(entry)))
    engine.dispose()
    return found


def test_a_backup_under_load_has_every_game_of_its_moment(
    url: str, game: LiveTable, tmp_path: Path, run: Run
) -> None:
    """People play as fast as the disk allows; everything acknowledged before is in the copy."""
    settings = settings_of(tmp_path / "data", url)
    file = tmp_path / "copy.db"
    steps: list[float] = []

    async def story() -> None:
        store = Store(open_database(url), Metrics())
        await fill(store, game.log)
        written = dict.fromkeys(CODES, 1)
        is_over = asyncio.Event()

        async def play(code: str) -> None:
            for logged in game.log[1:]:
                if is_over.is_set():
                    return
                await appended(store, code, logged)
                written[code] = logged.n

        playing = [asyncio.create_task(play(code)) for code in CODES]
        while min(written.values()) < 5:
            await asyncio.sleep(0.001)
        before = dict(written)
        contents, has_key = await asyncio.to_thread(
            backup, settings, file, steps.append, force=False, replays=True
        )
        is_over.set()
        await asyncio.gather(*playing)
        await store.close()
        assert has_key
        assert contents == Contents(players=1, tables=len(CODES) + 1, sheets=1)
        there = logs_in(url)
        copied = logs_in(f"sqlite:///{file}")
        assert copied.keys() == there.keys()
        for code, log in copied.items():
            assert log == there[code][: len(log)]
            assert len(log) >= before.get(code, 1)
        assert any(len(copied[code]) < len(there[code]) for code in CODES), "nobody played"

    asyncio.run(story())
    assert steps
    other = tmp_path / "other"
    answer = run("restore", file, "--data", other)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"Restored 1 player, {len(CODES) + 1} tables, 1 score sheet.")
    assert (other / "server.key").read_bytes() == KEY
    assert (other / "server.key").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in other.iterdir()) == ["foretold.db", "server.key"]


def test_a_busy_database_does_not_make_a_backup_begin_anew(
    game: LiveTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = filled(tmp_path / "data", game)
    monkeypatch.setattr("foretold.server.operation.backup.PAGES", 1)
    steps: list[float] = []
    other = sqlite3.connect(settings.data / "foretold.db", isolation_level=None)

    def tick(done: float) -> None:
        steps.append(done)
        other.execute("UPDATE players SET created = created + 1")

    backup(settings, tmp_path / "copy.db", tick, force=False, replays=False)
    other.close()
    assert len(steps) > 5
    assert steps == sorted(steps)


def test_nothing_is_overwritten_unasked(game: LiveTable, tmp_path: Path, run: Run) -> None:
    data = filled(tmp_path / "data", game).data
    copy = tmp_path / "copy.db"
    assert run("backup", copy, "--data", data, "--replay").code == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    for arguments, reason in (
        (("backup", copy, "--data", data), "is there already"),
        (("backup", tmp_path / "no" / "copy.db", "--data", data), "cannot write"),
        (("backup", tmp_path / "x.db", "--data", tmp_path / "nothing"), "there is no database"),
        (("restore", tmp_path / "x.db", "--data", data), "there is no backup"),
        (("restore", data / "server.key", "--data", tmp_path / "new"), "is not a backup"),
        (("restore", copy, "--data", data), "--force sets it aside"),
        (("move", "nonsense", "--data", data), "not a URL"),
        (("move", f"sqlite:///{copy}", "--data", data), "is not empty"),
    ):
        answer = run(*arguments)
        assert (answer.code, answer.err.count("\n")) == (2, 1), answer.err
        assert answer.err.startswith("error: ")
        assert reason in answer.err
    (data / "server.key").write_bytes(bytes(32))
    (tmp_path / "new" / "server.key").write_bytes(bytes(32))
    assert "another key" in run("restore", copy, "--data", tmp_path / "new").err
    assert run("restore", copy, "--data", data, "--force").code == 0
    assert (data / "server.key").read_bytes() == KEY
    assert len(list(data.glob("foretold.db.*.old"))) == 1
    assert len(list(data.glob("server.key.*.old"))) == 1
    assert list(tmp_path.rglob("*.part*")) == []


@pytest.mark.parametrize("name", ["foretold.db", "server.key"])
def test_whoever_interrupts_a_restore_still_has_database_and_key(
    name: str, game: LiveTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = filled(tmp_path / "data", game)
    (settings.data / "server.key").write_bytes(bytes(32))
    copy = tmp_path / "copy.db"
    backup(settings, copy, lambda _: None, force=False, replays=False)
    (settings.data / "server.key").write_bytes(KEY)
    before = logs_in(settings.database_url)
    replace = Path.replace

    def interrupted(source: Path, target: Path) -> Path:
        if target.name == name:
            raise KeyboardInterrupt
        return replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(settings, copy, lambda _: None, force=True)
    assert logs_in(settings.database_url) == before
    assert (settings.data / "server.key").read_bytes() == KEY


def test_the_draft_of_a_backup_that_was_killed_goes_with_a_later_one(
    game: LiveTable, tmp_path: Path
) -> None:
    settings, copy = filled(tmp_path / "data", game), tmp_path / "copy.db"
    killed, running, other = (
        tmp_path / name
        for name in ("copy.db.0badcafe.part-wal", "copy.db.12345678.part", "notes.part")
    )
    for draft in (killed, running, other):
        draft.touch()
    for draft in (killed, other):
        os.utime(draft, (0, 0))
    backup(settings, copy, lambda _: None, force=False, replays=False)
    assert [draft.exists() for draft in (killed, running, other)] == [False, True, True]


def test_a_damaged_backup_is_told_in_a_line(game: LiveTable, tmp_path: Path, run: Run) -> None:
    copy = tmp_path / "copy.db"
    backup(filled(tmp_path / "data", game), copy, lambda _: None, force=False, replays=False)
    whole = copy.read_bytes()
    copy.write_bytes(whole[:20_000] + b"\xff" * 20_000 + whole[40_000:])
    answer = run("restore", copy, "--data", tmp_path / "new")
    assert (answer.code, answer.err.count("\n")) == (2, 1), answer.err
    assert "is damaged" in answer.err
    assert not (tmp_path / "new" / "foretold.db").exists()


def test_a_byte_that_has_changed_in_a_backup_is_noticed(
    game: LiveTable, tmp_path: Path, run: Run
) -> None:
    """SQLite does not notice it: the file is sound, but says something else."""
    copy = tmp_path / "copy.db"
    backup(filled(tmp_path / "data", game), copy, lambda _: None, force=False, replays=False)
    whole = copy.read_bytes()
    for right, wrong in (
        ("Анна".encode(), "Анне".encode()),
        (KEY, KEY[::-1]),
        (b"connections INTEGER", b"connectiont INTEGER"),
    ):
        assert right in whole
        copy.write_bytes(whole.replace(right, wrong))
        answer = run("restore", copy, "--data", tmp_path / "new")
        assert (answer.code, answer.err.count("\n")) == (2, 1), answer.err
        assert "has changed since it was written" in answer.err
        assert not (tmp_path / "new" / "foretold.db").exists()
    copy.write_bytes(whole)
    assert run("restore", copy, "--data", tmp_path / "new").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_full_disk_is_told_in_a_line_and_keeps_nothing(game: LiveTable, tmp_path: Path) -> None:
    import resource

    settings = filled(tmp_path / "data", game)
    backup(settings, tmp_path / "whole.db", lambda _: None, force=False, replays=False)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    whole = (tmp_path / "whole.db").stat().st_size
    for most in (0, whole // 2, whole - 1):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, usual[1]))
        try:
            with pytest.raises(ServerError, match=r"cannot (copy|write|use)"):
                backup(settings, tmp_path / "copy.db", lambda _: None, force=False, replays=False)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert not list(tmp_path.glob("copy.db*"))


def test_a_copy_with_a_gap_is_refused(game: LiveTable, tmp_path: Path, run: Run) -> None:
    data = filled(tmp_path / "data", game).data
    database = sqlite3.connect(data / "foretold.db")
    database.execute("DELETE FROM log WHERE code = 'ZZZZZZ' AND n = 7")
    database.commit()
    assert "the log of ZZZZZZ has gaps" in run("backup", tmp_path / "x.db", "--data", data).err
    # Somebody has the database open, as a server would.
    target = f"sqlite:///{tmp_path / 'y.db'}"
    assert "stop it first" in run("move", target, "--data", data).err
    database.execute("DELETE FROM log WHERE code = 'ZZZZZZ' AND n > 7")
    database.execute("UPDATE log SET entry = '{}' WHERE code = 'ZZZZZZ' AND n = 6")
    database.commit()
    database.close()
    assert run("backup", tmp_path / "x.db", "--data", data).code == 0
    answer = run("backup", tmp_path / "z.db", "--data", data, "--replay")
    assert "the log of ZZZZZZ cannot be replayed" in answer.err


def test_a_server_moves_to_postgres_and_back(
    empty_postgres: str,
    game: LiveTable,
    tmp_path: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = filled(tmp_path / "data", game)
    moved = run("move", empty_postgres, "--data", settings.data)
    assert (moved.code, moved.err) == (0, "")
    assert logs_in(empty_postgres) == logs_in(settings.database_url)
    # A PostgreSQL backup replaces existing data only when asked to.
    copy = tmp_path / "copy.db"
    there = ("--data", settings.data, "--database", empty_postgres)
    assert run("backup", copy, *there).code == 0
    assert "--force replaces" in run("restore", copy, *there).err
    assert run("restore", copy, *there, "--force").code == 0
    engine = open_database(empty_postgres)
    with engine.connect(), monkeypatch.context() as patch:
        patch.setattr(operation.backup, "GONE_SECONDS", 0.0)
        assert "stop it first" in run("restore", copy, *there, "--force").err
    # A connection that is gone in a moment, such as a stopped server's, is waited for.
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", lambda _: engine.dispose())
        assert run("restore", copy, *there, "--force").code == 0
    back = f"sqlite:///{tmp_path / 'back.db'}"
    assert run("move", back, *there).code == 0
    assert logs_in(back) == logs_in(settings.database_url)

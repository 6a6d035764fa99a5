"""Backup, restore and move: all data of a server in one file, and from one database to another.

A backup is a SQLite database of its own, whatever the server's is, with the server's key in it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.errors import ServerError
from foretold.server.operation.copies import Contents, Tick, check, copy_rows, fingerprint
from foretold.server.people.keys import KEY_FILE, using
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import (
    open_as_it_is,
    open_database,
    parsed_url,
    sqlite_file,
    told_in_a_line,
)
from foretold.server.storage.schema import metadata

PAGES: Final = 2000
"""Pages copied between two ticks of the progress bar."""

LEFT_SECONDS: Final = 24 * 3600
"""A temporary file this old was left behind by a process that is gone."""

GONE_SECONDS: Final = 3.0
"""How long PostgreSQL may still show a connection that was closed, such as that of a server just
stopped, or the one that has created the schema."""

IN_USE: Final = "a server is using {}: stop it first"


def backup(
    settings: ServerSettings, file: Path, tick: Tick, *, force: bool, replays: bool
) -> tuple[Contents, bool]:
    """Back up all data to a file, even while the server runs.

    Returns what is in it, and whether the key is.
    """
    if file.exists() and not force:
        raise ServerError(f"{file} is there already: name another file, or give --force")
    with _draft(file) as draft:
        url = parsed_url(settings.database_url)
        source = sqlite_file(url)
        if source is not None:
            _copy_file(source, draft, tick)
        else:
            with (
                open_as_it_is(settings.database_url, isolation_level="REPEATABLE READ") as there,
                _opened(f"sqlite:///{draft}") as here,
            ):
                copy_rows(there, here, tick)
        with open_as_it_is(f"sqlite:///{draft}") as connection:
            contents = check(connection, tick, replays=replays)
        key = _key_of(settings.data)
        _seal(draft, key)
        draft.replace(file)
    _sync(file.absolute().parent)
    return contents, key is not None


def _copy_file(source: Path, draft: Path, tick: Tick) -> None:
    if not source.is_file():
        raise ServerError(f"there is no database {source}")
    try:
        with (
            closing(sqlite3.connect(source, isolation_level=None)) as there,
            closing(sqlite3.connect(draft)) as here,
        ):
            # While this transaction is open, the connection sees one state of the database; without
            # it, every write by the server would restart the copy.
            there.execute("BEGIN")
            there.execute("SELECT * FROM alembic_version").fetchall()
            # If the disk is full from the start, the total is 0.
            there.backup(
                here, pages=PAGES, progress=lambda _, left, all_: tick(1 - left / (all_ or 1))
            )
    except sqlite3.Error as error:
        raise ServerError(f"cannot copy {source}: {error}") from None


def _seal(draft: Path, key: bytes | None) -> None:
    with closing(sqlite3.connect(draft)) as connection, connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        digest = _digest(connection, key)
        connection.execute(
            "CREATE TABLE backup (made INTEGER NOT NULL, server_key BLOB, digest TEXT)"
        )
        connection.execute("INSERT INTO backup VALUES (?, ?, ?)", (int(time.time()), key, digest))
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def _digest(connection: sqlite3.Connection, key: bytes | None) -> str:
    """A digest of everything backed up, and of its schema. SQLite itself would not notice a changed
    byte within a value or a name."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name <> 'backup'"
    schema = connection.execute(query).fetchall()
    total = fingerprint(("backup", key)) + sum(map(fingerprint, schema))
    for name in [name for kind, name, *_ in schema if kind == "table"]:
        for row in connection.execute(f'SELECT * FROM "{name}"'):
            total += fingerprint((name, *row))
    return f"{total:x}"


def restore(settings: ServerSettings, file: Path, tick: Tick, *, force: bool) -> Contents:
    """Replace the server's data with that of a backup."""
    if not file.is_file():
        raise ServerError(f"there is no backup {file}")
    url = parsed_url(settings.database_url)
    target = sqlite_file(url)
    with using(settings.data):
        pass
    if target is not None:
        _check_room(target, force)
    with _draft(target or settings.data / "restore.db") as draft:
        shutil.copyfile(file, draft)
        key = _unseal(draft, file)
        _check_key(settings.data, key, force)
        with _opened(f"sqlite:///{draft}") as connection:
            contents = check(connection, tick, replays=False)
            if target is None:
                with _opened(settings.database_url) as there:
                    _make_room(there, force)
                    copy_rows(connection, there, tick)
        if target is not None:
            _check_unused(draft)  # this also merges its write-ahead log into the file
            _set_aside(target)
            draft.replace(target)
    if key is not None:
        _put_key(settings.data, key)
    _sync((target or settings.data / KEY_FILE).absolute().parent)
    return contents


def _unseal(draft: Path, file: Path) -> bytes | None:
    """Take the key out of a backup."""
    try:
        with closing(sqlite3.connect(draft)) as connection, connection:
            connection.execute("SELECT * FROM alembic_version").fetchone()
            if not connection.execute(
                "SELECT * FROM sqlite_master WHERE name = 'backup'"
            ).fetchone():
                return None  # a plain copy of the database
            row = connection.execute("SELECT * FROM backup").fetchone()
            _, key, *digest = row  # an older backup has no digest
            if digest and digest != [_digest(connection, key)]:
                raise ServerError(f"{file} is damaged: it has changed since it was written")
            connection.execute("DROP TABLE backup")
    except sqlite3.Error:
        raise ServerError(f"{file} is not a backup of Foretold, or it is damaged") from None
    return None if key is None else bytes(key)


def move(settings: ServerSettings, target: str, tick: Tick) -> Contents:
    """Copy everything to another, empty database; the old one is left unchanged."""
    source = sqlite_file(parsed_url(settings.database_url))
    if source is not None:
        if not source.is_file():
            raise ServerError(f"there is no database {source}")
        _check_unused(source)
    with _opened(settings.database_url) as here, _opened(target) as there:
        if source is None:
            _check_alone(here)
        if Contents.of(there):
            raise ServerError("the database to move to is not empty: give an empty one")
        copy_rows(here, there, tick)
        return check(there, tick, replays=False)


@contextmanager
def _opened(url: str) -> Iterator[Connection]:
    """An up-to-date database; changes are committed if nothing fails."""
    engine = open_database(url, is_bounded=False)
    try:
        where = engine.url.render_as_string(hide_password=True)
        with told_in_a_line(where), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """A temporary file beside that one, readable only by its owner."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    _tidy(file)
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield draft
    except (OSError, sqlite3.Error) as error:
        told = getattr(error, "strerror", None) or error
        raise ServerError(f"cannot write {file}: {told}") from None
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{draft}{suffix}").unlink(missing_ok=True)


def _tidy(file: Path) -> None:
    """Delete what a killed process has left: it holds everybody's names."""
    for draft in file.parent.glob("*.????????.part*"):  # backups may be named by the day
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > LEFT_SECONDS:
                draft.unlink()


def _sync(folder: Path) -> None:
    """Make sure a new file name is on disk too."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


# Obstacles


def _check_unused(database: Path) -> None:
    """Raise `ServerError` if another process has a SQLite database open."""
    try:
        with closing(sqlite3.connect(database, isolation_level=None, timeout=0)) as connection:
            # Leaving write-ahead mode, which merges the log into the file, needs exclusive access.
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error:
        raise ServerError(IN_USE.format(database)) from None


def _check_alone(connection: Connection) -> None:
    """Raise `ServerError` if another process has a PostgreSQL database open."""
    from foretold.server.storage.postgres import APPLICATION

    others = sa.text(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() "
        "AND application_name = :name AND pid <> pg_backend_pid()"
    )
    deadline = time.monotonic() + GONE_SECONDS
    while connection.execute(others, {"name": APPLICATION}).first() is not None:
        if time.monotonic() > deadline:
            raise ServerError(IN_USE.format("the database"))
        time.sleep(0.05)
        connection.execute(sa.text("SELECT pg_stat_clear_snapshot()"))  # or it never changes


def _make_room(connection: Connection, force: bool) -> None:
    _check_alone(connection)
    contents = Contents.of(connection)
    if contents and not force:
        raise ServerError(f"the database has {contents}: --force replaces them")
    for table in reversed(metadata.sorted_tables):
        connection.execute(sa.delete(table))


def _check_room(target: Path, force: bool) -> None:
    if target.exists():
        _check_unused(target)
        if target.stat().st_size and not force:
            raise ServerError(f"{target} is there already: --force sets it aside")


def _set_aside(path: Path) -> None:
    """Keep a file under another name. It stays where it is until another takes its place: a server
    started after an interruption must not find an empty folder."""
    if path.exists():
        old = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}.old")
        try:
            os.link(path, old)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            path.replace(old)


def _key_of(folder: Path) -> bytes | None:
    path = folder / KEY_FILE
    try:
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise ServerError(f"cannot read {path}: {error.strerror}") from None


def _check_key(folder: Path, key: bytes | None, force: bool) -> None:
    if key is not None and not force and _key_of(folder) not in (None, key):
        raise ServerError(
            f"{folder / KEY_FILE} is another key than the backup's: --force sets it aside"
        )


def _put_key(folder: Path, key: bytes) -> None:
    path = folder / KEY_FILE
    if _key_of(folder) == key:
        return
    with _draft(path) as draft:
        draft.write_bytes(key)
        _set_aside(path)
        draft.replace(path)

"""Opens the database, and brings its schema up to date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from foretold.errors import ServerError
from foretold.extras import need
from foretold.server.storage.schema import HEAD

POSTGRES: Final = "postgresql+psycopg"

_GOES_BACK: Final = re.compile(r"(\d{4})_from_(\d{4})")
"""The name of a migration after which earlier versions, from the second number on, still work."""

MIGRATION_LOCK: Final = 0x666F7265746F6C64
"""PostgreSQL's name for the lock that whoever changes the schema holds."""

BUSY_MS: Final = 2000
"""How long a statement waits while another process has locked SQLite's file."""


def open_database(url: str, *, is_bounded: bool = True) -> Engine:
    """An engine for the database at that URL, migrated; raises a one-line `ServerError`.

    With `is_bounded` false there are no timeouts: for work on a whole database.
    """
    parsed = parsed_url(url)
    where = parsed.render_as_string(hide_password=True)
    with told_in_a_line(where):
        engine = _engine(parsed, is_bounded)
        try:
            if not _is_current(engine):
                _migrate(parsed)
        except BaseException:
            engine.dispose()
            raise
    return engine


@contextmanager
def open_as_it_is(url: str, isolation_level: str | None = None) -> Iterator[sa.Connection]:
    """Read a database that may be in use, without migrating it."""
    with engine_as_it_is(url) as engine:
        if isolation_level is not None:
            engine = engine.execution_options(isolation_level=isolation_level)
        with engine.connect() as connection:
            yield connection


@contextmanager
def engine_as_it_is(url: str) -> Iterator[Engine]:
    """The same, for more than one connection."""
    parsed = parsed_url(url)
    with told_in_a_line(parsed.render_as_string(hide_password=True)):
        engine = _engine(parsed, is_bounded=False)
        try:
            if not _is_current(engine):
                raise ServerError(
                    "the database was made by another version of Foretold: use that version"
                )
            yield engine
        finally:
            engine.dispose()


@contextmanager
def told_in_a_line(where: str) -> Iterator[None]:
    """Turn whatever a database may raise into a `ServerError`."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        cause = getattr(error, "orig", None) if isinstance(error, DBAPIError) else None
        raise ServerError(f"cannot use the database {where}: {_line(cause or error)}") from None


def _line(error: object) -> str:
    return " ".join(str(error).split())[:200]


def parsed_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ServerError(
            "the database is not a URL: give one such as sqlite:///foretold.db or "
            "postgresql://user@host/name"
        ) from None
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername=POSTGRES)
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise ServerError(
            f"no database of the kind {parsed.get_backend_name()}: there are sqlite and postgresql"
        )
    if parsed.drivername == POSTGRES:
        need("postgres")
    try:
        parsed.get_dialect().import_dbapi()
    except (ImportError, NoSuchModuleError) as error:
        raise ServerError(f"no driver for {parsed.drivername}: {_line(error)}") from None
    return parsed


def sqlite_file(url: URL) -> Path | None:
    """The database's file, if it is SQLite."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _engine(url: URL, is_bounded: bool) -> Engine:
    if url.get_backend_name() == "postgresql":
        from foretold.server.storage.postgres import bounded_connection, connect_settings

        engine = sa.create_engine(
            url,
            pool_pre_ping=True,
            pool_size=8,
            hide_parameters=True,
            connect_args=connect_settings(url),
        )
        if is_bounded:
            sa.event.listen(engine, "do_connect", bounded_connection)
        return engine
    if url.database in (None, "", ":memory:"):
        raise ServerError("the database must be a file: a game in memory would be lost")
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    Path(url.database).touch(mode=0o600)  # it holds the secrets of games under way
    # Errors must not contain the values written, or they would end up in logs.
    engine = sa.create_engine(url, pool_size=8, hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    # Overwrite erased names on disk, where that costs no extra write.
    cursor.execute("PRAGMA secure_delete=FAST")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    # Each entry changes a page of its table's keys. With a checkpoint only after 16 MiB of
    # write-ahead log, most pages have changed many times before they are moved. The journal that
    # undoes a failed statement stays in memory, not in a file.
    cursor.execute("PRAGMA wal_autocheckpoint=4000")
    cursor.execute("PRAGMA temp_store=MEMORY")
    # Each table in play uses a page of keys. With SQLite's default of 2 MiB, most pages of 250
    # tables had to be read again for every entry.
    cursor.execute("PRAGMA cache_size=-8192")
    cursor.close()


def scrub(engine: Engine) -> bool:
    """Empty SQLite's write-ahead log, which still has what was erased; False if it is in use."""
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect() as connection:
        # The first does most of the work without blocking writers. The second blocks them, so it
        # must not wait for anybody.
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
        connection.exec_driver_sql("PRAGMA busy_timeout=0")
        try:
            is_busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_MS}")
    return not is_busy


def _is_current(engine: Engine) -> bool:
    with engine.connect() as connection:
        return _is_made(connection)


def _is_made(connection: sa.Connection) -> bool:
    version = _version(connection)
    return version == HEAD or _goes_back_to_this(version)


def _goes_back_to_this(version: str | None) -> bool:
    """Whether a schema is of a later version, and says that this one can work with it too."""
    found = _GOES_BACK.fullmatch(version or "")
    return found is not None and found[2] <= HEAD[:4] < found[1]


def _migrate(url: URL) -> None:
    from alembic import command  # slow to import, and seldom needed
    from alembic.config import Config
    from alembic.util import CommandError

    engine = _engine(url, is_bounded=False)
    try:
        with engine.begin() as connection:
            if url.get_backend_name() == "sqlite":
                # Python's driver would leave schema changes out of the transaction.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            if _is_made(connection):  # meanwhile, by another node
                return
            config = Config()
            config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError:
        raise ServerError(
            "the database was made by a newer Foretold: install that version"
        ) from None
    finally:
        engine.dispose()


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)

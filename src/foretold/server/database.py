"""Opening the database, and bringing its schema up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from foretold.errors import ServerError
from foretold.extras import need
from foretold.server.schema import HEAD

POSTGRES: Final = "postgresql+psycopg"


def open_database(url: str) -> Engine:
    """An engine for the database at that URL, migrated; raises `ServerError` in one line."""
    parsed = _parsed(url)
    where = parsed.render_as_string(hide_password=True)
    try:
        engine = _engine(parsed)
        try:
            _migrate(engine)
        except BaseException:
            engine.dispose()
            raise
    except (SQLAlchemyError, OSError) as error:
        cause = getattr(error, "orig", None) if isinstance(error, DBAPIError) else None
        raise ServerError(f"cannot open the database {where}: {_line(cause or error)}") from None
    return engine


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ServerError(
            "the database is no URL: give one such as sqlite:///foretold.db or "
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


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        return sa.create_engine(url, pool_pre_ping=True, pool_size=8, hide_parameters=True)
    if url.database in (None, "", ":memory:"):
        raise ServerError("the database must be a file: a game in memory would be lost")
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    Path(url.database).touch(mode=0o600)  # secrets of games under way are for nobody else
    # What is written never stands in an error, so that no log has it.
    engine = sa.create_engine(url, pool_size=8, hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    # An entry of the log changes a page of its own table's. Those pages go from the write-ahead log
    # to their places after 16 MiB of it, when most were written many times; and what undoes a
    # statement that fails is kept in memory, not in a file.
    cursor.execute("PRAGMA wal_autocheckpoint=4000")
    cursor.execute("PRAGMA temp_store=MEMORY")
    # Each table that is played at has a page of the log in use. With SQLite's usual 2 MiB, most of
    # those of 250 tables were read anew for every entry.
    cursor.execute("PRAGMA cache_size=-8192")
    cursor.close()


def _migrate(engine: Engine) -> None:
    with engine.begin() as connection:
        if _version(connection) == HEAD:
            return  # the usual case, without the time that Alembic takes to load
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise ServerError(
                "the database was made by a newer Foretold: install that version"
            ) from None


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)

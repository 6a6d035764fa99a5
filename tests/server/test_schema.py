"""The database: its schema, its versions, and what is said when it cannot be opened."""

from __future__ import annotations

import subprocess
import sys
import traceback
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script.revision import Revision

from foretold.errors import ServerError
from foretold.server.storage import migrations
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import HEAD, metadata
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.writes import ConflictError
from foretold.table.entries import Logged, Sat
from server.stores import add_table, appended, with_store


def test_the_schema_is_what_the_migrations_make(url: str) -> None:
    engine = open_database(url)
    open_database(url).dispose()
    with engine.connect() as connection:
        version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        assert version == HEAD
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert differences == []


def test_nodes_that_start_together_make_the_schema_once(empty_postgres: str) -> None:
    """One of them does, and the others wait for it."""
    opening = f"import sys; from {open_database.__module__} import *; open_database(sys.argv[1])"
    command = [sys.executable, "-c", opening, empty_postgres]
    nodes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(node.communicate(timeout=60)[1], node.returncode) for node in nodes] == [("", 0)] * 4
    test_the_schema_is_what_the_migrations_make(empty_postgres)


def test_a_database_of_an_older_version_is_brought_up_to_date(url: str) -> None:
    engine = open_database(url)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(sa.text("DELETE FROM alembic_version"))
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            sa.insert(metadata.tables["players"]).values(id="ana", name="Ana", created=1)
        )
    engine.dispose()

    async def story(store: Store) -> None:
        assert await store.name_of("ana") == "Ana"

    with_store(url, story)
    test_the_schema_is_what_the_migrations_make(url)


def test_a_database_of_a_newer_version_is_left_alone(url: str) -> None:
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ServerError, match="made by a newer Foretold"):
        open_database(url)
    with engine.begin() as connection:
        version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        assert version == "9999"
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))
    engine.dispose()


@pytest.mark.parametrize(("oldest", "is_fine"), [(HEAD[:4], True), ("9998", False)])
def test_a_newer_version_says_whether_this_one_can_go_on(
    url: str, oldest: str, is_fine: bool
) -> None:
    """During a deploy, nodes of this version may be started after the schema was upgraded."""
    engine = open_database(url)
    with engine.begin() as connection:
        named = {"version": f"9999_from_{oldest}"}
        Revision(named["version"], HEAD)  # Alembic does not take every name
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :version"), named)
    if is_fine:
        open_database(url).dispose()
    else:
        with pytest.raises(ServerError, match="made by a newer Foretold"):
            open_database(url)
    with engine.begin() as connection:
        version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        assert version == named["version"]
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))
    engine.dispose()


def test_what_was_to_be_written_does_not_stand_in_an_error(url: str) -> None:
    secret = "".join(("vei", "led"))  # so that no line of this test holds it

    async def story(store: Store) -> None:
        await add_table(store, "AAAAAA")
        await store.add_player("ana", "Ana")
        errors = []
        with pytest.raises(ConflictError) as caught:
            await appended(
                store, "AAAAAA", Logged(2, now_ms(), Sat(seat=1, player="x", name=secret))
            )
        errors.append(caught.value)
        with pytest.raises(ConflictError) as caught:
            await store.add_player("ana", secret)
        errors.append(caught.value)
        for error in errors:
            told = "".join(traceback.format_exception(error))
            assert "unique" in told.lower()
            assert secret not in told

    with_store(url, story)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "not a URL"),
        ("mysql://localhost/x", "there are sqlite and postgresql"),
        ("postgresql+nothing://localhost/x", "no driver"),
        ("sqlite://", "must be a file"),
        ("sqlite:////proc/nothing/x.db", "cannot use the database"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", "cannot use the database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_line(url: str, reason: str) -> None:
    with pytest.raises(ServerError, match=reason) as error:
        open_database(url)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)

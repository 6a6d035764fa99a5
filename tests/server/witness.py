"""Who wrote which entry, noted by the database itself: no two nodes may act in one epoch."""

from __future__ import annotations

import sqlalchemy as sa

from foretold.server.storage.database import open_as_it_is

SET_UP = """
CREATE SCHEMA witness;
CREATE TABLE witness.entries (code text, n int, epoch bigint, owner text, writer text);
CREATE FUNCTION witness.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness.entries
    SELECT NEW.code, NEW.n, epoch, node, current_setting('application_name')
    FROM owners WHERE owners.code = NEW.code;
    RETURN NULL;
END $$;
CREATE TRIGGER witness AFTER INSERT ON log FOR EACH ROW EXECUTE FUNCTION witness.note();
"""


def name(port: int) -> str:
    """What a node, which listens to that port, must be called in the database's connections."""
    return f"node-{port}"


def watch(database: str) -> None:
    """Note every entry from now on."""
    _execute(database, "DROP SCHEMA IF EXISTS witness CASCADE", SET_UP)


def forget(database: str) -> None:
    _execute(database, "DROP SCHEMA IF EXISTS witness CASCADE")


def _execute(database: str, *statements: str) -> None:
    with open_as_it_is(database) as connection, connection.begin():
        for statement in statements:
            connection.exec_driver_sql(statement)


def check_epochs(database: str) -> int:
    """Each epoch of a table had one owner, who alone wrote; returns the number of epochs."""
    with open_as_it_is(database) as connection:
        query = sa.text(
            "SELECT code, n, epoch, owner, writer FROM witness.entries ORDER BY code, n"
        )
        rows = connection.execute(query).all()
    owners: dict[tuple[str, int], str] = {}
    last: dict[str, int] = {}
    for code, n, epoch, owner, writer in rows:
        assert epoch >= last.get(code, 0), f"entry {n} of {code} is of an earlier epoch"
        last[code] = epoch
        assert owners.setdefault((code, epoch), owner) == owner, f"two owners in epoch {epoch}"
        assert f"-{writer.rpartition('-')[2]}-" in owner, f"{writer} wrote at a table of {owner}"
    return len(owners)

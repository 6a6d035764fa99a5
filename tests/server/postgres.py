"""A PostgreSQL cluster on loopback, for as long as it is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from foretold.server.storage.database import open_database
from foretold.server.storage.schema import metadata
from ports import free_port


@contextmanager
def cluster(home: Path, *, is_safe: bool = False) -> Iterator[str]:
    """The URL of a database in a new cluster, run by the programs in a folder.

    Only a safe one syncs its writes.
    """
    port = free_port()
    # The server refuses to run as root, as tests in a container often do.
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="foretold-postgres-") as folder:
        if as_user:
            shutil.chown(folder, "postgres")

        def call(program: str, *arguments: str) -> None:
            command = [*as_user, str(home / program), "-D", f"{folder}/cluster", *arguments]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

        call("initdb", "-U", "tester", "-A", "trust", "-N")
        options = f"-h 127.0.0.1 -p {port} -k {folder}{'' if is_safe else ' -F'}"
        call("pg_ctl", "-w", "-o", options, "-l", f"{folder}/log", "start")
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            if Path(folder, "cluster/postmaster.pid").exists():  # or a test has stopped it
                call("pg_ctl", "-w", "-m", "immediate", "stop")


def restarted(home: Path, url: str) -> None:
    """Stop a cluster as a power cut would, and start it again."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        folder = str(connection.execute(sa.text("SHOW data_directory")).scalar())
    engine.dispose()
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    options = ["-w", "-m", "immediate", "-l", f"{Path(folder).parent}/log", "restart"]
    subprocess.run(
        [*as_user, str(home / "pg_ctl"), "-D", folder, *options],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd="/",
    )


def emptied(url: str) -> str:
    """The same database, emptied."""
    engine = open_database(url)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(sa.text("DROP TABLE IF EXISTS alembic_version"))
    engine.dispose()
    return url

"""A second PostgreSQL that follows the first, and takes its place."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from ports import free_port

SECONDS = 30.0


class Standby:
    """Follows a cluster synchronously: whatever is committed there is on disk here too."""

    def __init__(self, home: Path, url: str) -> None:
        self._home = home
        self._first = url
        self.port = free_port()
        self.url = url.replace(f":{urlsplit(url).port}/", f":{self.port}/")
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._folder = Path(tempfile.mkdtemp(prefix="foretold-standby-"))
        if self._as_user:
            shutil.chown(self._folder, "postgres")

    def follow(self) -> None:
        """Copy the first, follow it, and let it wait for this one from then on."""
        first = urlsplit(self._first)
        self._call(
            "pg_basebackup",
            *("-D", f"{self._folder}/cluster", "-R", "-c", "fast", "-X", "stream"),
            *("-h", str(first.hostname), "-p", str(first.port), "-U", str(first.username)),
        )
        options = f"-h 127.0.0.1 -p {self.port} -k {self._folder}"
        self._control("-w", "-o", options, "-l", f"{self._folder}/log", "start")
        engine = _engine(self._first)
        with engine.connect() as connection:
            connection.exec_driver_sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.exec_driver_sql("SELECT pg_reload_conf()")
            deadline = time.monotonic() + SECONDS
            state = "SELECT sync_state FROM pg_stat_replication"
            while connection.exec_driver_sql(state).scalar() != "sync":
                assert time.monotonic() < deadline, "the standby does not follow"
                time.sleep(0.02)
        engine.dispose()

    def take_over(self) -> None:
        """Stop the first as a power cut would, and take its place."""
        engine = _engine(self._first)
        with engine.connect() as connection:
            folder = str(connection.exec_driver_sql("SHOW data_directory").scalar())
        engine.dispose()
        self._call("pg_ctl", "-D", folder, "-w", "-m", "immediate", "stop")
        self._control("-w", "promote")

    def close(self) -> None:
        if (self._folder / "cluster").exists():
            self._control("-w", "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _control(self, *arguments: str) -> None:
        self._call("pg_ctl", "-D", f"{self._folder}/cluster", *arguments)

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._as_user, str(self._home / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
        )


def _engine(url: str) -> sa.Engine:
    return sa.create_engine(
        url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )

"""Real servers for the tests, one per test worker.

PostgreSQL is tested if `FORETOLD_TEST_POSTGRES` is the URL of a database that may be emptied, or
if its programs are installed: then a cluster is started on loopback for the test run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.nats import Nats, nats
from server.nursery import NurseryServer
from server.postgres import cluster, emptied
from server.process import ServerProcess
from system import find_nats, find_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL database."""
    given = os.environ.get("FORETOLD_TEST_POSTGRES")
    if given:
        yield given
        return
    home = find_postgres()
    if home is None:
        pytest.skip("no PostgreSQL here: install it, or set FORETOLD_TEST_POSTGRES to a URL")
    with cluster(home) as url:
        yield url


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    """The same database, emptied."""
    return emptied(postgres)


@pytest.fixture(scope="session")
def bus() -> Iterator[Nats]:
    """A bus between nodes."""
    program = find_nats()
    if program is None:
        pytest.skip("no NATS here: install nats-server")
    with nats(program) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.db'}"
    address: str = request.getfixturevalue("empty_postgres")
    return address


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the settings for tests."""
    with NurseryServer(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


@pytest.fixture(scope="session")
def hasty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that does not wait long for anybody."""
    folder = tmp_path_factory.mktemp("hasty")
    with NurseryServer(folder, grace=0.3, linger=0.1, reveal_wait=0.3, backlog=20) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log

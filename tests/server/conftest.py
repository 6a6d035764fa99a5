"""Real servers for the tests, one for each worker of the test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.client import ServerProcess
from server.nursery import NurseryServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """As it comes."""
    with NurseryServer(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


@pytest.fixture(scope="session")
def hasty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One that does not wait long for anybody."""
    folder = tmp_path_factory.mktemp("hasty")
    with NurseryServer(folder, grace=0.3, linger=0.1, reveal_wait=0.3, backlog=20) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log

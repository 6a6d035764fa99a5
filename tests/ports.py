"""Ports for the servers that tests start."""

from __future__ import annotations

import os
import random
import socket
from collections import deque
from contextlib import suppress

FIRST, RANGE, RANGES = 20_000, 1_000, 12
_given: deque[int] = deque(maxlen=RANGE // 2)
"""The last ports: whoever got one may not listen there yet."""


def free_port() -> int:
    """A free port that no other test process takes.

    Each has its own range, below the ports that the system assigns to clients: from those, a
    client calling while no server listens might get connected to itself, and a server that takes
    its time to start might find its port gone.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = FIRST + worker % RANGES * RANGE + random.randrange(RANGE)
        if port in _given:
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            _given.append(port)
            return port


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

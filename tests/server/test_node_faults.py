"""Nodes that fail: what becomes of their tables."""

from __future__ import annotations

from pathlib import Path

from server.enduring import endure
from server.nats import Nats


def test_nothing_is_lost_when_nodes_die_or_leave(
    tmp_path: Path, empty_postgres: str, bus: Nats
) -> None:
    """Two faults here; `make soak PART=nodes` has all of them, for hours."""
    endured = endure(tmp_path, empty_postgres, bus, ["leave", "kill"], seed=18, rounds="1-6")
    assert endured.acknowledged > 50

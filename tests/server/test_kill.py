"""Nothing is lost when the server is killed at random moments while people play."""

from __future__ import annotations

from pathlib import Path

from server.killing import survive


def test_nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    """Ten times here; `make soak` does it a thousand times."""
    assert survive(tmp_path, kills=10, seed=3).acknowledged > 1000

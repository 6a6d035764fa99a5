"""The command line, and a game in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.told import played
from commands import Run, runner
from foretold.record import write_record


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(write_record(played(rounds="1-3").to_record()))
    return path

"""The arena, run from a folder with some odd bots."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from arena.odd import ODD_BOTS
from commands import Run, runner


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the arena from a folder with some odd bots."""
    (tmp_path / "odd.py").write_text(ODD_BOTS)
    monkeypatch.chdir(tmp_path)
    return partial(runner(capfd, monkeypatch), "arena")

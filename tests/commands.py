"""The command line, run in this process as users run it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from foretold.cli import main


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


def runner(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``foretold`` with these arguments and this standard input."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "argv", ["foretold", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stopped:
            main()
        shown = capfd.readouterr()
        assert isinstance(stopped.value.code, int)
        return Answer(stopped.value.code, shown.out, shown.err)

    return run

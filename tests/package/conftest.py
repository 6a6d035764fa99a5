"""An sdist of this checkout and a wheel built from it, made once for all test workers."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "src" / "foretold" / "server" / "static" / "index.html"


@dataclass(frozen=True)
class Built:
    sdist: Path
    wheel: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    assert CLIENT.exists(), "the client is not built: run make web"
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # shared by all workers
    folder = folder / "dist"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            _build(folder)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return Built(sdist, wheel)


def _build(folder: Path) -> None:
    # The sdist takes the built client, and needs no Node.js.
    _run("hatchling", "build", "--target", "sdist", "--directory", str(folder), "--no-hooks")
    (sdist,) = folder.glob("*.tar.gz")
    # In an isolated environment, with only what the sdist declares as build requirements.
    _run("pip", "wheel", "--no-deps", "--wheel-dir", str(folder), str(sdist))


def _run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr

"""A trained player that has learned nothing, and the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commands import Run, runner
from foretold.bots.network import Sage
from foretold.train.network import Network
from foretold.train.weights import to_arrays
from untrained import untrained


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    np.savez(path, **to_arrays(Network(16, 1)))  # type: ignore[arg-type]
    return path


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)

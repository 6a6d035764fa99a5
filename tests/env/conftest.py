"""Environments for every kind of game."""

from __future__ import annotations

import pytest

from foretold import Rules
from variants import VARIANTS


@pytest.fixture(params=VARIANTS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return Rules(**VARIANTS[request.param])

"""Bots that are watched in processes of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foretold.errors import BotError
from foretold.train.watching import Watched, watch, watch_game


def test_the_seed_alone_decides_what_is_seen() -> None:
    watched = list(watch("simple", decisions=200, seed=4, processes=2))
    assert sum(len(game.actions) for game in watched[:-1]) < 200
    assert sum(len(game.actions) for game in watched) >= 200
    for number, game in enumerate(watched):
        alone = watch_game("simple", seed=4, number=number)
        for name in Watched._fields:
            assert np.array_equal(getattr(game, name), getattr(alone, name))


def test_a_bot_that_takes_its_process_along_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quitting.py").write_text(
        "import os\nclass Bot:\n    def choose(self, view): os._exit(3)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BotError, match=r"quitting:Bot.*: its process .* \(exit status 3\)$"):
        next(watch("quitting:Bot", decisions=1, seed=1, processes=1))

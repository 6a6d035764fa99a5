"""What the command line answers."""

from __future__ import annotations

from typing import Any

from commands import Answer
from foretold import Game
from foretold.bots import SimpleBot


def played(edition: str = "amigo", **options: Any) -> Game:
    game = Game(edition, seed=5, **options)
    while game.outcome() is None:
        game.push(SimpleBot().choose(game.view(game.to_act[0])))
    return game


def assert_refused(answer: Answer, *words: str) -> None:
    """One clear line on standard error and exit status 2."""
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    for word in words:
        assert word in answer.err

"""What a bot is, and one that plays at random."""

from __future__ import annotations

import random
from typing import Protocol

from foretold.actions import Action
from foretold.view import View


class Bot(Protocol):
    """A player: it sees a view whose seat is to act, and chooses one of its legal actions."""

    def choose(self, view: View) -> Action: ...


class RandomBot:
    """Takes any legal action, each equally likely."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> Action:
        return self._random.choice(view.legal_actions)

"""Search (under construction)."""

from __future__ import annotations

from foretold.actions import Action
from foretold.bots.simple import SimpleBot
from foretold.view import View


class SearchBot:
    def __init__(self, seed: int = 0, ms: float = 100) -> None:
        self.ms = ms

    def choose(self, view: View) -> Action:
        return SimpleBot().choose(view)

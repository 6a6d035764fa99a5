"""Bots that do what no bot should, and a worker for them that is ready soon."""

from __future__ import annotations

import os
import time

from foretold import Action, Game, View
from foretold.actions import ACTIONS
from foretold.bots import SimpleBot
from foretold.workers.answering import answer_all
from foretold.workers.bot_worker import answer


def main() -> None:
    answer_all(_warm_up, answer)


def _warm_up() -> None:
    game = Game(rounds="5", seed=1)
    SimpleBot().choose(game.view(game.to_act[0]))


class Hangs:
    def choose(self, view: View) -> Action:
        time.sleep(600)
        raise AssertionError


class Dies:
    def choose(self, view: View) -> Action:
        os._exit(3)


class Raises:
    def choose(self, view: View) -> Action:
        raise RuntimeError("I am lost")


class Illegal:
    def choose(self, view: View) -> Action:
        return next(action for action in ACTIONS if action not in view.legal_actions)

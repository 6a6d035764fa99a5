"""The process in which bots decide.

A question is a pickled bot and `View`; an answer is an action's number and the bot's fault, if any.
Both ends are ours, so pickle is safe here. Bots see nothing but the view.
"""

from __future__ import annotations

import pickle
import secrets
from functools import cache

from foretold.bots import LEVELS, Bot, Player, make_bot
from foretold.game import Game
from foretold.view import View
from foretold.workers.answering import answer_all


def main() -> None:
    answer_all(warm_up, answer)


def answer(question: bytes) -> bytes:
    return pickle.dumps(_decide(*pickle.loads(question)), protocol=5)


def _decide(bot: str, view: View) -> tuple[int, str | None]:
    decision = Player(_bot(bot)).decide(view)
    return int(decision.action), decision.fault


@cache
def _bot(text: str) -> Bot:
    return make_bot(text, secrets.randbits(63))


def warm_up() -> None:
    """Load compiled code, so that the first decision is quick."""
    for level in LEVELS:
        game = Game(rounds="2", seed=0)
        while game.to_act:
            seat = game.to_act[0]
            game.push(_decide(level, game.view(seat))[0], seat)

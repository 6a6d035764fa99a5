"""The process that computes hints, reviews and other slow work.

A question is pickled: what is wanted, and the view, what finds the record, or the work itself. The
answer is JSON, or the work's result. Both ends belong to this server, so pickle is safe here.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, Final

import msgspec

from foretold.bots.trained import is_trained
from foretold.game import Game
from foretold.server.workers.elsewhere import HINT
from foretold.server.workers.study import REFUSED, WORK
from foretold.study.analysis import analyse
from foretold.study.data import hint_data, review_data
from foretold.study.review import review
from foretold.table.refusals import Refused
from foretold.view import View
from foretold.workers.answering import answer_all

NICE: Final = 5
"""Moves come first: when the cores are busy, this process waits."""


def main() -> None:
    if sys.platform != "win32":
        os.nice(NICE)
    answer_all(_warm_up, _answer)


def _answer(question: bytes) -> bytes:
    wanted, of = pickle.loads(question)
    try:
        if wanted != WORK:
            return msgspec.json.encode(_told(wanted, of))
        done: bytes = of()
        return done
    except Refused as refused:
        return REFUSED + msgspec.json.encode(refused.to_data())


def _told(wanted: str, of: Any) -> dict[str, Any]:
    if wanted == HINT:
        view: View = of
        return hint_data(view, analyse(view))
    return review_data(review(Game.from_record(of())))


def _warm_up() -> None:
    """Load and compile what is needed, so that the first hint comes at once."""
    if not is_trained():
        return
    game = Game(rounds="2", seed=0)
    while game.to_act:
        analyse(game.view(game.to_act[0]))
        game.push(game.legal_actions()[0])
    review(game)

"""The process in which hints and reviews are worked out.

A question is pickled: what is wanted, and the view or record that it is wanted of. The answer is
JSON, or nothing where it failed. Both ends are of this server, so pickle is safe here.
"""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import msgspec

from foretold.bots.pipes import arriving, own_pipes
from foretold.game import Game
from foretold.server.process import answer_to, questions_in
from foretold.server.study import HINT
from foretold.study.analysis import analyse
from foretold.study.data import hint_data, review_data
from foretold.study.review import review
from foretold.view import View


def main() -> None:
    pipe, answers = own_pipes()
    questions = arriving(questions_in(pipe))
    _warm_up()
    answer_to(answers, b"")
    while True:
        wanted, of = pickle.loads(questions.get())
        try:
            answer = msgspec.json.encode(_answer(wanted, of))
        except Exception:
            traceback.print_exc()
            answer = b""
        answer_to(answers, answer)


def _answer(wanted: str, of: Any) -> dict[str, Any]:
    if wanted == HINT:
        view: View = of
        return hint_data(view, analyse(view))
    return review_data(review(Game.from_record(of)))


def _warm_up() -> None:
    """Get ready what is compiled and loaded, so that the first hint comes at once."""
    game = Game(rounds="2", seed=0)
    while game.to_act:
        analyse(game.view(game.to_act[0]))
        game.push(game.legal_actions()[0])
    review(game)


if __name__ == "__main__":
    main()

"""Compiles what the tests run: ``python tests/compile_all.py``.

Done once, instead of by each of several processes that start testing at the same time.
"""

from __future__ import annotations

import numpy as np

from foretold.bots import make_bot
from foretold.env import BatchEnv
from foretold.game import Game
from foretold.kernel.batch import Batch
from foretold.rules import Rules
from foretold.train.opponents import draw_tempers, rows
from foretold.train.seating import ALONE
from foretold.train.vector_env import VectorEnv
from foretold.workers.bot_worker import warm_up


def main() -> None:
    warm_up()
    game = Game(rounds="3", seed=0)
    make_bot("search", 0).choose(game.view(game.to_act[0]))
    games = Batch(Rules(), 2)
    games.legal()
    games.step(games.random_actions())
    games.play_out()
    episodes = BatchEnv(Rules(), 2)
    episodes.reset()
    episodes.step(episodes.random_actions())
    env = VectorEnv(
        [Rules()], np.array([ALONE]), rows(draw_tempers(1, 0)), seed=0, from_start=False
    )
    env.step(env.begin().masks.argmax(axis=1))


if __name__ == "__main__":
    main()

"""Watching a bot play: what it saw, and what it did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.bots import make_bot
from foretold.bots.trained import is_trained
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see
from foretold.errors import BotError
from foretold.game import Game
from foretold.rules import Rules
from foretold.train.variety import draw_rules
from foretold.words import shown
from foretold.workers.calls import call_each
from foretold.workers.failures import WorkerError

USUAL: Final = 0.5
"""The share of base games with four players; the others are any that training uses."""


class Watched(NamedTuple):
    """A bot's decisions as a learner sees them, one row each."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]


def watch(bot: str, decisions: int, seed: int, processes: int | None) -> Iterator[Watched]:
    """At least that many decisions of a bot, game by game; the seed decides which games."""
    games = ((bot, seed, number) for number in count())
    seen = 0
    try:
        with closing(call_each(watch_game, games, processes, in_order=True)) as watched:
            while seen < decisions:
                game = next(watched)
                seen += len(game.actions)
                yield game
    except WorkerError as error:
        raise BotError(f"bot {shown(bot)} cannot be watched: its process {error}") from None


def watch_game(bot: str, seed: int, number: int) -> Watched:
    """What the bot did in one game: with copies of itself, and perhaps some trained players."""
    chance = Random(f"{seed} {number}")
    beside = "sage" if is_trained() else "simple"
    rules = Rules(players=4) if chance.random() < USUAL else draw_rules(chance)
    seats = range(rules.players)
    some = chance.randint(1, rules.players - 1)
    others = chance.sample(seats, chance.choice((0, 1, 1, some)))
    players = [
        make_bot(beside if seat in others else bot, seed=chance.getrandbits(32)) for seat in seats
    ]
    game = Game(rules, seed=chance.getrandbits(62))
    rows: list[tuple[NDArray[np.int8], NDArray[np.int8], int]] = []
    while game.to_act:
        seat = game.to_act[0]
        view = game.view(seat)
        action = players[seat].choose(view)
        if seat not in others and len(view.legal_actions) > 1:
            seen = see(view)
            called = int(np.flatnonzero(seen.frame.restored == int(action))[0])
            rows.append((seen.observation, seen.mask, called))
        game.push(action, seat)
    return Watched(
        np.array([row[0] for row in rows], dtype=np.int8).reshape(-1, OBSERVATION_SIZE),
        np.array([row[1] for row in rows], dtype=np.int8).reshape(-1, ACTION_COUNT),
        np.array([row[2] for row in rows], dtype=np.int64),
    )

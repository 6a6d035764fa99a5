"""Fits the worth of cards used by `foretold.bots.heuristics`: ``python benchmarks/fit_worth.py``.

Bots play with the current table. We count how often each class of card takes its trick, and move
the table towards that. Each turn runs in its own process, since the table is compiled in.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from numpy.typing import NDArray

from foretold.bots.heuristics import FITTED, WORTH_FILE, choose, class_of, kind_of
from foretold.cards import SPECIALS
from foretold.kernel.batch import Batch
from foretold.kernel.compile import compiled
from foretold.kernel.games import GameArrays, deal_if_due, one_of
from foretold.kernel.layout import (
    LEADER,
    OVER,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    SIZE,
    STATE_SIZE,
    TAKEN,
    TRICK,
    TURN,
)
from foretold.kernel.plays import CARD_OF
from foretold.kernel.step import step
from foretold.rules import Rules

TURNS = 6
GAMES = 6000
SMOOTHING = 30.0

Counts = NDArray[np.float64]


@compiled
def _count(
    games: GameArrays,
    before: NDArray[np.int64],
    seen: Counts,
    took: Counts,
) -> None:
    for game in range(len(games.states)):
        one = one_of(games, game)
        state = one.state
        while state[PHASE] != OVER:
            seat = state[TURN]
            action = choose(state, seat)
            last = state[PHASE] == PLAYING and state[PLAYED] + 1 == state[PLAYERS]
            if last:
                for field in range(STATE_SIZE):
                    before[field] = state[field]
                before[TRICK + before[PLAYED]] = action
            step(state, seat, action)
            if last:
                leader = state[LEADER]
                taken = state[TAKEN + leader] > before[TAKEN + leader]
                size, kind = before[SIZE], kind_of(before)
                for position in range(before[PLAYERS]):
                    place = (before[LEADER] + position) % before[PLAYERS]
                    card = class_of(before, CARD_OF[before[TRICK + position]])
                    seen[size, kind, card] += 1
                    if taken and place == leader:
                        took[size, kind, card] += 1
            deal_if_due(one)


def count(rules: Rules, seed: int, seen: Counts, took: Counts) -> None:
    batch = Batch(rules, GAMES, seed=seed, threads=1)
    before = np.zeros(STATE_SIZE, dtype=np.int64)
    _count(batch.arrays, before, seen, took)


def turn(seed: int) -> None:
    table = FITTED.astype(np.float64)
    for players in range(2, 7):
        seen, took = np.zeros(FITTED.shape[1:]), np.zeros(FITTED.shape[1:])
        if players == 2:
            count(Rules(mode="two_player"), seed, seen, took)
        else:
            count(Rules(players=players), seed, seen, took)
            count(Rules(players=players, specials=SPECIALS), seed + 1, seen, took)
        if 3 <= players <= 4:
            count(Rules(players=players, mode="monocolour"), seed + 2, seen, took)
        prior = table[players - 2]
        measured = (took + SMOOTHING * prior) / (seen + SMOOTHING)
        table[players - 2] = (prior + measured) / 2
    np.save(WORTH_FILE, table.astype(np.float32))


def main() -> None:
    if len(sys.argv) > 1:
        turn(int(sys.argv[1]))
        return
    for number in range(TURNS):
        print(f"turn {number + 1} of {TURNS}", flush=True)
        subprocess.run([sys.executable, __file__, str(10 * number)], check=True)


if __name__ == "__main__":
    main()

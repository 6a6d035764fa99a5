"""The kernel on a GPU against the kernel on the CPU: the same games, decision for decision.

``python tests/gpu/compare.py --games 100000`` plays that many games with each of the rules below on
both, and compares every field of every state; ``--steps N`` also compares the first N steps of the
environment, observation by observation, and some of the training environment. With
NUMBA_ENABLE_CUDASIM=1 the GPU is simulated.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from foretold.cards import SPECIALS
from foretold.env import BatchEnv
from foretold.kernel.batch import Batch
from foretold.kernel.dlpack import DeviceArray
from foretold.rules import Rules
from foretold.train.opponents import SIMPLE, STRANGER, draw_tempers, rows
from foretold.train.seating import ALONE, WITH_RULES, WITH_SNAPSHOT
from foretold.train.vector_env import VectorEnv

RULES = (
    Rules(players=3),
    Rules(players=4),
    Rules(players=6, bidding="hidden", clairvoyance="every_round"),
    Rules(players=5, bid_rule="leader_uneven", suit_after_wizard="binding"),
    Rules(players=4, bid_rule="plus_minus_one", dark_wizard=True),
    Rules(players=3, specials=SPECIALS),
    Rules(players=4, specials=SPECIALS, bidding="secret"),
    Rules(players=6, specials=SPECIALS),
    Rules(players=5, clairvoyance="first_round"),
    Rules(mode="monocolour", players=3),
    Rules(mode="monocolour", players=4, bidding="secret"),
    Rules(mode="two_player"),
)
SHORT = tuple(Rules.from_options({**rules.to_options(), "rounds": "1,3"}) for rules in RULES)
"""The same with few cards, for the simulator."""


def compare_batches(rules: Rules, games: int, seed: int, steps: int) -> int:
    """Step some decisions one by one, then play out; returns the number of decisions."""
    ours = Batch(rules, games, seed=seed)
    theirs = Batch(rules, games, seed=seed, device="cuda")
    for _ in range(steps):
        _same(ours.states, theirs.states)
        _same(ours.legal(), theirs.legal())
        actions, their_actions = ours.random_actions(), theirs.random_actions()
        _same(actions, their_actions)
        ours.step(actions)
        theirs.step(their_actions)
    theirs.synchronize()
    decisions = ours.play_out()
    assert theirs.play_out() == decisions
    _same(ours.states, theirs.states)
    _same(ours.totals, theirs.totals)
    assert ours.over.all()
    assert theirs.over.all()
    return decisions


def compare_environments(rules: Rules, games: int, seed: int, steps: int) -> None:
    ours = BatchEnv(rules, games, seed=seed)
    theirs = BatchEnv(rules, games, seed=seed, device="cuda")
    step, their_step = ours.reset(), theirs.reset()
    for _ in range(steps):
        for array, their_array in zip(step, their_step, strict=True):
            _same(array, their_array)
        actions, their_actions = ours.random_actions(), theirs.random_actions()
        _same(actions, their_actions)
        step, their_step = ours.step(actions), theirs.step(their_actions)
    theirs.synchronize()
    _same(ours.final_totals, theirs.final_totals)


def compare_training(rules: Sequence[Rules], games: int, seed: int, steps: int) -> None:
    """All rules at once, among players by rule of every kind."""
    seating = np.array([(WITH_RULES, ALONE, WITH_SNAPSHOT)[game % 3] for game in range(games)])
    tempers = rows([SIMPLE, STRANGER, *draw_tempers(6, seed)])
    ours, theirs = (
        VectorEnv(rules, seating, tempers, seed=seed, from_start=False, device=device)
        for device in ("cpu", "cuda")
    )
    asked, they_asked = ours.begin(), theirs.begin()
    for _ in range(steps):
        for array, their_array in zip(asked, they_asked, strict=True):
            _same(array, their_array)
        actions = asked.masks.argmax(axis=1)
        ours.step(actions)
        theirs.step(actions)
    theirs.synchronize()
    _same(ours.states, theirs.states)


def _same(ours: object, theirs: object) -> None:
    there = theirs.copy_to_host() if isinstance(theirs, DeviceArray) else theirs
    np.testing.assert_array_equal(ours, there)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--short", action="store_true", help="rounds of 1 and 3 cards alone")
    asked = parser.parse_args()
    for seed, rules in enumerate(SHORT if asked.short else RULES, 1):
        began = time.perf_counter()
        decisions = compare_batches(rules, asked.games, seed, min(asked.steps, 20))
        compare_environments(rules, min(asked.games, 5000), seed, asked.steps)
        took = time.perf_counter() - began
        print(f"the same: {rules!r}, {asked.games} games, {decisions} decisions, {took:.1f} s")
    games = max(12, min(asked.games, 5000))
    compare_training(SHORT if asked.short else RULES, games, 1, asked.steps // 4)
    print(f"the same: training, {games} games")


if __name__ == "__main__":
    main()

"""`BatchEnv`: many games stepped side by side."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from foretold import Action, Rules
from foretold.actions import ACTION_COUNT
from foretold.env import (
    AT,
    BatchEnv,
    columns,
)

# The batch environment


def course(env: BatchEnv, steps: int = 60) -> list[tuple[bytes, ...]]:
    seen = [env.reset()]
    told = []
    for _ in range(steps):
        told.append(tuple(part.tobytes() for part in seen[-1]))
        seen.append(env.step(env.random_actions()))
    return told


def test_the_same_seed_is_the_same_course_whatever_the_threads(rules: Rules) -> None:
    first = course(BatchEnv(rules, 20, seed=3, threads=1))
    assert course(BatchEnv(rules, 20, seed=3, threads=3)) == first
    assert course(BatchEnv(rules, 20, seed=4, threads=1)) != first


def test_a_reset_with_a_seed_is_a_new_environment_of_that_seed() -> None:
    rules = Rules(players=3)
    env = BatchEnv(rules, 10, seed=1)
    fresh = BatchEnv(rules, 10, seed=2).reset().observations.copy()
    first = env.reset().observations.copy()
    assert not np.array_equal(env.reset().observations, first)
    assert np.array_equal(env.reset(seed=2).observations, fresh)
    assert np.array_equal(env.reset(seed=1).observations, first)


def test_rewards_of_a_game_add_up_to_its_totals(rules: Rules) -> None:
    env = BatchEnv(rules, 12, seed=5, episode="game")
    step = env.reset()
    sums = np.zeros_like(step.rewards)
    ended = np.zeros(12, dtype=int)
    while ended.min() < 2:
        seats, masks = step.seats.copy(), step.masks.copy()
        actions = env.random_actions()
        assert (masks[np.arange(12), actions] == 1).all()
        assert ((seats >= 0) & (seats < rules.players)).all()
        step = env.step(actions)
        sums += step.rewards
        for game in np.flatnonzero(step.dones):
            ended[game] += 1
            assert sums[game].tolist() == env.final_totals[game].tolist()
            sums[game] = 0
            assert not step.observations[game, columns("totals", "played", "taken")].any()


def test_an_episode_of_a_round_ends_with_its_points(rules: Rules) -> None:
    env = BatchEnv(rules, 12, seed=6)
    step = env.reset()
    sizes = Counter[int]()
    decisions = np.zeros(12, dtype=int)
    for _ in range(600):
        before = step.observations[:, AT["size"]].astype(int)
        step = env.step(env.random_actions())
        decisions += 1
        assert (step.rewards.any(axis=1) <= step.dones).all()
        for game in np.flatnonzero(step.dones):
            sizes[before[game]] += 1
            least = rules.players * (before[game] + 1)
            assert least <= decisions[game] <= least + 1 + rules.players + 1
            assert step.rewards[game].tolist() == env.final_totals[game].tolist()
        decisions[step.dones] = 0
    assert set(sizes) == set(rules.sizes)


def test_rounds_come_by_their_weights() -> None:
    env = BatchEnv(Rules(players=3, rounds="1-4"), 4000, seed=1, round_weights=[0, 1, 0, 3])
    sizes = Counter(env.reset().observations[:, AT["size"]].tolist())
    assert set(sizes) == {2, 4}
    assert 2800 < sizes[4] < 3200


def test_a_single_round_of_two_players_has_cards_out() -> None:
    rules = Rules(mode="two_player")
    env = BatchEnv(rules, 200, seed=1, round_weights=[0, 0, 0, 0, 0, 1])
    out = env.reset().observations[:, columns("out")]
    used = sum(2 * size + 1 for size in rules.sizes[:-1])
    assert (out.sum(axis=1) == used).all()
    assert len({row.tobytes() for row in out}) == 200


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "games is 0: expected at least 1"),
        ({"episode": "match"}, "episode is 'match': expected round or game"),
        ({"round_weights": [1]}, "there are 1 round_weights for the 3 rounds of the rules"),
        ({"round_weights": [0, 0, 0]}, "round_weights must be numbers of at least 0, and not all"),
        ({"round_weights": [1, -1, 1]}, "round_weights must be numbers of at least 0"),
        ({"episode": "game", "round_weights": [1, 1, 1]}, "round_weights are for episodes of one"),
    ],
)
def test_an_impossible_environment_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        BatchEnv(Rules(players=3, rounds="1-3"), **{"games": 5, **arguments})


@pytest.mark.parametrize("wrong", [-1, -(2**62), int(Action("play B1")), ACTION_COUNT, 2**62])
def test_an_illegal_action_is_refused(wrong: int) -> None:
    env = BatchEnv(Rules(players=3, rounds="2"), 5, seed=2, threads=1)
    env.reset()
    before = env.states.copy()
    actions = env.random_actions()
    actions[2] = wrong
    with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
        env.step(actions)
    assert np.array_equal(env.states[2:], before[2:])


def test_there_must_be_an_action_for_every_game() -> None:
    env = BatchEnv(Rules(players=3), 5)
    env.reset()
    with pytest.raises(ValueError, match="actions for 5 games"):
        env.step(np.zeros(4, dtype=np.int64))


# On other devices

PLAIN = """
import hashlib, sys
from foretold import Rules
from foretold.cards import SPECIALS
from foretold.env import BatchEnv

for rules in (
    Rules(players=3, specials=SPECIALS, rounds="7,8"),
    Rules(mode="monocolour", rounds="4"),
    Rules(mode="two_player", rounds="2-4"),
):
    env = BatchEnv(rules, 3, seed=1, threads=1)
    step, digest = env.reset(), hashlib.sha256()
    for _ in range(80):
        step = env.step(env.random_actions())
        for part in step:
            digest.update(part.tobytes())
    print(digest.hexdigest())
"""


def test_plain_python_sees_the_same() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert told[0] == told[1]
    assert len(set(told[0].split())) == 3

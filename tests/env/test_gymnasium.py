"""The Gymnasium environment: a seat among bots."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from foretold import Rules
from foretold.env.gymnasium import ForetoldEnv
from foretold.errors import BotError

ROOT = Path(__file__).parents[2]


def make(**arguments: Any) -> ForetoldEnv:
    made = gymnasium.make("foretold.env.gymnasium:Foretold-v1", **arguments).unwrapped
    assert isinstance(made, ForetoldEnv)
    return made


@pytest.mark.parametrize("opponents", ["simple", ["random", "simple", "random"]])
def test_gymnasium_checks(opponents: str | list[str]) -> None:
    check_env(make(opponents=opponents, rounds="1-3"))


def episode(env: ForetoldEnv, seed: int) -> tuple[list[float], tuple[int, ...]]:
    seen, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    rewards = []
    done = False
    while not done:
        action = env.action_space.sample(seen["action_mask"])
        seen, reward, done, _, info = env.step(action)
        rewards.append(reward)
        assert not info["illegal"]
    return rewards, env.game.totals


def test_a_seat_among_bots_gets_its_points(rules: Rules) -> None:
    for seat in (None, 0, rules.players - 1):
        env = ForetoldEnv(rules, "random", seat=seat)
        rewards, totals = episode(env, seed=4)
        assert sum(rewards) == totals[env.seat]
        assert episode(env, seed=4) == (rewards, totals)
        if seat is not None:
            assert env.seat == seat


def test_seats_are_drawn() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), "random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_an_illegal_action_costs_points_and_the_move() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), seat=0)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(163)
    assert info["illegal"]
    assert reward == -10
    assert env.game.view(0).bids[0] is not None


def test_after_the_end_there_is_no_step() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), seat=0)
    episode(env, seed=1)
    with pytest.raises(ValueError, match="the game is over: call reset"):
        env.step(0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"opponents": "nobody"}, "unknown bot"),
        ({"opponents": ["simple"]}, "there are 1 opponents for 3 seats"),
        ({"seat": 4}, "there is no seat 4"),
    ],
)
def test_an_impossible_table_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises((ValueError, BotError), match=reason):
        ForetoldEnv("amigo", **arguments)


def test_the_example_learns() -> None:
    place = importlib.util.spec_from_file_location("learn", ROOT / "examples" / "learn.py")
    assert place is not None
    assert place.loader is not None
    learn = importlib.util.module_from_spec(place)
    sys.modules["learn"] = learn
    place.loader.exec_module(learn)
    means = learn.train(15, seed=1)
    assert np.mean(means[-3:]) > np.mean(means[:3]) + 1.5

"""The PettingZoo environment."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from env.reading import single
from foretold import Rules
from foretold.actions import ACTION_COUNT
from foretold.env import (
    foretold_v1,
    see,
)
from foretold.env.spaces import Actions

# Its test warns about every observation that is a dict, though its documentation uses them, and
# about the old way of making its environments, which it uses itself.
api_test_warnings = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning"),
]


class TestPettingZoo:
    pytestmark = api_test_warnings

    def test_api(self, rules: Rules) -> None:
        from pettingzoo.test import api_test

        api_test(foretold_v1.env(rules), num_cycles=150)

    def test_seeds(self, rules: Rules) -> None:
        from pettingzoo.test import seed_test

        seed_test(lambda: foretold_v1.env(rules), num_cycles=20)

    @pytest.mark.parametrize("episode", ["game", "round"])
    def test_the_points_are_the_rewards(self, rules: Rules, episode: str) -> None:
        env = foretold_v1.env(rules, episode=episode)
        env.reset(seed=1)
        earned = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, termination, _, _ = env.last()
            earned[agent] += reward
            mask = seen["action_mask"]
            env.step(None if termination else env.action_space(agent).sample(mask))
        assert env.agents == []
        assert list(earned.values()) == env._tables.final_totals[0].tolist()

    def test_every_agent_sees_its_own_view(self) -> None:
        env = foretold_v1.env("anniversary", players=3, rounds="3")
        env.reset(seed=2)
        game = single(env._tables, 0)
        while game.outcome() is None:
            for seat, agent in enumerate(env.agents):
                seen = see(game.view(seat))
                assert env.observation_space(agent).contains(env.observe(agent))
                assert np.array_equal(env.observe(agent)["observation"], seen.observation)
                assert np.array_equal(env.observe(agent)["action_mask"], seen.mask)
            agent = env.agent_selection
            action = env.action_space(agent).sample(env.observe(agent)["action_mask"])
            game.push(see(game.view(game.to_act[0])).frame.restore(int(action)))
            env.step(action)
        assert all(env.terminations.values())

    def test_what_was_seen_stays(self) -> None:
        env = foretold_v1.env()
        env.reset(seed=1)
        seen = env.last()[0]
        before = seen["observation"].copy()
        env.step(int(seen["action_mask"].argmax()))
        assert np.array_equal(seen["observation"], before)

    def test_without_a_seed_games_differ(self) -> None:
        env = foretold_v1.env(players=6, rounds="10")
        deals = set()
        for _ in range(3):
            env.reset()
            deals.add(env.last()[0]["observation"].tobytes())
        assert len(deals) == 3

    def test_an_illegal_action_is_refused(self) -> None:
        env = foretold_v1.env()
        env.reset(seed=1)
        with pytest.raises(ValueError, match="action 5 is not legal for player_"):
            env.step(5)
        with pytest.raises(ValueError, match="must take an action"):
            env.step(None)

    def test_it_shows_the_table(self) -> None:
        env = foretold_v1.env("amigo", players=3, rounds="1", bidding="hidden", render_mode="ansi")
        env.reset(seed=1)
        shown = str(env.render())
        assert shown.startswith("round 1 of 1, 1 cards, turned ")
        while not any(env.terminations.values()):
            assert ("bid -" in shown) == ("to bid" in shown or "to trump" in shown)
            env.step(int(env.last()[0]["action_mask"].argmax()))
            shown = str(env.render())
        assert ": over" in shown
        assert foretold_v1.env().render() is None

    def test_it_can_be_pickled(self) -> None:
        env = foretold_v1.env(players=3)
        env.reset(seed=1)
        other = pickle.loads(pickle.dumps(env))
        action = int(env.last()[0]["action_mask"].argmax())
        for one in (env, other):
            one.step(action)
        assert np.array_equal(env.last()[0]["observation"], other.last()[0]["observation"])


def test_samples_under_a_mask_are_legal_and_reach_all() -> None:
    space = Actions()
    space.seed(1)
    mask = np.zeros(ACTION_COUNT, dtype=np.int8)
    mask[[3, 60, 163]] = 1
    assert {int(space.sample(mask)) for _ in range(60)} == {3, 60, 163}
    assert space.contains(space.sample())
    assert space.sample(np.zeros(ACTION_COUNT, dtype=np.int8)) == 0
    with pytest.raises(AssertionError):
        space.sample(mask[:5])

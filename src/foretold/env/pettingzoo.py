"""The game as a PettingZoo environment; use it as ``foretold.env.foretold_v1``."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from foretold.extras import need

with need("env"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

from foretold.actions import ACTION_COUNT
from foretold.editions import edition
from foretold.env.batch import round_chances
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.showing import told
from foretold.env.spaces import Actions, Seeing, observation_space, seeing
from foretold.env.tables import Tables
from foretold.rules import Rules


class ForetoldAEC(AECEnv):  # type: ignore[misc]
    """A table whose seats act one after another; each sees only its own view.

    Where all decide at once, they do so in the order of their seats, unseen by the others. The
    rewards are the points of a round, when it ends. An illegal action is refused with `ValueError`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "foretold_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str = "amigo",
        *,
        episode: Literal["game", "round"] = "game",
        render_mode: Literal["ansi"] | None = None,
        **options: Any,
    ) -> None:
        """`rules` are `Rules` or the name of an edition; options change single rules of it."""
        super().__init__()
        if isinstance(rules, str):
            rules = edition(rules).rules(**options)
        elif options:
            rules = rules.replace(**options)
        self.rules = rules
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}: expected 'ansi' or None")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Actions() for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = np.random.default_rng()
        self._action = np.zeros(1, dtype=np.int64)
        self._tables = Tables(
            rules,
            games=1,
            seed=0,
            threads=1,
            round_chances=round_chances(rules, episode),
            restarts=False,
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Actions:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._tables.reseed(int(self._random.integers(2**63)))
        self._tables.restart()
        self.agents = list(self.possible_agents)
        self._no_rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards = self._no_rewards
        self._finished = self._tables.rounds_finished(0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Seeing:
        seat = self._seats[agent]
        tables = self._tables
        if seat == self._seat:
            return seeing(tables.seen.observations[0].copy(), tables.seen.masks[0].copy())
        observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
        mask = np.empty(ACTION_COUNT, dtype=np.int8)
        tables.look(0, seat, observation, mask)
        return seeing(observation, mask)

    def step(self, action: int | np.integer | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        tables = self._tables
        if action is None:
            raise ValueError(f"{agent} must take an action: None is for agents that are done")
        self._action[0] = action
        try:
            tables.take(self._action)
        except ValueError:
            raise ValueError(
                f"action {action} is not legal for {agent}: see its action_mask"
            ) from None
        self._cumulative_rewards[agent] = 0.0
        finished = tables.rounds_finished(0)
        if finished != self._finished:
            self._finished = finished
            self.rewards = dict(zip(self.agents, tables.seen.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
            if tables.seen.dones[0]:
                self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.rewards = self._no_rewards
        self._select()

    def render(self) -> str | None:
        """The table as text, in the render mode ``ansi``."""
        if self.render_mode is None:
            return None
        return told(self.rules, self._tables.states[0].tolist())

    def close(self) -> None:
        """There is nothing to close."""

    def _select(self) -> None:
        self._seat = int(self._tables.seen.seats[0])
        self.agent_selection = self.possible_agents[self._seat]


def env(rules: Rules | str = "amigo", **options: Any) -> ForetoldAEC:
    """The environment; it checks every action itself, so there is nothing to wrap around it."""
    return ForetoldAEC(rules, **options)


raw_env = env

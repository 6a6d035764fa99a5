"""One seat at a table of bots, as a Gymnasium environment.

``gymnasium.make("foretold.env.gymnasium:Foretold-v1", opponents="simple")`` makes it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from foretold.extras import need

with need("env"):
    import gymnasium

from foretold.bots import Player, SimpleBot, make_bot
from foretold.bots.player import LIMIT
from foretold.editions import edition
from foretold.env.reading import Seen, see
from foretold.env.spaces import Actions, Seeing, observation_space, seeing
from foretold.game import Game
from foretold.rules import Rules

ILLEGAL_REWARD: Final = -10.0
SEEDS: Final = 2**31


class ForetoldEnv(gymnasium.Env[Seeing, np.int64]):
    """A game against bots; an episode is a game.

    `opponents` are texts as `make_bot` takes them: one for all, or one for each of the others,
    clockwise. The agent's seat is drawn for every game, unless `seat` is given. The reward is its
    own points in the rounds that ended; ``info["points"]`` has those of all seats. An illegal
    action costs 10 points, and the simple bot decides instead.
    """

    def __init__(
        self,
        rules: Rules | str = "amigo",
        opponents: str | Sequence[str] = "simple",
        *,
        seat: int | None = None,
        **options: Any,
    ) -> None:
        if isinstance(rules, str):
            rules = edition(rules).rules(**options)
        elif options:
            rules = rules.replace(**options)
        others = rules.players - 1
        texts = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(texts) != others:
            raise ValueError(f"there are {len(texts)} opponents for {others} seats")
        if seat is not None and not 0 <= seat < rules.players:
            raise ValueError(f"there is no seat {seat}")
        for text in texts:
            make_bot(text)
        self.rules = rules
        self.observation_space = observation_space()
        self.action_space = Actions()
        self._texts = texts
        self._wanted_seat = seat
        self._stand_in = SimpleBot()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seeing, dict[str, Any]]:
        super().reset(seed=seed)
        players = self.rules.players
        self.seat = (
            int(self.np_random.integers(players))
            if self._wanted_seat is None
            else self._wanted_seat
        )
        self.game = Game(self.rules, seed=self._draw())
        self._others = {
            (self.seat + 1 + index) % players: Player(make_bot(text, self._draw()), limit=LIMIT)
            for index, text in enumerate(self._texts)
        }
        self._wait()
        return self._seeing(), self._info(0, illegal=False)

    def step(self, action: np.int64 | int) -> tuple[Seeing, float, bool, bool, dict[str, Any]]:
        if self.game.outcome() is not None:
            raise ValueError("the game is over: call reset")
        rounds = len(self.game.sheet)
        illegal = not (0 <= action < len(self._seen.mask) and self._seen.mask[action])
        if illegal:
            self.game.push(self._stand_in.choose(self.game.view(self.seat)), self.seat)
        else:
            self.game.push(self._seen.frame.restore(int(action)), self.seat)
        self._wait()
        info = self._info(rounds, illegal=illegal)
        reward = float(info["points"][self.seat]) + (ILLEGAL_REWARD if illegal else 0.0)
        return self._seeing(), reward, self.game.outcome() is not None, False, info

    def _wait(self) -> None:
        """Let the others act until it is the agent's turn."""
        while self.game.outcome() is None and self.seat not in self.game.to_act:
            self._let_act(self.game.to_act[0])
        self._seen: Seen = see(self.game.view(self.seat))

    def _let_act(self, seat: int) -> None:
        self.game.push(self._others[seat].decide(self.game.view(seat)).action, seat)

    def _seeing(self) -> Seeing:
        return seeing(self._seen.observation, self._seen.mask)

    def _info(self, rounds: int, *, illegal: bool) -> dict[str, Any]:
        """The points of all seats in the rounds that ended after the first `rounds`."""
        ended = [line.points for line in self.game.sheet[rounds:]]
        points = [sum(seat) for seat in zip(*ended, strict=True)] or [0] * self.rules.players
        return {"seat": self.seat, "points": points, "illegal": illegal}

    def _draw(self) -> int:
        return int(self.np_random.integers(SEEDS))


gymnasium.register("Foretold-v1", entry_point=ForetoldEnv)

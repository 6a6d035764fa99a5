"""Episodes of the same rules, stepped and observed on all cores or on a GPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.episodes import (
    LEGAL,
    ORDER,
    EpisodeArrays,
    Episodes,
    answer,
    begin_episode,
    deal,
    look,
)
from foretold.env.frame import inverse, restored_action
from foretold.env.memory import step_and_remember
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see_seat
from foretold.env.writer import Mask, Observation
from foretold.kernel.after import points
from foretold.kernel.chance import pick
from foretold.kernel.compile import compiled
from foretold.kernel.engine import NONE_WRONG
from foretold.kernel.games import fill_deck
from foretold.kernel.layout import (
    DEALER,
    DEALING,
    NOTHING,
    OVER,
    PHASE,
    PLAYERS,
    ROUND,
    SCORED_BIDS,
    TAKEN,
    TOTALS,
    TURN,
)
from foretold.rules import Rules


class Step(NamedTuple):
    """Where all games stand; the arrays are the environment's own, overwritten by the next step.

    NumPy arrays on the CPU, `foretold.kernel.dlpack.DeviceArray` on a GPU.
    """

    observations: Any
    """What the seat to act sees, one row of int8 per game."""
    masks: Any
    """Which of the 164 actions it may take, in its frame: 0 or 1, int8."""
    rewards: Any
    """The points that each seat got in the last step (float32), if a round ended."""
    dones: Any
    """Whether the last step ended the episode; the observation is then the start of the next."""
    seats: Any
    """The seat to act (int64)."""


class Tables(Episodes):
    """Episodes that write down what their players see, stepped by `take`.

    When an episode ends, another begins, if `restarts`; otherwise it stays over.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        *,
        seed: int,
        threads: int | None,
        round_chances: NDArray[np.float64] | None,
        restarts: bool,
        device: str = "cpu",
    ) -> None:
        """`round_chances` has the chance of each round of the rules; None is for whole games."""
        weights = None if round_chances is None else [round_chances]
        super().__init__([rules], games, weights, seed=seed, threads=threads, device=device)
        self.rules = rules
        self._restarts = restarts
        self.seen = Step(
            observations=self._zeros(np.int8, OBSERVATION_SIZE),
            masks=self._zeros(np.int8, ACTION_COUNT),
            rewards=self._zeros(np.float32, rules.players),
            dones=self._zeros(np.bool_),
            seats=self._zeros(np.int64),
        )
        self.final_totals: Any = self._zeros(np.int64, rules.players)
        self.restart()

    def restart(self) -> None:
        """Start all episodes over."""
        self._engine.run(_begin, self.episodes, self.seen)

    def take(self, actions: Any) -> None:
        """Take an action in every game. One that is not legal is an error.

        That game, and on the CPU those after it in its part of the batch, are not stepped.
        """
        self._act(_take, actions, self.episodes, self.seen, self.final_totals, self._restarts)

    def actions_to_fill(self) -> Any:
        """An array for `pick`."""
        return self._zeros(np.int64)

    def pick(self, actions: Any) -> None:
        """Write a legal action for every game, each equally likely; -1 where the game is over."""
        self._engine.run(_pick, self.episodes, actions)

    def rounds_finished(self, game: int) -> int:
        return int(self.states[game, ROUND])

    def look(self, game: int, seat: int, observation: Observation, mask: Mask) -> None:
        """Write what any seat of a game sees."""
        memory, common = self.episodes.memories[game], self.episodes.starts.blanks[0]
        see_seat(self.states[game], memory, seat, common, observation, mask)


@compiled
def _begin(first: int, last: int, episodes: EpisodeArrays, seen: Step) -> int:
    for game in range(first, last):
        fill_deck(episodes.games, game)
        begin_episode(episodes, game)
        _show(episodes, game, seen)
        for seat in range(episodes.games.states[game, PLAYERS]):
            seen.rewards[game, seat] = 0
        seen.dones[game] = False
    return 0


@compiled
def _show(episodes: EpisodeArrays, game: int, seen: Step) -> None:
    look(episodes, game, seen.observations[game], seen.masks[game])
    seen.seats[game] = episodes.games.states[game, TURN]


@compiled
def _take(
    first: int,
    last: int,
    episodes: EpisodeArrays,
    seen: Step,
    final_totals: NDArray[np.int64],
    restarts: bool,
    actions: NDArray[np.int64],
) -> int:
    """Returns the first game whose action is not legal, or NONE_WRONG."""
    for game in range(first, last):
        action = answer(episodes, game, actions[game])
        if action == NOTHING:
            return game
        state = episodes.games.states[game]
        players, number, dealer = state[PLAYERS], state[ROUND], state[DEALER]
        step_and_remember(state, episodes.memories[game], state[TURN], action)
        has_ended = state[ROUND] != number
        for seat in range(players):
            seen.rewards[game, seat] = (
                points(state[SCORED_BIDS + seat], state[TAKEN + seat]) if has_ended else 0
            )
        is_round = episodes.starts.rounds[episodes.games.rules[game]] > 0
        done = has_ended and (state[PHASE] == OVER or is_round)
        seen.dones[game] = done
        if done:
            for seat in range(players):
                final_totals[game, seat] = state[TOTALS + seat]
            state[PHASE] = OVER
            state[DEALER] = dealer
            if restarts:
                begin_episode(episodes, game)
        elif state[PHASE] == DEALING:
            deal(episodes, game)
        _show(episodes, game, seen)
    return NONE_WRONG


@compiled
def _pick(first: int, last: int, episodes: EpisodeArrays, actions: NDArray[np.int64]) -> int:
    for game in range(first, last):
        turn = episodes.turns[game]
        words = (turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2])
        actions[game] = -1
        if words[0] | words[1] | words[2] != 0:
            action = pick(episodes.games.chances[game : game + 1], words)
            actions[game] = restored_action(action, inverse(turn[ORDER]))
    return 0

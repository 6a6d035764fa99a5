"""Episodes side by side: games, or single rounds of them, with what observers remember.

The environments and training step them, each in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.frame import restored_action, suit_order
from foretold.env.memory import (
    MEMORY_SIZE,
    OUT,
    OWN_SUITS,
    Memory,
    begin_memory,
    new_memory,
    set_of,
    set_own_decks,
)
from foretold.env.writer import Mask, Observation, blank, write_mask, write_observation
from foretold.kernel.chance import Chance, shuffle, uniform
from foretold.kernel.compile import compiled
from foretold.kernel.games import (
    START_OF,
    GameArrays,
    Games,
    deal_if_due,
    one_of,
    set_up,
)
from foretold.kernel.layout import ANY_SUIT, DEALER, NOTHING, PLAYERS, ROUND, TURN, VALUES
from foretold.kernel.step import is_in, legal
from foretold.rules import OWN_CARDS, Rules

# What is kept of a turn, one row per game.
ORDER: Final = 0  # the order in which the seat to act sees the suits
LEGAL: Final = 1  # its legal actions, three words
TURN_SIZE: Final = 4


class EpisodeStarts(NamedTuple):
    """How episodes begin: a row for each set of rules."""

    memories: Memory
    blanks: Observation
    rounds: NDArray[np.int64]
    """How many rounds there are to draw one from; 0: an episode is a whole game."""
    rounds_below: NDArray[np.float64]
    """The cumulative weights of the rounds."""


class EpisodeArrays(NamedTuple):
    """All episodes, as compiled work gets them: a row for each."""

    games: GameArrays
    starts: EpisodeStarts
    memories: Memory
    turns: NDArray[np.int64]


class Episodes(Games):
    """Games side by side with their memories.

    An episode is one round, drawn by the weights given for the rounds of its rules, or without
    weights a whole game.
    """

    def __init__(
        self,
        rules: Sequence[Rules],
        games: int,
        round_weights: Sequence[NDArray[np.float64]] | None,
        *,
        seed: int,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        super().__init__(rules, games, seed=seed, threads=threads, device=device)
        starts = _starts_of(rules, round_weights or [np.zeros(0)] * len(rules))
        self.episodes = EpisodeArrays(
            self.arrays,
            EpisodeStarts(*[self._engine.put(array) for array in starts]),
            memories=self._zeros(np.int64, MEMORY_SIZE),
            turns=self._zeros(np.int64, TURN_SIZE),
        )

    def _zeros(self, dtype: Any, *width: int) -> Any:
        """An array with a row, or a number, for each game."""
        return self._engine.zeros((self.games, *width), dtype)


def _starts_of(
    rules: Sequence[Rules], round_weights: Sequence[NDArray[np.float64]]
) -> EpisodeStarts:
    rounds = [len(weights) for weights in round_weights]
    starts = EpisodeStarts(
        memories=np.stack([new_memory(one) for one in rules]),
        blanks=np.stack([blank(one) for one in rules]),
        rounds=np.array(rounds, dtype=np.int64),
        rounds_below=np.zeros((len(rules), max(rounds))),
    )
    for row, weights in zip(starts.rounds_below, round_weights, strict=True):
        row[: len(weights)] = np.cumsum(weights)
    return starts


@compiled
def begin_episode(episodes: EpisodeArrays, game: int) -> None:
    games, starts = episodes.games, episodes.starts
    set_up(games, game)
    rules = games.rules[game]
    state, memory, deck = games.states[game], episodes.memories[game], games.decks[game]
    players = state[PLAYERS]
    for field in range(MEMORY_SIZE):
        memory[field] = starts.memories[rules, field]
    if state[ANY_SUIT]:
        for seat in range(players):
            memory[OWN_SUITS + seat] = deck[seat * OWN_CARDS] // VALUES
        set_own_decks(memory, players)
    rounds = starts.rounds[rules]
    if rounds > 0:
        chance = games.chances[game : game + 1]
        number = draw_round(chance, starts.rounds_below[rules, :rounds])
        state[ROUND] = number
        state[DEALER] = (state[DEALER] + number) % players
        out = games.starts.plans[rules, number, START_OF]
        if out > 0:
            shuffle(chance, deck, 0, out, games.starts.deck_sizes[rules])
    deal(episodes, game)


@compiled
def draw_round(chance: Chance, rounds_below: NDArray[np.float64]) -> int:
    point = uniform(chance) * rounds_below[-1]
    number = 0
    while number + 1 < len(rounds_below) and point >= rounds_below[number]:
        number += 1
    return number


@compiled
def deal(episodes: EpisodeArrays, game: int) -> None:
    """Deal the next round, and forget the last."""
    games, memory = episodes.games, episodes.memories[game]
    out = games.starts.plans[games.rules[game], games.states[game, ROUND], START_OF]
    deal_if_due(one_of(games, game))
    begin_memory(memory)
    if out > 0:
        memory[OUT] = set_of(games.decks[game], 0, out)


@compiled
def look(episodes: EpisodeArrays, game: int, observation: Observation, mask: Mask) -> None:
    """Write what the seat to act sees, and store what its answer is checked against."""
    state, memory = episodes.games.states[game], episodes.memories[game]
    seat = state[TURN]
    words = legal(state, seat)
    order = suit_order(state, memory, seat)
    turn = episodes.turns[game]
    turn[ORDER] = order
    turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2] = words
    common = episodes.starts.blanks[episodes.games.rules[game]]
    write_observation(state, memory, seat, order, common, observation)
    write_mask(words, order, mask)


@compiled
def answer(episodes: EpisodeArrays, game: int, seen: int) -> int:
    """The action with this number in the frame of the seat to act; NOTHING if it is not legal."""
    if not 0 <= seen < ACTION_COUNT:
        return NOTHING
    turn = episodes.turns[game]
    action = restored_action(seen, turn[ORDER])
    is_legal = is_in((turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2]), action)
    return action if is_legal else NOTHING

"""Many games with their memories, stepped and observed on all cores or on a GPU."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.frame import inverse, restored_action, suit_order
from foretold.env.memory import (
    MEMORY_SIZE,
    OUT,
    OWN_SUITS,
    Memory,
    begin_memory,
    new_memory,
    set_of,
    set_own_decks,
    step_and_remember,
)
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see_seat
from foretold.env.writer import Mask, Observation, blank, write_mask, write_observation
from foretold.kernel.after import points
from foretold.kernel.batch import (
    NONE_ILLEGAL,
    OWN_CARDS,
    START_OF,
    Batch,
    Plan,
    chances,
    deal_if_due,
    draw_own_decks,
)
from foretold.kernel.chance import Chance, below, draw, pick, shuffle
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ANY_SUIT,
    DEALER,
    DEALING,
    OVER,
    PHASE,
    PLAYERS,
    ROUND,
    SCORED_BIDS,
    STATE_SIZE,
    TAKEN,
    TOTALS,
    TURN,
    VALUES,
)
from foretold.kernel.state import State
from foretold.kernel.step import is_in, legal
from foretold.rules import Mode, Rules

# What is kept of a turn, a row a game.
ORDER: Final = 0  # the order in which the seat to act sees the suits
LEGAL: Final = 1  # its legal actions, three words
TURN_SIZE: Final = 4

UNIT: Final = 2.0**-53
S11: Final = np.uint64(11)


class Tables(Batch):
    """A batch that remembers what observers remember, and writes down what they see.

    An episode is a game, or a single round of one. When one ends, another begins, if `restarts`;
    otherwise it stays over. It is stepped by `take`, which remembers; `step` would not.
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
        self._restarts = restarts
        self._rounds_below = np.cumsum([] if round_chances is None else round_chances)
        super().__init__(rules, games, seed=seed, threads=threads, device=device)

    def _prepare(self) -> None:
        engine, rules, games = self._engine, self.rules, self.games
        self.observations: Any = engine.zeros((games, OBSERVATION_SIZE), np.int8)
        self.action_masks: Any = engine.zeros((games, ACTION_COUNT), np.int8)
        self.rewards: Any = engine.zeros((games, rules.players), np.float32)
        self.dones: Any = engine.zeros((games,), np.bool_)
        self.seats_to_act: Any = engine.zeros((games,), np.int64)
        self.final_totals: Any = engine.zeros((games, rules.players), np.int64)
        self.memories: Any = engine.zeros((games, MEMORY_SIZE), np.int64)
        self._turns = engine.zeros((games, TURN_SIZE), np.int64)
        self._common = engine.put(blank(rules))
        self._episodes = (
            self._new_state,
            engine.put(new_memory(rules)),
            self._draws_dealer,
            engine.put(self._rounds_below),
            self.memories,
            self._common,
            self.observations,
            self.action_masks,
            self.seats_to_act,
            self._turns,
        )
        """What compiled code gets beside what every batch has."""

    def reseed(self, seed: int) -> None:
        self._engine.fill(self._chance, chances(seed, self.games))

    def restart(self) -> None:
        """Begin all episodes anew."""
        if self.rules.mode is not Mode.MONOCOLOUR:
            self._engine.fill(self._decks, self.rules.deck)
        self._engine.fill(self.rewards, 0)
        self._engine.fill(self.dones, False)
        self._run(_begin, *self._episodes)

    def take(self, actions: Any) -> None:
        """Take an action in every game. One that is not legal is an error.

        That game, and on the CPU those after it in its part of the batch, are not stepped.
        """
        wanted = self._engine.actions(actions)
        results = self.rewards, self.dones, self.final_totals, self._restarts
        self._engine.check(_take, *self._arrays, *self._episodes, *results, wanted)
        self._refuse_illegal(wanted)

    def actions_to_fill(self) -> Any:
        """An array for `pick`."""
        return self._engine.zeros((self.games,), np.int64)

    def pick(self, actions: Any) -> None:
        """Write a legal action for every game, each equally likely; -1 where the game is over."""
        self._run(_pick, self._turns, actions)

    def rounds_finished(self, game: int) -> int:
        return int(self.states[game, ROUND])

    def look(self, game: int, seat: int, observation: Observation, mask: Mask) -> None:
        """Write what any seat of a game sees."""
        see_seat(self.states[game], self.memories[game], seat, self._common, observation, mask)


@compiled
def begin_episode(
    state: State,
    memory: Memory,
    deck: State,
    chance: Chance,
    plan: Plan,
    fresh_state: State,
    fresh_memory: Memory,
    draws_dealer: bool,
    rounds_below: NDArray[np.float64],
) -> None:
    for field in range(STATE_SIZE):
        state[field] = fresh_state[field]
    for field in range(MEMORY_SIZE):
        memory[field] = fresh_memory[field]
    players = state[PLAYERS]
    if draws_dealer:
        state[DEALER] = below(chance, players)
    if state[ANY_SUIT]:
        draw_own_decks(state, deck, chance)
        for seat in range(players):
            memory[OWN_SUITS + seat] = deck[seat * OWN_CARDS] // VALUES
        set_own_decks(memory, players)
    if len(rounds_below) > 0:
        number = draw_round(chance, rounds_below)
        state[ROUND] = number
        state[DEALER] = (state[DEALER] + number) % players
        start = plan[number, START_OF]
        if start > 0:
            shuffle(chance, deck, 0, start, len(deck))
    deal(state, memory, deck, chance, plan)


@compiled
def draw_round(chance: Chance, rounds_below: NDArray[np.float64]) -> int:
    point = (draw(chance) >> S11) * UNIT * rounds_below[-1]
    number = 0
    while number + 1 < len(rounds_below) and point >= rounds_below[number]:
        number += 1
    return number


@compiled
def deal(state: State, memory: Memory, deck: State, chance: Chance, plan: Plan) -> None:
    """Deal the next round, and forget the last."""
    start = plan[state[ROUND], START_OF]
    deal_if_due(state, deck, chance, plan)
    begin_memory(memory)
    if start > 0:
        memory[OUT] = set_of(deck, 0, start)


@compiled
def look(
    state: State,
    memory: Memory,
    common: Observation,
    observation: Observation,
    mask: Mask,
    turn: State,
) -> None:
    """Write what the seat to act sees, and keep what its answer is to be checked against."""
    seat = state[TURN]
    words = legal(state, seat)
    order = suit_order(state, memory, seat)
    turn[ORDER] = order
    turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2] = words
    write_observation(state, memory, seat, order, common, observation)
    write_mask(words, order, mask)


@compiled
def _begin(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    fresh_state: State,
    fresh_memory: Memory,
    draws_dealer: bool,
    rounds_below: NDArray[np.float64],
    memories: Memory,
    common: Observation,
    observations: Observation,
    masks: Mask,
    seats: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> int:
    for game in range(first, last):
        state, memory = states[game], memories[game]
        begin_episode(
            state,
            memory,
            decks[game],
            chances[game : game + 1],
            plan,
            fresh_state,
            fresh_memory,
            draws_dealer,
            rounds_below,
        )
        look(state, memory, common, observations[game], masks[game], turns[game])
        seats[game] = state[TURN]
    return 0


@compiled
def _take(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    fresh_state: State,
    fresh_memory: Memory,
    draws_dealer: bool,
    rounds_below: NDArray[np.float64],
    memories: Memory,
    common: Observation,
    observations: Observation,
    masks: Mask,
    seats: NDArray[np.int64],
    turns: NDArray[np.int64],
    rewards: NDArray[np.float32],
    dones: NDArray[np.bool_],
    final_totals: NDArray[np.int64],
    restarts: bool,
    actions: NDArray[np.int64],
) -> int:
    for game in range(first, last):
        state, memory, deck = states[game], memories[game], decks[game]
        chance = chances[game : game + 1]
        players = state[PLAYERS]
        seen = actions[game]
        if not 0 <= seen < ACTION_COUNT:
            return game
        turn = turns[game]
        action = restored_action(seen, turn[ORDER])
        if not is_in((turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2]), action):
            return game
        number, dealer = state[ROUND], state[DEALER]
        step_and_remember(state, memory, state[TURN], action)
        has_ended = state[ROUND] != number
        for seat in range(players):
            rewards[game, seat] = (
                points(state[SCORED_BIDS + seat], state[TAKEN + seat]) if has_ended else 0
            )
        done = has_ended and (state[PHASE] == OVER or len(rounds_below) > 0)
        dones[game] = done
        if done:
            for seat in range(players):
                final_totals[game, seat] = state[TOTALS + seat]
            state[PHASE] = OVER
            state[DEALER] = dealer
            if restarts:
                begin_episode(
                    state,
                    memory,
                    deck,
                    chance,
                    plan,
                    fresh_state,
                    fresh_memory,
                    draws_dealer,
                    rounds_below,
                )
        elif state[PHASE] == DEALING:
            deal(state, memory, deck, chance, plan)
        look(state, memory, common, observations[game], masks[game], turns[game])
        seats[game] = state[TURN]
    return NONE_ILLEGAL


@compiled
def _pick(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    turns: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> int:
    for game in range(first, last):
        turn = turns[game]
        words = (turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2])
        actions[game] = -1
        if words[0] | words[1] | words[2] != 0:
            action = pick(chances[game : game + 1], words)
            actions[game] = restored_action(action, inverse(turn[ORDER]))
    return 0

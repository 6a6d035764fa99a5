"""Games of different rules, stepped together; only the network's decisions come out.

Rule-based players act inside compiled code, and decisions with a single legal action are made there
too. The rest, one decision per game, are put to the network. When an episode ends, another starts
at once, with newly drawn rules and opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.cards_seen import CARDS_WIDE, write_set
from foretold.env.episodes import (
    ORDER,
    EpisodeArrays,
    Episodes,
    answer,
    begin_episode,
    deal,
    look,
)
from foretold.env.frame import renamed_cards
from foretold.env.memory import step_and_remember
from foretold.env.observation import AT, OBSERVATION_SIZE
from foretold.env.writer import Mask, Observation
from foretold.kernel.after import points
from foretold.kernel.chance import Chance, below
from foretold.kernel.compile import compiled
from foretold.kernel.engine import NONE_WRONG
from foretold.kernel.games import chances, fill_deck
from foretold.kernel.layout import (
    BIDS,
    DEALING,
    HAND,
    MAX_PLAYERS,
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
from foretold.kernel.state import State
from foretold.kernel.step import is_single, legal, only
from foretold.rules import Rules
from foretold.train.opponents import Tempers, act
from foretold.train.seating import BY_RULE, fill_seats, write_sheet

# What ended with the step (bits).
ROUND_ENDED: Final = 1
GAME_ENDED: Final = 2

HIDDEN_WIDE: Final = CARDS_WIDE + 1  # a hand, and the bid, which may be sealed (-1: not made)
HIDDEN_SIZE: Final = HIDDEN_WIDE * (MAX_PLAYERS - 1)
CARDS_AT: Final = AT["hand"]


class Players(NamedTuple):
    """Who plays the games: one row per game."""

    tempers: Tempers
    """The rule-based players: one row each."""
    whims: Chance
    """Random generators for everything but the cards."""
    seatings: NDArray[np.int64]
    """How the seats are filled."""
    seated: NDArray[np.int64]
    """Who sits at each."""
    exact: NDArray[np.int64]
    """How many bids each seat has met."""


class Asked(NamedTuple):
    """What is asked, a row a game, and what the last answers led to; overwritten by the next step.

    Points and tricks are those of the round in which the last answer was given, totals those of its
    game, each where it ended.
    """

    observations: Observation
    masks: Mask
    hands: NDArray[np.int8]
    """What the seat does not see: the hands of the others, for a critic that knows the deal."""
    seats: NDArray[np.int8]
    whom: NDArray[np.int8]
    ended: NDArray[np.int8]
    points: NDArray[np.int16]
    taken: NDArray[np.int8]
    totals: NDArray[np.int16]


class VectorEnv(Episodes):
    """Games of many rules side by side.

    `seating` says how each game's seats are filled; for `AS_SEATED`, set `players.seated`. With
    `restarts` off every game is played once, with the rules of its place in `rules`. An episode is
    a whole game; the first ones, unless `from_start`, begin at a random round, so that the tables
    are spread over all rounds.
    """

    def __init__(
        self,
        rules: Sequence[Rules],
        seating: NDArray[np.int64],
        tempers: Tempers,
        *,
        seed: int,
        from_start: bool,
        restarts: bool = True,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        """On a GPU all arrays are on the device (`foretold.kernel.dlpack.DeviceArray`)."""
        games = len(seating)
        weights = [np.array([size + 2.0 for size in one.sizes]) for one in rules]
        super().__init__(
            rules,
            games,
            None if from_start else weights,
            seed=seed,
            threads=threads,
            device=device,
        )
        self._restarts = restarts
        self._rounds = [0 if from_start else len(one) for one in weights]
        engine, zeros = self._engine, self._zeros
        self.players = Players(
            tempers=engine.put(tempers),
            whims=engine.put(_whims(seed, games)),
            seatings=engine.put(np.asarray(seating, dtype=np.int64)),
            seated=zeros(np.int64, MAX_PLAYERS),
            exact=zeros(np.int64, MAX_PLAYERS),
        )
        self.asked = Asked(
            observations=zeros(np.int8, OBSERVATION_SIZE),
            masks=zeros(np.int8, ACTION_COUNT),
            hands=zeros(np.int8, HIDDEN_SIZE),
            seats=zeros(np.int8),
            whom=zeros(np.int8),
            ended=zeros(np.int8),
            points=zeros(np.int16, MAX_PLAYERS),
            taken=zeros(np.int8, MAX_PLAYERS),
            totals=zeros(np.int16, MAX_PLAYERS),
        )
        self._no_actions = zeros(np.int64)

    def reseed(self, seed: int) -> None:
        """Reseed every game; `begin` then starts as a new environment of that seed would."""
        super().reseed(seed)
        self._engine.fill(self.players.whims, _whims(seed, self.games))

    def begin(self) -> Asked:
        """Begin all games."""
        engine, rounds = self._engine, self.episodes.starts.rounds
        engine.fill(self.states[:, PHASE], OVER)
        engine.fill(rounds, np.array(self._rounds))
        self._advance(True, self._no_actions)
        engine.fill(rounds, 0)  # all later games begin with their first round
        return self.asked

    def step(self, actions: Any) -> Asked:
        """Answer every game with an action in the frame of the seat asked; returns what is asked
        next.
        """
        self._advance(False, actions)
        return self.asked

    def _advance(self, begins: bool, actions: Any) -> None:
        engine, wanted = self._engine, self._engine.actions(actions)
        given = self.episodes, self.players, self.asked
        engine.check(_advance, *given, self._restarts, begins, wanted)
        engine.run(_show, self.episodes, self.asked)
        self._refuse_illegal(wanted)


def _whims(seed: int, games: int) -> Chance:
    """A generator for each game, apart from that of its cards."""
    return chances(seed, 2 * games)[games:]


@compiled
def _advance(
    first: int,
    last: int,
    episodes: EpisodeArrays,
    players: Players,
    asked: Asked,
    restarts: bool,
    begins: bool,
    actions: NDArray[np.int64],
) -> int:
    """Answer the games, or start them; returns the first with an illegal answer, or NONE_WRONG."""
    for game in range(first, last):
        action = NOTHING
        if not begins:
            if episodes.games.states[game, PHASE] == OVER:
                asked.ended[game] = 0
                continue
            action = answer(episodes, game, actions[game])
            if action == NOTHING:
                return game
        play_on(game, action, episodes, players, asked, restarts, begins)
    return NONE_WRONG


@compiled
def play_on(
    game: int,
    action: int,
    episodes: EpisodeArrays,
    players: Players,
    asked: Asked,
    restarts: bool,
    begins: bool,
) -> None:
    """Take an action, if any, and play on until the network is asked or the game is over."""
    state, memory = episodes.games.states[game], episodes.memories[game]
    chance = players.whims[game : game + 1]
    asked.ended[game] = 0
    asked.whom[game] = NOTHING
    while True:
        if action != NOTHING:
            number = state[ROUND]
            step_and_remember(state, memory, state[TURN], action)
            if state[ROUND] != number:
                settle(game, state, players, asked)
        if state[PHASE] == OVER:
            if not restarts and not (begins and action == NOTHING):
                return
            new_episode(game, episodes, players, asked, restarts)
        elif state[PHASE] == DEALING:
            deal(episodes, game)
        seat = state[TURN]
        who = players.seated[game, seat]
        words = legal(state, seat)
        if is_single(words):
            action = only(words)
        elif who >= BY_RULE:
            action = act(state, memory, seat, players.tempers[who - BY_RULE], chance)
        else:
            break
    asked.seats[game] = seat
    asked.whom[game] = who


@compiled
def _show(first: int, last: int, episodes: EpisodeArrays, asked: Asked) -> int:
    """Write the observations, in a pass of their own.

    The threads of a GPU finish their turns at different times; if each wrote then, they would
    write one after another.
    """
    for game in range(first, last):
        if asked.whom[game] != NOTHING:
            state = episodes.games.states[game]
            look(episodes, game, asked.observations[game], asked.masks[game])
            show_hands(state, state[TURN], episodes.turns[game, ORDER], asked.hands[game])
    return 0


@compiled
def show_hands(state: State, seat: int, order: int, out: Observation) -> None:
    """The hands and bids of the other seats, in the frame of a seat."""
    players = state[PLAYERS]
    for distance in range(1, players):
        other = seat + distance
        other = other if other < players else other - players
        at = HIDDEN_WIDE * (distance - 1)
        write_set(out, at, renamed_cards(state[HAND + other], order))
        out[at + CARDS_WIDE] = state[BIDS + other]
    for index in range(HIDDEN_WIDE * (players - 1), HIDDEN_SIZE):
        out[index] = 0


@compiled
def settle(game: int, state: State, players: Players, asked: Asked) -> None:
    """Record the result of a round, unless another has ended since the answer."""
    first = asked.ended[game] & ROUND_ENDED == 0
    for seat in range(state[PLAYERS]):
        earned = points(state[SCORED_BIDS + seat], state[TAKEN + seat])
        if earned > 0:
            players.exact[game, seat] += 1
        if first:
            asked.points[game, seat] = earned
            asked.taken[game, seat] = state[TAKEN + seat]
    if first:
        for seat in range(state[PLAYERS], MAX_PLAYERS):
            asked.points[game, seat] = 0
            asked.taken[game, seat] = 0
    asked.ended[game] |= ROUND_ENDED
    if state[PHASE] == OVER and asked.ended[game] & GAME_ENDED == 0:
        asked.ended[game] |= GAME_ENDED
        for seat in range(state[PLAYERS]):
            asked.totals[game, seat] = state[TOTALS + seat]


@compiled
def new_episode(
    game: int,
    episodes: EpisodeArrays,
    players: Players,
    asked: Asked,
    restarts: bool,
) -> None:
    """Start a game, with newly drawn rules and opponents."""
    games = episodes.games
    state = games.states[game]
    chance = players.whims[game : game + 1]
    if restarts:
        games.rules[game] = below(chance, len(games.starts.deck_sizes))
    fill_deck(games, game)
    for index in range(CARDS_AT, OBSERVATION_SIZE):
        asked.observations[game, index] = 0
    begin_episode(episodes, game)
    if state[ROUND] > 0:
        write_sheet(state, episodes.memories[game], chance)
    seated, tempers = players.seated[game], len(players.tempers)
    fill_seats(seated, state[PLAYERS], players.seatings[game], tempers, chance)

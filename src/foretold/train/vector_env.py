"""Tables of different rules, stepped together: only the network's decisions come out.

Players by rule act inside compiled code, and so does whoever has only one legal action. What is
left, one decision a table, is asked of the network. Where an episode ends, another begins at once,
with rules and company drawn anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.env.cards_seen import CARDS_WIDE, write_set
from foretold.env.frame import renamed_cards, restored_action
from foretold.env.memory import MEMORY_SIZE, Memory, new_memory, step_and_remember
from foretold.env.observation import AT, OBSERVATION_SIZE
from foretold.env.tables import LEGAL, ORDER, TURN_SIZE, begin_episode, deal, look
from foretold.env.writer import Mask, Observation, blank
from foretold.kernel.after import points
from foretold.kernel.batch import NONE_ILLEGAL, OWN_CARDS, Plan, chances, plan_of
from foretold.kernel.bits import lowest
from foretold.kernel.chance import Chance, below
from foretold.kernel.compile import compiled
from foretold.kernel.engine import engine_of
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
    STATE_SIZE,
    TAKEN,
    TOTALS,
    TURN,
)
from foretold.kernel.state import State, new_state
from foretold.kernel.step import is_in, legal
from foretold.rules import DealerBy, Mode, Rules
from foretold.train.opponents import Tempers, act
from foretold.train.seating import BY_RULE, fill_seats, write_sheet

# What ended with the step (bits).
ROUND_ENDED: Final = 1
GAME_ENDED: Final = 2

LARGEST_DECK: Final = 67
HIDDEN_WIDE: Final = CARDS_WIDE + 1  # a hand, and the bid, which may be sealed (-1: not made)
HIDDEN_SIZE: Final = HIDDEN_WIDE * (MAX_PLAYERS - 1)
CARDS_AT: Final = AT["hand"]


class Book(NamedTuple):
    """What is the same for all games of the same rules: a row for each rules."""

    states: NDArray[np.int64]
    memories: Memory
    plans: Plan
    rounds: NDArray[np.int64]
    rounds_below: NDArray[np.float64]
    decks: NDArray[np.int64]
    deck_sizes: NDArray[np.int64]
    draws_dealer: NDArray[np.int64]
    commons: Observation


class Games(NamedTuple):
    """The games under way: a row for each."""

    rules: NDArray[np.int64]
    states: NDArray[np.int64]
    memories: Memory
    decks: NDArray[np.int64]
    deals: Chance
    whims: Chance
    turns: NDArray[np.int64]
    seatings: NDArray[np.int64]
    seated: NDArray[np.int64]
    exact: NDArray[np.int64]


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


class VectorEnv:
    """Games of many rules side by side.

    `seating` says how each game's seats are filled; for `AS_SEATED`, set `games.seated`. With
    `restarts` off every game is played once, with the rules of its place in `rules`.
    """

    def __init__(
        self,
        rules: Sequence[Rules],
        seating: NDArray[np.int64],
        tempers: Tempers,
        *,
        seed: int,
        by_round: bool,
        restarts: bool = True,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        """On a GPU all arrays are on the device (`foretold.kernel.dlpack.DeviceArray`)."""
        count = len(seating)
        self.count = count
        self.by_round, self.restarts = by_round, restarts
        self._engine = engine = engine_of(device, count, threads)
        self.tempers = engine.put(tempers)
        self.book = Book(*[engine.put(array) for array in _book(rules)])
        self.games = Games(
            rules=engine.put(np.arange(count) % len(rules)),
            states=engine.zeros((count, STATE_SIZE), np.int64),
            memories=engine.zeros((count, MEMORY_SIZE), np.int64),
            decks=engine.zeros((count, LARGEST_DECK), np.int64),
            deals=engine.zeros((count,), np.uint64),
            whims=engine.zeros((count,), np.uint64),
            turns=engine.zeros((count, TURN_SIZE), np.int64),
            seatings=engine.put(np.asarray(seating, dtype=np.int64)),
            seated=engine.zeros((count, MAX_PLAYERS), np.int64),
            exact=engine.zeros((count, MAX_PLAYERS), np.int64),
        )
        self.asked = Asked(
            observations=engine.zeros((count, OBSERVATION_SIZE), np.int8),
            masks=engine.zeros((count, ACTION_COUNT), np.int8),
            hands=engine.zeros((count, HIDDEN_SIZE), np.int8),
            seats=engine.zeros((count,), np.int8),
            whom=engine.zeros((count,), np.int8),
            ended=engine.zeros((count,), np.int8),
            points=engine.zeros((count, MAX_PLAYERS), np.int16),
            taken=engine.zeros((count, MAX_PLAYERS), np.int8),
            totals=engine.zeros((count, MAX_PLAYERS), np.int16),
        )
        self._no_actions = engine.zeros((count,), np.int64)
        self.reseed(seed)

    def begin(self) -> Asked:
        """Begin all games."""
        self._engine.fill(self.games.states[:, PHASE], OVER)
        self._advance(True, self._no_actions)
        return self.asked

    def step(self, actions: Any) -> Asked:
        """Answer every game, as the seat asked calls the action; see what is asked next.

        On a GPU an action that is not legal may be told by a later step.
        """
        self._advance(False, self._engine.actions(actions))
        if (game := self._engine.wrong()) != NONE_ILLEGAL:
            raise ValueError(f"an action is not legal in game {game}")
        return self.asked

    def reseed(self, seed: int) -> None:
        """Give every game its chance anew; `begin` then begins as a new one of that seed does."""
        drawn = chances(seed, 2 * self.count)
        self._engine.fill(self.games.deals, drawn[: self.count])
        self._engine.fill(self.games.whims, drawn[self.count :])

    def _advance(self, begins: bool, actions: Any) -> None:
        self._engine.check(
            _advance,
            self.book,
            self.games,
            self.asked,
            self.tempers,
            self.by_round,
            self.restarts,
            begins,
            actions,
        )


def _book(rules: Sequence[Rules]) -> Book:
    plans = [plan_of(one) for one in rules]
    most = max(len(plan) for plan in plans)
    book = Book(
        states=np.stack([new_state(one, 0) for one in rules]),
        memories=np.stack([new_memory(one) for one in rules]),
        plans=np.zeros((len(rules), most, 3), dtype=np.int64),
        rounds=np.array([len(plan) for plan in plans], dtype=np.int64),
        rounds_below=np.zeros((len(rules), most), dtype=np.float64),
        decks=np.zeros((len(rules), LARGEST_DECK), dtype=np.int64),
        deck_sizes=np.zeros(len(rules), dtype=np.int64),
        draws_dealer=np.array(
            [one.dealer_by is not DealerBy.SEAT for one in rules], dtype=np.int64
        ),
        commons=np.stack([blank(one) for one in rules]),
    )
    for index, (one, plan) in enumerate(zip(rules, plans, strict=True)):
        weights = np.array([size + 2.0 for size in one.sizes])
        book.plans[index, : len(plan)] = plan
        book.rounds_below[index, : len(plan)] = np.cumsum(weights) / weights.sum()
        if one.mode is Mode.MONOCOLOUR:
            book.deck_sizes[index] = one.players * OWN_CARDS
        else:
            book.deck_sizes[index] = len(one.deck)
            book.decks[index, : len(one.deck)] = one.deck
    return book


@compiled
def _advance(
    first: int,
    last: int,
    book: Book,
    games: Games,
    asked: Asked,
    tempers: Tempers,
    by_round: bool,
    restarts: bool,
    begins: bool,
    actions: NDArray[np.int64],
) -> int:
    """Answer the games, or begin them; the first whose answer is not legal, or NONE_ILLEGAL."""
    for game in range(first, last):
        action = NOTHING
        if not begins:
            if games.states[game, PHASE] == OVER:
                asked.ended[game] = 0
                continue
            turn = games.turns[game]
            seen = actions[game]
            if not 0 <= seen < ACTION_COUNT:
                return game
            action = restored_action(seen, turn[ORDER])
            if not is_in((turn[LEGAL], turn[LEGAL + 1], turn[LEGAL + 2]), action):
                return game
        play_on(game, action, book, games, asked, tempers, by_round, restarts, begins)
    return NONE_ILLEGAL


@compiled
def play_on(
    game: int,
    action: int,
    book: Book,
    games: Games,
    asked: Asked,
    tempers: Tempers,
    by_round: bool,
    restarts: bool,
    begins: bool,
) -> None:
    """Take an action, if any, and go on until the network is asked or all is over."""
    state, memory = games.states[game], games.memories[game]
    chance = games.whims[game : game + 1]
    asked.ended[game] = 0
    asked.whom[game] = NOTHING
    while True:
        if action != NOTHING:
            number = state[ROUND]
            step_and_remember(state, memory, state[TURN], action)
            if state[ROUND] != number:
                settle(game, state, games, asked, by_round)
        if state[PHASE] == OVER:
            if not restarts and not (begins and action == NOTHING):
                return
            new_episode(game, book, games, asked, tempers, by_round, restarts)
        elif state[PHASE] == DEALING:
            rules = games.rules[game]
            deck = games.decks[game, : book.deck_sizes[rules]]
            deal(state, memory, deck, games.deals[game : game + 1], book.plans[rules])
        seat = state[TURN]
        who = games.seated[game, seat]
        words = legal(state, seat)
        if is_single(words):
            action = only(words)
        elif who >= BY_RULE:
            action = act(state, memory, seat, tempers[who - BY_RULE], chance)
        else:
            break
    asked.seats[game] = seat
    asked.whom[game] = who
    look(
        state,
        memory,
        book.commons[games.rules[game]],
        asked.observations[game],
        asked.masks[game],
        games.turns[game],
    )
    show_hands(state, seat, games.turns[game, ORDER], asked.hands[game])


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
def is_single(words: tuple[int, int, int]) -> bool:
    """Whether one action alone is in a mask that is not empty."""
    first, second, third = words
    if third != 0:
        return first | second == 0 and third & (third - 1) == 0
    if second != 0:
        return first == 0 and second & (second - 1) == 0
    return first & (first - 1) == 0


@compiled
def only(words: tuple[int, int, int]) -> int:
    first, second, third = words
    if first != 0:
        return lowest(first)
    return 64 + lowest(second) if second != 0 else 128 + lowest(third)


@compiled
def settle(game: int, state: State, games: Games, asked: Asked, by_round: bool) -> None:
    """A round has ended: write down what it brought, unless one has ended since the answer."""
    first = asked.ended[game] & ROUND_ENDED == 0
    for seat in range(state[PLAYERS]):
        earned = points(state[SCORED_BIDS + seat], state[TAKEN + seat])
        if earned > 0:
            games.exact[game, seat] += 1
        if first:
            asked.points[game, seat] = earned
            asked.taken[game, seat] = state[TAKEN + seat]
    if first:
        for seat in range(state[PLAYERS], MAX_PLAYERS):
            asked.points[game, seat] = 0
            asked.taken[game, seat] = 0
    asked.ended[game] |= ROUND_ENDED
    if by_round:
        state[PHASE] = OVER
    if state[PHASE] == OVER and asked.ended[game] & GAME_ENDED == 0:
        asked.ended[game] |= GAME_ENDED
        for seat in range(state[PLAYERS]):
            asked.totals[game, seat] = state[TOTALS + seat]


@compiled
def new_episode(
    game: int,
    book: Book,
    games: Games,
    asked: Asked,
    tempers: Tempers,
    by_round: bool,
    restarts: bool,
) -> None:
    """Begin a round or a game, of rules and with company drawn anew."""
    state = games.states[game]
    chance = games.whims[game : game + 1]
    if restarts:
        games.rules[game] = below(chance, len(book.rounds))
    rules = games.rules[game]
    size = book.deck_sizes[rules]
    for index in range(size):
        games.decks[game, index] = book.decks[rules, index]
    for index in range(CARDS_AT, OBSERVATION_SIZE):
        asked.observations[game, index] = 0
    begin_episode(
        state,
        games.memories[game],
        games.decks[game, :size],
        games.deals[game : game + 1],
        book.plans[rules],
        book.states[rules],
        book.memories[rules],
        book.draws_dealer[rules] != 0,
        book.rounds_below[rules, : book.rounds[rules] if by_round else 0],
    )
    if by_round:
        write_sheet(state, chance)
    fill_seats(games.seated[game], state[PLAYERS], games.seatings[game], len(tempers), chance)

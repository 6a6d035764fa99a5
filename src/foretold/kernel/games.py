"""Games side by side: what every batch of games has, and how its games are set up and dealt.

`Batch`, the environments and training add what else they keep of a game, and how they step it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.cards import CARDS, VALUES
from foretold.deal import Deal
from foretold.kernel.chance import Chance, below, shuffle
from foretold.kernel.compile import compiled
from foretold.kernel.engine import NONE_WRONG, Work, engine_of
from foretold.kernel.layout import (
    ANY_SUIT,
    DEALER,
    DEALING,
    JESTER,
    OVER,
    PHASE,
    PLAYERS,
    ROUND,
    STATE_SIZE,
    WIZARD,
)
from foretold.kernel.rounds import begin_round
from foretold.kernel.state import State, new_state
from foretold.rules import OWN_CARDS, DealerBy, Mode, Rules

Plan: TypeAlias = NDArray[np.int64]
"""How each round is dealt: a row of SIZE_OF, START_OF, TURNS per round."""

SIZE_OF: Final = 0
START_OF: Final = 1  # where in the deck the round begins: after the cards that are out
TURNS: Final = 2


class Starts(NamedTuple):
    """How games begin: a row for each set of rules."""

    states: NDArray[np.int64]
    plans: Plan
    decks: NDArray[np.int64]
    deck_sizes: NDArray[np.int64]
    draws_dealer: NDArray[np.bool_]


class GameArrays(NamedTuple):
    """All games, as compiled work gets them: a row for each."""

    starts: Starts
    rules: NDArray[np.int64]
    """Which row of `starts` a game has."""
    states: NDArray[np.int64]
    decks: NDArray[np.int64]
    chances: Chance


class OneGame(NamedTuple):
    """What dealing needs to know of a game. Looked up once per game: at every step, the lookup
    would cost time.
    """

    state: State
    deck: State
    chance: Chance
    plan: Plan


class Games:
    """Games side by side, each with its own generator, on all cores or on a GPU.

    They take the given rules in turn. All arrays are the engine's: NumPy's, or on the device.
    """

    def __init__(
        self,
        rules: Sequence[Rules],
        games: int,
        *,
        seed: int,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.games = games
        self.device = device
        self._engine = engine = engine_of(device, games, threads)
        self.threads = engine.threads
        starts = starts_of(rules)
        self.arrays = GameArrays(
            Starts(*[engine.put(array) for array in starts]),
            rules=engine.put(np.arange(games) % len(rules)),
            states=engine.zeros((games, STATE_SIZE), np.int64),
            decks=engine.zeros((games, starts.decks.shape[1]), np.int64),
            chances=engine.put(chances(seed, games)),
        )

    def reseed(self, seed: int) -> None:
        """Reseed every game; each then plays as in a new batch of that seed."""
        self._engine.fill(self.arrays.chances, chances(seed, self.games))

    @property
    def states(self) -> Any:
        """One row per game, laid out by `foretold.kernel.layout`."""
        return self.arrays.states

    @property
    def over(self) -> NDArray[np.bool_]:
        return self._engine.host(self.states[:, PHASE]) == OVER

    def deal_of(self, game: int) -> Deal:
        """The deal of the current round."""
        host, arrays = self._engine.host, self.arrays
        row = host(arrays.states)[game].tolist()
        if row[PHASE] == OVER:
            raise ValueError(f"game {game} is over: no round is under way")
        plan = host(arrays.starts.plans)[host(arrays.rules)[game]]
        size, start, turns = plan[row[ROUND]].tolist()
        stride = OWN_CARDS if row[ANY_SUIT] else size
        deck = [CARDS[card] for card in host(arrays.decks)[game].tolist()]
        firsts = range(start, start + stride * row[PLAYERS], stride)
        hands = tuple(tuple(deck[first : first + size]) for first in firsts)
        return Deal(hands, deck[firsts[-1] + stride] if turns else None)

    def synchronize(self) -> None:
        """Wait until all work is done; raises an error for an illegal action."""
        self._engine.synchronize()
        self._refuse_illegal(None)

    def _act(self, work: Work, actions: Any, *arguments: Any) -> None:
        """Do work that takes an action in every game and returns a game whose action is not
        legal, or NONE_WRONG.
        """
        wanted = self._engine.actions(actions)
        self._engine.check(work, *arguments, wanted)
        self._refuse_illegal(wanted)

    def _refuse_illegal(self, wanted: Any) -> None:
        if (game := self._engine.wrong()) == NONE_WRONG:
            return
        if self.device == "cpu":
            raise ValueError(
                f"action {wanted[game]} is not legal in game {game}: that game and those after it "
                "in its part of the batch were not stepped"
            )
        raise ValueError(
            f"an action of this or an earlier step is not legal in game {game}: that game was not "
            "stepped"
        )


def chances(seed: int, games: int) -> Chance:
    """A generator for each game."""
    return np.random.SeedSequence(seed).generate_state(games, np.uint64).astype(np.uint64)


def starts_of(rules: Sequence[Rules]) -> Starts:
    plans = [plan_of(one) for one in rules]
    sizes = [_deck_size(one) for one in rules]
    starts = Starts(
        states=np.stack([new_state(one, 0) for one in rules]),
        plans=np.zeros((len(rules), max(map(len, plans)), 3), dtype=np.int64),
        decks=np.zeros((len(rules), max(sizes)), dtype=np.int64),
        deck_sizes=np.array(sizes, dtype=np.int64),
        draws_dealer=np.array([one.dealer_by is not DealerBy.SEAT for one in rules]),
    )
    for index, (one, plan) in enumerate(zip(rules, plans, strict=True)):
        starts.plans[index, : len(plan)] = plan
        if one.mode is not Mode.MONOCOLOUR:
            starts.decks[index, : len(one.deck)] = one.deck
    return starts


def plan_of(rules: Rules) -> Plan:
    """How the rounds of the rules are dealt."""
    rows: list[tuple[int, int, bool]] = []
    used = 0
    for size in rules.sizes:
        rows.append((size, used, rules.turns_card(size)))
        if rules.mode is Mode.TWO_PLAYER:
            used += 2 * size + 1
    return np.array(rows, dtype=np.int64)


def _deck_size(rules: Rules) -> int:
    return rules.players * OWN_CARDS if rules.mode is Mode.MONOCOLOUR else len(rules.deck)


@compiled
def fill_deck(games: GameArrays, game: int) -> None:
    """Put the deck of a game in order. (In the monocolour game each seat draws its own.)"""
    rules = games.rules[game]
    for index in range(games.starts.deck_sizes[rules]):
        games.decks[game, index] = games.starts.decks[rules, index]


@compiled
def set_up(games: GameArrays, game: int) -> None:
    """Begin a game by its rules; nothing is dealt yet."""
    rules = games.rules[game]
    state = games.states[game]
    chance = games.chances[game : game + 1]
    for field in range(STATE_SIZE):
        state[field] = games.starts.states[rules, field]
    if games.starts.draws_dealer[rules]:
        state[DEALER] = below(chance, state[PLAYERS])
    if state[ANY_SUIT]:
        draw_own_decks(state, games.decks[game], chance)


@compiled
def one_of(games: GameArrays, game: int) -> OneGame:
    rules = games.rules[game]
    return OneGame(
        games.states[game],
        games.decks[game, : games.starts.deck_sizes[rules]],
        games.chances[game : game + 1],
        games.starts.plans[rules],
    )


@compiled
def deal_if_due(one: OneGame) -> None:
    state, deck, chance = one.state, one.deck, one.chance
    if state[PHASE] != DEALING:
        return
    round_plan = one.plan[state[ROUND]]
    size = round_plan[SIZE_OF]
    start = round_plan[START_OF]
    turns = round_plan[TURNS] != 0
    players = state[PLAYERS]
    if state[ANY_SUIT]:
        for seat in range(players):
            first = seat * OWN_CARDS
            shuffle(chance, deck, first, size, first + OWN_CARDS)
        begin_round(state, size, deck, start, OWN_CARDS, turns)
    else:
        count = players * size + (1 if turns else 0)
        shuffle(chance, deck, start, count, len(deck))
        begin_round(state, size, deck, start, size, turns)


@compiled
def draw_own_decks(state: State, deck: State, chance: Chance) -> None:
    """Give every seat of the monocolour game the deck of a random suit."""
    drawn = 0
    for seat in range(state[PLAYERS]):
        suit = below(chance, 4 - seat)
        # The suit-th of those not drawn yet.
        for candidate in range(4):
            if (drawn >> candidate) & 1 == 0:
                if suit == 0:
                    drawn |= 1 << candidate
                    first = seat * OWN_CARDS
                    for value in range(VALUES):
                        deck[first + value] = candidate * VALUES + value
                    deck[first + VALUES] = WIZARD
                    deck[first + VALUES + 1] = JESTER
                    break
                suit -= 1

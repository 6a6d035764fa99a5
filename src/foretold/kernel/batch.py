"""Many games of the same rules, stepped side by side on all cores or on a GPU."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.cards import CARDS, VALUES
from foretold.deal import Deal
from foretold.kernel.chance import Chance, below, pick, shuffle
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
    TOTALS,
    TURN,
    WIZARD,
)
from foretold.kernel.plays import WORDS
from foretold.kernel.rounds import begin_round
from foretold.kernel.state import State, new_state
from foretold.kernel.step import is_in, legal, step
from foretold.rules import DealerBy, Mode, Rules

Plan: TypeAlias = NDArray[np.int64]
"""How each round is dealt: a row of SIZE_OF, START_OF, TURNS a round."""

SIZE_OF: Final = 0
START_OF: Final = 1  # where in the deck the round begins: after the cards that are out
TURNS: Final = 2
OWN_CARDS: Final = VALUES + 2
NONE_ILLEGAL: Final = NONE_WRONG


class Batch:
    """Games of the same rules, each with its own chance, dealt and stepped together.

    >>> batch = Batch(Rules(players=3), games=4, seed=1)
    >>> batch.play_out() > 4 * 20 * 3
    True
    >>> bool(batch.over.all())
    True

    Every game is dealt at once when a round is over. A game that is over stays so until `restart`.

    With ``device="cuda"`` the games are played on a GPU, decision for decision as on the CPU with
    the same seed. `states` and `masks` are then arrays on the device (they speak DLPack), and so
    may actions be; nothing waits for the device, so that an action that is not legal may be told
    by a later call. What else is asked for comes as NumPy arrays.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.rules = rules
        self.games = games
        self.device = device
        self._engine = engine = engine_of(device, games, threads)
        self.threads = engine.threads
        self.states: Any = engine.zeros((games, STATE_SIZE), np.int64)
        """One row a game, as `foretold.kernel.layout` has it."""
        self.masks: Any = engine.zeros((games, WORDS), np.int64)
        """The legal actions of the seat to act, as `legal` fills them in."""
        self._plan = engine.put(plan_of(rules))
        self._chance = engine.put(chances(seed, games))
        self._decks = engine.zeros((games, _deck_size(rules)), np.int64)
        self._new_state = engine.put(new_state(rules, 0))
        self._full_deck = engine.put(np.array(rules.deck, dtype=np.int64))
        self._draws_dealer = rules.dealer_by is not DealerBy.SEAT
        self._prepare()
        self.restart()

    def _prepare(self) -> None:
        """Make what else is needed before the games begin."""

    def restart(self) -> None:
        """Begin all games anew, with new deals."""
        self._run(_begin_games, self._new_state, self._full_deck, self._draws_dealer)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in every game, the first where several are."""
        return self._engine.host(self.states[:, TURN])

    @property
    def over(self) -> NDArray[np.bool_]:
        return self._engine.host(self.states[:, PHASE]) == OVER

    @property
    def totals(self) -> NDArray[np.int64]:
        """The points, one row a game."""
        return self._engine.host(self.states[:, TOTALS : TOTALS + self.rules.players])

    def legal(self) -> Any:
        """Work out `masks`: three words a game, all 0 where the game is over."""
        self._run(_fill_masks, self.masks)
        return self.masks

    def legal_table(self) -> NDArray[np.bool_]:
        """The same as a table of true and false, one column an action."""
        words = self._engine.host(self.legal())
        octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
        bits = np.unpackbits(octets, axis=1, bitorder="little", count=ACTION_COUNT)
        return bits.astype(np.bool_)

    def random_actions(self) -> Any:
        """A legal action for every game, each equally likely; -1 where the game is over."""
        actions = self._engine.zeros((self.games,), np.int64)
        self._run(_pick_actions, actions)
        return actions

    def step(self, actions: Any) -> None:
        """Take one action in every game that is not over."""
        wanted = self._engine.actions(actions)
        self._engine.check(_step_games, *self._arrays, wanted)
        self._refuse_illegal(wanted)

    def _refuse_illegal(self, wanted: Any) -> None:
        if (game := self._engine.wrong()) == NONE_ILLEGAL:
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

    def synchronize(self) -> None:
        """Wait until all is done; an action that was not legal is an error now."""
        self._engine.synchronize()
        self._refuse_illegal(None)

    def play_out(self) -> int:
        """Play every game to its end, each decision uniformly random; returns how many it took."""
        return self._engine.total(_play_games, *self._arrays)

    def deal_of(self, game: int) -> Deal:
        """The deal of the round under way."""
        row = self._engine.host(self.states)[game].tolist()
        if row[PHASE] == OVER:
            raise ValueError(f"game {game} is over: no round is under way")
        size, start, turns = self._engine.host(self._plan)[row[ROUND]].tolist()
        stride = OWN_CARDS if row[ANY_SUIT] else size
        deck = [CARDS[card] for card in self._engine.host(self._decks)[game].tolist()]
        firsts = range(start, start + stride * row[PLAYERS], stride)
        hands = tuple(tuple(deck[first : first + size]) for first in firsts)
        return Deal(hands, deck[firsts[-1] + stride] if turns else None)

    @property
    def _arrays(self) -> tuple[Any, ...]:
        """What all work is given first."""
        return self.states, self._decks, self._chance, self._plan

    def _run(self, work: Work, *more: Any) -> None:
        self._engine.run(work, *self._arrays, *more)


def chances(seed: int, games: int) -> Chance:
    """A generator for each game."""
    return np.random.SeedSequence(seed).generate_state(games, np.uint64).astype(np.uint64)


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
def deal_if_due(state: State, deck: State, chance: Chance, plan: Plan) -> None:
    if state[PHASE] != DEALING:
        return
    round_plan = plan[state[ROUND]]
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
    """Give every seat of the monocolour game the deck of a suit drawn at random."""
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


@compiled
def _begin_games(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    new: State,
    full_deck: State,
    draws_dealer: bool,
) -> int:
    for game in range(first, last):
        state, deck, chance = states[game], decks[game], chances[game : game + 1]
        for field in range(STATE_SIZE):
            state[field] = new[field]
        if draws_dealer:
            state[DEALER] = below(chance, state[PLAYERS])
        if state[ANY_SUIT]:
            draw_own_decks(state, deck, chance)
        else:
            for index in range(len(deck)):
                deck[index] = full_deck[index]
        deal_if_due(state, deck, chance, plan)
    return 0


@compiled
def _fill_masks(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    masks: NDArray[np.int64],
) -> int:
    for game in range(first, last):
        masks[game, 0], masks[game, 1], masks[game, 2] = legal(states[game], states[game, TURN])
    return 0


@compiled
def _pick_actions(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    actions: NDArray[np.int64],
) -> int:
    for game in range(first, last):
        state = states[game]
        actions[game] = -1
        if state[PHASE] != OVER:
            actions[game] = pick(chances[game : game + 1], legal(state, state[TURN]))
    return 0


@compiled
def _step_games(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
    actions: NDArray[np.int64],
) -> int:
    """Returns the first game whose action is not legal, or NONE_ILLEGAL."""
    for game in range(first, last):
        state = states[game]
        if state[PHASE] == OVER:
            continue
        seat = state[TURN]
        if not 0 <= actions[game] < ACTION_COUNT or not is_in(legal(state, seat), actions[game]):
            return game
        step(state, seat, actions[game])
        deal_if_due(state, decks[game], chances[game : game + 1], plan)
    return NONE_ILLEGAL


@compiled
def _play_games(
    first: int,
    last: int,
    states: NDArray[np.int64],
    decks: NDArray[np.int64],
    chances: Chance,
    plan: Plan,
) -> int:
    decisions = 0
    for game in range(first, last):
        state, deck, chance = states[game], decks[game], chances[game : game + 1]
        while state[PHASE] != OVER:
            seat = state[TURN]
            step(state, seat, pick(chance, legal(state, seat)))
            deal_if_due(state, deck, chance, plan)
            decisions += 1
    return decisions

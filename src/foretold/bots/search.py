"""A player that looks ahead.

It draws worlds that fit what it knows, the likelier the better they explain the others' bids; tries
each of its choices in each world, with everyone playing on by rules of thumb and the last tricks
solved; and takes the choice that brings most points on average.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import Action
from foretold.bots.lookahead import dealt_hands, likelihoods, try_all
from foretold.bots.table import row_of
from foretold.cards import Card
from foretold.deals import Sampler
from foretold.game import Game
from foretold.kernel import Phase, State
from foretold.kernel.layout import (
    BID_SUM,
    BIDS,
    BIDS_MADE,
    MAX_PLAYERS,
    NOTHING,
    PENDING,
    STATE_SIZE,
)
from foretold.rules import Bidding, Rules
from foretold.view import View

FIRST_WORLDS: Final = 4
DRAWN_FOR_ONE: Final = 4
"""How many worlds are drawn for each that is tried, to choose those that explain the bids."""

SPREAD: Final = 1.5
"""How far bids lie from what a hand is worth, for players in general."""

EXACT: Final = 2
"""With so many tricks left or fewer the rest of a world is solved."""

SURE: Final = 3.0
"""A choice is given up when it is behind the best by so many standard errors."""

PART: Final = 0.08
"""The share of its time that one batch of worlds may take, so that it stops in time."""

RESERVE: Final = 0.001
"""Seconds kept back for what comes after the last batch."""


class SearchBot:
    """Thinks for a set time, 100 ms by default."""

    def __init__(self, seed: int = 0, ms: float = 100.0) -> None:
        if not isinstance(ms, int | float) or not 1 <= ms <= 60_000:
            raise ValueError(f"ms is {ms}: expected 1 to 60000 milliseconds")
        self.seconds = ms / 1000
        self._chance = np.random.Generator(np.random.PCG64(seed))
        _warm_up()

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        start = time.perf_counter()
        means = Trial(view, self._chance).run(start, self.seconds)
        return view.legal_actions[int(np.argmax(means))]


class Trial:
    """All choices of one decision, tried in ever more worlds."""

    def __init__(self, view: View, chance: np.random.Generator) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.chance = chance
        self.actions = np.array([int(action) for action in view.legal_actions], dtype=np.int64)
        self.sampler = Sampler(view, seed=int(chance.integers(1 << 63)))
        self.row = _undecided(row_of(view), view)
        self.played = _played(view)
        self.sums = np.zeros(len(self.actions))
        self.squares = np.zeros(len(self.actions))
        self.counts = np.zeros(len(self.actions))
        self.alive = np.ones(len(self.actions), dtype=np.bool_)
        self.scratch = np.empty_like(self.row)
        # A level for every card still played, every card passed, and the change of the Cloud.
        levels = MAX_PLAYERS * (EXACT + 1) + 3
        self.stack = np.empty((levels, STATE_SIZE), dtype=np.int64)
        self.masks = np.empty((levels, 3), dtype=np.int64)
        self.values = np.empty((levels, MAX_PLAYERS), dtype=np.float64)

    def run(self, start: float, seconds: float) -> NDArray[np.float64]:
        """The mean points of each choice; minus infinity for those given up."""
        deadline = start + seconds - RESERVE
        worlds = FIRST_WORLDS
        while True:
            before = time.perf_counter()
            self.try_in(worlds)
            now = time.perf_counter()
            pace = (now - before) / worlds
            worlds = min(2 * worlds, int(PART * seconds / pace) + 1)
            if self.alive.sum() == 1 or now + 1.2 * worlds * pace > deadline:
                return np.where(self.alive, self.sums / self.counts, -np.inf)

    def try_in(self, worlds: int) -> None:
        """Try all choices that are not given up in that many new worlds."""
        hands, dealt = self._worlds(worlds)
        try_all(
            self.row,
            self.scratch,
            hands,
            dealt,
            self.seat,
            EXACT,
            self.stack,
            self.masks,
            self.values,
            self.actions,
            self.alive,
            self.sums,
            self.squares,
        )
        self.counts[self.alive] += worlds
        means = self.sums / self.counts
        error = np.sqrt(np.maximum(self.squares / self.counts - means**2, 1.0) / self.counts)
        best = int(np.argmax(np.where(self.alive, means, -np.inf)))
        self.alive &= means[best] - means <= SURE * np.hypot(error, error[best])

    def _worlds(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Worlds, and what was dealt in them, chosen by how well they explain the bids."""
        explains = any(
            bid is not None and seat != self.seat for seat, bid in enumerate(self.view.bids)
        )
        drawn = self.sampler.draw(count * DRAWN_FOR_ONE if explains else count)
        dealt = np.empty_like(drawn.hands)
        dealt_hands(drawn.hands, drawn.passed, self.played, dealt)
        if not explains:
            return drawn.hands, dealt
        weights = np.empty(len(drawn.hands))
        likelihoods(self.row, self.scratch, dealt, self.seat, SPREAD, weights)
        total = np.cumsum(weights)
        points = (np.arange(count) + self.chance.random()) * (total[-1] / count)
        chosen = np.minimum(np.searchsorted(total, points), len(weights) - 1)
        return drawn.hands[chosen], dealt[chosen]


def _undecided(row: State, view: View) -> State:
    """A row in which what the others have decided but not shown is still to be decided."""
    everyone = (1 << view.rules.players) - 1
    if view.phase is Phase.PASS:
        row[PENDING] = everyone
    if view.phase is Phase.BID and view.rules.bidding is not Bidding.OPEN:
        row[PENDING] = everyone
        row[BIDS : BIDS + MAX_PLAYERS] = NOTHING
        row[BIDS_MADE] = 0
        row[BID_SUM] = 0
    return row


def _played(view: View) -> NDArray[np.int64]:
    """The cards that every seat has played in this round, one list a seat, filled up with -1."""
    players = view.rules.players
    cards: list[list[Card]] = [[] for _ in range(players)]
    under_way = () if view.trick is None else (view.trick,)
    for trick in (*view.tricks, *under_way):
        for index, card in enumerate(trick.cards):
            cards[(trick.leader + index) % players].append(card)
    table = np.full((players, max(1, view.size)), -1, dtype=np.int64)
    for seat, hand in enumerate(cards):
        table[seat, : len(hand)] = hand
    return table


@cache
def _warm_up() -> None:
    """Compile, or load, all that a decision needs before the first one is timed."""
    chance = np.random.Generator(np.random.PCG64(0))
    for rules in (Rules(players=3, rounds="2"), Rules(mode="monocolour", rounds="2")):
        game = Game(rules, seed=1)
        while game.outcome() is None:
            Trial(game.view(game.to_act[0]), chance).try_in(1)
            game.push(game.legal_actions()[0])

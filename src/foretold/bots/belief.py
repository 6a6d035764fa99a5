"""What the others may hold, by how the network would have bid and played in their places.

What a seat decides depends on its own hand and on what everyone has seen, not on who holds the
rest. So hands are weighed one seat at a time: a hand is as likely as the network, holding it, is to
decide as the seat did. Worlds are then put together from likely hands that share no card.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from foretold.actions import BID
from foretold.bots.likelihood import past_plays
from foretold.bots.playout import Indices, Looks, Rounds, decide, look, rename, replay, with_hands
from foretold.cards import CARDS
from foretold.env.reading import blank_of, memory_at_deal
from foretold.kernel import word_of
from foretold.kernel.bits import with_card
from foretold.rows import row_at_first_bid
from foretold.rules import Bidding
from foretold.sampling import Holdings, choose_by_weight
from foretold.view import View

STRANGE: Final = 0.02
"""The share of decisions that are taken to be random when hands are weighed."""

HOPELESS: Final = 5.0
"""A hand is given up if it is by a factor of e to this power less likely than another."""

LISTED: Final = 2000
"""If a seat may have at most so many hands, all are listed; otherwise they are drawn."""

PARTIAL: Final = 4000
"""How many worlds are kept while the hands of one seat after another are added."""

NOBODY: Final = -1

Logs = NDArray[np.float64]


class Judge(Protocol):
    """The probability of every action, in the frames of the seats."""

    def __call__(self, looks: Looks) -> NDArray[np.float32]: ...


class Guesses(NamedTuple):
    """Hands that a seat may hold."""

    holdings: Indices
    logs: Logs
    """How likely the network would have decided as the seat did, as logarithms."""


class Belief:
    """The hands that the others may hold, weighed, and worlds made of them."""

    def __init__(self, view: View, holdings: Holdings, seed: int) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.holdings = holdings
        self.seats = list(holdings.sizes)
        self._chance = np.random.Generator(np.random.PCG64(seed))
        self.guesses = {seat: Guesses(np.zeros(0, np.int64), np.zeros(0)) for seat in self.seats}
        self._coming = {seat: self._listed(seat) for seat in self.seats}
        plays = past_plays(view)
        self.script: Indices = np.concatenate([_bids_made(view), plays[:, 1]])
        self._played = [0] * view.rules.players
        for seat, _, card in plays.tolist():
            self._played[seat] = int(with_card(self._played[seat], card))
        self._own = word_of(
            [*(view.hand or ()), *(CARDS[c] for s, _, c in plays if s == view.seat)]
        )
        self._row = row_at_first_bid(view)
        self._memory = memory_at_deal(view)

    @classmethod
    def of(cls, view: View, seed: int) -> Belief | None:
        """None where hands cannot be weighed one by one, or bids are not known."""
        if view.rules.bidding is Bidding.SECRET or view.trump is None:
            return None
        holdings = Holdings.of(view)
        return None if holdings is None else cls(view, holdings, seed)

    def _listed(self, seat: int) -> Indices | None:
        """All holdings of a seat in random order, if they are few."""
        if self.holdings.ways(seat) > LISTED:
            return None
        return self._chance.permutation(self.holdings.all(seat))

    @property
    def is_complete(self) -> bool:
        """Whether all hands that the others may hold have been weighed."""
        return all(some is not None and not len(some) for some in self._coming.values())

    def weigh(self, count: int, judge: Judge) -> None:
        """Weigh so many more hands of every seat."""
        drawn = {seat: self._next(seat, count) for seat in self.seats}
        hands = {
            seat: np.unique(self.holdings.hands(some, self._played[seat]), return_inverse=True)
            for seat, some in drawn.items()
        }
        minds = np.repeat(self.seats, [len(hands[seat][0]) for seat in self.seats])
        if not len(minds):
            return
        dealt = np.repeat([self._played], len(minds), axis=0)
        dealt[np.arange(len(minds)), minds] = np.concatenate([hands[s][0] for s in self.seats])
        logs = self._explain(self._rounds(dealt), minds, judge)
        for seat in self.seats:
            found = logs[minds == seat][hands[seat][1]]
            before = self.guesses[seat]
            together = np.concatenate([before.logs, found])
            kept = together > together.max(initial=-np.inf) - HOPELESS
            holdings = np.concatenate([before.holdings, drawn[seat]])
            self.guesses[seat] = Guesses(holdings[kept], together[kept])

    def _next(self, seat: int, count: int) -> Indices:
        listed = self._coming[seat]
        if listed is None:
            return self.holdings.draw(seat, count, self._chance)
        self._coming[seat] = listed[count:]
        return listed[:count]

    def _explain(self, rounds: Rounds, minds: Indices, judge: Judge) -> Logs:
        """How likely the network would have decided as the seat did whose hand a row is about."""
        logs = np.zeros(len(minds))
        at = np.zeros(len(minds), dtype=np.int64)
        rows = np.arange(len(minds))
        at_once = 1
        while True:
            asked = []
            for _ in range(at_once):
                replay(rounds, rows, minds, at, self.script)
                rows = rows[at[rows] < len(self.script)]
                looks = look(rounds, rows)
                actions = self.script[at[rows]]
                decide(rounds, rows, actions)
                at[rows] += 1
                rename(looks, actions)
                asked.append((looks, actions))
            if not any(len(looks.rows) for looks, _ in asked):
                return logs
            looks = Looks(*map(np.concatenate, zip(*(looks for looks, _ in asked), strict=True)))
            actions = np.concatenate([some for _, some in asked])
            choices = looks.masks.sum(axis=1)
            doubtful = np.flatnonzero(choices > 1)
            if len(doubtful):
                looks, actions = looks.only(doubtful), actions[doubtful]
                shares = judge(looks)[np.arange(len(doubtful)), actions]
                odds = (1 - STRANGE) * shares + STRANGE / choices[doubtful]
                np.add.at(logs, looks.rows, np.log(odds))
            # The rest of the past hardly makes up for this: spare the network its rows.
            for seat in self.seats:
                own = minds == seat
                logs[own & (logs < logs[own].max(initial=-np.inf) - HOPELESS)] = -np.inf
            rows = rows[logs[rows] > -np.inf]
            # The fewer hands are left, the less it pays to judge one decision after another.
            at_once *= 2

    def worlds(self, count: int) -> tuple[Rounds, Indices]:
        """Worlds as they stand now, by weight, and how often each counts: so many in all, in random
        order, or none if no hands weighed so far go together.
        """
        holdings, logs = self._together()
        dealt = np.repeat([self._played], len(logs), axis=0)
        dealt[:, self.seat] = self._own
        for index, other in enumerate(self.seats):
            dealt[:, other] = self.holdings.hands(holdings[:, index], self._played[other])
        counts = np.zeros(0, dtype=np.int64)
        if len(logs):
            weights = np.exp(logs - logs.max())
            chosen = choose_by_weight(weights, count, float(self._chance.random()))
            kept, counts = np.unique(chosen, return_counts=True)
            order = self._chance.permutation(len(kept))
            dealt, counts = dealt[kept[order]], counts[order]
        rounds = self._rounds(dealt)
        rows, nobody = np.arange(len(dealt)), np.full(len(dealt), NOBODY)
        replay(rounds, rows, nobody, np.zeros(len(dealt), dtype=np.int64), self.script)
        return rounds, counts

    def _together(self) -> tuple[Indices, Logs]:
        """Hands that share no card, one column per seat, and how likely they are together."""
        chosen = np.zeros((1, 0), dtype=np.int64)
        used = np.zeros(1, dtype=np.int64)
        logs = np.zeros(1)
        for seat in self.seats:
            guesses = self.guesses[seat]
            first, second = np.nonzero((used[:, np.newaxis] & guesses.holdings) == 0)
            logs = logs[first] + guesses.logs[second]
            if len(logs) > PARTIAL:
                weights = np.exp(logs - logs.max())
                some = choose_by_weight(weights, PARTIAL, float(self._chance.random()))
                first, second, logs = first[some], second[some], np.zeros(PARTIAL)
            used = used[first] | guesses.holdings[second]
            chosen = np.column_stack([chosen[first], guesses.holdings[second]])
        return chosen, logs

    def _rounds(self, dealt: Indices) -> Rounds:
        """Rows before the first bid, with the hands as dealt."""
        memories = np.repeat(self._memory[np.newaxis], len(dealt), axis=0)
        return Rounds(with_hands(self._row, dealt), memories, blank_of(self.view.rules))


def _bids_made(view: View) -> Indices:
    """The bids, in the order in which a replay asks for them."""
    players = view.rules.players
    first = view.dealer + 1 if view.rules.bidding is Bidding.OPEN else 0
    bids = [view.bids[(first + index) % players] for index in range(players)]
    return np.array([BID + bid for bid in bids if bid is not None], dtype=np.int64)

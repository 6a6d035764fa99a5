"""What the others may hold, by how the network would have bid and played in their places.

What a seat decides depends on its own hand and on what everyone has seen, not on who holds the
rest. So hands are weighed one seat at a time: a hand is as likely as the network, holding it, is to
decide as the seat did. Worlds are then put together from likely hands that share no card. Where
hardly any do, since most cards are dealt, the last seats get what the others leave.
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
"""If a seat can have at most this many hands, all are listed; otherwise they are drawn."""

AT_A_TIME: Final = 1000
"""How many hands of each seat are weighed together."""

GUESSES: Final = 1000
"""With this many guesses, no more hands of a seat are drawn."""

PARTIAL: Final = 4000
"""How many worlds are kept while the hands of one seat after another are added."""

PAIRS: Final = 2_000_000
"""The most pairs of a partial world and a guess that are compared at once."""

FILLED_FOR_ONE: Final = 3
"""If too few hands share no card: how many are drawn from what is left, per world wanted."""

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
        # Those who are left with the rest should be free to hold most of it.
        self.seats = sorted(holdings.sizes, key=holdings.ways)
        self._chance = np.random.Generator(np.random.PCG64(seed))
        self.guesses = {seat: Guesses(np.zeros(0, np.int64), np.zeros(0)) for seat in self.seats}
        self._coming = {seat: self._listed(seat) for seat in self.seats}
        self._logs: dict[int, dict[int, float]] = {seat: {} for seat in self.seats}
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
        """Whether there are no more hands to weigh."""
        return all(
            self._is_weighed(seat) or (self._coming[seat] is None and self._is_full(seat))
            for seat in self.seats
        )

    def _is_full(self, seat: int) -> bool:
        return len(self.guesses[seat].logs) >= GUESSES

    def _is_weighed(self, seat: int) -> bool:
        """Whether all hands that a seat may hold have been weighed."""
        coming = self._coming[seat]
        return coming is not None and not len(coming)

    def weigh(self, count: int, judge: Judge) -> None:
        """Weigh this many more hands of every seat, as far as there are more."""
        while count > 0 and not self.is_complete:
            self._weigh(min(count, AT_A_TIME), judge)
            count -= AT_A_TIME

    def _weigh(self, count: int, judge: Judge) -> None:
        drawn = {seat: self._next(seat, count) for seat in self.seats}
        for seat, found in self._weighed(drawn, judge).items():
            before = self.guesses[seat]
            together = np.concatenate([before.logs, found])
            kept = together > together.max(initial=-np.inf) - HOPELESS
            holdings = np.concatenate([before.holdings, drawn[seat]])
            self.guesses[seat] = Guesses(holdings[kept], together[kept])

    def _weighed(self, holdings: dict[int, Indices], judge: Judge) -> dict[int, Logs]:
        """How likely the network would have decided as the seats did; each hand is judged once."""
        hands = {
            seat: self.holdings.hands(some, self._played[seat]).tolist()
            for seat, some in holdings.items()
        }
        new = [
            (seat, hand)
            for seat, some in hands.items()
            for hand in sorted({*some} - self._logs[seat].keys())
        ]
        if new:
            minds, cards = np.array(new, dtype=np.int64).T
            dealt = np.repeat([self._played], len(new), axis=0)
            dealt[np.arange(len(new)), minds] = cards
            logs = self._explain(self._rounds(dealt), minds, judge)
            for (seat, hand), log in zip(new, logs.tolist(), strict=True):
                self._logs[seat][hand] = log
        return {
            seat: np.array([self._logs[seat][hand] for hand in some], dtype=np.float64)
            for seat, some in hands.items()
        }

    def _next(self, seat: int, count: int) -> Indices:
        listed = self._coming[seat]
        if listed is None:
            count = 0 if self._is_full(seat) else count
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

    def worlds(self, count: int, judge: Judge) -> tuple[Rounds, Indices]:
        """Worlds as they stand now, drawn by weight, and how often each counts, `count` in all.

        In random order; none if none was found.
        """
        holdings, logs = self._together(count, judge)
        if not len(logs):  # the guesses left cards that none of the last seats may hold
            holdings, logs = self._together(count, judge, guessed=False)
        dealt = np.repeat([self._played], len(logs), axis=0)
        dealt[:, self.seat] = self._own
        for index, other in enumerate(self.seats):
            dealt[:, other] = self.holdings.hands(holdings[:, index], self._played[other])
        counts = np.zeros(0, dtype=np.int64)
        if len(logs):
            kept, counts = np.unique(self._choose(logs, count), return_counts=True)
            order = self._chance.permutation(len(kept))
            dealt, counts = dealt[kept[order]], counts[order]
        rounds = self._rounds(dealt)
        rows, nobody = np.arange(len(dealt)), np.full(len(dealt), NOBODY)
        replay(rounds, rows, nobody, np.zeros(len(dealt), dtype=np.int64), self.script)
        return rounds, counts

    def _together(self, count: int, judge: Judge, *, guessed: bool = True) -> tuple[Indices, Logs]:
        """Hands that share no card, one column per seat, and how likely they are together; made of
        guesses where enough of them fit.
        """
        chosen = np.zeros((1, 0), dtype=np.int64)
        used = np.zeros(1, dtype=np.int64)
        logs = np.zeros(1)
        for seat in self.seats:
            first, added, joined = self._joined(seat, used, logs)
            enough = 1 if self._is_weighed(seat) else min(count, len(self.guesses[seat].logs))
            if not guessed or len(first) < max(1, enough):
                first, added, joined = self._filled(seat, used, logs, count, judge)
            if not len(first):
                return np.zeros((0, len(self.seats)), dtype=np.int64), np.zeros(0)
            logs = joined
            used = used[first] | added
            chosen = np.column_stack([chosen[first], added])
        return chosen, logs

    def _joined(self, seat: int, used: Indices, logs: Logs) -> tuple[Indices, Indices, Logs]:
        """Each of the partial worlds with each of a seat's guesses that fits: which world, which
        holding, and how likely.
        """
        guesses = self.guesses[seat]
        worlds = np.arange(len(used))
        most = PAIRS // max(1, len(guesses.logs))
        if len(worlds) > most:
            worlds = self._choose(logs, most)
            logs = np.zeros(len(used))
        first, second = np.nonzero((used[worlds, np.newaxis] & guesses.holdings) == 0)
        first = worlds[first]
        logs = logs[first] + guesses.logs[second]
        if len(logs) > PARTIAL:
            some = self._choose(logs, PARTIAL)
            first, second, logs = first[some], second[some], np.zeros(PARTIAL)
        return first, guesses.holdings[second], logs

    def _filled(
        self, seat: int, used: Indices, logs: Logs, count: int, judge: Judge
    ) -> tuple[Indices, Indices, Logs]:
        """The same with holdings drawn from what the partial worlds leave. As a guess fits the more
        worlds the more they leave, each counts for as many holdings as it was drawn from.
        """
        first = self._choose(logs, min(FILLED_FOR_ONE * count, PARTIAL))
        later = self.seats[self.seats.index(seat) + 1 :]
        added, ways = self.holdings.draw_from_rest(seat, used[first], later, self._chance)
        first, added, ways = first[ways > 0], added[ways > 0], ways[ways > 0]
        found = self._weighed({seat: added}, judge)[seat]
        # There may be no better hand, so one that was given up is not impossible here.
        found = np.maximum(found, self.guesses[seat].logs.max(initial=-np.inf) - HOPELESS)
        return first, added, np.log(ways) + found

    def _choose(self, logs: Logs, count: int) -> Indices:
        """This many, drawn by weight."""
        return choose_by_weight(np.exp(logs - logs.max()), count, float(self._chance.random()))

    def _rounds(self, dealt: Indices) -> Rounds:
        """Rows before the first bid, with the hands as dealt."""
        memories = np.repeat(self._memory[np.newaxis], len(dealt), axis=0)
        return Rounds(with_hands(self._row, dealt), memories, blank_of(self.view.rules))


def _bids_made(view: View) -> Indices:
    """The bids, in the order in which a replay asks for them."""
    rules = view.rules
    seats = rules.seats_from(0) if rules.seals_bids else rules.turns(view.dealer)
    bids = [view.bids[seat] for seat in seats]
    return np.array([BID + bid for bid in bids if bid is not None], dtype=np.int64)

"""Looking ahead with the network itself.

Worlds that fit what a seat knows are drawn. Each is weighed by how likely the network would have
been to bid and play in it as the others did. In each the seat tries the actions that the network
finds plausible, and the network plays on for everybody. Many decisions, of many games, advance
together, so that the network judges all their rows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, BID, Action
from foretold.bots.likelihood import dealt_hands, past_plays
from foretold.bots.network import Sage, settled
from foretold.bots.outlook import Outlook
from foretold.bots.playout import (
    ALL_DECISIONS,
    BIDS_ONLY,
    NO_DECISIONS,
    UNKNOWN,
    Indices,
    Rounds,
    begin,
    decide_all,
    look,
    play_on,
    rename,
    replay,
    with_hands,
)
from foretold.env.reading import blank_of, memory_at_deal, see
from foretold.env.writer import Mask, Observation
from foretold.kernel import Phase
from foretold.kernel.state import State
from foretold.rows import row_at_first_bid
from foretold.rules import MAX_PLAYERS, Mode
from foretold.sampling import Sampler, choose_by_weight
from foretold.view import View

WEIGHING: Final = {"nothing": NO_DECISIONS, "bids": BIDS_ONLY, "all": ALL_DECISIONS}

TO_THE_END: Final = 0

START: Final = 0.5
"""Where to begin when worlds are chosen by weight: they come in random order anyway."""

STRANGE: Final = 0.02
"""The share of decisions that are taken to be random when worlds are weighed."""


@dataclass(frozen=True)
class Foresight:
    """How to look ahead."""

    weighing: str = "all"
    """Which of the others' decisions worlds are weighed by: `nothing`, `bids` or `all`."""
    drawn: int = 4
    """How many worlds are drawn and weighed for each that is kept."""
    temper: float = 1.0
    """The weight of a world is the probability of those decisions to this power."""
    hopeless: float = 5.0
    """A world is given up while the past is replayed if it is by a factor of e to this power less
    likely than another."""
    horizon: int = TO_THE_END
    """At which of its next decisions the seat takes the network's value for the result; 0: it
    plays to the end of the round."""
    trust: float = 50.0
    """How many worlds the network's own values count for."""
    margin: float = 0.0
    """How many standard errors an action must be ahead of the network's favourite."""
    least: float = 0.02
    """Only actions that the network takes with this probability are tried,"""
    most: int = 4
    """and at most this many."""
    bids: bool = True
    """Whether it looks ahead before bids,"""
    first: int = 30
    """and before other decisions with at most this many tricks left,"""
    last: int = 0
    """and at least this many."""


class Trial:
    """One decision: the actions worth trying, and what they led to in the worlds so far."""

    def __init__(
        self,
        view: View,
        actions: Indices,
        values: NDArray[np.float32],
        shares: NDArray[np.float32],
        seed: int,
    ) -> None:
        """The first of the actions is the network's favourite."""
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.actions = actions
        self.values = values
        self.shares = shares
        """How likely the network is to take each action."""
        self.results = np.zeros((0, len(actions)))
        """The seat's points less the mean of the others', one row per world."""
        self.counts = np.zeros(0, dtype=np.int64)
        """How often each of these worlds counts."""
        self.seed = seed

    # Needed only if the decision is looked into.

    @cached_property
    def sampler(self) -> Sampler:
        return Sampler(self.view, seed=self.seed)

    @cached_property
    def script(self) -> Indices:
        """The round's bids and plays so far."""
        return np.concatenate([_bids_made(self.view), self._plays[:, 1]])

    @cached_property
    def _plays(self) -> NDArray[np.int64]:
        return past_plays(self.view)

    @cached_property
    def _row(self) -> State:
        return row_at_first_bid(self.view)

    def draw(self, worlds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows of new worlds as they were before the first bid, and what was passed later."""
        drawn = self.sampler.draw(worlds)
        states = with_hands(self._row, dealt_hands(drawn, self._plays))
        spare = ((0, 0), (0, MAX_PLAYERS - self.view.rules.players))
        return states, np.pad(drawn.passed, spare, constant_values=-1)

    def best(self, foresight: Foresight) -> Action:
        """The action that looks best so far."""
        if not len(self.results):
            return ACTIONS[int(self.actions[0])]
        gains, errors, worlds = compared(self.results, self.counts)
        trust = foresight.trust
        scores = (trust * (self.values - self.values[0]) + worlds * gains) / (trust + worlds)
        scores[1:][gains[1:] < foresight.margin * errors[1:]] = -np.inf
        return ACTIONS[int(self.actions[int(np.argmax(scores))])]


def compared(
    results: NDArray[np.float64], counts: Indices
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """By how much each action is ahead of the first on average, with standard errors, and the
    effective number of worlds: as many that counted equally would be as good.
    """
    worlds = float(counts.sum()) ** 2 / float(counts @ counts)
    ahead = results - results[:, :1]
    gains = np.average(ahead, axis=0, weights=counts)
    spread = np.average((ahead - gains) ** 2, axis=0, weights=counts)
    return gains, np.sqrt(np.maximum(spread, 1.0) / worlds), worlds


class Drawn(NamedTuple):
    """Worlds drawn for several trials, in their order."""

    rounds: Rounds
    counts: list[Indices]
    """How often each world of a trial counts."""


class Seer:
    """Looks ahead with a network, many decisions at once."""

    def __init__(self, sage: Sage, foresight: Foresight, seed: int = 0) -> None:
        """The seed decides which worlds are drawn."""
        self.sage = sage
        self.foresight = foresight
        self._weighing = WEIGHING[foresight.weighing]
        self.rows = 0
        """How many rows the network has judged while looking ahead."""
        self.trials = 0
        """How many decisions it has looked into."""
        self._chance = np.random.Generator(np.random.PCG64(seed))

    def choose(self, views: Sequence[View], worlds: int) -> list[Action]:
        """A decision for every view of a seat to act, after the given number of worlds each."""
        trials = self.begin(views)
        self.try_in([trial for trial in trials if len(trial.actions) > 1], worlds)
        return [trial.best(self.foresight) for trial in trials]

    def begin(self, views: Sequence[View]) -> list[Trial]:
        """What is worth trying in each view."""
        trials: dict[int, Trial] = {}
        simple = [index for index, view in enumerate(views) if not self._can(view)]
        rest = [index for index, view in enumerate(views) if self._can(view)]
        if simple:
            sights = self.sage.values([views[index] for index in simple], tricks=False)
            for index, sight in zip(simple, sights, strict=True):
                favourite = np.array([np.nanargmax(sight.values)])
                trials[index] = Trial(
                    views[index], favourite, sight.values[favourite], np.ones(1, np.float32), 0
                )
        if rest:
            seen = [see(views[index]) for index in rest]
            masks = np.stack([one.mask for one in seen])
            outlook = settled(self._judge(np.stack([one.observation for one in seen])), masks)
            shares = _shares(outlook, masks)
            for row, index in enumerate(rest):
                called = self._plausible(np.where(masks[row], shares[row], np.float32(-1)))
                actions = seen[row].frame.restored[called]
                seed = int(self._chance.integers(1 << 63))
                trials[index] = Trial(
                    views[index], actions, outlook.values[row, called], shares[row, called], seed
                )
        return [trials[index] for index in range(len(views))]

    def _can(self, view: View) -> bool:
        """Whether to look ahead: trump is named by another rule, and where own suits are hidden
        it is not known what the others know.
        """
        if view.phase is Phase.BID:
            wanted = self.foresight.bids
        else:
            left = view.size - len(view.tricks)
            wanted = self.foresight.last <= left <= self.foresight.first
        hidden = view.rules.mode is Mode.MONOCOLOUR and None in view.suits
        return wanted and view.trump is not None and len(view.legal_actions) > 1 and not hidden

    def _plausible(self, shares: NDArray[np.float32]) -> Indices:
        """The actions to try, likeliest first; the shares of illegal ones are below 0."""
        order = np.argsort(-shares, kind="stable")[: self.foresight.most]
        return order[(shares[order] >= self.foresight.least) | (np.arange(len(order)) == 0)]

    def try_in(self, trials: Sequence[Trial], worlds: int) -> None:
        """Try every decision in that many more worlds."""
        if not trials:
            return
        self.trials += len(trials)
        drawn = self.draw(trials, worlds)
        found = zip(trials, self.play_out(trials, drawn), drawn.counts, strict=True)
        for trial, results, counts in found:
            trial.results = np.concatenate([trial.results, results])
            trial.counts = np.concatenate([trial.counts, counts])

    def draw(self, trials: Sequence[Trial], worlds: int) -> Drawn:
        """That many worlds for each trial as it stands, by weight."""
        drawn = worlds * (self.foresight.drawn if self._weighing else 1)
        rounds, logs = self.weigh(trials, drawn)
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        chosen = [choose_by_weight(some, worlds, START) for some in weights]
        kept = [np.unique(some, return_counts=True) for some in chosen]
        rows = [index * drawn + some for index, (some, _) in enumerate(kept)]
        return Drawn(rounds.repeated(np.concatenate(rows)), [counts for _, counts in kept])

    def play_out(self, trials: Sequence[Trial], drawn: Drawn) -> list[NDArray[np.float64]]:
        """The results of the actions of each trial in its worlds, one row per world."""
        shapes = [
            (len(counts), len(trial.actions))
            for trial, counts in zip(trials, drawn.counts, strict=True)
        ]
        each = np.repeat([actions for _, actions in shapes], [worlds for worlds, _ in shapes])
        rounds = drawn.rounds.repeated(np.repeat(np.arange(len(each)), each))
        actions = [
            np.tile(trial.actions, worlds)
            for trial, (worlds, _) in zip(trials, shapes, strict=True)
        ]
        results = self._played_out(rounds, np.concatenate(actions))
        ends = np.cumsum([worlds * count for worlds, count in shapes])
        parts = np.split(results, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def weigh(self, trials: Sequence[Trial], worlds: int) -> tuple[Rounds, NDArray[np.float64]]:
        """Draw worlds for every trial and replay its past in them; returns the rows, and one row
        per trial of log-likelihoods: of the network deciding as the others did.
        """
        script, rounds = _rounds(trials, worlds)
        count = len(rounds.seats)
        logs = np.zeros((len(trials), worlds))
        weights = logs.reshape(count)
        is_asked = np.zeros(count, dtype=np.bool_)
        actions = np.empty(count, dtype=np.int64)
        rows = np.arange(count)
        while True:
            replay(rounds, rows, script, self._weighing, is_asked, actions)
            rows = rows[is_asked[rows]]
            if not len(rows):
                return rounds, logs
            looks = look(rounds, rows)
            outlook = self._judge(looks.observations)
            seen = actions[rows]
            rename(looks, seen)
            known = seen != UNKNOWN
            seen = np.where(known, seen, _favourites(outlook, looks.masks))
            share = _shares(outlook, looks.masks)[np.arange(len(rows)), seen]
            odds = (1 - STRANGE) * share + STRANGE / looks.masks.sum(axis=1)
            weights[rows] += np.where(known, self.foresight.temper * np.log(odds), 0.0)
            decide_all(rounds, looks, seen)
            # The rest of the past hardly makes up for this: spare the network its rows.
            logs[logs < logs.max(axis=1, keepdims=True) - self.foresight.hopeless] = -np.inf
            rows = rows[weights[rows] > -np.inf]

    def _played_out(self, rounds: Rounds, actions: Indices) -> NDArray[np.float64]:
        """Take an action in every row and let the network play on; returns the seat's points less
        the mean of the others'.
        """
        before = rounds.totals()
        begin(rounds, actions)
        count, horizon = len(actions), self.foresight.horizon
        own_decisions = np.zeros(count, dtype=np.int64)
        expected = np.full(count, np.nan)
        is_asked = np.zeros(count, dtype=np.bool_)
        rows = np.arange(count)
        while True:
            play_on(rounds, rows, is_asked)
            rows = rows[is_asked[rows]]
            if not len(rows):
                break
            looks = look(rounds, rows)
            outlook = self._judge(looks.observations)
            seen = _favourites(outlook, looks.masks)
            if horizon != TO_THE_END:
                own_decisions[rows] += rounds.movers(rows) == rounds.seats[rows]
                ends = own_decisions[rows] == horizon
                expected[rows[ends]] = outlook.values[ends, seen[ends]]
                looks, seen, rows = looks.only(~ends), seen[~ends], rows[~ends]
            decide_all(rounds, looks, seen)
        return np.where(np.isnan(expected), rounds.leads(before), expected)

    def _judge(self, observations: Observation) -> Outlook:
        self.rows += len(observations)
        return self.sage.judge(observations, tricks=False)


def _bids_made(view: View) -> Indices:
    """The bids that were made, in the order in which a replay asks for them; UNKNOWN for one that
    is not shown.
    """
    if view.phase is Phase.BID and view.rules.seals_bids:
        return np.zeros(0, dtype=np.int64)  # as far as the seat knows, nobody has bid
    sealed = view.rules.seals_bids
    turns = view.rules.seats_from(0) if sealed else view.rules.turns(view.dealer)
    bids = [view.bids[seat] for seat in turns]
    if view.phase is Phase.BID:
        bids = [bid for bid in bids if bid is not None]
    return np.array([UNKNOWN if bid is None else BID + bid for bid in bids], dtype=np.int64)


def _rounds(trials: Sequence[Trial], worlds: int) -> tuple[Indices, Rounds]:
    """What was decided before these decisions, and that many worlds for each, before any bid."""
    rules = list(dict.fromkeys(trial.view.rules for trial in trials))
    draws = [trial.draw(worlds) for trial in trials]
    memories = np.stack([memory_at_deal(trial.view) for trial in trials])
    ends = np.cumsum([len(trial.script) for trial in trials])
    starts = ends - [len(trial.script) for trial in trials]
    rounds = Rounds(
        states=np.concatenate([states for states, _ in draws]),
        memories=np.repeat(memories, worlds, axis=0),
        seats=np.repeat([trial.seat for trial in trials], worlds),
        kinds=np.repeat([rules.index(trial.view.rules) for trial in trials], worlds),
        blanks=np.stack([blank_of(one) for one in rules]),
        passed=np.concatenate([passed for _, passed in draws]),
        at=np.repeat(starts, worlds),
        ends=np.repeat(ends, worlds),
    )
    return np.concatenate([trial.script for trial in trials]), rounds


def _favourites(outlook: Outlook, masks: Mask) -> Indices:
    favourites: Indices = np.where(masks, outlook.policy, -np.inf).argmax(axis=1)
    return favourites


def _shares(outlook: Outlook, masks: Mask) -> NDArray[np.float32]:
    """How likely the network is to take each action."""
    leanings = np.where(masks, outlook.policy, -np.inf)
    shares: NDArray[np.float32] = np.exp(leanings - leanings.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)

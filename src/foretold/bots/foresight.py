"""Looking ahead with the network itself.

In worlds made of hands that explain what the others did (`belief`), the seat tries the actions that
the network finds plausible, and the network plays on for everybody to the end of the round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, Action
from foretold.bots.belief import Belief
from foretold.bots.network import Sage, settled
from foretold.bots.outlook import Outlook
from foretold.bots.playout import Indices, Looks, Rounds, decide, look, play_on, restore
from foretold.env.reading import see
from foretold.env.writer import Mask, Observation
from foretold.kernel import Phase
from foretold.view import View


@dataclass(frozen=True)
class Foresight:
    """When and how to look ahead."""

    first: int = 4
    """It looks ahead with at most this many tricks left."""
    least: float = 0.003
    """Only actions that the network takes with this probability are tried,"""
    most: int = 4
    """and at most this many."""
    trust: float = 10.0
    """How many worlds the network's own values count for."""


class Trial:
    """One decision: the actions worth trying, and what they led to in the worlds so far."""

    def __init__(
        self, belief: Belief | None, actions: Indices, values: NDArray[np.float32]
    ) -> None:
        """The first of the actions is the network's favourite."""
        self.belief = belief
        """What the others may hold; None if there is nothing to try."""
        self.actions = actions
        self.values = values
        self.results = np.zeros((0, len(actions)))
        """The seat's points less the mean of the others', one row per world."""
        self.counts = np.zeros(0, dtype=np.int64)
        """How often each of these worlds counts."""

    def best(self, trust: float) -> Action:
        """The action that looks best so far; the network's values count for `trust` worlds."""
        found = self.counts @ (self.results - self.results[:, :1])
        scores = trust * (self.values - self.values[0]) + found
        return ACTIONS[int(self.actions[int(np.argmax(scores))])]


class Seer:
    """Looks ahead with a network."""

    def __init__(self, sage: Sage, foresight: Foresight, seed: int = 0) -> None:
        """The seed decides which hands are drawn."""
        self.sage = sage
        self.foresight = foresight
        self.rows = 0
        """How many rows the network has judged while looking ahead."""
        self._chance = np.random.Generator(np.random.PCG64(seed))

    def begin(self, view: View) -> Trial:
        """What is worth trying; only the network's favourite where one need not look ahead, or
        cannot.
        """
        seen = see(view)
        masks = seen.mask[np.newaxis]
        outlook = settled(self._judge(seen.observation[np.newaxis]), masks)
        called = self._plausible(_shares(outlook, masks)[0])
        belief = None
        if len(called) > 1 and self._is_late(view):
            belief = Belief.of(view, int(self._chance.integers(1 << 63)))
        if belief is None:
            called = called[:1]
        return Trial(belief, seen.frame.restored[called], outlook.values[0, called])

    def _is_late(self, view: View) -> bool:
        left = view.size - len(view.tricks)
        return view.phase is Phase.PLAY and left <= self.foresight.first

    def _plausible(self, shares: NDArray[np.float32]) -> Indices:
        """The actions to try, likeliest first."""
        order = np.argsort(-shares, kind="stable")[: self.foresight.most]
        likely = shares[order] >= self.foresight.least
        return order[likely & (shares[order] > 0)]  # no illegal ones, whatever the least

    def shares(self, looks: Looks) -> NDArray[np.float32]:
        """How likely the network is to take each action; equal observations are judged once."""
        _, first, again = np.unique(looks.keys, return_index=True, return_inverse=True)
        outlook = self._judge(looks.observations[first])
        return _shares(outlook, looks.masks[first])[again]

    def try_in(self, trial: Trial, worlds: int) -> int:
        """Try the actions in this many more worlds; returns how many of them are different."""
        assert trial.belief is not None
        rounds, counts = trial.belief.worlds(worlds, self.shares)
        each = len(trial.actions)
        choices = rounds.repeated(np.repeat(np.arange(len(counts)), each))
        before = choices.totals()
        self._play_out(choices, np.tile(trial.actions, len(counts)))
        results = choices.leads(trial.belief.seat, before).reshape(-1, each)
        trial.results = np.concatenate([trial.results, results])
        trial.counts = np.concatenate([trial.counts, counts])
        return len(counts)

    def _play_out(self, rounds: Rounds, actions: Indices) -> None:
        """Take an action in every row and let the network play on to the end of the round."""
        rows = np.arange(len(actions))
        decide(rounds, rows, actions)
        is_asked = np.zeros(len(actions), dtype=np.bool_)
        while True:
            play_on(rounds, rows, is_asked)
            rows = rows[is_asked[rows]]
            if not len(rows):
                return
            looks = look(rounds, rows)
            favourites = self.shares(looks).argmax(axis=1)
            restore(looks, favourites)
            decide(rounds, rows, favourites)

    def _judge(self, observations: Observation) -> Outlook:
        self.rows += len(observations)
        return self.sage.judge(observations, tricks=False)


def _shares(outlook: Outlook, masks: Mask) -> NDArray[np.float32]:
    """How likely the network is to take each action."""
    leanings = np.where(masks, outlook.policy, -np.inf)
    shares: NDArray[np.float32] = np.exp(leanings - leanings.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)

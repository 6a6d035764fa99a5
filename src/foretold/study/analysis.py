"""What every choice of a view is worth, as the trained player sees it.

Everything is computed from the view: from what its seat may know. The network predicts means;
the spread around a mean follows from its probabilities of each final number of tricks
(docs/review.md has measurements of both).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from foretold.actions import CLOUD_UP, Action, Verb
from foretold.bots.network import Sage, Sight, shipped
from foretold.bots.outlook import TRICK_COUNTS
from foretold.bots.trained import WEIGHTS, is_trained
from foretold.errors import BotError, UnreadableError
from foretold.kernel import Phase
from foretold.kernel.after import points as points_for
from foretold.view import View

WITHIN: Final = 0.8
"""At least this share of rounds lies between `Choice.low` and `Choice.high`."""

_HALVINGS: Final = 40
_STEEPEST: Final = 40.0
"""Distributions are tilted by at most e to this power over the range of their scores."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action, and what it leads to if everyone plays on well."""

    action: Action
    points: float
    """The expected points of the round."""
    lead: float
    """The same less the mean of the others'; the best choice has the largest lead."""
    low: int | None
    """At least eight of ten rounds bring ``low`` to ``high`` points..."""
    high: int | None
    """... the shortest such range; None before trump is named, as the bid is not known yet."""
    exact: float | None
    """The chance of an exact bid; None before trump is named."""
    tricks: tuple[float, ...]
    """The chance of each final number of tricks, from 0."""

    @property
    def others(self) -> float:
        """The mean of the others' expected points."""
        return self.points - self.lead

    @property
    def likeliest(self) -> int:
        """The likeliest final number of tricks."""
        return max(range(len(self.tricks)), key=self.tricks.__getitem__)


@dataclass(frozen=True)
class Analysis:
    """All choices of a view, the best first."""

    choices: tuple[Choice, ...]

    @property
    def best(self) -> Choice:
        return self.choices[0]

    def choice(self, action: Action | str | int) -> Choice:
        """The choice of that action; raises `KeyError` if it is not legal."""
        return self._by_action[Action(action)]

    def cost(self, action: Action | str | int) -> float:
        """The points that an action gives away: how far its lead is below the best one's."""
        return self.best.lead - self.choice(action).lead

    @cached_property
    def _by_action(self) -> dict[Action, Choice]:
        return {choice.action: choice for choice in self.choices}


def analyse(view: View, sage: Sage | None = None) -> Analysis:
    """What every choice of the seat to act is worth."""
    return analyse_all([view], sage)[0]


def analyse_all(views: Sequence[View], sage: Sage | None = None) -> list[Analysis]:
    """The same for many views, each of a seat to act, in one pass of the network."""
    if not views:
        return []
    for view in views:
        if not view.legal_actions:
            raise ValueError(f"seat {view.seat} is not to act: there is nothing to choose")
    sights = (sage or load()).values(views)
    asked = [
        (view, seen, action)
        for view, seen in zip(views, sights, strict=True)
        for action in view.legal_actions
    ]
    choices = iter(_choices(asked))
    return [
        Analysis(tuple(sorted((next(choices) for _ in view.legal_actions), key=lambda c: -c.lead)))
        for view in views
    ]


def load(path: Path | None = None) -> Sage:
    """The network of a file of weights; by default, the installed one."""
    if path is None and not is_trained():
        raise BotError("hints and reviews need the trained player, whose weights are not here")
    try:
        return shipped() if path is None else Sage.load(path)
    except (OSError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise UnreadableError(f"{path or WEIGHTS} has no weights of the trained player") from error


def _choices(asked: Sequence[tuple[View, Sight, Action]]) -> list[Choice]:
    """The choices, with all their distributions computed together."""
    base = np.stack([_tricks(*one) for one in asked])
    scores = np.stack([_scores(view, action) for view, _, action in asked])
    means = np.array([float(seen.points[action]) for _, seen, action in asked])
    shares = _leaning(base, scores, means)
    lows, highs = _limits(shares, scores)
    found = []
    for index, (view, seen, action) in enumerate(asked):
        knows_bid = view.phase is not Phase.TRUMP
        known = shares[index] if knows_bid else base[index]
        found.append(
            Choice(
                action=action,
                points=float(means[index]),
                lead=float(seen.values[action]),
                low=int(lows[index]) if knows_bid else None,
                high=int(highs[index]) if knows_bid else None,
                exact=float(known[scores[index] > 0].sum()) if knows_bid else None,
                tricks=tuple(known[: min(view.size, TRICK_COUNTS - 1) + 1].tolist()),
            )
        )
    return found


def _tricks(view: View, seen: Sight, action: Action) -> NDArray[np.float64]:
    """The probability of each final number of tricks; impossible numbers are left out."""
    if action.bid is not None and seen.tricks_by_bid is not None:
        told = seen.tricks_by_bid[min(action.bid, TRICK_COUNTS - 1)]
    else:
        assert seen.tricks is not None
        told = seen.tricks
    assert view.seat is not None
    taken = view.taken[view.seat]
    most = taken + view.size - len(view.tricks)
    shares = told.astype(np.float64)
    shares[:taken] = 0.0
    shares[most + 1 :] = 0.0
    shares[min(taken, TRICK_COUNTS - 1)] += 1e-9  # so that the total is never 0
    return np.asarray(shares / shares.sum())


def _scores(view: View, action: Action) -> NDArray[np.float64]:
    """The points that each final number of tricks brings."""
    assert view.seat is not None
    bid = view.bids[view.seat] if action.bid is None else action.bid
    if action.verb is Verb.CLOUD:
        assert bid is not None
        bid += 1 if action == CLOUD_UP else -1
    scores: NDArray[np.float64] = _SCORES[0 if bid is None else bid]
    return scores


def _leaning(
    shares: NDArray[np.float64], scores: NDArray[np.float64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The distributions nearest to these (in relative entropy) whose mean scores are `means`.

    The network predicts the probability of each number of tricks as things stand, and the mean
    points of each card. So a card with more points makes good outcomes likelier.
    """
    logs = np.log(shares, out=np.full_like(shares, -np.inf), where=shares > 0)
    least = np.where(shares > 0, scores, np.inf).min(axis=1)
    most = np.where(shares > 0, scores, -np.inf).max(axis=1)
    wanted = np.clip(means, least, most)
    slopes = scores / np.maximum(most - least, 1.0)[:, np.newaxis]
    low = np.full(len(shares), -_STEEPEST)
    high = -low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        falls_short = (_normal(logs + middle[:, np.newaxis] * slopes) * scores).sum(axis=1) < wanted
        low = np.where(falls_short, middle, low)
        high = np.where(falls_short, high, middle)
    return _normal(logs + low[:, np.newaxis] * slopes)


def _normal(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _limits(
    shares: NDArray[np.float64], scores: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The shortest range of points that contains that share of rounds."""
    order = scores.argsort(axis=1)
    rising = np.take_along_axis(scores, order, axis=1)
    below = np.take_along_axis(shares, order, axis=1).cumsum(axis=1)
    rows = np.arange(len(shares))
    low, high = rising[:, 0], rising[:, -1]
    before = np.zeros(len(shares))
    for first in range(shares.shape[1]):
        enough = below - before[:, np.newaxis] >= WITHIN - 1e-9
        last = rising[rows, enough.argmax(axis=1)]
        shorter = enough.any(axis=1) & (last - rising[:, first] < high - low)
        low = np.where(shorter, rising[:, first], low)
        high = np.where(shorter, last, high)
        before = below[:, first]
    return low, high


_SCORES: Final = np.array(
    [[points_for(bid, taken) for taken in range(TRICK_COUNTS)] for bid in range(31)],
    dtype=np.float64,
)

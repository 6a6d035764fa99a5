"""Evaluating a view with the trained network, in plain NumPy.

The weights are one file of half-precision arrays, written by `foretold train`. Only what a decision
needs is computed; the first layer skips entries that are 0 in all observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT, BID
from foretold.bots import trained
from foretold.bots.outlook import TRICK_COUNTS, Outlook
from foretold.bots.trump_choice import named
from foretold.env.observation import AT, OBSERVATION_SIZE, columns
from foretold.env.reading import see
from foretold.kernel import Phase
from foretold.view import View

FORMAT: Final = 3
POINTS: Final = 30.0
"""Points and values are learned in units of this many points."""
TRICK_SLOTS: Final = 1 + TRICK_COUNTS
"""Trick counts as things stand, and for each bid."""

_STEPPED: Final = (
    ("needs", -2, 7),
    ("bids", 1, 8),
    ("excess", -6, 6),
    ("size", 2, 20),
    ("tricks_left", 2, 20),
    ("rounds_left", 1, 8),
    ("above", 1, 5),
    ("below", 1, 5),
)
"""Numbers where one more or less matters; they are also encoded step by step, as "at least"."""
STEP_COLUMNS: Final = np.concatenate(
    [np.repeat(columns(name), last - first + 1) for name, first, last in _STEPPED]
)
STEP_AT: Final = np.concatenate(
    [np.tile(np.arange(first, last + 1), len(columns(name))) for name, first, last in _STEPPED]
).astype(np.int8)
INPUTS: Final = OBSERVATION_SIZE + len(STEP_AT)

SELDOM: Final = np.float32(0.1)
"""Points taken off the value of an action for every factor of e by which the network takes it less
often than its favourite (docs/review.md)."""

Floats = NDArray[np.float32]
LEAST_SPREAD: Final = np.float32(1e-5)
_BIDDING_AT: Final = AT["phase"] + 1


class Sight(NamedTuple):
    """The network's output for a view, indexed by action number; NaN for illegal actions."""

    values: Floats
    """The seat's expected points of the round less the mean of the others'."""
    points: Floats
    """The seat's expected points of the round."""
    tricks: Floats | None
    """The probability of each final number of tricks, if asked for; before the bid, for the best
    bid.
    """
    tricks_by_bid: Floats | None
    """The same for every bid, one row each, while the seat is to bid."""


class Sage:
    """A trained network."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        if int(arrays["format"]) != FORMAT:
            raise ValueError(f"these weights have format {arrays['format']}: expected {FORMAT}")
        read = len(arrays["inputs.weight"])
        if read != INPUTS:
            raise ValueError(f"these weights read {read} inputs: an observation has {INPUTS}")
        weights = {name: array.astype(np.float32) for name, array in arrays.items()}
        self._unit = np.float32(weights["points"])
        self._inputs = weights["inputs.weight"], weights["inputs.bias"]
        blocks = sum(name.endswith("first.bias") for name in weights)
        self._blocks = [
            [
                (weights[f"{index}.{layer}.weight"], weights[f"{index}.{layer}.bias"])
                for layer in ("first", "second")
            ]
            for index in range(blocks)
        ]
        heads, bias = weights["heads.weight"], weights["heads.bias"]
        by_action = 2 * ACTION_COUNT
        self._by_action = np.ascontiguousarray(heads[:, :by_action]), bias[:by_action]
        by_bid = by_action + TRICK_COUNTS
        self._tricks = np.ascontiguousarray(heads[:, by_action:by_bid]), bias[by_action:by_bid]
        by_policy = by_action + TRICK_SLOTS * TRICK_COUNTS
        bids = slice(by_bid, by_policy)
        self._tricks_by_bid = np.ascontiguousarray(heads[:, bids]), bias[bids]
        self._policy = np.ascontiguousarray(heads[:, by_policy:]), bias[by_policy:]

    @classmethod
    def load(cls, path: Path) -> Sage:
        with np.load(path) as file:
            return cls(dict(file))

    def judge(self, observations: NDArray[np.int8], tricks: bool = True) -> Outlook:
        """The network's output per observation, in the frames of the seats."""
        inputs = np.concatenate([observations, observations[:, STEP_COLUMNS] >= STEP_AT], axis=1)
        used = np.flatnonzero(inputs.any(axis=0))
        weight, bias = self._inputs
        hidden = inputs[:, used].astype(np.float32) @ weight[used] + bias
        for (first, first_bias), (second, second_bias) in self._blocks:
            inner = np.maximum(_normed(hidden) @ first + first_bias, 0)
            hidden += inner @ second + second_bias
        seen = _normed(hidden)
        weight, bias = self._by_action
        values, points = np.split(seen @ weight + bias, 2, axis=1)
        weight, bias = self._policy
        policy = seen @ weight + bias
        unit = self._unit
        told = self._shares(seen, observations[:, _BIDDING_AT] == 1) if tricks else None
        return Outlook(unit * values, unit * points, told, policy)

    def _shares(self, seen: Floats, bidding: NDArray[np.bool_]) -> Floats:
        """The probability of each number of tricks as things stand; while bidding, for every
        bid.
        """
        shares = np.full((len(seen), TRICK_SLOTS, TRICK_COUNTS), np.nan, dtype=np.float32)
        weight, bias = self._tricks
        shares[:, 0] = _softmax(seen @ weight + bias)
        if bidding.any():
            weight, bias = self._tricks_by_bid
            logits = seen[bidding] @ weight + bias
            shares[bidding, 1:] = _softmax(logits.reshape(-1, TRICK_SLOTS - 1, TRICK_COUNTS))
        return shares

    def values(self, views: Sequence[View], tricks: bool = True) -> list[Sight]:
        """The output for views, each of a seat to act."""
        supposed = [named(view) if view.phase is Phase.TRUMP else [view] for view in views]
        sights = iter(self._sights([view for some in supposed for view in some], tricks))
        return [
            _of_naming(view, list(islice(sights, len(some))))
            if view.phase is Phase.TRUMP
            else next(sights)
            for view, some in zip(views, supposed, strict=True)
        ]

    def _sights(self, views: Sequence[View], tricks: bool) -> list[Sight]:
        seen = [see(view) for view in views]
        observations = np.stack([one.observation for one in seen])
        masks = np.stack([one.mask for one in seen])
        judged = settled(self.judge(observations, tricks), masks)
        restored = np.stack([one.frame.restored for one in seen])
        values = _restored(judged.values, masks, restored)
        points = _restored(judged.points, masks, restored)
        bidding = observations[:, _BIDDING_AT] == 1
        sights = []
        for index in range(len(seen)):
            told = by_bid = None
            if judged.tricks is not None:
                told = judged.tricks[index, 0]
                if bidding[index]:
                    by_bid = judged.tricks[index, 1:]
                    best = int(np.nanargmax(values[index])) - BID
                    told = by_bid[min(best, TRICK_COUNTS - 1)]
            sights.append(Sight(values[index], points[index], told, by_bid))
        return sights


def _of_naming(view: View, sights: Sequence[Sight]) -> Sight:
    """The value of a trump is that of the best bid after it."""
    told = np.full((2, ACTION_COUNT), np.nan, dtype=np.float32)
    for action, sight in zip(view.legal_actions, sights, strict=True):
        bid = int(np.nanargmax(sight.values))
        told[:, action] = sight.values[bid], sight.points[bid]
    values, points = told
    best = max(sights, key=lambda sight: float(np.nanmax(sight.values)))
    return Sight(values, points, best.tricks, None)


def settled(outlook: Outlook, masks: NDArray[np.int8]) -> Outlook:
    """The network's favourite counts as best, any other action by its predicted value. Rarer
    actions are learned from less often, so their values alone may be too high.
    """
    legal = masks != 0
    leaning = np.where(legal, outlook.policy, -np.inf)
    rows, best = np.arange(len(masks)), leaning.argmax(axis=1)
    seldom = np.where(legal, leaning[rows, best, np.newaxis] - outlook.policy, 0).astype(np.float32)
    less = SELDOM * seldom
    most = outlook.values[rows, best, np.newaxis]
    return outlook._replace(
        values=np.minimum(outlook.values, most) - less, points=outlook.points - less
    )


def _normed(hidden: Floats) -> Floats:
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + LEAST_SPREAD)
    normed: Floats = centred / spread
    return normed


def _softmax(logits: Floats) -> Floats:
    shares: Floats = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def _restored(seen: Floats, masks: NDArray[np.int8], restored: NDArray[np.int64]) -> Floats:
    """Rows by the true numbers of the actions, NaN where they are not legal."""
    true = np.empty_like(seen)
    legal: Floats = np.where(masks, seen, np.float32(np.nan))
    np.put_along_axis(true, restored, legal, axis=1)
    return true


@cache
def shipped() -> Sage:
    """The network shipped with the package, or named by the environment variable."""
    return Sage.load(trained.WEIGHTS)

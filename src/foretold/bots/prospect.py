"""The chance to win the game, as the score sheet stands and for what a round may yet bring.

What the rounds to come bring every seat is taken for chance, of a spread that grows with the cards
dealt: so the chance to win is a softmax of the totals, the flatter the more rounds are left; with
none left it is who has won. What the round under way brings is less vague. The own points follow
from how likely each number of tricks is, and every other seat hits its bid or misses it by one,
with a chance that agrees with the points that the others are expected to make.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import BID
from foretold.env.observation import AT
from foretold.kernel.layout import MAX_PLAYERS
from foretold.rules import Mode, Rules

SPREAD: Final = 13.0
SPREAD_A_CARD: Final = 1.3
"""The standard deviation of a seat's points in a round: so much, and so much more a card."""
GUMBEL: Final = 0.78
"""A softmax decides as noise of Gumbel's distribution does: its scale for a deviation of 1."""
MOST_LEFT: Final = 128
DECIDED: Final = 0.1
"""The scale with no rounds left: a point decides, equals share."""
MISS: Final = 10.0
"""What a bid missed by one costs."""
RAREST: Final = 0.03
"""No other seat is taken to be surer than this to miss its bid, or to hit it."""
STEEPEST: Final = 50.0
SELDOM: Final = 1e-6

TRICK_COUNTS: Final = 21
"""Final numbers of tricks: 0 to 19, and 20 or more."""
LOWEST: Final = TRICK_COUNTS - 1
HIGHEST: Final = TRICK_COUNTS + 1
SCORES: Final = np.array(
    [
        [2 + bid if tricks == bid else -abs(tricks - bid) for tricks in range(TRICK_COUNTS)]
        for bid in range(TRICK_COUNTS)
    ]
)
"""The points of a round in tens, from -LOWEST to HIGHEST, by bid and tricks."""

Floats = NDArray[np.float64]


class Outlook(NamedTuple):
    """What is expected of a round, a row an observation and a column an action of its frame."""

    values: NDArray[np.float32]
    """The own points less the mean of the others'."""
    points: NDArray[np.float32]
    """The own points."""
    tricks: NDArray[np.float32] | None
    """How likely each number of own tricks is, if asked for: as things stand, then for every bid,
    NaN unless the seat is to bid."""
    policy: NDArray[np.float32]
    """How likely the network would take each action, as logits."""

    def of(self, rows: NDArray[np.int64]) -> Outlook:
        """Some of the rows."""
        return Outlook(
            self.values[rows],
            self.points[rows],
            None if self.tricks is None else self.tricks[rows],
            self.policy[rows],
        )


@cache
def scales() -> Floats:
    """The scale of the softmax by mode, number of players and rounds to come."""
    table = np.full((len(Mode), MAX_PLAYERS + 1, MOST_LEFT + 1), DECIDED)
    for index, mode in enumerate(Mode):
        for players in _players(mode):
            sizes = Rules(mode=mode, players=players).sizes
            variance = 0.0
            for left in range(1, MOST_LEFT + 1):
                size = sizes[-1 - (left - 1) % len(sizes)]
                variance += (SPREAD + SPREAD_A_CARD * size) ** 2
                table[index, players, left] = GUMBEL * sqrt(variance)
    return table


def _players(mode: Mode) -> range:
    if mode is Mode.TWO_PLAYER:
        return range(2, 3)
    return range(3, 5) if mode is Mode.MONOCOLOUR else range(3, MAX_PLAYERS + 1)


def win_chances(observations: NDArray[np.int8], outlook: Outlook) -> Floats:
    """The chance to win the game with every action, a row an observation."""
    players = 2 + observations[:, AT["players"] : AT["players"] + MAX_PLAYERS - 1].argmax(axis=1)
    chances = np.empty(outlook.values.shape)
    for count in np.unique(players).tolist():
        rows = np.flatnonzero(players == count)
        chances[rows] = _chances(observations[rows], outlook.of(rows), count)
    return chances


def _chances(observations: NDArray[np.int8], outlook: Outlook, players: int) -> Floats:
    """The same where all rows have as many players."""
    values, points, tricks, _ = outlook
    if tricks is None:
        raise ValueError("chances to win need an outlook with tricks")
    bids = _of_seats(observations, "bids", players)
    shown = _of_seats(observations, "shown", players) == 1
    fair_share = np.rint(observations[:, AT["size"], np.newaxis] / players)
    hits = 20 + 10 * np.where(shown, bids, fair_share)[:, 1:]
    wins = _wins(observations, hits, players)
    # The chance of any other seat to hit is that with which they make the points expected of them.
    others = (points - values).astype(np.float64)
    hit = np.clip((others + MISS) / (hits.mean(axis=1) + MISS)[:, np.newaxis], RAREST, 1 - RAREST)
    k = np.arange(players)
    ways = hit[..., np.newaxis] ** k * (1 - hit[..., np.newaxis]) ** (players - 1 - k)

    own = bids[:, 0].astype(np.int64)
    chances: Floats = (ways * _by_ways(own, tricks[:, 0], points, wins)).sum(axis=2)
    bidding = np.flatnonzero(observations[:, AT["phase"] + 1])
    for bid in range(TRICK_COUNTS if bidding.size else 0):
        at = slice(BID + bid, BID + bid + 1)
        own = np.full(len(bidding), bid)
        by_ways = _by_ways(own, tricks[bidding, 1 + bid], points[bidding, at], wins[bidding])
        chances[bidding, at] = (ways[bidding, at] * by_ways).sum(axis=2)
    return chances


def _by_ways(
    bids: NDArray[np.int64], tricks: NDArray[np.float32], points: NDArray[np.float32], wins: Floats
) -> Floats:
    """The chance to win for each number of others that hit: a row an observation, with its bid and
    how likely each number of tricks is, and a column an action, with the points it brings.

    The bid is met as often as makes those points; where it is missed, by as much as is likely.
    """
    rows = np.arange(len(bids))
    as_it_stands = wins[rows[:, np.newaxis], LOWEST + SCORES[bids]]
    missed = np.where(SCORES[bids] < 0, np.maximum(tricks, SELDOM), 0.0)
    missed /= missed.sum(axis=1, keepdims=True)
    if_missed = (missed[..., np.newaxis] * as_it_stands).sum(axis=1)
    if_met = as_it_stands[rows, bids]
    earned, lost = 20 + 10 * bids, -10 * (missed * SCORES[bids]).sum(axis=1)
    met = (points + lost[:, np.newaxis]) / (earned + lost)[:, np.newaxis]
    met = np.clip(met, 0, 1)[..., np.newaxis]
    by_ways: Floats = met * if_met[:, np.newaxis] + (1 - met) * if_missed[:, np.newaxis]
    return by_ways


def _wins(observations: NDArray[np.int8], hits: Floats, players: int) -> Floats:
    """The chance to win by the own score of the round and the number of others that hit.

    A row an observation; the chances of all ways in which so many others hit are summed up.
    """
    totals = 10.0 * _of_seats(observations, "totals", players)
    mode = observations[:, AT["mode"] : AT["mode"] + len(Mode)].argmax(axis=1)
    scale = scales()[mode, players, observations[:, AT["rounds_left"]].astype(np.int64)]
    ways = np.array(list(product((False, True), repeat=players - 1)))
    theirs = totals[:, np.newaxis, 1:] + np.where(ways, hits[:, np.newaxis], -MISS)
    theirs /= scale[:, np.newaxis, np.newaxis]
    most = theirs.max(axis=2)
    to_reach = most + np.log(np.exp(theirs - most[..., np.newaxis]).sum(axis=2))
    own = (totals[:, :1] + 10 * np.arange(-LOWEST, HIGHEST + 1)) / scale[:, np.newaxis]
    lead = np.clip(own[..., np.newaxis] - to_reach[:, np.newaxis], -STEEPEST, STEEPEST)
    chances = 1 / (1 + np.exp(-lead))
    hitting = ways.sum(axis=1)
    return np.stack([chances[..., hitting == k].sum(axis=2) for k in range(players)], axis=2)


def _of_seats(observations: NDArray[np.int8], name: str, players: int) -> NDArray[np.int8]:
    return observations[:, AT[name] : AT[name] + players]

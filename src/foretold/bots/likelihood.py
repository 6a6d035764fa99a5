"""How likely worlds are, by what the others did in them: bids, passes and plays.

The round is replayed from the cards dealt in each world. The better the others' decisions fit the
rules of thumb for their hands, the likelier the world.
"""

from __future__ import annotations

from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import PASS
from foretold.bots.heuristics import hand_worth, likelihood
from foretold.kernel import State
from foretold.kernel.bits import with_card, without_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BIDS,
    HAND,
    NOTHING,
    PASSING,
    PHASE,
    PLAYERS,
    SIZE,
    STATE_SIZE,
    TURN,
)
from foretold.kernel.step import step
from foretold.rows import row_at_first_lead
from foretold.sampling import Draw
from foretold.view import View

SPREAD: Final = 1.5
"""How far bids typically lie from the worth of a hand."""

TEMPER: Final = 1.0
"""How much worse, in tricks, a pass or play fits that is e times less likely."""

FAINT: Final = 1.0e-9
"""The least weight of a world, so that there is always one to choose."""


class PastWeigher:
    """Weighs worlds by how well they explain what the others have done in this round.

    That is their bids and, with `plays`, the cards that they passed and played.

    >>> from foretold import Game
    >>> from foretold.sampling import Sampler
    >>> view = Game("amigo", players=3, seed=7).view(0)
    >>> worlds = Sampler(view).worlds(10, PastWeigher(view))
    """

    def __init__(self, view: View, *, plays: bool = True) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._row = row_at_first_lead(view)
        self._scratch = np.empty_like(self._row)
        self._past = past_plays(view)
        self._with_plays = plays and len(self._past) > 0
        # Under clairvoyance nobody sees the hand they bid for.
        self._with_bids = all(hand is None for hand in view.seen_hands) and any(
            bid is not None and seat != view.seat for seat, bid in enumerate(view.bids)
        )

    def __bool__(self) -> bool:
        """Whether there is anything to explain."""
        return self._with_bids or self._with_plays

    def __call__(self, drawn: Draw) -> NDArray[np.float64]:
        weights = np.empty(len(drawn.hands))
        _weigh(
            self._row,
            self._scratch,
            dealt_hands(drawn, self._past),
            drawn.passed,
            self._past,
            self._seat,
            self._with_bids,
            self._with_plays,
            weights,
        )
        return weights


def past_plays(view: View) -> NDArray[np.int64]:
    """The plays of this round in order: rows of seat, action and card."""
    under_way = () if view.trick is None else (view.trick,)
    return np.array(
        [
            (seat, int(play), int(card))
            for trick in (*view.tricks, *under_way)
            # The last seats have not played to the trick under way.
            for seat, play, card in zip(
                view.rules.seats_from(trick.leader), trick.plays, trick.cards, strict=False
            )
        ],
        dtype=np.int64,
    ).reshape(-1, 3)


def dealt_hands(drawn: Draw, past: NDArray[np.int64]) -> NDArray[np.int64]:
    """What every seat held in each world when it bid."""
    dealt = drawn.hands.copy()
    _take_back(dealt, drawn.passed, past)
    return dealt


@compiled
def _take_back(
    hands: NDArray[np.int64], passed: NDArray[np.int64], past: NDArray[np.int64]
) -> None:
    """Return to everyone what they played and passed, and take back what they received."""
    players = hands.shape[1]
    for world in range(hands.shape[0]):
        for index in range(past.shape[0]):
            seat = past[index, 0]
            hands[world, seat] = with_card(hands[world, seat], past[index, 2])
        if passed[world, 0] == NOTHING:
            continue
        for seat in range(players):
            giver = seat - 1 if seat > 0 else players - 1
            cards = with_card(hands[world, seat], passed[world, seat])
            hands[world, seat] = without_card(cards, passed[world, giver])


@compiled
def guess_bids(state: State, dealt: NDArray[np.int64]) -> None:
    """If bids are secret, assume that everyone bid the worth of their hand."""
    for seat in range(state[PLAYERS]):
        if state[BIDS + seat] == NOTHING:
            state[HAND + seat] = dealt[seat]
            state[BIDS + seat] = min(int(hand_worth(state, seat) + 0.5), state[SIZE])


@compiled
def _weigh(
    row: State,
    state: State,
    dealt: NDArray[np.int64],
    passed: NDArray[np.int64],
    past: NDArray[np.int64],
    seat: int,
    with_bids: bool,
    with_plays: bool,
    weights: NDArray[np.float64],
) -> None:
    for world in range(dealt.shape[0]):
        for field in range(STATE_SIZE):
            state[field] = row[field]
        for other in range(row[PLAYERS]):
            state[HAND + other] = dealt[world, other]
        weight = 1.0
        if with_bids:
            weight *= likelihood_of_bids(state, seat)
        if with_plays:
            guess_bids(state, dealt[world])
            weight *= likelihood_of_plays(state, passed[world], past, seat)
        weights[world] = weight + FAINT


@compiled
def likelihood_of_bids(state: State, seat: int) -> float:
    """How likely the others are to bid as they did."""
    off = 0.0
    for other in range(state[PLAYERS]):
        if other != seat and state[BIDS + other] != NOTHING:
            gap = (state[BIDS + other] - hand_worth(state, other)) / SPREAD
            off += gap * gap
    return exp(-0.5 * off)


@compiled
def likelihood_of_plays(
    state: State, passed: NDArray[np.int64], past: NDArray[np.int64], seat: int
) -> float:
    """Replay the round; returns how likely the others are to pass and play as they did."""
    weight = 1.0
    index = 0
    while index < past.shape[0]:
        mover = state[TURN]
        if state[PHASE] == PASSING:
            action = PASS + passed[mover]
        else:
            action = past[index, 1]
            index += 1
        if mover != seat:
            weight *= likelihood(state, mover, action, TEMPER)
        step(state, mover, action)
    return weight

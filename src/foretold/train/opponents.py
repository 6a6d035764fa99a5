"""Rule-based players for whole batches, compiled: the network's opponents in training.

Two families of different habits, each with a temper of its own: *thumb* plays the rules of thumb of
the simple bot, bidding more or less than the hand is worth and playing more or less eagerly;
*counter* counts its high cards, takes a trick whenever it still needs one, and ducks otherwise, as
many bots and beginners do. Like the network they look only at what their seat may know.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from math import cos, log, pi, sqrt
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.actions import BID, Action
from foretold.bots.heuristics import choose, expected_tricks, hand_worth
from foretold.env.memory import Memory, hides_own_hand
from foretold.figures import BY_CODE, Figure, Rank
from foretold.kernel.bits import how_many, lowest, popcount
from foretold.kernel.chance import Chance, pick, uniform
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    BEST,
    BIDDING,
    BIDS,
    HAND,
    LAST_POSITION,
    NAMING_TRUMP,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    POSITIONS,
    SIZE,
    SUIT_CARDS,
    TAKEN,
    TRUMP_CARDS,
    VALUES,
    WIZARD,
)
from foretold.kernel.plays import by_play, kinds
from foretold.kernel.state import State
from foretold.kernel.step import legal
from foretold.kernel.tricks import strength_of

Tempers: TypeAlias = NDArray[np.float64]
"""One row per player, laid out as the fields of `Temper`."""

RANDOM: Final = 0
THUMB: Final = 1
COUNTER: Final = 2


@dataclass(frozen=True)
class Temper:
    """The parameters of one rule-based player."""

    family: int = THUMB
    slips: float = 0.0
    """How often it acts at random."""
    boldness: float = 0.0
    """How many tricks too many it bids."""
    wavering: float = 0.0
    """The standard deviation of its bids, in tricks."""
    eagerness: float = 0.0
    """How often it plays as if it needed one trick more; below 0: one less."""
    high_trump: float = 7.0
    """The lowest trump that a counter counts as a trick."""
    high_plain: float = 12.0
    """The lowest other card that it counts as one."""
    splendour: float = 0.0
    """1: takes tricks with its highest card; 0: with the lowest that wins."""


_AT: Final = {field.name: index for index, field in enumerate(fields(Temper))}
FAMILY: Final = _AT["family"]
SLIPS: Final = _AT["slips"]
BOLDNESS: Final = _AT["boldness"]
WAVERING: Final = _AT["wavering"]
EAGERNESS: Final = _AT["eagerness"]
HIGH_TRUMP: Final = _AT["high_trump"]
HIGH_PLAIN: Final = _AT["high_plain"]
SPLENDOUR: Final = _AT["splendour"]

SIMPLE: Final = Temper()
"""The simple bot."""

STRANGER: Final = Temper(COUNTER, high_trump=6.0, high_plain=11.0, splendour=1.0)
"""A kind of player that training never meets: results against it show generalisation."""


def rows(tempers: list[Temper]) -> Tempers:
    return np.array([astuple(temper) for temper in tempers], dtype=np.float64)


def draw_tempers(count: int, seed: int) -> list[Temper]:
    """The opponents of training: the simple bot first, then others of every kind but one."""
    chance = Random(seed)
    return [SIMPLE, *(_draw_temper(chance) for _ in range(count - 1))]


def _draw_temper(chance: Random) -> Temper:
    slips = chance.choice((0.0, 0.0, 0.05, 0.2))
    boldness = chance.gauss(0.0, 0.4)
    wavering = chance.choice((0.0, 0.3, 0.7))
    if chance.random() < 0.05:
        return Temper(RANDOM)
    if chance.random() < 0.6:
        return Temper(THUMB, slips, boldness, wavering, chance.gauss(0.0, 0.3))
    lowest_trump, lowest_plain = chance.randint(4, 10), chance.randint(10, 13)
    return Temper(COUNTER, slips, boldness, wavering, 0.0, lowest_trump, lowest_plain)


def _beats_suits(figure: Figure) -> bool:
    return figure.rank >= Rank.WIZARD


def _may_beat_suits(figure: Figure) -> bool:
    """Whether it can be announced as a figure that does."""
    return any(code in BY_CODE and _beats_suits(BY_CODE[code]) for code in figure.announced)


def _height(play: Action) -> int:
    """How high a card without a suit stands, in values of trumps and beyond."""
    figure = None if play.card is None else play.card.figure
    if figure is None or play.rank is None:
        return 0
    if play.rank is Rank.SUIT:
        return figure.above + 1
    return 2 * VALUES + play.rank - bool(figure.announced) if play.rank >= Rank.WIZARD else 0


SURE: Final = kinds(_beats_suits) & ~(1 << WIZARD)
"""What a counter counts as a trick, besides Wizards and high cards."""
MAYBE: Final = kinds(_may_beat_suits)
"""What it counts as half a trick."""
HEIGHT: Final = by_play(_height)


@compiled
def act(state: State, memory: Memory, seat: int, temper: Tempers, chance: Chance) -> int:
    """What a player of this temper does."""
    family = temper[FAMILY]
    if family == RANDOM or uniform(chance) < temper[SLIPS]:
        return pick(chance, legal(state, seat))
    phase = state[PHASE]
    unseen = hides_own_hand(state, memory)
    if phase == NAMING_TRUMP and unseen:
        return pick(chance, legal(state, seat))
    if phase == BIDDING and (unseen or not is_simple(temper)):
        if unseen:
            aim = state[SIZE] / state[PLAYERS]
        elif family == COUNTER:
            aim = counted(state, seat, temper)
        else:
            aim = hand_worth(state, seat)
        if family == THUMB:
            aim = expected_tricks(state, aim)
        if temper[WAVERING] > 0.0:
            aim += temper[WAVERING] * gauss(chance)
        return nearest_bid(state, seat, aim + temper[BOLDNESS])
    if phase == PLAYING and family == COUNTER:
        return plain_play(state, seat, temper[SPLENDOUR])
    # An eager player sometimes acts as if it needed one more trick.
    shift = 0
    if phase == PLAYING and uniform(chance) < abs(temper[EAGERNESS]):
        shift = 1 if temper[EAGERNESS] > 0.0 else -1
    state[BIDS + seat] += shift
    chosen = choose(state, seat)
    state[BIDS + seat] -= shift
    return chosen


@compiled
def is_simple(temper: Tempers) -> bool:
    return temper[FAMILY] == THUMB and temper[BOLDNESS] == 0.0 and temper[WAVERING] == 0.0


@compiled
def nearest_bid(state: State, seat: int, aim: float) -> int:
    _, second, _ = legal(state, seat)
    bids = second >> (BID - 64)
    best = 1.0e9
    chosen = 0
    while bids != 0:
        bid = lowest(bids)
        bids &= bids - 1
        if abs(bid - aim) < best:
            best = abs(bid - aim)
            chosen = bid
    return BID + chosen


@compiled
def counted(state: State, seat: int, temper: Tempers) -> float:
    """The number of high cards, each counted as a trick."""
    hand = state[HAND + seat]
    count = 1.0 * how_many(hand, WIZARD) + popcount(hand & SURE) + 0.5 * popcount(hand & MAYBE)
    suits = hand & ALL_SUITS
    while suits != 0:
        card = lowest(suits)
        suits &= suits - 1
        is_trump = (state[TRUMP_CARDS] >> card) & 1
        if card % VALUES + 1 >= (temper[HIGH_TRUMP] if is_trump else temper[HIGH_PLAIN]):
            count += 1.0
    return count


@compiled
def plain_play(state: State, seat: int, splendour: float) -> int:
    """Takes the trick if one is needed, otherwise loses it; looks no further ahead."""
    wants = state[BIDS + seat] > state[TAKEN + seat]
    word, second, third = legal(state, seat)
    best = -1.0e9
    chosen = 0
    offset = 0
    while True:
        while word != 0:
            action = offset + lowest(word)
            word &= word - 1
            strength = strength_of(state, action) * POSITIONS + LAST_POSITION - state[PLAYED]
            takes = strength > state[BEST]
            rank = rank_of(state, action)
            if takes == wants:
                score = 1000.0 + (rank if not takes or splendour > 0.0 else -rank)
            else:
                score = rank if takes and splendour > 0.0 else -rank
            if score > best:
                best = score
                chosen = action
        if second | third == 0:
            return chosen
        word, second, third = second, third, 0
        offset += 64


@compiled
def rank_of(state: State, action: int) -> float:
    """How high a card stands, whatever the trick."""
    if action < SUIT_CARDS:
        return action % VALUES + (VALUES if (state[TRUMP_CARDS] >> action) & 1 else 0) + 1.0
    return float(HEIGHT[action])


@compiled
def gauss(chance: Chance) -> float:
    """A sample from the standard normal distribution."""
    return sqrt(-2.0 * log(1.0 - uniform(chance))) * cos(2.0 * pi * uniform(chance))

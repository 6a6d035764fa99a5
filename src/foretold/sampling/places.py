"""The compiled part: counts the ways to fill places, and fills them at random."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.cards import SPECIALS, Suit, full_deck
from foretold.kernel.bits import with_card
from foretold.kernel.chance import Chance, below, draw
from foretold.kernel.compile import compiled
from foretold.rules import MAX_PLAYERS

STOCK = MAX_PLAYERS
"""The owner of the cards that nobody holds; seats are 0 to 5."""

OWNERS = STOCK + 1
SUITS = len(Suit)
MAX_CARDS = len(full_deck(SPECIALS))
CHOOSE = np.array(
    [[comb(n, k) for k in range(MAX_CARDS + 1)] for n in range(MAX_CARDS + 1)], dtype=np.float64
)
FRACTION = 2.0**-53
S11 = np.uint64(11)

# Places are rows of OWNER, CAPACITY, CLOSED (classes, as bits), GIVER (or -1).
OWNER, CAPACITY, CLOSED, GIVER = 0, 1, 2, 3


class CaseArrays(NamedTuple):
    """A case as compiled code needs it; `filling` makes it."""

    known: NDArray[np.int64]
    """The known cards of every owner, as sets."""
    pool: NDArray[np.int64]
    """The unseen cards, class by class."""
    counts: NDArray[np.int64]
    """How many of them there are in every class."""
    narrow: NDArray[np.int64]
    """The places closed to some classes."""
    wide: NDArray[np.int64]
    """The other places; the stock, if it is one of them, comes last."""
    table: NDArray[np.float64]
    """What `tabulate` has counted."""


@compiled
def _index(left: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    index = 0
    for suit in range(SUITS):
        index = index * (counts[suit] + 1) + left[suit]
    return index


@compiled
def _most(left: int, room: int, closed: int, suit: int) -> int:
    """How many cards of a class may go to a place."""
    return 0 if (closed >> suit) & 1 else min(left, room)


@compiled
def tabulate(
    table: NDArray[np.float64], counts: NDArray[np.int64], narrow: NDArray[np.int64]
) -> float:
    """For every place and every number of cards left, count the ways to fill it and the rest.

    Returns the total.
    """
    places = narrow.shape[0]
    c0, c1, c2, c3 = counts[0], counts[1], counts[2], counts[3]
    total = c0 + c1 + c2 + c3 + counts[4]
    for state in range(table.shape[1]):
        table[places, state] = 1.0
    for place in range(places - 1, -1, -1):
        used = 0
        for earlier in range(place):
            used += narrow[earlier, CAPACITY]
        room, closed = narrow[place, CAPACITY], narrow[place, CLOSED]
        # Before the first place all cards are left.
        for l0 in range(0 if place else c0, c0 + 1):
            for l1 in range(0 if place else c1, c1 + 1):
                for l2 in range(0 if place else c2, c2 + 1):
                    for l3 in range(0 if place else c3, c3 + 1):
                        rest = total - used - l0 - l1 - l2 - l3
                        if rest < 0 or rest > counts[4]:
                            continue
                        state = ((l0 * (c1 + 1) + l1) * (c2 + 1) + l2) * (c3 + 1) + l3
                        ways = 0.0
                        for x0 in range(_most(l0, room, closed, 0) + 1):
                            for x1 in range(_most(l1, room - x0, closed, 1) + 1):
                                for x2 in range(_most(l2, room - x0 - x1, closed, 2) + 1):
                                    room3 = room - x0 - x1 - x2
                                    for x3 in range(_most(l3, room3, closed, 3) + 1):
                                        x4 = room3 - x3
                                        if x4 > rest:
                                            continue
                                        after = (
                                            (((l0 - x0) * (c1 + 1) + l1 - x1) * (c2 + 1) + l2 - x2)
                                            * (c3 + 1)
                                            + l3
                                            - x3
                                        )
                                        ways += (
                                            CHOOSE[l0, x0]
                                            * CHOOSE[l1, x1]
                                            * CHOOSE[l2, x2]
                                            * CHOOSE[l3, x3]
                                            * CHOOSE[rest, x4]
                                            * table[place + 1, after]
                                        )
                        table[place, state] = ways
    return table[0, ((c0 * (c1 + 1) + c1) * (c2 + 1) + c2) * (c3 + 1) + c3]


@compiled
def _split(
    place: int,
    left: NDArray[np.int64],
    taken: NDArray[np.int64],
    case: CaseArrays,
    chance: Chance,
) -> None:
    """Draw how many cards of every class go to a place."""
    counts, table = case.counts, case.table
    room, closed = case.narrow[place, CAPACITY], case.narrow[place, CLOSED]
    point = float(draw(chance) >> S11) * FRACTION * table[place, _index(left, counts)]
    c1, c2, c3 = counts[1], counts[2], counts[3]
    for x0 in range(_most(left[0], room, closed, 0) + 1):
        for x1 in range(_most(left[1], room - x0, closed, 1) + 1):
            for x2 in range(_most(left[2], room - x0 - x1, closed, 2) + 1):
                room3 = room - x0 - x1 - x2
                for x3 in range(_most(left[3], room3, closed, 3) + 1):
                    x4 = room3 - x3
                    if x4 > left[4]:
                        continue
                    after = (
                        (((left[0] - x0) * (c1 + 1) + left[1] - x1) * (c2 + 1) + left[2] - x2)
                        * (c3 + 1)
                        + left[3]
                        - x3
                    )
                    ways = (
                        CHOOSE[left[0], x0]
                        * CHOOSE[left[1], x1]
                        * CHOOSE[left[2], x2]
                        * CHOOSE[left[3], x3]
                        * CHOOSE[left[4], x4]
                        * table[place + 1, after]
                    )
                    if ways > 0.0:
                        # If rounding leaves a remainder, the last possible one is used.
                        taken[0], taken[1], taken[2], taken[3], taken[4] = x0, x1, x2, x3, x4
                        point -= ways
                        if point < 0.0:
                            return


@compiled
def fill_places(
    rows: NDArray[np.int64],
    hands: NDArray[np.int64],
    passed: NDArray[np.int64],
    chance: Chance,
    case: CaseArrays,
    scratch: NDArray[np.int64],
) -> None:
    """Fill all places of these rows; `scratch` has room for two counts and the pool."""
    left = scratch[: SUITS + 1]
    taken = scratch[SUITS + 1 : 2 * SUITS + 2]
    cards = scratch[2 * SUITS + 2 :]
    pool, counts, narrow, wide = case.pool, case.counts, case.narrow, case.wide
    for row in rows:
        for owner in range(OWNERS):
            hands[row, owner] = case.known[owner]
        for index in range(len(pool)):
            cards[index] = pool[index]
        for suit in range(SUITS + 1):
            left[suit] = counts[suit]
        for place in range(narrow.shape[0]):
            _split(place, left, taken, case, chance)
            owner, giver = narrow[place, OWNER], narrow[place, GIVER]
            start = 0
            for suit in range(SUITS + 1):
                # The cards of a class that are left are the first of its part.
                for _ in range(taken[suit]):
                    other = start + below(chance, left[suit])
                    card = cards[other]
                    left[suit] -= 1
                    cards[other] = cards[start + left[suit]]
                    hands[row, owner] = with_card(hands[row, owner], card)
                    if giver >= 0:
                        passed[row, giver] = card
                start += counts[suit]
        start, count = 0, 0
        for suit in range(SUITS + 1):
            for index in range(start, start + left[suit]):
                cards[count] = cards[index]
                count += 1
            start += counts[suit]
        for place in range(wide.shape[0]):
            owner, giver = wide[place, OWNER], wide[place, GIVER]
            if owner == STOCK:
                break  # the stock comes last, and has what is left
            for _ in range(wide[place, CAPACITY]):
                other = below(chance, count)
                card = cards[other]
                count -= 1
                cards[other] = cards[count]
                hands[row, owner] = with_card(hands[row, owner], card)
                if giver >= 0:
                    passed[row, giver] = card


@compiled
def fill_from(
    rows: NDArray[np.int64],
    hands: NDArray[np.int64],
    seat: int,
    cards: NDArray[np.int64],
    size: int,
    chance: Chance,
) -> None:
    """Fill one hand with cards of its own deck."""
    for row in rows:
        word = 0
        for index in range(size):
            other = index + below(chance, len(cards) - index)
            card = cards[other]
            cards[other] = cards[index]
            cards[index] = card
            word = with_card(word, card)
        hands[row, seat] = word

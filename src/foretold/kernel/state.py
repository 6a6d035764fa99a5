"""Making states and reading them (see `foretold.kernel.layout` for their fields)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.cards import CARDS, JESTER, WIZARD, Card
from foretold.kernel.bits import with_card
from foretold.kernel.layout import (
    BIDS,
    DEALER,
    FURTHER,
    KINDS,
    MAX_PLAYERS,
    NOTHING,
    OPTION_SLOTS,
    ROUNDS,
    STATE_SIZE,
    TRUMP_SUIT,
    TURNED,
    WEREWOLF_SEAT,
)
from foretold.rules import OPTIONS, Rules

State: TypeAlias = NDArray[np.int64]
"""One row, or any other row of 64-bit integers."""


def new_state(rules: Rules, first_dealer: int) -> State:
    """A game before its first deal."""
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    for option in OPTIONS.values():
        if option.in_state is not None:
            state[OPTION_SLOTS[option.name]] = option.in_state(getattr(rules, option.name))
    state[ROUNDS] = len(rules.sizes)
    state[DEALER] = first_dealer
    for field in (TURNED, WEREWOLF_SEAT, TRUMP_SUIT):
        state[field] = NOTHING
    state[BIDS : BIDS + MAX_PLAYERS] = NOTHING
    return state


@lru_cache(maxsize=4096)  # a hand is looked at many times before it changes
def cards_in(word: int) -> tuple[Card, ...]:
    """The cards of a set, in order."""
    word = int(word)  # NumPy's integers lack some methods
    found: list[Card] = []
    kinds = word & KINDS
    while kinds:
        lowest = kinds & -kinds
        kinds ^= lowest
        card = CARDS[lowest.bit_length() - 1]
        found.append(card)
        if card == WIZARD or card == JESTER:
            found.extend((card,) * (word >> (2 * card + FURTHER) & 3))
    return tuple(found)


def word_of(cards: Iterable[Card]) -> int:
    """Cards as a set: what `cards_in` reads."""
    word = 0
    for card in cards:
        word = int(with_card(word, int(card)))
    # Plain Python does not wrap around at 64 bits, as compiled code does.
    return (word + 2**63) % 2**64 - 2**63

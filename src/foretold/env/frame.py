"""The frame in which a seat sees suits: renamed so that trump is always the first.

Suits differ in nothing but their names. An order of them, first to last, depends only on what the
seat may know:

1. trump, if a suit is trump;
2. in the monocolour game the own suits of the seats that are known, the own first, then clockwise;
3. the others, in the order blue, green, red, yellow.

Until trump is named, and where there is none, the suits so keep their order. Actions are renamed
with the suits: an agent acts in its frame, and `Frame.restore` says what it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import (
    ACTION_COUNT,
    ACTIONS,
    BID,
    PASS,
    PLAY_JUGGLER,
    TRUMP,
    Action,
)
from foretold.cards import Suit
from foretold.env.memory import OWN_SUITS, Memory
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ANY_SUIT,
    NO_TRUMP,
    NOTHING,
    ONE_SUIT,
    PLAYERS,
    SUIT_CARDS,
    TRUMP_SUIT,
    VALUES,
)
from foretold.kernel.state import State

# In compiled code an order is a number: two bits for each of the four suits, the first lowest.
UNCHANGED: Final = 0b11_10_01_00
SUITS: Final = len(Suit)


@compiled
def suit_order(state: State, memory: Memory, seat: int) -> int:
    """The order in which a seat sees the suits."""
    order = 0
    count = 0
    placed = 0
    trump = state[TRUMP_SUIT]
    if trump != NOTHING and trump != NO_TRUMP:
        order = trump
        count = 1
        placed = 1 << trump
    elif state[ANY_SUIT]:
        players = state[PLAYERS]
        for distance in range(players):
            other = seat + distance
            suit = memory[OWN_SUITS + (other if other < players else other - players)]
            if suit != NOTHING:
                order |= suit << (2 * count)
                count += 1
                placed |= 1 << suit
    for suit in range(SUITS):
        if (placed >> suit) & 1 == 0:
            order |= suit << (2 * count)
            count += 1
    return order


@compiled
def inverse(order: int) -> int:
    """The order that undoes an order."""
    undoing = 0
    for index in range(SUITS):
        undoing |= index << (2 * ((order >> (2 * index)) & 3))
    return undoing


@compiled
def renamed_cards(cards: int, order: int) -> int:
    """A set of cards as it is seen in an order."""
    suits = 0
    for index in range(SUITS):
        suit = (order >> (2 * index)) & 3
        suits |= ((cards >> (VALUES * suit)) & ONE_SUIT) << (VALUES * index)
    return suits | (cards & ~ALL_SUITS)


@compiled
def restored_action(action: int, order: int) -> int:
    """What an action that is meant in an order is in truth."""
    if action < SUIT_CARDS:
        return restored_card(action, order)
    if action < PLAY_JUGGLER:
        return action
    if action < BID:
        offset = action - PLAY_JUGGLER
        return PLAY_JUGGLER + (offset & ~3) + ((order >> (2 * (offset & 3))) & 3)
    if TRUMP <= action < TRUMP + SUITS:
        return TRUMP + ((order >> (2 * (action - TRUMP))) & 3)
    if PASS <= action < PASS + SUIT_CARDS:
        return PASS + restored_card(action - PASS, order)
    return action


@compiled
def restored_card(card: int, order: int) -> int:
    index = card // VALUES
    return card + VALUES * (((order >> (2 * index)) & 3) - index)


@dataclass(frozen=True, slots=True)
class Frame:
    """An order of the suits, first to last, and the actions as they are called in it."""

    suits: tuple[Suit, ...]

    @classmethod
    def of_order(cls, order: int) -> Frame:
        """From the number that compiled code has for it."""
        return cls(tuple(Suit(order >> 2 * index & 3) for index in range(SUITS)))

    @property
    def restored(self) -> NDArray[np.int64]:
        """Every action by what it is called in this frame: ``restored[seen]`` is the true one."""
        return _restored(self.suits)

    def restore(self, action: int) -> Action:
        """What an action of this frame is in truth."""
        return ACTIONS[int(self.restored[action])]

    def rename(self, action: int) -> Action:
        """What an action is called in this frame."""
        return ACTIONS[int(np.flatnonzero(self.restored == int(action))[0])]


@cache
def _restored(suits: tuple[Suit, ...]) -> NDArray[np.int64]:
    order = sum(suit << 2 * index for index, suit in enumerate(suits))
    actions = [restored_action(action, order) for action in range(ACTION_COUNT)]
    restored = np.array(actions, dtype=np.int64)
    restored.flags.writeable = False
    return restored

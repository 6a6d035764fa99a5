"""The frame in which a seat sees suits: renamed so that trump is always the first.

Suits differ only in name. Their order, first to last, depends only on what the seat may know:

1. trump, if a suit is trump;
2. in the monocolour game, the suits of all seats whose suit is known: its own, then clockwise;
3. the others by the cards that the seat was dealt: the longest suit first, of two that are equally
   long the one with the higher cards, and blue, green, red, yellow where it holds none (or does not
   see its hand).

So hands that differ only in the names of suits look the same. Actions are renamed with the suits:
an agent acts in its frame, and `Frame.restore` says what it did.
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
    TRUMP,
    Action,
)
from foretold.cards import Suit
from foretold.env.memory import CARDS_PLAYED, OWN_SUITS, Memory, hides_own_hand
from foretold.kernel.bits import popcount
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ANY_SUIT,
    HAND,
    NO_TRUMP,
    NOTHING,
    ONE_SUIT,
    PLAYERS,
    SUIT_CARDS,
    TRUMP_SUIT,
    VALUES,
)
from foretold.kernel.plays import SUIT_OF
from foretold.kernel.state import State

# In compiled code an order is a number: two bits for each of the four suits, the first lowest.
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
    cards = 0
    if not hides_own_hand(state, memory):
        cards = state[HAND + seat] | memory[CARDS_PLAYED + seat]
    while count < SUITS:
        longest = -1
        chosen = 0
        for suit in range(SUITS):
            held = (cards >> (VALUES * suit)) & ONE_SUIT
            length = (popcount(held) << VALUES) | held
            if (placed >> suit) & 1 == 0 and length > longest:
                longest = length
                chosen = suit
        order |= chosen << (2 * count)
        count += 1
        placed |= 1 << chosen
    return order


@compiled
def inverse(order: int) -> int:
    """The inverse of an order."""
    undoing = 0
    for index in range(SUITS):
        undoing |= index << (2 * ((order >> (2 * index)) & 3))
    return undoing


@compiled
def renamed_cards(cards: int, order: int) -> int:
    """A set of cards with suits renamed by an order."""
    suits = 0
    for index in range(SUITS):
        suit = (order >> (2 * index)) & 3
        suits |= ((cards >> (VALUES * suit)) & ONE_SUIT) << (VALUES * index)
    return suits | (cards & ~ALL_SUITS)


@compiled
def restored_action(action: int, order: int) -> int:
    """The actual action behind one whose suits are renamed by an order."""
    if action < SUIT_CARDS:
        return restored_card(action, order)
    if action < BID:
        suit = SUIT_OF[action]
        return action if suit == NOTHING else action + ((order >> (2 * suit)) & 3) - suit
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
        """From its number in compiled code."""
        return cls(tuple(Suit(order >> 2 * index & 3) for index in range(SUITS)))

    @property
    def restored(self) -> NDArray[np.int64]:
        """Every action by what it is called in this frame: ``restored[seen]`` is the true one."""
        return _restored(self.suits)

    def restore(self, action: int) -> Action:
        """The actual action behind one of this frame."""
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

"""What a seat sees of cards: its hand, those played and passed, and those it cannot place.

A set of cards is written as one entry per kind, suits as one entry per suit.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.env.frame import inverse, renamed_cards, restored_card
from foretold.env.memory import (
    CARDS_PLAYED,
    DECK,
    GIFTS_HELD,
    HAS_PASSED,
    OUT,
    SHOWS_CARDS,
    SWAP_HELD,
    VOIDS_BEFORE,
    Memory,
    hides_own_hand,
    is_clairvoyant,
)
from foretold.env.observation import AT, CARD, SUIT
from foretold.env.spread import spread_60
from foretold.kernel.bits import how_many, with_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    HAND,
    JESTER,
    MAX_PLAYERS,
    NOTHING,
    PASSED,
    PASSING,
    PENDING,
    PHASE,
    PLAYERS,
    SUIT_CARDS,
    TURNED,
    VALUES,
    WEREWOLF,
    WEREWOLF_SEAT,
    WIZARD,
)
from foretold.kernel.state import State

Observation: TypeAlias = NDArray[np.int8]
"""A row, laid out by `foretold.env.observation`."""

# Where the fields begin, as compiled code knows it.
GIVEN_AT: Final = AT["given"]
HAND_AT: Final = AT["hand"]
KNOWN_AT: Final = AT["known"]
PLAYED_AT: Final = AT["played"]
RECEIVED_AT: Final = AT["received"]
TURNED_AT: Final = AT["turned"]
UNSEEN_AT: Final = AT["unseen"]
VOIDS_AT: Final = AT["voids"]
VOIDS_BEFORE_AT: Final = AT["voids_before_pass"]

CARDS_WIDE: Final = len(CARD.labels)
SUITS_WIDE: Final = len(SUIT.labels)
FIRST_OF_ALL: Final = sum(1 << SUITS_WIDE * seat for seat in range(MAX_PLAYERS))
TALLY_BITS: Final = 8
ONE_TALLY: Final = (1 << TALLY_BITS) - 1


@compiled
def relative(state: State, seat: int, other: int) -> int:
    """Another seat's position relative to a seat."""
    distance = other - seat
    return distance if distance >= 0 else distance + state[PLAYERS]


@compiled
def write_suits_by_seat(out: Observation, at: int, suits: int, order: int) -> None:
    """Suits as bits, four per seat, the observer's lowest."""
    seen = 0
    for index in range(SUITS_WIDE):
        seen |= ((suits >> ((order >> (2 * index)) & 3)) & FIRST_OF_ALL) << index
    row = out[at : at + SUITS_WIDE * MAX_PLAYERS]
    for index in range(SUITS_WIDE * MAX_PLAYERS):
        row[index] = (seen >> index) & 1


@compiled
def write_cards(state: State, memory: Memory, seat: int, order: int, out: Observation) -> None:
    """The seat's hand, the cards played, and those it cannot place."""
    players = state[PLAYERS]
    hand = state[HAND + seat]
    if hides_own_hand(state, memory):
        hand = 0
    write_set(out, HAND_AT, renamed_cards(hand, order))
    found = hand | memory[OUT]
    tallied = tally(hand) + tally(memory[OUT])
    other = seat
    for distance in range(players):
        played = memory[CARDS_PLAYED + other]
        write_set(out, PLAYED_AT + CARDS_WIDE * distance, renamed_cards(played, order))
        found |= played
        tallied += tally(played)
        if distance > 0 and memory[SHOWS_CARDS]:
            known = known_cards(state, memory, seat, other)
            write_set(out, KNOWN_AT + CARDS_WIDE * (distance - 1), renamed_cards(known, order))
            found |= known
            tallied += tally(known)
        other = other + 1 if other + 1 < players else 0
    turned = state[TURNED]
    if turned != NOTHING:
        seen = inverse(order)
        out[TURNED_AT + (restored_card(turned, seen) if turned < SUIT_CARDS else turned)] = 1
        if turned != WEREWOLF and state[WEREWOLF_SEAT] == NOTHING:
            found |= 1 << turned
            tallied += tally(1 << turned)
    rest = tally(memory[DECK]) - tallied
    write_set(out, UNSEEN_AT, renamed_cards(memory[DECK] & ~found, order))
    out[UNSEEN_AT + WIZARD] = rest & ONE_TALLY
    out[UNSEEN_AT + JESTER] = rest >> TALLY_BITS


@compiled
def write_set(out: Observation, at: int, cards: int) -> None:
    spread_60(out, at, cards)
    out[at + WIZARD] = how_many(cards, WIZARD)
    out[at + JESTER] = how_many(cards, JESTER)


@compiled
def tally(cards: int) -> int:
    """The Wizards and Jesters of a set as one number, to add both at once."""
    return how_many(cards, WIZARD) + (how_many(cards, JESTER) << TALLY_BITS)


@compiled
def known_cards(state: State, memory: Memory, seat: int, other: int) -> int:
    """The cards that another seat surely holds: one that this seat gave it, or one it swapped."""
    if is_clairvoyant(state, memory):
        return state[HAND + other]
    known = 0
    passed = memory[HAS_PASSED] != 0
    distance = relative(state, seat, other)
    if passed and distance == 1 and (memory[GIFTS_HELD] >> other) & 1:
        known = 1 << state[PASSED + seat]
    if other == state[WEREWOLF_SEAT] and memory[SWAP_HELD]:
        turned = state[TURNED]
        gave_this_seat = distance == state[PLAYERS] - 1
        if not passed or (gave_this_seat and state[PASSED + other] != turned):
            known = with_card(known, turned)
    return known


@compiled
def write_pass(state: State, memory: Memory, seat: int, order: int, out: Observation) -> None:
    """The Juggler's pass as this seat saw it, and the voids shown before it."""
    players = state[PLAYERS]
    given = 0
    received = 0
    voids = 0
    if memory[HAS_PASSED] or (state[PHASE] == PASSING and (state[PENDING] >> seat) & 1 == 0):
        given = 1 << state[PASSED + seat]
    if memory[HAS_PASSED]:
        received = 1 << state[PASSED + (seat if seat > 0 else players) - 1]
        other = seat
        for distance in range(players):
            voids |= memory[VOIDS_BEFORE + other] << (SUITS_WIDE * distance)
            other = other + 1 if other + 1 < players else 0
        # This seat knows what its left neighbour got: a void in any other suit is still a void.
        kept = voids >> SUITS_WIDE
        if state[PASSED + seat] < SUIT_CARDS:
            kept &= ~(1 << (state[PASSED + seat] // VALUES))
        for index in range(SUITS_WIDE):
            out[VOIDS_AT + SUITS_WIDE + index] |= (kept >> ((order >> (2 * index)) & 3)) & 1
    write_set(out, GIVEN_AT, renamed_cards(given, order))
    write_set(out, RECEIVED_AT, renamed_cards(received, order))
    write_suits_by_seat(out, VOIDS_BEFORE_AT, voids, order)

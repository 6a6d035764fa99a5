"""Observations and masks of legal actions, written in compiled code from a row and its memory.

The functions are given a row that may hold every hand, and look only at what the seat may know.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT, PASS, Action
from foretold.cards import SPECIALS
from foretold.env.cards_seen import (
    CARDS_WIDE,
    HAND_AT,
    SUITS_WIDE,
    VOIDS_AT,
    relative,
    write_cards,
    write_pass,
    write_set,
    write_suits_by_seat,
)
from foretold.env.cards_seen import Observation as Observation
from foretold.env.frame import (
    inverse,
    renamed_cards,
    restored_action,
)
from foretold.env.memory import (
    ABOVE_BID,
    AT_ONCE,
    BELOW_BID,
    BIDS_SHOW,
    DECK,
    OUT,
    OWN_SUITS,
    SET_ASIDE,
    VOIDS,
    WHEN_ALL_MADE,
    Memory,
    is_clairvoyant,
)
from foretold.env.observation import AT, FACE, OBSERVATION_SIZE, PLAY
from foretold.env.spread import spread_60, spread_64
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ANY_SUIT,
    BEST,
    BIDS,
    BIDS_MADE,
    CLOUD_SEAT,
    DEALER,
    DEALING,
    LAST_POSITION,
    LEADER,
    LED_CARDS,
    NAMING_TRUMP,
    NO,
    NO_TRUMP,
    NOTHING,
    OVER,
    PHASE,
    PLAYED,
    PLAYERS,
    ROUND,
    ROUNDS,
    SETS_SUIT,
    SIZE,
    TAKEN,
    TOTALS,
    TRICK,
    TRICKS,
    TRUMP_SUIT,
    VALUES,
    WEREWOLF,
    WEREWOLF_SEAT,
)
from foretold.kernel.plays import PASSING_ON, PLAYS, SETTING_ASIDE, SUIT_OF
from foretold.kernel.state import State
from foretold.kernel.step import acting
from foretold.rules import Bidding, BidRule, Mode, Rules, SuitAfterWizard

Mask: TypeAlias = NDArray[np.int8]
"""A row of 0 and 1, one entry per action in the seat's frame."""

# Where the fields begin, as compiled code knows it.
ABOVE_AT: Final = AT["above"]
BELOW_AT: Final = AT["below"]
BIDS_AT: Final = AT["bids"]
CLAIRVOYANT_AT: Final = AT["clairvoyant"]
CLOUD_AT: Final = AT["cloud"]
DEALER_AT: Final = AT["dealer"]
EXCESS_AT: Final = AT["excess"]
IN_TRICK_AT: Final = AT["in_trick"]
LEADER_AT: Final = AT["leader"]
LED_AT: Final = AT["led"]
NEEDS_AT: Final = AT["needs"]
OUT_AT: Final = AT["out"]
PHASE_AT: Final = AT["phase"]
ROUNDS_LEFT_AT: Final = AT["rounds_left"]
SET_ASIDE_AT: Final = AT["set_aside"]
SHOWN_AT: Final = AT["shown"]
SIZE_AT: Final = AT["size"]
SUITS_AT: Final = AT["suits"]
TAKEN_AT: Final = AT["taken"]
TOTALS_AT: Final = AT["totals"]
TO_ACT_AT: Final = AT["to_act"]
TRICKS_LEFT_AT: Final = AT["tricks_left"]
TRICK_AT: Final = AT["trick"]
TRUMP_AT: Final = AT["trump"]
UNLED_AT: Final = AT["unled"]
WEREWOLF_AT: Final = AT["werewolf"]
WINNER_AT: Final = AT["winner"]
WINNING_AT: Final = AT["winning"]


def _face_of(play: Action) -> int:
    card = play.card
    assert card is not None
    if card.suit is not None:
        return FACE.labels.index(str(card.value))
    return FACE.labels.index(play.object if play.suit is None else card.code)


FACES_WIDE: Final = len(FACE.labels)
FACE_OF: Final = np.array([_face_of(play) for play in PLAYS], dtype=np.int64)
"""By the number of a play: its value, or what else it is, among the faces."""
MOST: Final = 127
POINTS: Final = 10
LOW_PASS_COUNT: Final = 128 - PASS  # passes in the second word of a mask; the third has the others
LOW_PASSES: Final = (1 << LOW_PASS_COUNT) - 1


def blank(rules: Rules) -> Observation:
    """What all observations of a game share: its options."""
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    row[AT["mode"] + list(Mode).index(rules.mode)] = 1
    row[AT["players"] + rules.players - 2] = 1
    row[AT["bidding"] + list(Bidding).index(rules.bidding)] = 1
    row[AT["bid_rule"] + list(BidRule).index(rules.bid_rule)] = 1
    row[AT["dark_wizard"]] = rules.dark_wizard
    row[AT["binding"]] = rules.suit_after_wizard is SuitAfterWizard.BINDING
    for index, card in enumerate(SPECIALS):
        row[AT["specials"] + index] = card in rules.specials
    return row


@compiled
def write_observation(
    state: State, memory: Memory, seat: int, order: int, common: Observation, out: Observation
) -> None:
    """What a seat sees; `order` is its order of the suits, `common` what all observations share.

    `out` must start as zeros and be used for one set of rules only: entries that these rules never
    use are not written.
    """
    for index in range(HAND_AT):
        out[index] = common[index]
    write_round(state, memory, seat, out)
    write_seats(state, memory, seat, order, out)
    write_trick(state, seat, order, out)
    write_cards(state, memory, seat, order, out)
    if memory[DECK] & PASSING_ON:
        write_pass(state, memory, seat, order, out)
    if memory[DECK] & SETTING_ASIDE:
        write_set(out, SET_ASIDE_AT, renamed_cards(memory[SET_ASIDE], order))
    if state[PLAYERS] == 2:
        write_set(out, OUT_AT, renamed_cards(memory[OUT], order))
    if state[ANY_SUIT]:
        write_own_suits(state, memory, seat, order, out)


@compiled
def write_round(state: State, memory: Memory, seat: int, out: Observation) -> None:
    phase = state[PHASE]
    is_on = phase != DEALING and phase != OVER
    if is_on:
        out[PHASE_AT + phase - NAMING_TRUMP] = 1
    rounds_begun = state[ROUND] + (1 if is_on else 0)
    out[ROUNDS_LEFT_AT] = min(state[ROUNDS] - rounds_begun, MOST)
    out[SIZE_AT] = state[SIZE]
    out[TRICKS_LEFT_AT] = state[SIZE] - state[TRICKS]
    out[CLAIRVOYANT_AT] = is_clairvoyant(state, memory)
    out[DEALER_AT + relative(state, seat, state[DEALER])] = 1
    out[LEADER_AT + relative(state, seat, state[LEADER])] = 1
    trump = state[TRUMP_SUIT]
    out[TRUMP_AT + (2 if trump == NOTHING else 1 if trump == NO_TRUMP else 0)] = 1
    if state[WEREWOLF_SEAT] != NOTHING:
        out[WEREWOLF_AT + relative(state, seat, state[WEREWOLF_SEAT])] = 1
    if state[CLOUD_SEAT] != NOTHING:
        out[CLOUD_AT + relative(state, seat, state[CLOUD_SEAT])] = 1


@compiled
def write_seats(state: State, memory: Memory, seat: int, order: int, out: Observation) -> None:
    """What is known about every seat: bids and tricks, points, voids."""
    players = state[PLAYERS]
    to_act = acting(state)
    all_show = (
        memory[BIDS_SHOW] == AT_ONCE
        or (memory[BIDS_SHOW] == WHEN_ALL_MADE and state[BIDS_MADE] == players)
        or state[TRICKS] == state[SIZE]
    )
    excess = -state[SIZE]
    voids = 0
    other = seat
    for distance in range(players):
        out[TO_ACT_AT + distance] = (to_act >> other) & 1
        taken = state[TAKEN + other]
        out[TAKEN_AT + distance] = taken
        shows = 1 if state[BIDS + other] != NOTHING and (distance == 0 or all_show) else 0
        bid = state[BIDS + other] * shows
        out[BIDS_AT + distance] = bid
        out[SHOWN_AT + distance] = shows
        out[NEEDS_AT + distance] = bid - taken * shows
        excess += bid
        points = state[TOTALS + other] // POINTS
        out[TOTALS_AT + distance] = max(-MOST, min(points, MOST))
        out[ABOVE_AT + distance] = min(memory[ABOVE_BID + other], MOST)
        out[BELOW_AT + distance] = min(memory[BELOW_BID + other], MOST)
        voids |= memory[VOIDS + other] << (SUITS_WIDE * distance)
        other = other + 1 if other + 1 < players else 0
    out[EXCESS_AT] = excess
    write_suits_by_seat(out, VOIDS_AT, voids, order)


@compiled
def write_trick(state: State, seat: int, order: int, out: Observation) -> None:
    played = state[PLAYED]
    out[IN_TRICK_AT] = played
    out[UNLED_AT] = state[SETS_SUIT] != NO
    led = state[LED_CARDS]
    seen = inverse(order)
    if led != 0 and led != ALL_SUITS:
        out[LED_AT + ((seen >> (2 * (lowest(led) // VALUES))) & 3)] = 1
    distance = relative(state, seat, state[LEADER])
    winning = LAST_POSITION - (state[BEST] & LAST_POSITION)
    for position in range(played):
        play = restored_action(state[TRICK + position], seen)
        write_face(out, TRICK_AT + FACES_WIDE * distance, play)
        if position == winning:
            out[WINNER_AT + distance] = 1
            out[WINNING_AT + play] = 1
        distance = distance + 1 if distance + 1 < state[PLAYERS] else 0


@compiled
def write_face(out: Observation, at: int, play: int) -> None:
    """A card that lies open: its suit and value, or what else it is."""
    suit = SUIT_OF[play]
    if suit != NOTHING:
        out[at + suit] = 1
    out[at + FACE_OF[play]] = 1


@compiled
def write_own_suits(state: State, memory: Memory, seat: int, order: int, out: Observation) -> None:
    suits = 0
    other = seat
    for distance in range(state[PLAYERS]):
        if memory[OWN_SUITS + other] != NOTHING:
            suits |= 1 << (SUITS_WIDE * distance + memory[OWN_SUITS + other])
        other = other + 1 if other + 1 < state[PLAYERS] else 0
    write_suits_by_seat(out, SUITS_AT, suits, order)


@compiled
def write_mask(words: tuple[int, int, int], order: int, mask: Mask) -> None:
    """Legal actions in a seat's frame.

    Announced suits and trumps need no renaming: all suits may be chosen, or none.
    """
    first, second, third = words
    plays = renamed_cards(first, order)
    spread_64(mask, 0, plays)
    spread_64(mask, 64, second)
    for action in range(128, ACTION_COUNT):
        mask[action] = 0
    low_passes = (second >> (PASS - 64)) & LOW_PASSES
    if low_passes | third != 0:
        passes = renamed_cards(low_passes | (third << LOW_PASS_COUNT), order)
        spread_60(mask, PASS, passes)


# `write_mask` and `winning` rely on it. Cards added later have plays and passes after these.
assert len(PLAYS) == len(PLAY.labels) == max(PLAYS) + 1, "plays are not the first actions"
assert CARDS_WIDE == WEREWOLF, "a card is held whose number is above the Werewolf's"
assert ACTION_COUNT == PASS + CARDS_WIDE, "passes are not the last actions"

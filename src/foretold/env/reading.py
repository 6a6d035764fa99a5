"""Reading a single view: the same row and memory that a batch keeps, and the same writer."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foretold.actions import ACTION_COUNT
from foretold.env.frame import Frame, suit_order
from foretold.env.memory import (
    ABOVE_BID,
    BELOW_BID,
    OUT,
    OWN_SUITS,
    Memory,
    begin_memory,
    new_memory,
    remember_pass,
    remember_play,
    set_own_decks,
)
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.writer import Mask, Observation, blank, write_mask, write_observation
from foretold.kernel import word_of
from foretold.kernel.compile import compiled
from foretold.kernel.layout import HAND, NOTHING, PASSED, PLAYERS, STATE_SIZE
from foretold.kernel.rounds import begin_trick
from foretold.kernel.state import State
from foretold.kernel.step import legal
from foretold.kernel.tricks import apply_play
from foretold.rows import row_of
from foretold.rules import Mode, Rules
from foretold.view import View


class Seen(NamedTuple):
    """A view as a learner sees it."""

    observation: Observation
    mask: Mask
    """The legal actions, by what they are called in the frame; all 0 unless the seat is to act."""
    frame: Frame
    """Translates actions between the frame and the game: ``seen.frame.restore(action)``."""


def see(view: View) -> Seen:
    """The observation of a view, what is legal, and the frame of both."""
    if view.seat is None:
        raise ValueError("a spectator has no observation: take the view of a seat")
    state, memory = rows_of(view)
    observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    mask = np.empty(ACTION_COUNT, dtype=np.int8)
    order = see_seat(state, memory, view.seat, blank_of(view.rules), observation, mask)
    return Seen(observation, mask, Frame.of_order(order))


def observe(view: View) -> Observation:
    """The observation of a view.

    >>> from foretold import Game
    >>> int(observe(Game("amigo", seed=1).view(0)).sum()) > 0
    True
    """
    return see(view).observation


def rows_of(view: View) -> tuple[State, Memory]:
    """The kernel's row and the memory, as far as a view knows them."""
    seat, players = view.seat, view.rules.players
    state, memory = row_of(view), memory_at_deal(view)
    passed_after = NOTHING
    for passing in view.passes:
        assert seat is not None
        state[PASSED + seat] = passing.given
        if passing.received is not None:
            state[PASSED + (seat - 1) % players] = passing.received
            passed_after = passing.after
    begun = () if view.trick is None else (view.trick,)
    tricks = (*view.tricks, *begun)
    plays = [(trick.leader, *trick.plays) for trick in tricks]
    flat = np.array([number for trick in plays for number in trick], dtype=np.int64)
    scratch = np.empty(STATE_SIZE, dtype=np.int64)
    _remember(state, scratch, memory, flat, passed_after)
    for other, hand in enumerate(view.seen_hands):
        if hand is not None:
            played = Counter(
                trick.plays[(other - trick.leader) % players].card
                for trick in tricks
                if (other - trick.leader) % players < len(trick.plays)
            )
            state[HAND + other] = word_of((Counter(hand) - played).elements())
    return state, memory


def memory_at_deal(view: View) -> Memory:
    """The memory as it was when the round began, as far as a view knows it."""
    memory = _new_memory(view.rules).copy()
    if view.rules.mode is Mode.MONOCOLOUR:
        for other, suit in enumerate(view.suits):
            memory[OWN_SUITS + other] = NOTHING if suit is None else suit
        set_own_decks(memory, view.rules.players)
    if view.out:
        memory[OUT] = word_of(view.out)
    for line in view.sheet:
        for seat, off in enumerate(line.off):
            if off:
                memory[(ABOVE_BID if off > 0 else BELOW_BID) + seat] += 1
    begin_memory(memory)
    return memory


@compiled
def see_seat(
    state: State, memory: Memory, seat: int, common: Observation, out: Observation, mask: Mask
) -> int:
    """Write what a seat sees and may do; returns its order of the suits."""
    order = suit_order(state, memory, seat)
    write_observation(state, memory, seat, order, common, out)
    write_mask(legal(state, seat), order, mask)
    return order


@compiled
def _remember(
    state: State, scratch: State, memory: Memory, tricks: State, passed_after: int
) -> None:
    """Replay the tricks of a round, each given as its leader, then its plays."""
    for field in range(STATE_SIZE):
        scratch[field] = state[field]
    stride = state[PLAYERS] + 1
    for index in range(len(tricks)):
        if index % stride == 0:
            if passed_after != NOTHING and index == passed_after * stride:
                remember_pass(memory)
            begin_trick(scratch, tricks[index])
        else:
            remember_play(scratch, memory, tricks[index])
            apply_play(scratch, tricks[index])


@lru_cache(maxsize=64)
def blank_of(rules: Rules) -> Observation:
    """What all observations of a game share."""
    return blank(rules)


@lru_cache(maxsize=64)
def _new_memory(rules: Rules) -> Memory:
    return new_memory(rules)

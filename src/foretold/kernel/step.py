"""The rules as two functions: what a seat may do, and what an action does."""

from __future__ import annotations

from foretold.kernel.after import apply_cloud, apply_pass, legal_clouds, legal_passes
from foretold.kernel.bidding import apply_bid, legal_bids
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BIDDING,
    DEALING,
    NAMING_TRUMP,
    OVER,
    PASSING,
    PENDING,
    PHASE,
    PLAYING,
    SEALED,
    STATE_SIZE,
    TURN,
)
from foretold.kernel.rounds import apply_trump, legal_trumps
from foretold.kernel.state import State
from foretold.kernel.tricks import apply_play, legal_plays

ILLEGAL = -1


@compiled
def acting(state: State) -> int:
    """The seats that have to decide now, as bits."""
    phase = state[PHASE]
    if phase == PASSING or (phase == BIDDING and state[SEALED] != 0):
        return state[PENDING]
    return 0 if phase == DEALING or phase == OVER else 1 << state[TURN]


@compiled
def legal(state: State, seat: int) -> tuple[int, int, int]:
    """The legal actions of a seat as a mask of three words: bit a % 64 of word a // 64."""
    phase = state[PHASE]
    if phase == PLAYING:  # most decisions are plays, so they come first
        return legal_plays(state, seat) if seat == state[TURN] else (0, 0, 0)
    if (acting(state) >> seat) & 1 == 0:
        return 0, 0, 0
    if phase == BIDDING:
        return legal_bids(state, seat)
    if phase == NAMING_TRUMP:
        return legal_trumps(state)
    if phase == PASSING:
        return legal_passes(state, seat)
    return legal_clouds(state, seat)


@compiled
def is_in(mask: tuple[int, int, int], action: int) -> bool:
    """Whether an action, from 0 to 163, is in a mask of legal actions."""
    first, second, third = mask
    word = first if action < 64 else second if action < 128 else third
    return (word >> (action & 63)) & 1 == 1


@compiled
def is_single(words: tuple[int, int, int]) -> bool:
    """Whether a mask that is not empty has only one action."""
    first, second, third = words
    if third != 0:
        return first | second == 0 and third & (third - 1) == 0
    if second != 0:
        return first == 0 and second & (second - 1) == 0
    return first & (first - 1) == 0


@compiled
def only(words: tuple[int, int, int]) -> int:
    first, second, third = words
    if first != 0:
        return lowest(first)
    return 64 + lowest(second) if second != 0 else 128 + lowest(third)


@compiled
def step(state: State, seat: int, action: int) -> None:
    """Apply a legal action of a seat to act. Nothing is checked: use `legal` first."""
    phase = state[PHASE]
    if phase == PLAYING:
        apply_play(state, action)
    elif phase == BIDDING:
        apply_bid(state, seat, action)
    elif phase == NAMING_TRUMP:
        apply_trump(state, action)
    elif phase == PASSING:
        apply_pass(state, seat, action)
    else:
        apply_cloud(state, seat, action)


@compiled
def try_step(state: State, following: State, seat: int, action: int) -> int:
    """Write what follows from an action into another row; returns who acts next, as bits.

    ILLEGAL if the action is not legal; then nothing is written.
    """
    if not is_in(legal(state, seat), action):
        return ILLEGAL
    for field in range(STATE_SIZE):
        following[field] = state[field]
    step(following, seat, action)
    return acting(following)

"""Tricks: what may be played, what it does, who wins (RULES 5, 6)."""

from __future__ import annotations

from foretold.kernel.after import end_trick
from foretold.kernel.bits import lowest, without_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ALWAYS,
    ANY_SUIT,
    BEST,
    BINDING,
    DARK,
    FAIRY_POSITION,
    HAND,
    HAS_DRAGON,
    IN_TRICK,
    JESTER,
    LAST_BASE_CARD,
    LAST_POSITION,
    LED_CARDS,
    NO,
    NOTHING,
    ONE_SUIT,
    PLAYED,
    PLAYERS,
    POSITIONS,
    SETS_SUIT,
    SUIT_CARDS,
    TRICK,
    TRUMP_CARDS,
    TURN,
    UNTIL_WIZARD,
    VALUES,
    WIZARD,
)
from foretold.kernel.plays import (
    ANNOUNCED,
    AS_DRAGON,
    AS_FAIRY,
    AS_JESTER,
    AS_SUIT,
    AS_THEMSELVES,
    AS_WIZARD,
    CARD_OF,
    LIKE,
    MARKS_OF,
    PLAYS_OF,
    RANK_OF,
    SUIT_OF,
)
from foretold.kernel.rounds import left_of
from foretold.kernel.state import State

# Strengths, weakest class first; within a class the higher number is the stronger card. A card of
# another suit is in no class: it never wins, because before it somebody set the suit to follow, or
# played a Wizard. A Bomb, and a Fairy without the Dragon, have no strength at all.
JESTER_LIKE = 1
LED = 1 << 7
TRUMPS = 1 << 8
WIZARD_LIKE = 1 << 9
DRAGON_ALONE = 1 << 10
FAIRY_WITH_DRAGON = 1 << 11

assert 2 * SUIT_CARDS < LED


@compiled
def legal_plays(state: State, seat: int) -> tuple[int, int, int]:
    hand = state[HAND + seat]
    following = hand & state[LED_CARDS]
    suits = following if following != 0 else hand & ALL_SUITS
    first = suits | (hand & AS_THEMSELVES)
    announced = hand & ANNOUNCED
    if announced == 0:  # always so in the base game, which this makes the fastest
        return first, 0, 0
    second = 0
    third = 0
    while announced != 0:
        card = lowest(announced)
        announced &= announced - 1
        first |= PLAYS_OF[card, 0]
        second |= PLAYS_OF[card, 1]
        third |= PLAYS_OF[card, 2]
    return first, second, third


@compiled
def apply_play(state: State, action: int) -> None:
    seat = state[TURN]
    position = state[PLAYED]
    strength = strength_of(state, action)
    state[BEST] = max(state[BEST], strength * POSITIONS + LAST_POSITION - position)
    state[TRICK + position] = action
    state[PLAYED] = position + 1
    if action < SUIT_CARDS:
        state[HAND + seat] ^= 1 << action
        set_suit(state, action // VALUES)
    else:
        rank = rank_of(action)
        if rank >= AS_WIZARD:
            bar_suit(state, position)
        if action <= LAST_BASE_CARD:
            state[HAND + seat] = without_card(state[HAND + seat], action)
        else:
            play_special(state, seat, position, action, rank)
    if position + 1 == state[PLAYERS]:
        end_trick(state)
    else:
        state[TURN] = left_of(state, seat)


@compiled
def rank_of(action: int) -> int:
    """How a card without a suit of its own contends for the trick."""
    if action == WIZARD:  # these two are in every game: they need not be looked up
        return AS_WIZARD
    return AS_JESTER if action == JESTER else RANK_OF[action]


@compiled
def strength_of(state: State, action: int) -> int:
    """How strong a play is in the current trick; the strongest wins, the first among equals."""
    if action < SUIT_CARDS:
        return suit_strength(state, action, 0)
    rank = rank_of(action)
    if rank == AS_WIZARD:
        return WIZARD_LIKE + state[PLAYED] * state[DARK]
    if rank == AS_JESTER:
        return JESTER_LIKE
    if rank == AS_SUIT:
        return suit_strength(state, LIKE[action], 1)
    if rank == AS_DRAGON:
        return DRAGON_ALONE
    if rank == AS_FAIRY and state[IN_TRICK] & HAS_DRAGON:
        return FAIRY_WITH_DRAGON
    return 0


@compiled
def would_win(state: State, action: int) -> bool:
    """Whether a play takes the lead in the trick as it lies."""
    place = LAST_POSITION - state[PLAYED]
    return strength_of(state, action) * POSITIONS + place > state[BEST]


@compiled
def suit_strength(state: State, card: int, half: int) -> int:
    """The strength of a card that has a suit; `half` is 1 where it stands just above `card`."""
    led = 1 if state[SETS_SUIT] != NO else (state[LED_CARDS] >> card) & 1
    trump = (state[TRUMP_CARDS] >> card) & 1
    number = card % VALUES if state[ANY_SUIT] else card
    return led * LED + trump * TRUMPS + 2 * number + half


@compiled
def set_suit(state: State, suit: int) -> None:
    """The first card that has a suit sets the suit to follow."""
    if state[SETS_SUIT] != NO:
        state[SETS_SUIT] = NO
        state[LED_CARDS] = ONE_SUIT << (VALUES * suit)


@compiled
def bar_suit(state: State, position: int) -> None:
    """A Wizard-like card before any suit was set leaves the trick without a suit to follow."""
    if state[SETS_SUIT] == UNTIL_WIZARD:
        state[SETS_SUIT] = ALWAYS if position == 0 and state[BINDING] else NO


@compiled
def play_special(state: State, seat: int, position: int, action: int, rank: int) -> None:
    """What a special card does besides contending for the trick."""
    state[HAND + seat] ^= 1 << CARD_OF[action]
    state[IN_TRICK] |= MARKS_OF[action]
    if rank == AS_SUIT:
        set_suit(state, SUIT_OF[action])
    elif rank == AS_FAIRY:
        state[FAIRY_POSITION] = position
    elif rank == AS_DRAGON and state[FAIRY_POSITION] != NOTHING:
        best = FAIRY_WITH_DRAGON * POSITIONS + LAST_POSITION - state[FAIRY_POSITION]
        state[BEST] = max(state[BEST], best)

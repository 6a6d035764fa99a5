"""Tricks: what may be played, what it does, who wins (RULES 5, 6)."""

from __future__ import annotations

from foretold.actions import PLAY_CLOUD, PLAY_JUGGLER, PLAY_SHAPESHIFTER
from foretold.kernel.after import end_trick
from foretold.kernel.bits import without_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ALWAYS,
    ANY_SUIT,
    BEST,
    BINDING,
    BOMB,
    CLOUD,
    DARK,
    DRAGON,
    FAIRY,
    FAIRY_POSITION,
    HAND,
    HAS_BOMB,
    HAS_CLOUD,
    HAS_DRAGON,
    HAS_JUGGLER,
    IN_TRICK,
    JESTER,
    JUGGLER,
    LAST_POSITION,
    LED_CARDS,
    NO,
    NOTHING,
    ONE_SUIT,
    PLAYED,
    PLAYERS,
    POSITIONS,
    SETS_SUIT,
    SHAPESHIFTER,
    SUIT_CARDS,
    TRICK,
    TRUMP_CARDS,
    TURN,
    UNTIL_WIZARD,
    VALUES,
    WIZARD,
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

UNANNOUNCED = ((1 << SHAPESHIFTER) - 1) & ~ALL_SUITS
ANNOUNCED = (1 << SHAPESHIFTER) | (1 << JUGGLER) | (1 << CLOUD)
FIRST_CLOUD = -1 << 63  # the last bit of the first word: CL=B; the others begin the second word
HALF_ABOVE_7 = 6
HALF_ABOVE_9 = 8

assert PLAY_CLOUD == 63
assert 2 * SUIT_CARDS < LED


@compiled
def legal_plays(state: State, seat: int) -> tuple[int, int, int]:
    hand = state[HAND + seat]
    following = hand & state[LED_CARDS]
    suits = following if following != 0 else hand & ALL_SUITS
    plays = suits | (hand & UNANNOUNCED)
    if hand & ANNOUNCED == 0:
        return plays, 0, 0
    clouds = 0
    if (hand >> SHAPESHIFTER) & 1:
        plays |= 0b11 << PLAY_SHAPESHIFTER
    if (hand >> JUGGLER) & 1:
        plays |= 0b1111 << PLAY_JUGGLER
    if (hand >> CLOUD) & 1:
        plays |= FIRST_CLOUD
        clouds = 0b111
    return plays, clouds, 0


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
    elif action <= JESTER:
        state[HAND + seat] = without_card(state[HAND + seat], action)
        if action == WIZARD:
            bar_suit(state, position)
    else:
        play_special(state, seat, position, action)
    if position + 1 == state[PLAYERS]:
        end_trick(state)
    else:
        state[TURN] = left_of(state, seat)


@compiled
def strength_of(state: State, action: int) -> int:
    """How strong a play is in the trick under way; the strongest wins, of equals the first."""
    if action < SUIT_CARDS:
        return suit_strength(state, action, 0)
    if action == JESTER or action == PLAY_SHAPESHIFTER + 1:
        return JESTER_LIKE
    if action == WIZARD or action == PLAY_SHAPESHIFTER:
        return WIZARD_LIKE + state[PLAYED] * state[DARK]
    if action == DRAGON:
        return DRAGON_ALONE
    if action == FAIRY:
        return FAIRY_WITH_DRAGON if state[IN_TRICK] & HAS_DRAGON else 0
    if action == BOMB:
        return 0
    if action < PLAY_CLOUD:
        return suit_strength(state, VALUES * (action - PLAY_JUGGLER) + HALF_ABOVE_7, 1)
    return suit_strength(state, VALUES * (action - PLAY_CLOUD) + HALF_ABOVE_9, 1)


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
def play_special(state: State, seat: int, position: int, action: int) -> None:
    """What a special card does besides contending for the trick."""
    if action == DRAGON:
        state[HAND + seat] ^= 1 << DRAGON
        bar_suit(state, position)
        state[IN_TRICK] |= HAS_DRAGON
        fairy = state[FAIRY_POSITION]
        if fairy != NOTHING:
            best = FAIRY_WITH_DRAGON * POSITIONS + LAST_POSITION - fairy
            state[BEST] = max(state[BEST], best)
    elif action == FAIRY:
        state[HAND + seat] ^= 1 << FAIRY
        state[FAIRY_POSITION] = position
    elif action == BOMB:
        state[HAND + seat] ^= 1 << BOMB
        state[IN_TRICK] |= HAS_BOMB
    elif action < PLAY_JUGGLER:
        state[HAND + seat] ^= 1 << SHAPESHIFTER
        if action == PLAY_SHAPESHIFTER:
            bar_suit(state, position)
    elif action < PLAY_CLOUD:
        state[HAND + seat] ^= 1 << JUGGLER
        state[IN_TRICK] |= HAS_JUGGLER
        set_suit(state, action - PLAY_JUGGLER)
    else:
        state[HAND + seat] ^= 1 << CLOUD
        state[IN_TRICK] |= HAS_CLOUD
        set_suit(state, action - PLAY_CLOUD)

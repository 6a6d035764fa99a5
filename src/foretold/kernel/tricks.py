"""Tricks: what may be played, what it does, who wins (RULES 5, 6)."""

from __future__ import annotations

from collections.abc import Sequence

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
from foretold.kernel.rounds import begin_trick, left_of, settle_trump
from foretold.kernel.state import State, new_state
from foretold.rules import Rules

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
    state[TRICK + position] = action
    state[PLAYED] = position + 1
    if action < SUIT_CARDS:
        state[HAND + seat] ^= 1 << action
        play_suit(state, position, action // VALUES, action, 0)
    elif action <= JESTER:
        state[HAND + seat] = without_card(state[HAND + seat], action)
        if action == WIZARD:
            play_wizard(state, position)
        else:
            contend(state, position, JESTER_LIKE)
    else:
        play_special(state, seat, position, action)
    if position + 1 == state[PLAYERS]:
        end_trick(state)
    else:
        state[TURN] = left_of(state, seat)


@compiled
def contend(state: State, position: int, strength: int) -> None:
    """The stronger card holds the trick; of equals the first."""
    state[BEST] = max(state[BEST], strength * POSITIONS + LAST_POSITION - position)


@compiled
def play_suit(state: State, position: int, suit: int, card: int, half: int) -> None:
    """A card that has a suit; `half` is 1 where it stands just above `card`."""
    if state[SETS_SUIT] != NO:
        state[SETS_SUIT] = NO
        state[LED_CARDS] = ONE_SUIT << (VALUES * suit)
    number = card - VALUES * suit if state[ANY_SUIT] else card
    led = (state[LED_CARDS] >> card) & 1
    trump = (state[TRUMP_CARDS] >> card) & 1
    contend(state, position, led * LED + trump * TRUMPS + 2 * number + half)


@compiled
def play_wizard(state: State, position: int) -> None:
    bar_suit(state, position)
    contend(state, position, WIZARD_LIKE + position * state[DARK])


@compiled
def bar_suit(state: State, position: int) -> None:
    """A Wizard-like card before any suit was set leaves the trick without a suit to follow."""
    if state[SETS_SUIT] == UNTIL_WIZARD:
        state[SETS_SUIT] = ALWAYS if position == 0 and state[BINDING] else NO


@compiled
def play_special(state: State, seat: int, position: int, action: int) -> None:
    if action < PLAY_SHAPESHIFTER:
        card = action
    elif action < PLAY_JUGGLER:
        card = SHAPESHIFTER
    elif action < PLAY_CLOUD:
        card = JUGGLER
    else:
        card = CLOUD
    state[HAND + seat] ^= 1 << card
    if card == DRAGON:
        bar_suit(state, position)
        state[IN_TRICK] |= HAS_DRAGON
        if state[FAIRY_POSITION] == NOTHING:
            contend(state, position, DRAGON_ALONE)
        else:
            contend(state, state[FAIRY_POSITION], FAIRY_WITH_DRAGON)
    elif card == FAIRY:
        state[FAIRY_POSITION] = position
        if state[IN_TRICK] & HAS_DRAGON:
            contend(state, position, FAIRY_WITH_DRAGON)
    elif card == BOMB:
        state[IN_TRICK] |= HAS_BOMB
    elif card == SHAPESHIFTER:
        if action == PLAY_SHAPESHIFTER:
            play_wizard(state, position)
        else:
            contend(state, position, JESTER_LIKE)
    elif card == JUGGLER:
        state[IN_TRICK] |= HAS_JUGGLER
        suit = action - PLAY_JUGGLER
        play_suit(state, position, suit, VALUES * suit + HALF_ABOVE_7, 1)
    else:
        state[IN_TRICK] |= HAS_CLOUD
        suit = action - PLAY_CLOUD
        play_suit(state, position, suit, VALUES * suit + HALF_ABOVE_9, 1)


assert PLAY_CLOUD == 63
assert 2 * SUIT_CARDS < LED


def holder(rules: Rules, trump: int, plays: Sequence[int]) -> int:
    """Which of these plays, the leader's first, holds the trick: its position, from 0."""
    state = new_state(rules, 0)
    settle_trump(state, int(trump))
    begin_trick(state, 0)
    # A trick of one place more than there are plays does not end.
    state[PLAYERS] = len(plays) + 1
    for play in plays:
        apply_play(state, int(play))
    return LAST_POSITION - int(state[BEST] & LAST_POSITION)

"""What an observer remembers of a round beyond the kernel's row: one more row of integers.

The kernel's row has what the rules need. What has been played, who failed to follow and what became
of passed cards is kept here, by the same compiled functions for batches and single views.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.figures import Effect
from foretold.kernel.after import tricks_off
from foretold.kernel.bits import lowest, with_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    BIDS_MADE,
    IN_TRICK,
    JESTER,
    LED_CARDS,
    MAX_PLAYERS,
    NOTHING,
    ONE_SUIT,
    PASSED,
    PASSING,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    ROUND,
    SCORED_BIDS,
    SETS_ASIDE,
    SIZE,
    SUIT_CARDS,
    TAKEN,
    TRICK,
    TURN,
    TURNED,
    VALUES,
    WEREWOLF,
    WEREWOLF_SEAT,
    WIZARD,
)
from foretold.kernel.plays import CARD_OF, MARKS_OF
from foretold.kernel.state import State
from foretold.kernel.step import step
from foretold.rules import Clairvoyance, Mode, Rules

Memory: TypeAlias = NDArray[np.int64]
"""One row, laid out as below. A set of cards is a word as in the kernel."""

# Options that are not in the kernel's row, set once.
BIDS_SHOW: Final = 0  # AT_ONCE, WHEN_ALL_MADE or AT_THE_END
CLAIRVOYANT_SIZES: Final = 1  # the sizes of the rounds that are bid unseen, as bits
SHOWS_CARDS: Final = 2  # whether a seat may come to know cards in the hands of others

# The game.
DECK: Final = 3  # all cards in play
OUT: Final = 4  # two players: the cards used in earlier rounds

# The round.
SET_ASIDE: Final = 5
HAS_PASSED: Final = 6  # whether the Juggler's pass is done
GIFTS_HELD: Final = 7  # the seats that have not played the kind of card they were passed, as bits
SWAP_HELD: Final = 8  # whether the Werewolf's holder has not played the kind of card it got

# One entry per seat: of the game,
OWN_SUITS: Final = 9  # 0 to 3, or NOTHING
ABOVE_BID: Final = OWN_SUITS + MAX_PLAYERS  # in how many rounds it took more tricks than it bid
BELOW_BID: Final = ABOVE_BID + MAX_PLAYERS  # and in how many fewer
# and of the round.
CARDS_PLAYED: Final = BELOW_BID + MAX_PLAYERS
VOIDS: Final = CARDS_PLAYED + MAX_PLAYERS  # suits not followed (since the pass), as bits
VOIDS_BEFORE: Final = VOIDS + MAX_PLAYERS  # suits not followed before the pass
MEMORY_SIZE: Final = VOIDS_BEFORE + MAX_PLAYERS

# BIDS_SHOW
AT_ONCE: Final = 0
WHEN_ALL_MADE: Final = 1
AT_THE_END: Final = 2

ALL_SEATS: Final = (1 << MAX_PLAYERS) - 1


def _bids_show(rules: Rules) -> int:
    if rules.bids_show(all_made=False, all_played=False):
        return AT_ONCE
    return WHEN_ALL_MADE if rules.bids_show(all_made=True, all_played=False) else AT_THE_END


def new_memory(rules: Rules) -> Memory:
    """The memory of a game before its first deal."""
    memory = np.zeros(MEMORY_SIZE, dtype=np.int64)
    memory[BIDS_SHOW] = _bids_show(rules)
    memory[CLAIRVOYANT_SIZES] = sum(1 << size for size in range(63) if rules.is_clairvoyant(size))
    memory[SHOWS_CARDS] = (
        rules.clairvoyance is not Clairvoyance.OFF
        or WEREWOLF in rules.specials
        or rules.has(Effect.PASSES)
    )
    memory[OWN_SUITS : OWN_SUITS + MAX_PLAYERS] = NOTHING
    if rules.mode is not Mode.MONOCOLOUR:
        cards = np.array([card for card in rules.deck if card != WEREWOLF], dtype=np.int64)
        memory[DECK] = set_of(cards, 0, len(cards))
    return memory


@compiled
def is_clairvoyant(state: State, memory: Memory) -> int:
    return (memory[CLAIRVOYANT_SIZES] >> state[SIZE]) & 1


@compiled
def hides_own_hand(state: State, memory: Memory) -> bool:
    """Clairvoyance: all see the hands of the others, and bid without seeing their own."""
    return is_clairvoyant(state, memory) != 0 and state[BIDS_MADE] < state[PLAYERS]


@compiled
def set_of(cards: State, start: int, end: int) -> int:
    """The set of `cards[start:end]`, without the Werewolf, which is never held."""
    found = 0
    for index in range(start, end):
        if cards[index] != WEREWOLF:
            found = with_card(found, cards[index])
    return found


@compiled
def set_own_decks(memory: Memory, players: int) -> None:
    """The deck of the monocolour game; an unknown suit may be any."""
    deck = 0
    for seat in range(players):
        suit = memory[OWN_SUITS + seat]
        deck |= ALL_SUITS if suit == NOTHING else ONE_SUIT << (VALUES * suit)
    for _ in range(players):
        deck = with_card(with_card(deck, WIZARD), JESTER)
    memory[DECK] = deck


@compiled
def begin_memory(memory: Memory) -> None:
    """A round was dealt: nothing has happened in it."""
    memory[SET_ASIDE] = 0
    memory[HAS_PASSED] = 0
    memory[GIFTS_HELD] = 0
    memory[SWAP_HELD] = 1
    for field in range(CARDS_PLAYED, MEMORY_SIZE):
        memory[field] = 0


@compiled
def step_and_remember(state: State, memory: Memory, seat: int, action: int) -> None:
    """Apply a legal action, and remember what it shows."""
    phase = state[PHASE]
    number = state[ROUND]
    if phase == PLAYING:
        remember_play(state, memory, action)
    step(state, seat, action)
    if phase == PASSING and state[PHASE] != PASSING:
        remember_pass(memory)
    if state[ROUND] != number:
        for other in range(state[PLAYERS]):
            off = tricks_off(state[SCORED_BIDS + other], state[TAKEN + other])
            memory[ABOVE_BID + other] += off > 0
            memory[BELOW_BID + other] += off < 0


@compiled
def remember_play(state: State, memory: Memory, play: int) -> None:
    """A card is about to be played."""
    seat = state[TURN]
    card = CARD_OF[play]
    memory[CARDS_PLAYED + seat] = with_card(memory[CARDS_PLAYED + seat], card)
    led = state[LED_CARDS]
    if play < SUIT_CARDS and led != 0 and (led >> play) & 1 == 0:
        memory[VOIDS + seat] |= 1 << (lowest(led) // VALUES)
    if seat == state[WEREWOLF_SEAT] and card == state[TURNED]:
        memory[SWAP_HELD] = 0
    if memory[HAS_PASSED]:
        giver = (seat if seat > 0 else state[PLAYERS]) - 1
        if card == state[PASSED + giver]:
            memory[GIFTS_HELD] &= ~(1 << seat)
    is_last = state[PLAYED] + 1 == state[PLAYERS]
    if is_last and (MARKS_OF[play] | state[IN_TRICK]) & SETS_ASIDE:
        aside = with_card(0, card)
        for position in range(state[PLAYED]):
            aside = with_card(aside, CARD_OF[state[TRICK + position]])
        memory[SET_ASIDE] = aside


@compiled
def remember_pass(memory: Memory) -> None:
    """All have passed a card: whoever had shown a void may have got a card of the suit."""
    memory[HAS_PASSED] = 1
    memory[GIFTS_HELD] = ALL_SEATS
    for seat in range(MAX_PLAYERS):
        memory[VOIDS_BEFORE + seat] = memory[VOIDS + seat]
        memory[VOIDS + seat] = 0

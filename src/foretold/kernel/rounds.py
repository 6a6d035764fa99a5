"""The start of a round: hands, the turned-up card, the Werewolf's swap and trump (RULES 2, 3)."""

from __future__ import annotations

from foretold.actions import TRUMP
from foretold.kernel.bits import with_card
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ALL_SUITS,
    ANY_SUIT,
    BEST,
    BID_SUM,
    BIDDING,
    BIDS,
    BIDS_MADE,
    CLOUD_SEAT,
    DEALER,
    FAIRY_POSITION,
    HAND,
    IN_TRICK,
    LEADER,
    LED_CARDS,
    NAMING_TRUMP,
    NO,
    NO_TRUMP,
    NOTHING,
    ONE_SUIT,
    PENDING,
    PHASE,
    PLAYED,
    PLAYERS,
    SCORED_BIDS,
    SEALED,
    SETS_SUIT,
    SIZE,
    SUIT_CARDS,
    TAKEN,
    TRICKS,
    TRUMP_CARDS,
    TRUMP_SUIT,
    TURN,
    TURNED,
    UNTIL_WIZARD,
    VALUES,
    WEREWOLF,
    WEREWOLF_SEAT,
)
from foretold.kernel.plays import TURNS_NO_TRUMP
from foretold.kernel.state import State

TRUMP_WORD_BIT = TRUMP - 64


@compiled
def left_of(state: State, seat: int) -> int:
    following = seat + 1
    return 0 if following == state[PLAYERS] else following


@compiled
def begin_round(
    state: State, size: int, cards: State, start: int, stride: int, turns: bool
) -> None:
    """Deal a round from `cards`: seat s gets the `size` cards from `start + s * stride` on.

    With `turns` the card after the last hand is turned up.
    """
    players = state[PLAYERS]
    state[SIZE] = size
    state[BIDS_MADE] = 0
    state[BID_SUM] = 0
    state[TRICKS] = 0
    state[CLOUD_SEAT] = NOTHING
    turned = cards[start + players * stride] if turns else NOTHING
    state[TURNED] = turned
    werewolf = NOTHING
    for seat in range(players):
        hand = 0
        first = start + seat * stride
        for position in range(first, first + size):
            card = cards[position]
            if card == WEREWOLF:
                werewolf = seat
                card = turned
            hand = with_card(hand, card)
        state[HAND + seat] = hand
        state[BIDS + seat] = NOTHING
        state[SCORED_BIDS + seat] = NOTHING
        state[TAKEN + seat] = 0
    state[WEREWOLF_SEAT] = werewolf
    begin_trick(state, left_of(state, state[DEALER]))
    if werewolf != NOTHING:
        ask_trump(state, werewolf)
    elif turned == NOTHING or (TURNS_NO_TRUMP >> turned) & 1:
        settle_trump(state, NO_TRUMP)
    elif turned < SUIT_CARDS:
        settle_trump(state, turned // VALUES)
    else:
        ask_trump(state, state[DEALER])


@compiled
def ask_trump(state: State, seat: int) -> None:
    state[TRUMP_SUIT] = NOTHING
    state[TRUMP_CARDS] = 0
    state[PHASE] = NAMING_TRUMP
    state[TURN] = seat


@compiled
def settle_trump(state: State, trump: int) -> None:
    """Trump is known: the bids begin."""
    state[TRUMP_SUIT] = trump
    state[TRUMP_CARDS] = 0 if trump == NO_TRUMP else ONE_SUIT << (VALUES * trump)
    state[PHASE] = BIDDING
    if state[SEALED]:
        state[PENDING] = (1 << state[PLAYERS]) - 1
        state[TURN] = 0
    else:
        state[TURN] = left_of(state, state[DEALER])


@compiled
def legal_trumps(state: State) -> tuple[int, int, int]:
    """The four suits; the Werewolf's holder may also choose none."""
    choices = 0b1111 if state[WEREWOLF_SEAT] == NOTHING else 0b11111
    return 0, choices << TRUMP_WORD_BIT, 0


@compiled
def apply_trump(state: State, action: int) -> None:
    settle_trump(state, action - TRUMP)


@compiled
def begin_trick(state: State, leader: int) -> None:
    state[LEADER] = leader
    state[TURN] = leader
    state[PLAYED] = 0
    state[BEST] = 0
    state[FAIRY_POSITION] = NOTHING
    state[IN_TRICK] = 0
    state[LED_CARDS] = ALL_SUITS if state[ANY_SUIT] else 0
    state[SETS_SUIT] = NO if state[ANY_SUIT] else UNTIL_WIZARD

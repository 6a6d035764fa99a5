"""Bids: open one after another, or sealed all at once; which totals are forbidden (RULES 4)."""

from __future__ import annotations

from collections.abc import Sequence

from foretold.actions import BID
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BID_RULE,
    BID_SUM,
    BIDS,
    BIDS_MADE,
    FREE,
    LEADER,
    LEADER_UNEVEN,
    NOTHING,
    PENDING,
    PHASE,
    PLAYERS,
    PLAYING,
    SEALED,
    SIZE,
    TOTALS,
    TURN,
)
from foretold.kernel.rounds import left_of
from foretold.kernel.state import State, new_state
from foretold.rules import Rules

BID_WORD_BIT = BID - 64


@compiled
def legal_bids(state: State, seat: int) -> tuple[int, int, int]:
    bids = (1 << (state[SIZE] + 1)) - 1
    forbidden = forbidden_bid(state, seat)
    if forbidden != NOTHING:
        bids ^= 1 << forbidden
    return 0, bids << BID_WORD_BIT, 0


@compiled
def forbidden_bid(state: State, seat: int) -> int:
    """The bid that the last bidder may not make, or NOTHING."""
    rule = state[BID_RULE]
    if rule == FREE or state[BIDS_MADE] != state[PLAYERS] - 1:
        return NOTHING
    if rule == LEADER_UNEVEN and not leads_alone(state, seat):
        return NOTHING
    rest = state[SIZE] - state[BID_SUM]
    return rest if rest >= 0 else NOTHING


def last_bid_forbidden(
    rules: Rules, seat: int, size: int, bid_sum: int, totals: Sequence[int]
) -> int | None:
    """The same without a game: the bid that the last bidder may not make, if any."""
    state = new_state(rules, seat)
    state[SIZE] = size
    state[BIDS_MADE] = rules.players - 1
    state[BID_SUM] = bid_sum
    state[TOTALS : TOTALS + rules.players] = totals
    bid = int(forbidden_bid(state, seat))
    return None if bid == NOTHING else bid


@compiled
def leads_alone(state: State, seat: int) -> bool:
    for other in range(state[PLAYERS]):
        if other != seat and state[TOTALS + other] >= state[TOTALS + seat]:
            return False
    return True


@compiled
def apply_bid(state: State, seat: int, action: int) -> None:
    bid = action - BID
    state[BIDS + seat] = bid
    state[BID_SUM] += bid
    state[BIDS_MADE] += 1
    if state[BIDS_MADE] == state[PLAYERS]:
        state[PHASE] = PLAYING
        state[TURN] = state[LEADER]
    elif state[SEALED]:
        state[PENDING] &= ~(1 << seat)
        state[TURN] = lowest(state[PENDING])
    else:
        state[TURN] = left_of(state, seat)

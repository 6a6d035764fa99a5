"""A view as a row of the kernel: what is public and the seat's own hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from foretold.cards import Card, Suit, Trump
from foretold.figures import Effect
from foretold.kernel import Phase, State, new_state, word_of
from foretold.kernel.layout import (
    BID_SUM,
    BIDS,
    BIDS_MADE,
    CLOUD_SEAT,
    DEALER,
    HAND,
    LEADER,
    LED_CARDS,
    NOTHING,
    PENDING,
    PHASE,
    ROUND,
    SCORED_BIDS,
    SIZE,
    TAKEN,
    TOTALS,
    TRICKS,
    TRUMP_SUIT,
    TURN,
    TURNED,
    VALUES,
    WEREWOLF_SEAT,
)
from foretold.kernel.rounds import begin_trick, left_of, settle_trump
from foretold.kernel.tricks import apply_play
from foretold.view import View


class Followed(NamedTuple):
    """A card as it was played."""

    trick: int
    """The number of the trick, from 0."""
    seat: int
    card: Card
    failed: Suit | None
    """The suit that should have been followed and was not."""


def plays_of(view: View) -> Iterator[Followed]:
    """Every card played in the round so far; the kernel says which suit had to be followed."""
    state = new_state(view.rules, 0)
    settle_trump(state, int(Trump.NONE if view.trump is None else view.trump))
    state[SIZE] = view.size + 1  # so that no trick ends the round
    under_way = () if view.trick is None else (view.trick,)
    for number, trick in enumerate((*view.tricks, *under_way)):
        begin_trick(state, trick.leader)
        for index, play in enumerate(trick.plays):
            card = play.card
            assert card is not None
            led = int(state[LED_CARDS])
            failed = card.suit is not None and led and not led >> card & 1
            suit = Suit(((led & -led).bit_length() - 1) // VALUES) if failed else None
            yield Followed(number, (trick.leader + index) % view.rules.players, card, suit)
            apply_play(state, int(play))


def row_of(view: View) -> State:
    """The row of the round under way; other hands are empty, and unseen bids not made."""
    state = new_state(view.rules, view.dealer)
    state[SIZE] = view.size
    state[ROUND] = len(view.sheet)
    state[TURNED] = NOTHING if view.turned is None else view.turned
    state[WEREWOLF_SEAT] = NOTHING if view.werewolf is None else view.werewolf
    for seat in range(view.rules.players):
        bid = view.bids[seat]
        state[BIDS + seat] = NOTHING if bid is None else bid
        state[SCORED_BIDS + seat] = NOTHING
        state[TAKEN + seat] = view.taken[seat]
        state[TOTALS + seat] = view.totals[seat]
    if view.trump is not None:
        settle_trump(state, int(view.trump))
    else:
        state[TRUMP_SUIT] = NOTHING
    state[TRICKS] = len(view.tricks)
    leader = view.tricks[-1].next_leader if view.tricks else left_of(state, view.dealer)
    begin_trick(state, leader if leader is not None else 0)
    if view.trick is not None:
        for play in view.trick.plays:
            apply_play(state, int(play))
    state[CLOUD_SEAT] = _cloud_seat(view)
    made = [bid for bid in view.bids if bid is not None]
    bids_are_made = view.phase not in (Phase.TRUMP, Phase.BID)
    state[BIDS_MADE] = view.rules.players if bids_are_made else len(made)
    state[BID_SUM] = sum(made)
    state[PHASE] = view.phase
    state[TURN] = view.to_act[0] if view.to_act else state[LEADER]
    state[PENDING] = sum(1 << seat for seat in view.to_act)
    state[HAND : HAND + view.rules.players] = 0
    if view.seat is not None and view.hand is not None:
        state[HAND + view.seat] = word_of(view.hand)
    state[DEALER] = view.dealer
    return state


def row_at_first_lead(view: View) -> State:
    """The row of the round as it was, or will be, when all had bid and nobody had played."""
    state = row_of(view)
    state[PHASE] = Phase.PLAY
    state[TRICKS] = 0
    state[CLOUD_SEAT] = NOTHING
    state[TAKEN : TAKEN + view.rules.players] = 0
    begin_trick(state, left_of(state, view.dealer))
    return state


def row_at_first_bid(view: View) -> State:
    """The row of the round as it was when trump was known and nobody had bid."""
    assert view.trump is not None
    state = row_at_first_lead(view)
    state[BIDS : BIDS + view.rules.players] = NOTHING
    state[BIDS_MADE] = 0
    state[BID_SUM] = 0
    settle_trump(state, int(view.trump))
    return state


def _cloud_seat(view: View) -> int:
    for trick in view.tricks:
        if trick.winner is not None and any(card.has(Effect.CHANGES_BID) for card in trick.cards):
            return trick.winner
    return NOTHING

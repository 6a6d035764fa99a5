"""Whether a seat may claim the rest of a round: the tricks that are left are certainly its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np

from foretold.cards import Card
from foretold.deal import deck_of
from foretold.kernel import STATE_SIZE
from foretold.kernel.claims import takes_the_rest
from foretold.position import Position
from foretold.rules import Mode, Rules
from foretold.view import Look

FEWEST: Final = 2
"""A single card need not be claimed: playing it is just as quick."""


def may_claim(position: Position, seat: int) -> bool:
    """Whether a seat on lead is certain to take all tricks left, wherever the unseen cards are.

    Judged by what that seat knows; False in cases that would take long to work out.
    """
    if not position.leads or position.to_act != (seat,):
        return False
    if position.size - len(position.tricks) < FEWEST or position.rules.mode is Mode.MONOCOLOUR:
        return False
    if position.claim is None:
        position.claim = _is_certain(position, seat)
    return position.claim


def _is_certain(position: Position, seat: int) -> bool:
    scratch = np.empty(STATE_SIZE, dtype=np.int64)
    # The other hands are among the unseen cards: if one of their cards wins, the answer is no.
    own, others = position.kinds_held(seat)
    if not takes_the_rest(position.state, scratch, own, others):
        return False
    look = Look(position, seat)
    hand = look.hand
    assert hand is not None
    left, copies = _deck(position.rules, look.out)
    copies = dict(copies)
    turned = position.turned if position.werewolf is None else None
    seen = chain(hand, *(one.cards for one in position.tricks), () if turned is None else (turned,))
    for card in seen:
        copies[card] -= 1
        if copies[card] == 0:
            left &= ~(1 << card)
    return bool(takes_the_rest(position.state, scratch, own, left))


@lru_cache(maxsize=256)  # needed at every lead
def _deck(rules: Rules, out: tuple[Card, ...]) -> tuple[int, dict[Card, int]]:
    """The kinds of cards that a round is dealt from, as bits, and how many there are of each."""
    copies = dict(Counter(deck_of(rules, out)))
    return _kinds(copies), copies


def _kinds(cards: Iterable[Card]) -> int:
    found = 0
    for card in cards:
        found |= 1 << card
    return found

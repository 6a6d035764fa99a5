"""A player by rules of thumb: it counts what its cards should take, then plays to take just that.

Who holds a trick it asks the kernel; the numbers below are judgement, not rules.
"""

from __future__ import annotations

import random
from collections import Counter

from foretold.actions import Action, Verb
from foretold.cards import (
    BOMB,
    CLOUD,
    DRAGON,
    FAIRY,
    JESTER,
    JUGGLER,
    SHAPESHIFTER,
    WIZARD,
    Card,
    Suit,
    Trump,
)
from foretold.kernel import Phase
from foretold.kernel.tricks import holder
from foretold.view import View

_ODDS = {
    WIZARD: 0.95,
    JESTER: 0.0,
    DRAGON: 0.98,
    FAIRY: 0.05,
    BOMB: 0.0,
    SHAPESHIFTER: 0.6,
    JUGGLER: 0.35,
    CLOUD: 0.4,
}


class SimpleBot:
    """Sensible and quick: about what a careful beginner plays."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> Action:
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        if view.phase is Phase.TRUMP:
            return self._trump(view)
        if view.phase is Phase.BID:
            return self._bid(view)
        if view.phase is Phase.PLAY:
            return self._play(view)
        if view.phase is Phase.PASS:
            return self._pass(view)
        return self._cloud(view)

    def _trump(self, view: View) -> Action:
        """The suit in which it is strongest."""
        strength: Counter[Suit] = Counter()
        for card in view.hand or ():
            if card.suit is not None:
                strength[card.suit] += 6 + (card.value or 0)
        best = max(Suit, key=lambda suit: (strength[suit], self._random.random()))
        return next(a for a in view.legal_actions if a.trump == Trump(best))

    def _bid(self, view: View) -> Action:
        """As many as its cards should take, moved a little towards what the others have left."""
        assert view.seat is not None
        players = view.rules.players
        if view.hand is None:
            expected = view.size / players
        else:
            expected = sum(odds(view, card) for card in view.hand)
        made = [bid for bid in view.bids if bid is not None]
        if made:
            fair_share = view.size * len(made) / players
            expected += 0.15 * (fair_share - sum(made))
        return min(
            view.legal_actions, key=lambda a: (abs((a.bid or 0) - expected), self._random.random())
        )

    def _play(self, view: View) -> Action:
        assert view.seat is not None
        assert view.trick is not None
        assert view.hand is not None
        bid = view.bids[view.seat] or 0
        need = bid - view.taken[view.seat]
        winning = [a for a in view.legal_actions if self._holds(view, a)]
        losing = [a for a in view.legal_actions if a not in winning]
        is_last = len(view.trick.plays) == view.rules.players - 1
        if need > 0:
            if is_last and winning:
                return min(winning, key=lambda a: worth(view, a))
            best = max(winning, key=lambda a: worth(view, a), default=None)
            if best is not None and (need >= len(view.hand) or worth(view, best) > 0.45):
                return best
            return min(losing or winning, key=lambda a: worth(view, a))
        if losing:
            return max(losing, key=lambda a: worth(view, a))
        if is_last:
            return max(winning, key=lambda a: worth(view, a))
        return min(winning, key=lambda a: worth(view, a))

    def _holds(self, view: View, action: Action) -> bool:
        """Whether a play would hold the trick so far."""
        assert view.trick is not None
        assert view.trump is not None
        plays = (*view.trick.plays, action)
        return holder(view.rules, view.trump, plays) == len(plays) - 1

    def _pass(self, view: View) -> Action:
        """A winner if it has tricks enough, else a loser."""
        assert view.seat is not None
        need = (view.bids[view.seat] or 0) - view.taken[view.seat]
        ranked = sorted(view.legal_actions, key=lambda a: worth(view, a))
        return ranked[0] if need > 0 else ranked[-1]

    def _cloud(self, view: View) -> Action:
        """Towards the tricks it took."""
        assert view.seat is not None
        short = (view.bids[view.seat] or 0) < view.taken[view.seat]
        return view.legal_actions[0] if short else view.legal_actions[-1]


def worth(view: View, action: Action) -> float:
    """How likely a card is to take a trick, with what is announced for it."""
    assert action.card is not None
    if action.card == SHAPESHIFTER and action.verb is Verb.PLAY:
        return 0.9 if action.object.endswith("W") else 0.0
    if action.card in (JUGGLER, CLOUD) and action.verb is Verb.PLAY and view.trump is not None:
        return 0.5 if action.suit is view.trump.suit else 0.2
    return odds(view, action.card)


def odds(view: View, card: Card) -> float:
    """How likely a card is to take a trick."""
    if card.value is None:
        return _ODDS[card]
    rank = card.value / 13
    if view.trump is not None and card.suit is view.trump.suit:
        return 0.25 + 0.65 * rank
    crowd = 0.16 * (view.rules.players - 2)
    return max(0.0, rank**4 * (0.85 - crowd) * (1.0 if view.size > 2 else 0.8))

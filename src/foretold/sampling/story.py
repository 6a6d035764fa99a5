"""The round so far, as a view tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from foretold.cards import CARDS, WEREWOLF, Card, Suit
from foretold.deal import Deal, deck_of
from foretold.rows import plays_of
from foretold.sampling.worlds import World
from foretold.view import View

SUITS = len(Suit)
CLASS_OF = tuple(SUITS if card.suit is None else int(card.suit) for card in CARDS)
"""The suit of every card, and one more for those that have none."""


def is_closed(suits: int, card: Card) -> bool:
    return bool(suits >> CLASS_OF[card] & 1)


class Story:
    """The round so far, as a view tells it: who played what and when, and what follows from it."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.players = view.rules.players
        self.was_passed = any(one.received is not None for one in view.passes)
        self.passes_seen: dict[int, Card] = {}
        after = len(view.tricks)
        if self.was_passed:
            swap = view.passes[0]
            assert swap.received is not None
            after = swap.after
            self.passes_seen = {
                self.seat: swap.given,
                (self.seat - 1) % self.players: swap.received,
            }
        # Before the pass and after it: the cards played, and each seat's voids.
        self.played: list[tuple[list[Card], list[Card]]] = [([], []) for _ in range(self.players)]
        self.closed: list[list[int]] = [[0, 0] for _ in range(self.players)]
        self._read(after)
        self.sizes = [view.size - sum(map(len, self.played[s])) for s in range(self.players)]
        self.swapped = self._open_swap()
        self.pool = self._pool()

    def _read(self, after: int) -> None:
        for play in plays_of(self.view):
            part = 0 if play.trick < after or not self.was_passed else 1
            if play.failed is not None:
                self.closed[play.seat][part] |= 1 << play.failed
            self.played[play.seat][part].append(play.card)

    def _open_swap(self) -> Card | None:
        """The card that another seat openly swapped the Werewolf for, if it may still be held. If
        it is a Wizard or Jester, the first one that the seat shows counts as it.
        """
        view = self.view
        taker = view.werewolf
        if taker is None or taker == self.seat or view.turned is None:
            return None
        if view.turned in self.played[taker][0] or self.passes_seen.get(taker) == view.turned:
            return None
        return view.turned

    def _pool(self) -> list[Card]:
        """The unseen cards, including those that someone is known to hold."""
        view = self.view
        unseen = Counter(deck_of(view.rules, view.out))
        seen = [card for parts in self.played for part in parts for card in part]
        seen += view.hand or ()
        if view.turned is not None:
            if view.werewolf is None:
                seen.append(view.turned)
                if WEREWOLF in unseen and view.turned != WEREWOLF:
                    seen.append(WEREWOLF)  # whoever had been dealt it would have swapped it
            else:
                seen.append(WEREWOLF)
        unseen.subtract(seen)
        return sorted(unseen.elements())

    def known_in(self, seat: int, *, swap_passed: bool) -> list[Card]:
        """Unplayed cards that a seat is known to hold: seen by clairvoyance, or given to it."""
        if seat == self.seat:
            return []
        hand = self.view.seen_hands[seat]
        if hand is not None:
            left = Counter(hand)
            left.subtract(card for part in self.played[seat] for card in part)
            return sorted(left.elements())
        if self.was_passed and seat == (self.seat + 1) % self.players:
            given = self.passes_seen[self.seat]
            if given not in self.received_since(seat, swap_passed=swap_passed):
                return [given]
        return []

    def may_hold_swap(self, seat: int) -> bool:
        """Whether a seat's voids allow it to have the Werewolf's card now."""
        assert self.swapped is not None
        before, after = self.closed[seat]
        held = before | after if seat == self.view.werewolf else after
        return not is_closed(held, self.swapped)

    def received_since(self, seat: int, *, swap_passed: bool) -> list[Card]:
        """The cards that a seat played after the pass and may have received in it."""
        cards = list(self.played[seat][1])
        own_swap = seat == self.view.werewolf and not swap_passed
        if own_swap and self.swapped is not None and self.swapped in cards:
            cards.remove(self.swapped)
        return cards

    def world(self, hands: Sequence[tuple[Card, ...]], passed: Sequence[int]) -> World:
        """The whole world of these hands."""
        dealt: list[tuple[Card, ...]] = []
        for seat, hand in enumerate(hands):
            cards = Counter(hand)
            cards.update(card for part in self.played[seat] for card in part)
            if self.was_passed:
                cards[CARDS[passed[seat]]] += 1
                cards[CARDS[passed[seat - 1]]] -= 1
            if self.view.werewolf == seat and self.view.turned is not None:
                cards[self.view.turned] -= 1
                cards[WEREWOLF] += 1
            dealt.append(tuple(sorted(cards.elements())))
        return World(
            tuple(hands),
            Deal(tuple(dealt), self.view.turned),
            tuple(CARDS[card] for card in passed) if self.was_passed else None,
        )

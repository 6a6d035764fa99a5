"""The rank of a card, whatever its suit."""

from __future__ import annotations

from foretold.cards import Card


def rank(card: Card) -> int:
    """Wizard high, Jester low."""
    return {"W": 14, "J": 0}[card.code] if card.value is None else card.value

"""A deal of one round, and which deals are possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foretold.cards import Card, Suit
from foretold.errors import DealError
from foretold.rules import Mode, Rules
from foretold.words import counted


@dataclass(frozen=True)
class Deal:
    """The hands as dealt, by seat (before a Werewolf's swap), and the turned-up card."""

    hands: tuple[tuple[Card, ...], ...]
    turned: Card | None = None

    @classmethod
    def of(cls, hands: Iterable[Iterable[str | Card]], turned: str | Card | None = None) -> Deal:
        """From card codes: ``Deal.of([["B7"], ["W"], ["R3"]], "G5")``."""
        return cls(
            tuple(tuple(Card(card) for card in hand) for hand in hands),
            None if turned is None else Card(turned),
        )

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards dealt: the hands, seat by seat, then the turned-up card."""
        turned = () if self.turned is None else (self.turned,)
        return (*(card for hand in self.hands for card in hand), *turned)

    def same_cards(self, other: Deal) -> bool:
        """Whether the other is the same deal, whatever the order of cards within a hand."""
        hands = [sorted(hand) for hand in self.hands]
        return hands == [sorted(hand) for hand in other.hands] and self.turned == other.turned


def check_deal(
    rules: Rules, size: int, deal: Deal, out: Sequence[Card], suits: Sequence[Suit | None]
) -> None:
    """Raise `DealError` if a deal is impossible.

    `out` are the cards that are out of the game (two players), `suits` the known suits of the
    seats (monocolour).
    """
    if len(deal.hands) != rules.players:
        raise DealError(f"there are {len(deal.hands)} hands for {rules.players} players")
    for seat, hand in enumerate(deal.hands):
        if len(hand) != size:
            raise DealError(
                f"seat {seat} is dealt {counted(len(hand), 'card')} in a round of {size}"
            )
    if rules.turns_card(size) != (deal.turned is not None):
        if deal.turned is None:
            raise DealError("no card is turned up, but there are cards left")
        raise DealError(f"{deal.turned} is turned up, but there is no card to turn up")
    if rules.mode is Mode.MONOCOLOUR:
        own_suits(deal, suits)
        return
    available = Counter(rules.deck)
    for card, count in Counter(deal.cards).items():
        if count > available[card]:
            if available[card] == 0:
                raise DealError(f"{card} is not in the deck of this game")
            raise DealError(f"{card} is dealt {count} times: the deck has {available[card]}")
    available.subtract(out)
    for card, count in Counter(deal.cards).items():
        if count > available[card]:
            raise DealError(f"{card} is out: it was used in an earlier round")


def own_suits(deal: Deal, known: Sequence[Suit | None]) -> tuple[Suit | None, ...]:
    """The seats' suits in the monocolour game, as far as the deals so far show them."""
    suits: list[Suit | None] = list(known)
    for seat, hand in enumerate(deal.hands):
        for card in hand:
            if card.is_special:
                raise DealError(f"{card} is not in the deck of this game")
            if card.suit is None:
                continue
            if suits[seat] is None:
                suits[seat] = card.suit
            elif card.suit is not suits[seat]:
                raise DealError(f"seat {seat} has the {suits[seat]} deck but is dealt {card}")
        for card, count in Counter(hand).items():
            if count > 1:
                raise DealError(f"seat {seat} is dealt {card} {count} times: its deck has one")
    taken = [suit for suit in suits if suit is not None]
    for suit in taken:
        if taken.count(suit) > 1:
            raise DealError(f"two seats are dealt {suit} cards: each has a suit of its own")
    return tuple(suits)


def deck_of(rules: Rules, out: Sequence[Card]) -> tuple[Card, ...]:
    """The cards a round is dealt from, in documented order."""
    if not out:
        return rules.deck
    left = Counter(out)
    deck: list[Card] = []
    for card in rules.deck:
        if left[card]:
            left[card] -= 1
        else:
            deck.append(card)
    return tuple(deck)


def out_after(rules: Rules, out: tuple[Card, ...], deal: Deal) -> tuple[Card, ...]:
    """The cards that are out for the rest of the game after a round; for two players, all used."""
    return (*out, *deal.cards) if rules.mode is Mode.TWO_PLAYER else ()

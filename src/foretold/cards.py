"""The cards: 60 of the base game, and the special cards.

A `Card` is a *kind* of card and a small integer: the four Wizards are interchangeable, and so are
the four Jesters, so 67 cards have 61 kinds.

==========  ===========================================
0 to 51     suit cards, ``13 * suit + value - 1``
52, 53      Wizard ``W``, Jester ``J``
54 to 60    ``DR`` ``FA`` ``BO`` ``SH`` ``JU`` ``CL`` ``WE``
==========  ===========================================

The numbers from 52 on are in the order of `foretold.figures`, which says what those cards do.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Final

from foretold.errors import UnreadableError
from foretold.figures import FIGURES, SUIT_LETTERS, Effect, Figure
from foretold.words import shown


class Suit(IntEnum):
    """One of the four peoples; `letter` is its code, `name` its colour."""

    BLUE = 0
    GREEN = 1
    RED = 2
    YELLOW = 3

    @property
    def letter(self) -> str:
        return self.name[0]

    def __str__(self) -> str:
        return self.name.lower()


assert tuple(suit.letter for suit in Suit) == SUIT_LETTERS


class Trump(IntEnum):
    """What is trump once it is settled: a suit, or nothing."""

    BLUE = 0
    GREEN = 1
    RED = 2
    YELLOW = 3
    NONE = 4

    @property
    def suit(self) -> Suit | None:
        return None if self is Trump.NONE else Suit(self)

    @property
    def code(self) -> str:
        """As records write it: ``B``, ``G``, ``R``, ``Y`` or ``none``."""
        return "none" if self is Trump.NONE else self.name[0]

    def __str__(self) -> str:
        return "no trump" if self is Trump.NONE else self.name.lower()


VALUES: Final = 13
SUIT_CARDS: Final = len(Suit) * VALUES

_CODES: Final = (
    *(f"{suit.letter}{value}" for suit in Suit for value in range(1, VALUES + 1)),
    *(figure.code for figure in FIGURES),
)


class Card(int):
    """A kind of card, an integer: ``Card("R4")``, ``Card("W")``."""

    __slots__ = ()
    _by_code: ClassVar[dict[str, Card]] = {}
    _by_index: ClassVar[list[Card]] = []

    def __new__(cls, card: str | int) -> Card:
        if isinstance(card, str):
            found = cls._by_code.get(card)
            if found is None:
                raise UnreadableError(f"unknown card {shown(card)}: expected {CARD_SYNTAX}")
            return found
        if not 0 <= card < len(_CODES):
            raise UnreadableError(f"unknown card number {card}: expected 0 to {len(_CODES) - 1}")
        return cls._by_index[card]

    @property
    def suit(self) -> Suit | None:
        return Suit(self // VALUES) if self < SUIT_CARDS else None

    @property
    def value(self) -> int | None:
        return self % VALUES + 1 if self < SUIT_CARDS else None

    @property
    def code(self) -> str:
        return _CODES[self]

    @property
    def figure(self) -> Figure | None:
        """What there is to know about it, unless it is a suit card."""
        return FIGURES[self - SUIT_CARDS] if self >= SUIT_CARDS else None

    @property
    def name(self) -> str:
        figure = self.figure
        return f"{self.suit} {self.value}" if figure is None else figure.name

    @property
    def is_special(self) -> bool:
        """Whether it is one of the special cards."""
        return self.figure is not None and self.figure.edition != ""

    def has(self, effect: Effect) -> bool:
        """Whether it does this after its trick."""
        return self.figure is not None and effect in self.figure.effect

    @property
    def partner(self) -> Card | None:
        """The card without which it is not used, if there is one."""
        return Card(self.figure.only_with) if self.figure and self.figure.only_with else None

    def __str__(self) -> str:
        return _CODES[self]

    def __repr__(self) -> str:
        return f"Card({_CODES[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (_CODES[self],)


CARD_SYNTAX: Final = (
    "a suit card such as R4, W, J, or "
    f"{', '.join(figure.code for figure in FIGURES if figure.edition)}"
)

Card._by_index.extend(int.__new__(Card, index) for index in range(len(_CODES)))
Card._by_code.update(zip(_CODES, Card._by_index, strict=True))

CARDS: Final = tuple(Card._by_index)
"""All kinds, in order of their numbers."""

WIZARD: Final = Card("W")
JESTER: Final = Card("J")
SPECIALS: Final = tuple(card for card in CARDS if card.is_special)
"""The special cards."""

PAIRS: Final = tuple(
    (card, card.partner) for card in SPECIALS if card.partner is not None and card < card.partner
)
"""The special cards that are used only together."""

WEREWOLF: Final = next(card for card in SPECIALS if card.figure and card.figure.is_swapped)
"""The card that is never held: whoever is dealt it swaps it for the turned-up card."""


def full_deck(specials: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """The deck in its documented order: suits, Wizards, Jesters, then the special cards."""
    base = (card for card in CARDS if not card.is_special)
    return tuple(
        copy
        for card in (*base, *sorted(specials))
        for copy in (card,) * (card.figure.copies if card.figure else 1)
    )


def own_deck(suit: Suit) -> tuple[Card, ...]:
    """The deck of one player in the monocolour game: a suit, a Wizard and a Jester."""
    first = suit * VALUES
    return (*CARDS[first : first + VALUES], WIZARD, JESTER)

"""What each play is: tables by action number, made from the entries of the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, Action, Verb
from foretold.cards import CARDS, SUIT_CARDS, VALUES, Card
from foretold.figures import Effect, Figure, Rank, Turned
from foretold.kernel.layout import HAS_DRAGON, NOTHING

PLAYS: Final = tuple(action for action in ACTIONS if action.verb is Verb.PLAY)


def by_play(fact: Callable[[Action], int]) -> NDArray[np.int64]:
    """A table of a fact about every play, by its number."""
    table = np.full(max(PLAYS) + 1, NOTHING, dtype=np.int64)
    for play in PLAYS:
        table[play] = fact(play)
    return table


def _figure(play: Action) -> Figure | None:
    return None if play.card is None else play.card.figure


def _card(play: Action) -> int:
    return NOTHING if play.card is None else int(play.card)


def _like(play: Action) -> int:
    """The suit card that a play stands just above, or is."""
    figure = _figure(play)
    if figure is None:
        return int(play)
    return NOTHING if play.suit is None else VALUES * play.suit + figure.above - 1


def _stands_for(play: Action) -> int:
    figure = _figure(play)
    return _card(play) if figure is None or not figure.announced else _like(play)


def _marks(play: Action) -> int:
    figure = _figure(play)
    mark = HAS_DRAGON if play.rank is Rank.DRAGON else 0
    return mark | (figure.effect if figure is not None else 0)


CARD_OF: Final = by_play(_card)
RANK_OF: Final = by_play(lambda play: Rank.SUIT if play.rank is None else play.rank)
SUIT_OF: Final = by_play(lambda play: NOTHING if play.suit is None else play.suit)
LIKE: Final = by_play(_like)
"""The suit card that a card with an announced suit stands just above."""
STANDS_FOR: Final = by_play(_stands_for)
"""The card by which a play is judged: the same as LIKE where a suit is announced, otherwise the
card itself; NOTHING where it counts as another figure."""
MARKS_OF: Final = by_play(_marks)
"""What a play leaves in IN_TRICK."""

# Ranks as compiled code knows them.
AS_FAIRY: Final = Rank.FAIRY.value
AS_JESTER: Final = Rank.JESTER.value
AS_SUIT: Final = Rank.SUIT.value
AS_WIZARD: Final = Rank.WIZARD.value
AS_DRAGON: Final = Rank.DRAGON.value

WORDS: Final = 3
"""The number of words in a mask of legal actions."""


def _word(bits: Iterable[int]) -> int:
    """A set of numbers from 0 to 63 as a signed word, as in compiled code."""
    word = sum(1 << bit for bit in bits)
    return word - (1 << 64) if word >> 63 else word


def _plays_of(card: Card) -> list[int]:
    return [int(play) for play in PLAYS if play.card == card]


def _mask(actions: Iterable[int]) -> list[int]:
    numbers = list(actions)
    return [_word(one % 64 for one in numbers if one // 64 == word) for word in range(WORDS)]


PLAYS_OF: Final = np.array([_mask(_plays_of(card)) for card in CARDS], dtype=np.int64)
"""The plays of every card, as a mask of actions."""

_FIGURES: Final = CARDS[SUIT_CARDS:]

AS_THEMSELVES: Final = _word(card for card in _FIGURES if _plays_of(card) == [int(card)])
"""The cards without a suit whose one play has the number of the card."""
ANNOUNCED: Final = _word(card for card in _FIGURES if _plays_of(card) not in ([], [int(card)]))
"""Those whose plays have other numbers."""


def kinds(has: Callable[[Figure], bool]) -> int:
    """The cards without a suit for which something holds, as a set."""
    return _word(card for card in _FIGURES if card.figure is not None and has(card.figure))


TURNS_NO_TRUMP: Final = kinds(lambda figure: figure.turned is Turned.NO_TRUMP)
"""The cards that mean no trump when they are turned up."""
SETTING_ASIDE: Final = kinds(lambda figure: Effect.SETS_ASIDE in figure.effect)
PASSING_ON: Final = kinds(lambda figure: Effect.PASSES in figure.effect)

assert len(ACTIONS) <= 64 * WORDS

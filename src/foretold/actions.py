"""Every decision of every mode as a small integer, with its text.

The layout is part of the public interface and does not change:

============  ===========================================================
0 to 51       play a suit card (the number of the card)
52 to 56      play ``W``, ``J``, ``DR``, ``FA``, ``BO`` (the number of the card)
57, 58        play ``SH=W``, ``SH=J``
59 to 62      play ``JU=B``, ``JU=G``, ``JU=R``, ``JU=Y``
63 to 66      play ``CL=B``, ``CL=G``, ``CL=R``, ``CL=Y``
67 to 96      bid 0 to 29
97 to 101     trump ``B``, ``G``, ``R``, ``Y``, ``none``
102, 103      cloud ``+1``, ``-1``
104 to 163    pass a card (104 and the number of the card)
============  ===========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import ClassVar, Final

from foretold.cards import CARDS, WEREWOLF, Card, Suit, Trump
from foretold.errors import UnreadableError
from foretold.figures import BY_CODE, FIGURES, Rank
from foretold.words import listed, shown


class Verb(StrEnum):
    """What kind of decision an action is."""

    PLAY = "play"
    BID = "bid"
    TRUMP = "trump"
    CLOUD = "cloud"
    PASS = "pass"


MAX_BID: Final = 29
"""The largest round there is: 29 cards in a two-player game of one round."""


def _plays(cards: Iterable[Card]) -> Iterator[tuple[str, Card]]:
    """Every way to play some cards: a card, or a card with each of its announcements."""
    for card in cards:
        figure = card.figure
        if figure is None or not (figure.announced or figure.is_swapped):
            yield f"play {card}", card
        elif figure.announced:
            for announced in figure.announced:
                yield f"play {card}={announced}", card


def _passes(cards: Iterable[Card]) -> Iterator[tuple[str, Card]]:
    for card in cards:
        if card != WEREWOLF:
            yield f"pass {card}", card


# The cards that existed when actions got their numbers. New ones come after the others, so that no
# number changes.
_FIRST: Final = CARDS[: WEREWOLF + 1]
_LATER: Final = CARDS[WEREWOLF + 1 :]

_TABLE: Final[tuple[tuple[str, Card | None], ...]] = (
    *_plays(_FIRST),
    *((f"bid {bid}", None) for bid in range(MAX_BID + 1)),
    *((f"trump {trump.code}", None) for trump in Trump),
    *(("cloud +1", None), ("cloud -1", None)),
    *_passes(_FIRST),
    *_plays(_LATER),
    *_passes(_LATER),
)
"""The text and the card of every action, in order of their numbers."""

_TEXTS: Final = tuple(text for text, _ in _TABLE)
_CARDS: Final = tuple(card for _, card in _TABLE)
_VERBS: Final = tuple(Verb(text.split()[0]) for text in _TEXTS)
_ANNOUNCED: Final = tuple(text.partition("=")[2] for text in _TEXTS)
_SUITS: Final = {suit.letter: suit for suit in Suit}

BID: Final = _TEXTS.index("bid 0")
TRUMP: Final = _TEXTS.index("trump B")
CLOUD_UP: Final = _TEXTS.index("cloud +1")
PASS: Final = _TEXTS.index("pass B1")
ACTION_COUNT: Final = len(_TABLE)


class Action(int):
    """A decision, an integer: ``Action("play R4")``, ``Action("bid 2")``."""

    __slots__ = ()
    _by_text: ClassVar[dict[str, Action]] = {}
    _by_index: ClassVar[list[Action]] = []

    def __new__(cls, action: str | int) -> Action:
        if isinstance(action, str):
            found = cls._by_text.get(action)
            if found is None:
                raise UnreadableError(_why_unreadable(action))
            return found
        if not 0 <= action < ACTION_COUNT:
            raise UnreadableError(
                f"unknown action number {action}: expected 0 to {ACTION_COUNT - 1}"
            )
        return cls._by_index[action]

    @classmethod
    def find(cls, text: str) -> Action | None:
        """The action with that text, or None if there is none."""
        return cls._by_text.get(text)

    @property
    def verb(self) -> Verb:
        return _VERBS[self]

    @property
    def card(self) -> Card | None:
        """The card played or passed."""
        return _CARDS[self]

    @property
    def suit(self) -> Suit | None:
        """The suit that a played card has: its own, or the one announced for it."""
        card = _CARDS[self]
        if card is None or _VERBS[self] is not Verb.PLAY:
            return None
        return card.suit if card.suit is not None else _SUITS.get(_ANNOUNCED[self])

    @property
    def rank(self) -> Rank | None:
        """How a card without a suit of its own contends for the trick that it is played to."""
        card = _CARDS[self]
        if card is None or card.figure is None or _VERBS[self] is not Verb.PLAY:
            return None
        announced = BY_CODE.get(_ANNOUNCED[self])
        return card.figure.rank if announced is None else announced.rank

    @property
    def bid(self) -> int | None:
        return self - BID if BID <= self < TRUMP else None

    @property
    def trump(self) -> Trump | None:
        return Trump(self - TRUMP) if TRUMP <= self < CLOUD_UP else None

    @property
    def object(self) -> str:
        """The text after the verb: ``R4``, ``JU=R``, ``2``, ``none``, ``+1``."""
        return _TEXTS[self].split()[1]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Action({_TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Action], tuple[str]]:
        return Action, (_TEXTS[self],)


Action._by_index.extend(int.__new__(Action, index) for index in range(ACTION_COUNT))
Action._by_text.update(zip(_TEXTS, Action._by_index, strict=True))

ACTIONS: Final = tuple(Action._by_index)
"""All actions, in order of their numbers."""

_ANNOUNCEMENTS: Final = {
    figure.code: listed((f"{figure.code}={announced}" for announced in figure.announced), "or")
    for figure in FIGURES
    if figure.announced
}


def _why_unreadable(text: str) -> str:
    verb, _, rest = text[:40].partition(" ")
    if verb == "play":
        if rest in _ANNOUNCEMENTS:
            return f"{rest} is played with its announcement: {_ANNOUNCEMENTS[rest]}"
        if rest == WEREWOLF.code:
            name = WEREWOLF.name
            return f"the {name} is never played: it was swapped for the turned-up card"
        code, equals, _ = rest.partition("=")
        if equals and code in _ANNOUNCEMENTS:
            return f"unknown announcement {rest!r}: expected {_ANNOUNCEMENTS[code]}"
        if equals:
            return f"{rest!r} is not a card to announce: only {listed(_ANNOUNCEMENTS, 'and')} are"
    if verb in ("play", "pass"):
        Card(rest)  # says which cards there are
        return f"{rest} cannot be passed"
    if verb == "bid" and re.fullmatch(r"-?[0-9]+", rest):
        return f"a bid is 0 to {MAX_BID}, not {rest}"
    return (
        f"unknown action {shown(text)}: expected play CARD, bid N, trump SUIT, trump none, "
        "pass CARD, cloud +1 or cloud -1"
    )

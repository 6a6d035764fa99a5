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
from enum import StrEnum
from typing import ClassVar, Final

from foretold.cards import (
    BOMB,
    CARDS,
    CLOUD,
    JUGGLER,
    SHAPESHIFTER,
    WEREWOLF,
    Card,
    Suit,
    Trump,
)
from foretold.errors import UnreadableError
from foretold.words import shown


class Verb(StrEnum):
    """What kind of decision an action is."""

    PLAY = "play"
    BID = "bid"
    TRUMP = "trump"
    CLOUD = "cloud"
    PASS = "pass"


MAX_BID: Final = 29
"""The largest round there is: 29 cards in a two-player game of one round."""

PLAY_SHAPESHIFTER: Final = BOMB + 1
PLAY_JUGGLER: Final = PLAY_SHAPESHIFTER + 2
PLAY_CLOUD: Final = PLAY_JUGGLER + len(Suit)
BID: Final = PLAY_CLOUD + len(Suit)
TRUMP: Final = BID + MAX_BID + 1
CLOUD_UP: Final = TRUMP + len(Trump)
CLOUD_DOWN: Final = CLOUD_UP + 1
PASS: Final = CLOUD_DOWN + 1
ACTION_COUNT: Final = PASS + WEREWOLF

_TEXTS: Final = (
    *(f"play {card}" for card in CARDS[: BOMB + 1]),
    *(f"play SH={side}" for side in "WJ"),
    *(f"play JU={suit.letter}" for suit in Suit),
    *(f"play CL={suit.letter}" for suit in Suit),
    *(f"bid {bid}" for bid in range(MAX_BID + 1)),
    *(f"trump {trump.code}" for trump in Trump),
    *("cloud +1", "cloud -1"),
    *(f"pass {card}" for card in CARDS[:WEREWOLF]),
)
_VERBS: Final = tuple(Verb(text.split()[0]) for text in _TEXTS)
_CARDS: Final = (
    *CARDS[: BOMB + 1],
    *(SHAPESHIFTER,) * 2,
    *(JUGGLER,) * len(Suit),
    *(CLOUD,) * len(Suit),
    *(None,) * (PASS - BID),
    *CARDS[:WEREWOLF],
)


class Action(int):
    """A decision: ``Action("play R4")``, ``Action("bid 2")``; an integer from 0 to 163."""

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
        """The action of that text, or None if there is none."""
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
        if self < PLAY_SHAPESHIFTER:
            return CARDS[self].suit
        if PLAY_JUGGLER <= self < BID:
            return Suit((self - PLAY_JUGGLER) % len(Suit))
        return None

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
"""All 164 actions, in order of their numbers."""

_ANNOUNCEMENTS: Final = {
    "SH": "SH=W or SH=J",
    "JU": "JU=B, JU=G, JU=R or JU=Y",
    "CL": "CL=B, CL=G, CL=R or CL=Y",
}


def _why_unreadable(text: str) -> str:
    verb, _, rest = text[:40].partition(" ")
    if verb == "play":
        if rest in _ANNOUNCEMENTS:
            return f"{rest} is played with its announcement: {_ANNOUNCEMENTS[rest]}"
        if rest == "WE":
            return "the Werewolf is never played: it was swapped for the turned-up card"
        code, equals, _ = rest.partition("=")
        if equals and code in _ANNOUNCEMENTS:
            return f"unknown announcement {rest!r}: expected {_ANNOUNCEMENTS[code]}"
        if equals:
            return f"{rest!r} is not a card to announce: only SH, JU and CL are"
    if verb in ("play", "pass"):
        Card(rest)  # says which cards there are
        return f"{rest} cannot be passed"
    if verb == "bid" and re.fullmatch(r"-?[0-9]+", rest):
        return f"a bid is 0 to {MAX_BID}, not {rest}"
    return (
        f"unknown action {shown(text)}: expected play CARD, bid N, trump SUIT, trump none, "
        "pass CARD, cloud +1 or cloud -1"
    )

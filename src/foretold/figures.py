"""The cards that have no suit: the Wizard, the Jester and the special cards, each stated once.

An entry says what a card is called, how it contends for a trick, what is announced when it is
played, what it does after the trick and what it means when it is turned up. The deck, the numbers
of plays, the kernel's tables, observations, the terminal and the site's list of cards are made from
the entries.

`make protocol` writes the site's list, web/src/lib/cards/figures.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag, StrEnum
from typing import Any, Final


class Rank(IntEnum):
    """How a card contends for a trick, and what it does to the suit to follow (RULES 5)."""

    NONE = 0
    """Never wins, and sets no suit."""
    FAIRY = 1
    """Wins against the Dragon only, and sets no suit."""
    JESTER = 2
    """Wins if it is the first of its rank and nothing better is played; sets no suit."""
    SUIT = 3
    """A card of the suit announced for it."""
    WIZARD = 4
    """Beats every suit; before a suit is set, it leaves the trick without one."""
    DRAGON = 5
    """Beats Wizards too; before a suit is set, it leaves the trick without one."""


class Effect(IntFlag):
    """What a card does after its trick (RULES 6)."""

    NONE = 0
    SETS_ASIDE = 2
    """Nobody takes the trick."""
    PASSES = 4
    """Everyone passes a card to the left."""
    CHANGES_BID = 8
    """Whoever took the trick changes their bid when the round is over."""


class Turned(StrEnum):
    """What decides trump if the card is turned up (RULES 3)."""

    NO_TRUMP = "none"
    DEALER_NAMES = "dealer"


SUIT_LETTERS: Final = ("B", "G", "R", "Y")


@dataclass(frozen=True)
class Figure:
    """The properties of a card that has no suit."""

    code: str
    name: str
    sign: str
    """One character, one column wide in every font that terminals use."""
    meaning: str
    rank: Rank
    turned: Turned
    announced: tuple[str, ...] = ()
    """What can be announced with it: a suit, or the figure it counts as."""
    above: int = 0
    """With Rank.SUIT: the value that it stands just above."""
    value: str = ""
    """What is printed on the card for it."""
    effect: Effect = Effect.NONE
    is_swapped: bool = False
    """Whoever is dealt it swaps it for the turned-up card and names trump, or none: it is never
    held or played."""
    copies: int = 1
    only_with: str = ""
    """The code of the card without which it is not used."""
    edition: str = ""
    """The edition that added it; none for the cards of the base game."""


FIGURES: Final = (
    # In the order of the cards' numbers, so a new one comes last.
    Figure(
        "W",
        "Wizard",
        "★",
        "beats every suit card; the first one in a trick wins",
        Rank.WIZARD,
        Turned.DEALER_NAMES,
        copies=4,
    ),
    Figure("J", "Jester", "♪", "loses to every suit card", Rank.JESTER, Turned.NO_TRUMP, copies=4),
    Figure(
        "DR",
        "Dragon",
        "§",
        "beats everything but the Fairy",
        Rank.DRAGON,
        Turned.DEALER_NAMES,
        only_with="FA",
        edition="anniversary",
    ),
    Figure(
        "FA",
        "Fairy",
        "☼",
        "loses to everything but beats the Dragon",
        Rank.FAIRY,
        Turned.NO_TRUMP,
        only_with="DR",
        edition="anniversary",
    ),
    Figure(
        "BO",
        "Bomb",
        "¤",
        "nobody takes the trick",
        Rank.NONE,
        Turned.NO_TRUMP,
        effect=Effect.SETS_ASIDE,
        edition="anniversary",
    ),
    Figure(
        "SH",
        "Shapeshifter",
        "◊",
        "a Wizard or a Jester, as you announce",
        Rank.NONE,
        Turned.DEALER_NAMES,
        announced=("W", "J"),
        edition="anniversary",
    ),
    Figure(
        "JU",
        "Juggler",
        "∞",
        "7½ of a suit you announce; then everyone passes a card to the left",
        Rank.SUIT,
        Turned.DEALER_NAMES,
        announced=SUIT_LETTERS,
        above=7,
        value="7½",
        effect=Effect.PASSES,
        edition="anniversary",
    ),
    Figure(
        "CL",
        "Cloud",
        "≈",
        "9¾ of a suit you announce; whoever takes it changes their bid by one",
        Rank.SUIT,
        Turned.DEALER_NAMES,
        announced=SUIT_LETTERS,
        above=9,
        value="9¾",
        effect=Effect.CHANGES_BID,
        edition="anniversary",
    ),
    Figure(
        "WE",
        "Werewolf",
        "◐",
        "swapped for the turned-up card; its holder names trump, or none",
        Rank.NONE,
        Turned.DEALER_NAMES,
        is_swapped=True,
        edition="anniversary",
    ),
)
"""The entries, in the order of the cards' numbers."""

BY_CODE: Final = {figure.code: figure for figure in FIGURES}


def as_data() -> list[dict[str, Any]]:
    """What the site's client needs to know of each card."""
    return [
        {
            "code": figure.code,
            "name": figure.name,
            "rank": figure.rank.name.lower(),
            "turned": figure.turned.value,
            "announced": list(figure.announced),
            "value": figure.value,
            "swapped": figure.is_swapped,
            "special": bool(figure.edition),
        }
        for figure in FIGURES
    ]

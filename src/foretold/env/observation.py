"""The observation, entry by entry: the one table from which its layout and its page are derived.

An observation is a row of small integers that says what a seat may know: a function of its `View`
alone. Seats are relative (0 is the observer's, then clockwise), and suits are renamed (`a` to `d`,
trump is always `a`; see `foretold.env.frame`), so that equivalent situations look the same.

``python -m foretold.env.observation`` prints the table of docs/environments.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.cards import SPECIALS, VALUES
from foretold.figures import FIGURES, SUIT_LETTERS, Figure, Rank
from foretold.rules import MAX_PLAYERS, Bidding, BidRule, Mode


@dataclass(frozen=True)
class Axis:
    """A dimension of a field: seats, suits, values; with a label for each entry."""

    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """Some entries of the observation that belong together; the last axis varies fastest."""

    name: str
    axes: tuple[Axis, ...]
    meaning: str
    scale: int = 1
    """Divide by this to get numbers from about -1 to 1."""

    @property
    def size(self) -> int:
        return prod(len(axis.labels) for axis in self.axes)

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of every entry: ``hand[a7]``, ``bids[+1]``."""
        if not self.axes:
            return (self.name,)
        entries = product(*(axis.labels for axis in self.axes))
        return tuple(f"{self.name}[{', '.join(entry)}]" for entry in entries)


_LETTERS: Final = "abcd"
_SUIT_CARDS: Final = tuple(f"{suit}{value}" for suit in _LETTERS for value in range(1, VALUES + 1))
_HELD: Final = tuple(figure for figure in FIGURES if not figure.is_swapped)
_SWAPPED: Final = tuple(figure.code for figure in FIGURES if figure.is_swapped)


def _renamed(announced: str) -> str:
    """What is announced for a card, with suits renamed."""
    return _LETTERS[SUIT_LETTERS.index(announced)] if announced in SUIT_LETTERS else announced


def _plays(figure: Figure) -> list[str]:
    announced = [f"{figure.code}={_renamed(one)}" for one in figure.announced]
    return announced or [figure.code]


def _faces(figure: Figure) -> list[str]:
    """A suit that is announced has an entry of its own."""
    return [figure.code] if figure.rank is Rank.SUIT else _plays(figure)


def _quoted(labels: Iterable[str]) -> str:
    return ", ".join(f"`{label}`" for label in labels)


SEAT: Final = Axis("seat", ("own", *(f"+{seat}" for seat in range(1, MAX_PLAYERS))))
OTHER: Final = Axis("other seat", SEAT.labels[1:])
SUIT: Final = Axis("suit", tuple(_LETTERS))
CARD: Final = Axis("card", (*_SUIT_CARDS, *(figure.code for figure in _HELD)))
ANY_CARD: Final = Axis("card or WE", (*CARD.labels, *_SWAPPED))
PLAY: Final = Axis("play", (*_SUIT_CARDS, *(play for figure in _HELD for play in _plays(figure))))
FACE: Final = Axis(
    "face",
    (
        *_LETTERS,
        *(str(value) for value in range(1, VALUES + 1)),
        *(face for figure in _HELD for face in _faces(figure)),
    ),
)

AXES: Final = {
    SEAT: "the observer's seat, then clockwise the others: `own`, `+1` to `+5`; 0 if nobody sits",
    OTHER: "`+1` to `+5`",
    SUIT: "the suits as renamed: `a`, `b`, `c`, `d`",
    CARD: f"the {len(CARD.labels)} kinds of card: `a1` to `a13`, …, `d13`, "
    f"{_quoted(CARD.labels[len(_SUIT_CARDS) :])}; an entry is how many (0 or 1; Wizards and "
    "Jesters to 4)",
    ANY_CARD: f"the same and {_quoted(_SWAPPED)}",
    PLAY: f"the actions 0 to {len(PLAY.labels) - 1}, suits renamed: the suit cards, "
    f"{_quoted(PLAY.labels[len(_SUIT_CARDS) :])}",
    FACE: "a card that lies open: its suit `a` to `d` (its own or the announced one), its value 1 "
    f"to 13, or what else it is: {_quoted(FACE.labels[len(_LETTERS) + VALUES :])}",
}
"""The axes that many fields share, explained."""


def _one_of(*labels: str) -> tuple[Axis]:
    return (Axis("one of", labels),)


FIELDS: Final = (
    # The table and its options
    Field("mode", _one_of(*Mode), "the mode of the game"),
    Field("players", _one_of("2", "3", "4", "5", "6"), "the number of players"),
    Field("bidding", _one_of(*Bidding), "how bids are made"),
    Field("bid_rule", _one_of(*BidRule), "which totals of bids are forbidden"),
    Field("dark_wizard", (), "1: the last Wizard wins, not the first"),
    Field("binding", (), "1: a suit after a leading Wizard must be followed"),
    Field(
        "specials",
        (Axis("special card", tuple(card.code for card in SPECIALS)),),
        "1: the card is in the deck",
    ),
    # The game
    Field("rounds_left", (), "rounds after this one, at most 127", scale=20),
    Field("totals", (SEAT,), "points after the last finished round / 10, -127 to 127", scale=50),
    # The round
    Field(
        "phase",
        _one_of("trump", "bid", "play", "pass", "cloud"),
        "what is awaited; 0 after the end",
    ),
    Field("to_act", (SEAT,), "1: must decide now; several where all decide at once"),
    Field("size", (), "cards dealt to each player in this round (r)", scale=20),
    Field("tricks_left", (), "tricks of the round not finished yet", scale=20),
    Field("clairvoyant", (), "1: in this round all see the hands of the others, and bid unseen"),
    Field("dealer", (SEAT,), "1: deals the round"),
    Field("leader", (SEAT,), "1: leads, or led, the trick under way"),
    # Trump
    Field("trump", _one_of("a", "none", "not named yet"), "trump of the round"),
    Field("turned", (ANY_CARD,), "the card turned up"),
    Field("werewolf", (SEAT,), "1: was dealt the Werewolf, and swapped it for the turned-up card"),
    # Bids
    Field("bids", (SEAT,), "the bid; 0 where it does not show", scale=10),
    Field("shown", (SEAT,), "1: the bid is made, and this seat may know it"),
    Field("taken", (SEAT,), "tricks taken", scale=10),
    Field(
        "needs", (SEAT,), "the bid less the tricks taken; 0 where the bid does not show", scale=10
    ),
    Field("excess", (), "the sum of the bids that show, less r", scale=10),
    Field("cloud", (SEAT,), "1: took the trick with the Cloud"),
    # The trick under way
    Field("in_trick", (), "cards in the trick under way", scale=5),
    Field("trick", (SEAT, FACE), "what each seat has played to the trick under way"),
    Field("led", (SUIT,), "1: the suit to follow"),
    Field("unled", (), "1: the next card that has a suit sets the suit to follow"),
    Field("winner", (SEAT,), "1: its card is winning as the trick lies"),
    Field("winning", (PLAY,), "the winning card as the trick lies"),
    Field("voids", (SEAT, SUIT), "1: failed to follow the suit, and can have got none of it since"),
    # Cards
    Field("hand", (CARD,), "the observer's hand; 0 while clairvoyance hides it"),
    Field("unseen", (CARD,), "cards of the deck whose place this seat does not know"),
    Field("played", (SEAT, CARD), "cards played in this round, with those of the trick under way"),
    # Used only with special cards, clairvoyance, or in other modes
    Field(
        "known",
        (OTHER, CARD),
        "cards that the seat surely holds now: all under clairvoyance; the card given to it, and "
        "the Werewolf's swapped card, until it plays one of that kind (the swapped card also until "
        "the pass, unless its holder passed another card to this seat)",
    ),
    Field(
        "voids_before_pass",
        (SEAT, SUIT),
        "1: had failed to follow the suit when cards were passed; the seat holds at most the card "
        "it got of that suit",
    ),
    Field("given", (CARD,), "the card given in the Juggler's pass, once it is chosen"),
    Field("received", (CARD,), "the card received in it"),
    Field("set_aside", (CARD,), "the cards of the trick that the Bomb set aside"),
    Field("out", (CARD,), "two players: the cards used in earlier rounds"),
    Field("suits", (SEAT, SUIT), "monocolour: the seat's own suit, where it is known"),
    # What the score sheet says about a player
    Field("above", (SEAT,), "rounds in which the seat took more tricks than it bid", scale=5),
    Field("below", (SEAT,), "rounds in which it took fewer", scale=5),
)
"""The table."""

_SIZES: Final = [field.size for field in FIELDS]
AT: Final = {field.name: sum(_SIZES[:index]) for index, field in enumerate(FIELDS)}
"""Where each field begins."""

OBSERVATION_SIZE: Final = sum(_SIZES)

LABELS: Final = tuple(label for field in FIELDS for label in field.labels)
"""The name of every entry."""

SCALES: Final[NDArray[np.float32]] = np.repeat(
    np.array([field.scale for field in FIELDS], dtype=np.float32), _SIZES
)
"""``observation / SCALES`` has entries of about -1 to 1."""


def columns(*names: str) -> NDArray[np.int64]:
    """The indices of some fields' entries, to select only those.

    >>> columns("size", "tricks_left") - AT["size"]
    array([0, 1])
    """
    sizes = dict(zip(AT, _SIZES, strict=True))
    ranges = [np.arange(AT[name], AT[name] + sizes[name]) for name in names]
    return np.concatenate(ranges).astype(np.int64)


def table() -> str:
    """The table as the documentation has it."""
    lines = ["| indices | field | entries | meaning | scale |", "|---|---|---|---|---|"]
    for field in FIELDS:
        first, last = AT[field.name], AT[field.name] + field.size - 1
        indices = f"{first}" if field.size == 1 else f"{first} to {last}"
        entries = " by ".join(map(_told, field.axes)) or "1"
        lines.append(
            f"| {indices} | `{field.name}` | {entries} | {field.meaning} | {field.scale} |"
        )
    return "\n".join(lines)


def _told(axis: Axis) -> str:
    if axis in AXES:
        return f"{len(axis.labels)} {axis.name}"
    return f"{len(axis.labels)}: {', '.join(axis.labels)}"


def axes() -> str:
    """The shared axes as the documentation has them."""
    lines = ["| axis | entries |", "|---|---|"]
    lines += [f"| {axis.name} ({len(axis.labels)}) | {told} |" for axis, told in AXES.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(axes(), table(), sep="\n\n")

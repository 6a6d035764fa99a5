"""Colours, emblems and marks. Colour is never the only cue: suits have a letter and an emblem."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from foretold.actions import Action
from foretold.cards import Card, Suit, Trump
from foretold.figures import FIGURES, Rank

EMBLEMS: Final[Mapping[Suit, str]] = {
    Suit.BLUE: "▼",
    Suit.GREEN: "♠",
    Suit.RED: "┳",
    Suit.YELLOW: "▲",
}
"""The shield of the Humans, the leaf of the Elves, the Dwarves' hammer, the Giants' mountain."""

PEOPLES: Final[Mapping[Suit, str]] = {
    Suit.BLUE: "Humans",
    Suit.GREEN: "Elves",
    Suit.RED: "Dwarves",
    Suit.YELLOW: "Giants",
}


@dataclass(frozen=True)
class Palette:
    """Rich styles; a background is added with `on`."""

    suits: tuple[str, str, str, str]
    magic: str
    """Gold: Wizards, trump, a bid met, the current choice."""
    special: str
    jester: str
    text: str
    faint: str
    bad: str
    chosen: str
    """A complete style, for the current choice."""
    seats: tuple[str, ...]
    """The lines of the chart, by seat."""
    table: str = ""
    panel: str = ""
    face: str = ""
    """Backgrounds; empty to keep the terminal's own."""

    def of(self, card: Card | Action) -> str:
        """The style of a card, or of a play with its announced suit."""
        if card.suit is not None:
            return self.suits[card.suit]
        rank = card.rank if isinstance(card, Action) else card.figure and card.figure.rank
        if rank is Rank.WIZARD:
            return self.magic
        return self.jester if rank is Rank.JESTER else self.special

    def on_face(self, style: str) -> str:
        return f"{style} on {self.face}" if self.face else style


DARK: Final = Palette(
    suits=("#6fb1ff", "#5fd39b", "#ff8a73", "#ffcf4d"),
    magic="bold #ffd98a",
    special="#d3a6ff",
    jester="#e9dfc4",
    text="#ebe7f7",
    faint="#8f8bb3",
    bad="#ff8a73",
    chosen="bold #14122b on #ffd98a",
    seats=("bold #ffd98a", "#6fb1ff", "#5fd39b", "#ff8a73", "#d3a6ff", "#7fd8e0"),
    table="#14122b",
    panel="#1f1c42",
    face="#2a2656",
)
LIGHT: Final = Palette(
    suits=("#1a62b0", "#17714a", "#b33a29", "#805800"),
    magic="bold #7a4b00",
    special="#6b3fa0",
    jester="#5d5138",
    text="#26224a",
    faint="#67627f",
    bad="#b33a29",
    chosen="bold #fffdf6 on #3b3578",
    seats=("bold #7a4b00", "#1a62b0", "#17714a", "#b33a29", "#6b3fa0", "#12686f"),
    table="#f4efe3",
    panel="#eae3d2",
    face="#fffdf6",
)
MONO: Final = Palette(
    suits=("", "", "", ""),
    magic="bold",
    special="bold",
    jester="",
    text="",
    faint="dim",
    bad="bold",
    chosen="bold reverse",
    seats=("bold", "", "", "", "", ""),
)
ANSI: Final = Palette(
    suits=("bright_blue", "green", "red", "yellow"),
    magic="bold magenta",
    special="bold magenta",
    jester="bold magenta",
    text="",
    faint="dim",
    bad="red",
    chosen="bold reverse",
    seats=("bold", "bright_blue", "green", "red", "yellow", "magenta"),
)
"""For the line-by-line game: the terminal's own colours."""

_FIGURES: Final = (
    f"{figure.code}(?:=[{''.join(figure.announced)}])?" if figure.announced else figure.code
    for figure in FIGURES
)
_CARD: Final = re.compile(rf"\b(?:[BGRY](?:1[0-3]|[1-9])|{'|'.join(_FIGURES)})\b")


def with_cards(line: str, palette: Palette, style: str = "") -> Text:
    """A line of text with its cards in colour."""
    text = Text(line, style=style)
    for found in _CARD.finditer(line):
        code, _, announced = found[0].partition("=")
        play = Action.find(f"play {found[0]}") if announced else None
        text.stylize(palette.of(play or Card(code)), *found.span())
    return text


def suit_mark(suit: Suit) -> str:
    """Letter and emblem: ``R┳``."""
    return f"{suit.letter}{EMBLEMS[suit]}"


def trump_text(trump: Trump, palette: Palette) -> Text:
    suit = trump.suit
    return Text("-" if suit is None else suit.letter, "" if suit is None else palette.suits[suit])

"""Cards, drawn with characters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from foretold.actions import Action
from foretold.cards import Card
from foretold.tui.canvas import Canvas
from foretold.tui.palette import EMBLEMS, Palette, suit_mark


@dataclass(frozen=True)
class CardSize:
    width: int
    height: int


SMALL: Final = CardSize(6, 5)
LARGE: Final = CardSize(9, 7)

LIGHT: Final = "╭─╮│╰╯"
HEAVY: Final = "┏━┓┃┗┛"
_DOTTED: Final = "┌╌┐╎└┘"


class Look(Enum):
    """How a card is shown."""

    PLAIN = "plain"
    DIM = "dim"
    """It may not be played now."""
    MARKED = "marked"
    """Chosen by the player, or winning the trick."""
    BARRED = "barred"
    """Chosen, but it may not be played."""


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    card: Card | Action,
    size: CardSize,
    palette: Palette,
    look: Look = Look.PLAIN,
) -> None:
    """A card, or a play with its announcement."""
    style, edge = palette.on_face(palette.of(card)), palette.on_face(palette.of(card))
    if look is Look.MARKED:
        edge = palette.on_face(palette.magic)
    elif look is not Look.PLAIN:
        style, edge = palette.faint, palette.faint if look is Look.DIM else palette.bad
    heavy = look in (Look.MARKED, Look.BARRED)
    frame(canvas, x, y, size, HEAVY if heavy else LIGHT, edge)
    upper, lower = corner(card)
    canvas.put(x + 1, y + 1, upper, style)
    canvas.put(x + 1, y + 2, lower, style)
    if size is LARGE:
        canvas.put(x + 4, y + 3, _emblem(card), style)
        canvas.put(x + size.width - 1 - len(upper), y + size.height - 2, upper, style)


def draw_back(canvas: Canvas, x: int, y: int, size: CardSize, palette: Palette) -> None:
    """A card face down: a ring of stones."""
    frame(canvas, x, y, size, LIGHT, palette.on_face(palette.faint))
    for row in range(1, size.height - 1):
        inner = "░" * (size.width - 2)
        canvas.put(x + 1, y + row, inner, palette.on_face(palette.faint))


def draw_gap(canvas: Canvas, x: int, y: int, size: CardSize, palette: Palette) -> None:
    """The place of a card not played yet."""
    frame(canvas, x, y, size, _DOTTED, palette.faint)


def frame(canvas: Canvas, x: int, y: int, size: CardSize, lines: str, style: str) -> None:
    left_top, flat, right_top, upright, left_bottom, right_bottom = tuple(lines)
    inner = size.width - 2
    canvas.put(x, y, left_top + flat * inner + right_top, style)
    for row in range(1, size.height - 1):
        canvas.put(x, y + row, upright + " " * inner + upright, style)
    canvas.put(x, y + size.height - 1, left_bottom + flat * inner + right_bottom, style)


def corner(card: Card | Action) -> tuple[str, str]:
    """The two lines in a card's corner, two columns each, visible even in the tightest fan."""
    if isinstance(card, Action):
        code, _, announced = card.object.partition("=")
        if announced:
            return code, f"={announced}"
        assert card.card is not None
        card = card.card
    if card.suit is not None:
        return f"{card.value:<2}", suit_mark(card.suit)
    return f"{card.code:<2}", f"{_emblem(card)} "


def _emblem(card: Card | Action) -> str:
    if card.suit is not None:
        return EMBLEMS[card.suit]
    kind = card.card if isinstance(card, Action) else card
    return kind.figure.sign if kind is not None and kind.figure is not None else ""

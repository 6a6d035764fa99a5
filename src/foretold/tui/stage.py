"""The middle of the table: trump and the trick, or open hands under clairvoyance."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rich.text import Text

from foretold.cards import Card
from foretold.kernel import Phase
from foretold.results import Trick
from foretold.tui.canvas import Canvas
from foretold.tui.cardface import LARGE, SMALL, CardSize, Look, draw_card, draw_gap
from foretold.tui.palette import Palette, suit_mark
from foretold.tui.scene import Scene, ScenePart
from foretold.tui.telling import YOU
from foretold.view import View

STONES: Final = (
    "        ▄▄▄▄▄▄▄▄▄          ▄▄▄▄▄▄▄▄▄▄▄▄▄     ",
    "        ▀██▀▀▀██▀          ▀██▀▀▀▀▀▀▀██▀     ",
    " ▄▄      ██   ██    ▄▄▄▄▄   ██       ██   ▄▄ ",
    " ██  ▄▄  ██   ██    ██ ██   ██   ▄▄  ██   ██ ",
    "▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀",
)


class Stage(ScenePart):
    def draw(self, scene: Scene, canvas: Canvas) -> None:
        size = LARGE if canvas.height >= LARGE.height + 2 else SMALL
        top = max((canvas.height - size.height - 2) // 2, 0)
        width = size.width + 12
        draw_trump(scene, canvas, 1, top + 1, size)
        view = scene.view
        if view.hand is None and any(hand is not None for hand in view.seen_hands):
            self._hands(scene, canvas, width)
        elif (trick := trick_on_table(view)) is not None:
            draw_trick(scene, canvas, trick, (width, top), size)
        else:
            self._stones(canvas, scene.palette, width)

    @staticmethod
    def _hands(scene: Scene, canvas: Canvas, x: int) -> None:
        """The others' hands, one line each."""
        y = max((canvas.height - len(scene.names)) // 2, 0)
        canvas.put(x, y, "You see every hand but your own:", scene.palette.faint)
        for seat, hand in enumerate(scene.view.seen_hands):
            if hand is not None:
                y += 1
                canvas.put(x, y, scene.names[seat], f"bold {scene.palette.text}".strip())
                canvas.put_text(x + 6, y, hand_line(hand, scene.palette))

    @staticmethod
    def _stones(canvas: Canvas, palette: Palette, x: int) -> None:
        y = max((canvas.height - len(STONES)) // 2, 0)
        for row, line in enumerate(STONES):
            canvas.put(
                x + (canvas.width - x - len(line)) // 2,
                y + row,
                line,
                palette.panel or palette.faint,
            )


def trick_on_table(view: View) -> Trick | None:
    """The trick under way; until its first card is played, the previous one still lies there."""
    if view.trick is not None and view.trick.plays:
        return view.trick
    if view.tricks:
        return view.tricks[-1]
    return view.trick if view.phase is Phase.PLAY else None


def winning_position(view: View, trick: Trick) -> int | None:
    """Which card wins the trick, or is winning so far, counted from the leader."""
    winner = trick.next_leader if trick.next_leader is not None else view.winning
    return None if winner is None else (winner - trick.leader) % view.rules.players


def draw_trick(
    scene: Scene,
    canvas: Canvas,
    trick: Trick,
    at: tuple[int, int],
    size: CardSize,
) -> None:
    """The cards in the order played, the winning one marked, with gaps for those to come."""
    x, y = at
    palette = scene.palette
    players = len(scene.names)
    column = min((canvas.width - x) // players, size.width + 8)
    start = x + (canvas.width - x - column * players) // 2
    best = winning_position(scene.view, trick)
    for position, seat in enumerate(scene.view.rules.seats_from(trick.leader)):
        left = start + position * column
        card = left + (column - size.width) // 2
        name = scene.names[seat]
        wins = position == best
        canvas.centre(left, y, column, name, palette.magic if wins else palette.text)
        if position < len(trick.plays):
            look = Look.MARKED if wins else Look.PLAIN
            draw_card(canvas, card, y + 1, trick.plays[position], size, palette, look)
        else:
            draw_gap(canvas, card, y + 1, size, palette)
        mark = mark_of(trick, seat) if wins else "leads" if position == 0 else ""
        style = palette.magic if wins else palette.faint
        canvas.centre(left, y + 1 + size.height, column, mark, style)


def mark_of(trick: Trick, seat: int) -> str:
    """The label under the winning card."""
    if trick.next_leader is None:
        return "▲ best"
    if trick.is_set_aside:
        return "▲ no one"
    return "▲ yours" if seat == YOU else "▲ takes"


def draw_trump(scene: Scene, canvas: Canvas, x: int, y: int, size: CardSize) -> None:
    """The turned-up card, with trump beside it."""
    view, palette = scene.view, scene.palette
    if view.turned is not None:
        draw_card(canvas, x, y, view.turned, size, palette)
    else:
        draw_gap(canvas, x, y, size, palette)
    beside = x + size.width + 1
    canvas.put(beside, y + 1, "Trump", palette.faint)
    if view.trump is None:
        canvas.put(beside, y + 2, "is being", palette.text)
        canvas.put(beside, y + 3, "named", palette.text)
    elif view.trump.suit is None:
        canvas.put(beside, y + 2, "none", f"bold {palette.text}".strip())
    else:
        style = f"bold {palette.suits[view.trump.suit]}".strip()
        canvas.put(beside, y + 2, suit_mark(view.trump.suit), style)
        canvas.put(beside, y + 3, str(view.trump), style)


def hand_line(hand: tuple[Card, ...], palette: Palette) -> Text:
    """A whole hand on one line, suit by suit: ``B13 11 4  R9 2  W J``."""
    line = Text()
    for suit, cards in groupby(hand, key=lambda card: card.suit):
        if line:
            line.append("  ")
        ranks = sorted(cards, reverse=suit is not None)
        for index, card in enumerate(ranks):
            shown = str(card.value) if suit is not None and index else card.code
            line.append(f"{' ' if index else ''}{shown}", palette.of(card))
    return line

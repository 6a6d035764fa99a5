"""The panels of the players: the others with their bids and tricks, and yourself."""

from __future__ import annotations

from foretold.tui.canvas import Canvas
from foretold.tui.cardface import HEAVY, LIGHT, CardSize, frame
from foretold.tui.palette import suit_mark
from foretold.tui.scene import Scene, ScenePart
from foretold.tui.telling import YOU
from foretold.words import counted


class Others(ScenePart):
    """A panel for each of the others, starting on your left."""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        seats = range(1, len(scene.names))
        width = min(canvas.width // len(seats), 30)
        start = (canvas.width - width * len(seats)) // 2
        for index, seat in enumerate(seats):
            self._panel(scene, canvas, start + index * width, width, seat)

    def _panel(self, scene: Scene, canvas: Canvas, x: int, width: int, seat: int) -> None:
        palette, view = scene.palette, scene.view
        acts = seat in view.to_act
        edge = palette.magic if acts else palette.faint
        frame(canvas, x, 0, CardSize(width, 4), HEAVY if acts else LIGHT, edge)
        inner = width - 4
        name = f" {title(scene, seat)} "[: width - 2]
        canvas.put(x + 1, 0, name, palette.magic if acts else f"bold {palette.text}".strip())
        met = scene.met(seat)
        canvas.put(x + 2, 1, scene.chips(seat, inner), palette.magic if met else palette.text)
        count = scene.count(seat)
        canvas.put(x + 2, 2, count, palette.magic if met else palette.text)
        points = str(view.totals[seat])
        if len(count) + len(points) < inner:
            canvas.put(x + width - 2 - len(points), 2, points, palette.faint)


class Own(ScenePart):
    """Your chips on the left, all bids against the tricks on the right."""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        palette = scene.palette
        points = counted(scene.view.totals[YOU], "point")
        bold = f"bold {palette.text}".strip()
        pieces = [
            (title(scene, YOU), palette.magic if scene.is_your_turn else bold),
            (scene.chips(YOU, 22), palette.magic if scene.met(YOU) else palette.text),
            (scene.count(YOU), palette.magic if scene.met(YOU) else palette.text),
            (points, palette.faint),
        ]
        x = 1
        for piece, style in pieces:
            if piece:
                canvas.put(x, 0, piece, style)
                x += len(piece) + 2
        total = scene.total()
        canvas.put(canvas.width - 1 - len(total), 0, total, palette.text)


def title(scene: Scene, seat: int) -> str:
    """The name, with marks for the turn, the dealer, and the player's suit in monocolour."""
    mark = "▶ " if seat in scene.view.to_act else ""
    suit = scene.view.suits[seat]
    people = "" if suit is None else f" {suit_mark(suit)}"
    deals = " ◆" if seat == scene.view.dealer else ""
    return f"{mark}{scene.names[seat]}{people}{deals}"

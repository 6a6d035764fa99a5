"""Your hand as a fan of cards."""

from __future__ import annotations

from dataclasses import dataclass

from textual.events import Click
from textual.message import Message

from foretold.kernel import Phase
from foretold.tui.canvas import Canvas
from foretold.tui.cardface import LARGE, SMALL, CardSize, Look, draw_back, draw_card
from foretold.tui.choices import IN_HAND, Choice
from foretold.tui.scene import Scene, ScenePart


@dataclass(frozen=True)
class Fan:
    """The positions of a hand's cards."""

    size: CardSize
    start: int
    step: int
    count: int

    @classmethod
    def of(cls, count: int, width: int, height: int) -> Fan:
        for size in (LARGE, SMALL):
            step = size.width + 1
            if count > 1:
                step = min(step, (width - size.width) // (count - 1))
            if size is SMALL or (height >= size.height + 2 and step >= size.width // 2):
                break
        used = size.width + step * (count - 1)
        return cls(size, max((width - used) // 2, 0), step, count)

    def at(self, x: int) -> int | None:
        """The card at a column, if any."""
        if self.count == 0 or not self.start <= x:
            return None
        index = min((x - self.start) // max(self.step, 1), self.count - 1)
        return index if x < self.start + index * self.step + self.size.width else None


class Hand(ScenePart):
    """Playable cards stand higher than the others, the chosen one highest."""

    @dataclass
    class Tapped(Message):
        index: int

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        if scene.view.hand is None:
            self._covered(scene, canvas)
            return
        if scene.view.phase in (Phase.DEAL, Phase.OVER):
            draw_result(scene, canvas)
            return
        hand = scene.view.hand
        fan = Fan.of(len(hand), canvas.width, canvas.height)
        deciding = scene.is_your_turn and scene.view.phase in IN_HAND
        for index, card in enumerate(hand):
            choice = scene.choices[index] if scene.chooses_card else None
            chosen = choice is not None and index == scene.chosen
            look, y = self._pose(choice if deciding else None, chosen)
            draw_card(canvas, fan.start + index * fan.step, y, card, fan.size, scene.palette, look)

    @staticmethod
    def _pose(choice: Choice | None, chosen: bool) -> tuple[Look, int]:
        playable = choice is None or choice.is_legal
        if chosen:
            return (Look.MARKED, 0) if playable else (Look.BARRED, 1)
        return (Look.PLAIN, 1) if playable else (Look.DIM, 2)

    @staticmethod
    def _covered(scene: Scene, canvas: Canvas) -> None:
        fan = Fan.of(scene.view.size, canvas.width, canvas.height)
        for index in range(scene.view.size):
            draw_back(canvas, fan.start + index * fan.step, 1, fan.size, scene.palette)

    def on_click(self, event: Click) -> None:
        if self.scene is None or not self.scene.chooses_card or not self.scene.view.hand:
            return
        fan = Fan.of(len(self.scene.view.hand), self.size.width, self.size.height)
        index = fan.at(event.x)
        if index is not None:
            self.post_message(self.Tapped(index))


def draw_result(scene: Scene, canvas: Canvas) -> None:
    """The round's result, where the cards were."""
    line = scene.view.sheet[-1]
    palette = scene.palette
    column = min((canvas.width - 10) // len(scene.names), 14)
    start = max((canvas.width - 10 - column * len(scene.names)) // 2, 0)
    for row, label in enumerate(("", "bid", "took", "points", "total")):
        canvas.put(start, row, label, palette.faint)
    for seat, name in enumerate(scene.names):
        met = line.off[seat] == 0
        style = palette.magic if met else palette.text
        x = start + 8 + seat * column
        cells = (
            name,
            _bid(line.bids[seat], line.scored_bids[seat]),
            str(line.taken[seat]),
            f"{line.points[seat]:+}{' ★' if met else '  '}",
            str(line.totals[seat]),
        )
        for row, cell in enumerate(cells):
            text = cell if row == 3 else f"{cell}  "
            bold = f"bold {palette.text}".strip()
            shown = bold if row == 0 else style if row in (3, 4) else palette.text
            canvas.put(x + column - len(text), row, text, shown)


def _bid(bid: int, scored: int) -> str:
    """The bid, and what the Cloud made of it."""
    return str(bid) if bid == scored else f"{bid}→{scored}"

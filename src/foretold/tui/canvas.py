"""A grid of styled characters to draw on."""

from __future__ import annotations

from rich.text import Text


class Canvas:
    """Draws what fits and clips the rest."""

    def __init__(self, width: int, height: int) -> None:
        self.width = max(width, 0)
        self.height = max(height, 0)
        self._cells = [[(" ", "")] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        if not 0 <= y < self.height:
            return
        row = self._cells[y]
        for offset, character in enumerate(text):
            if 0 <= x + offset < self.width:
                row[x + offset] = (character, style)

    def put_text(self, x: int, y: int, text: Text) -> None:
        """One line of Rich text, with its styles."""
        for offset, character in enumerate(text.plain):
            styles = [str(span.style) for span in text.spans if span.start <= offset < span.end]
            self.put(x + offset, y, character, " ".join([str(text.style), *styles]).strip())

    def centre(self, x: int, y: int, width: int, text: str, style: str = "") -> None:
        """Text centred in `width` columns from `x`, cut to fit."""
        shown = text[:width]
        self.put(x + (width - len(shown)) // 2, y, shown, style)

    def text(self) -> Text:
        text = Text(no_wrap=True, end="")
        for y, row in enumerate(self._cells):
            if y:
                text.append("\n")
            start = 0
            while start < len(row):
                stop = start
                while stop < len(row) and row[stop][1] == row[start][1]:
                    stop += 1
                run = "".join(character for character, _ in row[start:stop])
                text.append(run, row[start][1] or None)
                start = stop
        return text

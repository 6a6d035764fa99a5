"""The text lines of the table: the round, the news, the question, the keys."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from foretold.kernel import Phase
from foretold.tui.canvas import Canvas
from foretold.tui.choices import Choice, name_of, style_of
from foretold.tui.palette import with_cards
from foretold.tui.scene import Scene, ScenePart
from foretold.tui.telling import ASKS, Teller

KEYS: Final = (
    ("←→", "choose"),
    ("Enter", "play"),
    ("T", "tablet"),
    ("L", "last"),
    ("H", "hint"),
    ("R", "rules"),
    ("?", "help"),
    ("Q", "leave"),
)
_DONE: Final = {
    Phase.TRUMP: "names",
    Phase.BID: "bids",
    Phase.PLAY: "plays",
    Phase.PASS: "passes",
    Phase.CLOUD: "changes it by",
}


class Heading(ScenePart):
    """``Foretold   Round 3 of 15 · 3 cards · Ada deals``."""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        canvas.put(1, 0, "Foretold", scene.palette.magic)
        canvas.put(12, 0, Teller(scene.names).round(scene.view), scene.palette.text)
        pace = f"- pace {scene.pace} +"
        canvas.put(canvas.width - 1 - len(pace), 0, pace, scene.palette.faint)


class News(ScenePart):
    """The events; the latest line is bright."""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        lines = scene.news[-canvas.height :] if canvas.height else ()
        top = canvas.height - len(lines)
        for row, line in enumerate(lines):
            latest = row == len(lines) - 1
            style = scene.palette.text if latest else scene.palette.faint
            shown = line if len(line) < canvas.width - 2 else f"{line[: canvas.width - 4]}…"
            canvas.put(1, top + row, "→" if latest else " ", scene.palette.magic)
            told = with_cards(shown, scene.palette, style) if latest else Text(shown, style=style)
            canvas.put_text(3, top + row, told)


class Asking(ScenePart):
    """The question to you, the numbers or suits to choose from, and reasons below them."""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        line = Text(" ")
        if scene.is_your_turn and not scene.chooses_card:
            self._choices(scene, line, canvas.width)
        else:
            line.append_text(self._prompt(scene))
        canvas.put_text(0, 0, line)
        canvas.put_text(1, 1, with_cards(self._note(scene), scene.palette, scene.palette.text))

    @staticmethod
    def _choices(scene: Scene, line: Text, width: int) -> None:
        palette = scene.palette
        line.append(f"{ASKS[scene.view.phase]} ", palette.magic)
        room = width - len(line) - sum(len(choice.label) + 2 for choice in scene.choices)
        # Thirty bids (two players, one round) are too many: cut those left of the chosen one.
        first = max((scene.chosen or 0) - 8, 0) if room + len(scene.choices) < 0 else 0
        line.append("…" if first else "", palette.faint)
        for index, choice in enumerate(scene.choices):
            if index < first:
                continue
            left, right = " ", " "
            style = style_of(choice.actions[0], palette) if choice.is_legal else ""
            if index == scene.chosen:
                left, right, style = "[", "]", palette.chosen
            elif not choice.is_legal:
                left, right, style = "(", ")", f"strike {palette.faint}"
            if room < 0 and index and line.plain.endswith(" "):
                line.right_crop(1)  # twenty-one bids need to stand closer together
            line.append(f"{left}{choice.label}{right}", style)

    @staticmethod
    def _prompt(scene: Scene) -> Text:
        palette, view = scene.palette, scene.view
        if view.phase is Phase.OVER:
            return Text("Enter: see how the game ended", style=palette.magic)
        if view.phase is Phase.DEAL:
            return Text("Enter: the next round", style=palette.magic)
        if scene.is_your_turn:
            ask = ASKS[view.phase]
            return Text(f"{ask}: arrows choose, Enter {_DONE[view.phase]}", palette.magic)
        names = [scene.names[seat] for seat in view.to_act]
        thinks = "think" if len(names) > 1 else "thinks"
        return Text(f"{' and '.join(names)} {thinks} …  Space to skip", style=palette.faint)

    @staticmethod
    def _note(scene: Scene) -> str:
        """A reason or hint if there is one, else what Enter would do."""
        if scene.note:
            return scene.note
        if not scene.is_your_turn:
            return ""
        if scene.chosen is None:
            if scene.view.phase is Phase.BID:
                return "Digits or arrows choose your bid, Enter makes it."
            return "" if scene.chooses_card else "Arrows choose, Enter decides."
        choice = scene.choices[scene.chosen]
        if not choice.is_legal:
            return ""
        return f"Enter {_DONE[scene.view.phase]} {_told(choice)}."


class Keys(ScenePart):
    def draw(self, scene: Scene, canvas: Canvas) -> None:
        x = 1
        for key, meaning in KEYS:
            canvas.put(x, 0, key, scene.palette.magic)
            canvas.put(x + len(key) + 1, 0, meaning, scene.palette.faint)
            x += len(key) + len(meaning) + 3


def _told(choice: Choice) -> str:
    return choice.label if choice.card is None else f"{choice.label} ({name_of(choice.card)})"

"""The pages that open over the table, and small dialogs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from foretold.actions import Action
from foretold.results import Outcome, Round, Trick
from foretold.tui.canvas import Canvas
from foretold.tui.cardface import SMALL
from foretold.tui.choices import label_of, shortcut_of, style_of
from foretold.tui.palette import Palette
from foretold.tui.scene import Scene
from foretold.tui.scoresheet import chart, score_sheet
from foretold.tui.stage import draw_trick
from foretold.tui.telling import Teller


class Page(ModalScreen[bool]):
    """Something to read. Esc, Enter or the key that opened it closes it with the answer no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,Q", "close", "Close"),
        Binding("ctrl+c", "app.help_quit", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
    ]

    def __init__(self, heading: str, key: str, palette: Palette) -> None:
        super().__init__()
        self.heading = heading
        self.key = key
        self.palette = palette

    def compose(self) -> ComposeResult:
        with Vertical(classes="page") as page:
            page.border_title = self.heading
            page.border_subtitle = self.closing
            with VerticalScroll(can_focus=False):
                yield from self.content()

    @property
    def closing(self) -> str:
        return "Esc closes"

    def content(self) -> Iterable[Static]:
        raise NotImplementedError

    def on_key(self, event: Key) -> None:
        if event.character is not None and event.character.lower() == self.key:
            event.stop()
            self.action_close()

    def action_close(self) -> None:
        self.dismiss(False)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class WordsPage(Page):
    """Words and their meanings."""

    def __init__(
        self, heading: str, key: str, palette: Palette, pairs: Iterable[tuple[str, str]]
    ) -> None:
        super().__init__(heading, key, palette)
        self.pairs = tuple(pairs)

    def content(self) -> Iterable[Static]:
        """Paragraphs, separated by empty pairs: tables where a word is explained, else text."""
        paragraph: list[tuple[str, str]] = []
        for pair in (*self.pairs, ("", "")):
            if pair != ("", ""):
                paragraph.append(pair)
                continue
            yield Static(self._paragraph(paragraph))
            paragraph = []

    def _paragraph(self, pairs: Sequence[tuple[str, str]]) -> Table | Text:
        if not any(word for word, _ in pairs):
            return Text("\n".join(meaning for _, meaning in pairs), style=self.palette.text)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style=self.palette.magic, no_wrap=True)
        table.add_column(style=self.palette.text)
        for word, meaning in pairs:
            table.add_row(word, meaning)
        return table


class TrickPage(Page):
    """The last trick taken."""

    def __init__(self, scene: Scene, trick: Trick) -> None:
        super().__init__("The last trick", "l", scene.palette)
        self.scene = scene
        self.trick = trick

    def content(self) -> Iterable[Static]:
        canvas = Canvas(len(self.scene.names) * (SMALL.width + 5), SMALL.height + 2)
        draw_trick(self.scene, canvas, self.trick, (0, 0), SMALL)
        yield Static(canvas.text())
        told = Teller(self.scene.names).trick(self.trick)
        yield Static(Text(told, style=self.palette.text, justify="center"))


class TabletPage(Page):
    """The score sheet with every round, and the chart beside or below it."""

    def __init__(self, sheet: Sequence[Round], names: Sequence[str], palette: Palette) -> None:
        super().__init__("Tablet of Truth", "t", palette)
        self.sheet = sheet
        self.names = names

    def content(self) -> Iterable[Static]:
        if not self.sheet:
            yield Static(Text("The first round is still being played.", style=self.palette.text))
            return
        width, height = min(self.app.size.width, 120) - 7, self.app.size.height - 2
        yield Static(tablet(self.sheet, self.names, self.palette, width, height))


class EndPage(Page):
    """How the game ended: ranking and chart. Its answer is whether to play again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p,P,enter", "again", "Play again"),
        Binding("q,Q", "leave", "Leave"),
        Binding("t,T", "tablet", "Tablet"),
        Binding("escape,space", "close", show=False),
    ]

    def __init__(
        self, outcome: Outcome, sheet: Sequence[Round], names: Sequence[str], palette: Palette
    ) -> None:
        super().__init__(Teller(names).outcome(outcome), "", palette)
        self.outcome = outcome
        self.sheet = sheet
        self.names = names

    @property
    def closing(self) -> str:
        return "P play again · T tablet · Q quit · Esc back to the table"

    def content(self) -> Iterable[Static]:
        table = Table.grid(padding=(0, 2, 0, 0))
        for justify in ("right", "left", "right", "left"):
            table.add_column(justify=justify)
        places = self.outcome.places
        for seat in sorted(range(len(places)), key=lambda seat: (places[seat], seat)):
            won = seat in self.outcome.winners
            style = self.palette.magic if won else self.palette.text
            exact = sum(line.off[seat] == 0 for line in self.sheet)
            table.add_row(
                f"{places[seat]}.",
                f"{self.names[seat]}{' ★' if won else ''}",
                str(self.outcome.totals[seat]),
                f"{exact} of {len(self.sheet)} bids met",
                style=style,
            )
        yield Static(table)
        yield Static("")
        width, height = self.app.size
        rows = [line.totals for line in self.sheet]
        room = max(min(height - len(self.names) - 8, 16), 5)
        yield Static(chart(rows, self.names, self.palette, min(width - 8, 90), room))

    def action_again(self) -> None:
        self.dismiss(True)

    def action_leave(self) -> None:
        self.app.exit()

    def action_tablet(self) -> None:
        self.app.push_screen(TabletPage(self.sheet, self.names, self.palette))


class Dialog(ModalScreen[Action | None]):
    """A small question: arrows or a letter choose, Enter answers, Esc cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up,shift+tab", "move(-1)", show=False),
        Binding("right,down,tab", "move(1)", show=False),
        Binding("enter,space", "answer", show=False),
        Binding("escape,q,Q", "dismiss(None)", show=False),
        Binding("ctrl+c", "app.help_quit", show=False),
    ]

    def __init__(self, question: str, actions: Sequence[Action], palette: Palette) -> None:
        super().__init__()
        self.question = question
        self.actions = tuple(actions)
        self.palette = palette
        self.chosen = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self.question
            dialog.border_subtitle = "Esc to cancel"
            yield Static(self._line(), id="line")

    def _line(self) -> Text:
        line = Text(justify="center")
        for index, action in enumerate(self.actions):
            label = f" {label_of(action)} "
            if index == self.chosen:
                line.append(f"[{label.strip()}]", self.palette.chosen)
            else:
                line.append(label, style_of(action, self.palette))
            line.append(" ")
        return line

    def action_move(self, step: int) -> None:
        self.chosen = (self.chosen + step) % len(self.actions)
        self.query_one("#line", Static).update(self._line())

    def action_answer(self) -> None:
        self.dismiss(self.actions[self.chosen])

    def on_key(self, event: Key) -> None:
        for action in self.actions:
            if event.character is not None and event.character.lower() == shortcut_of(action):
                event.stop()
                self.dismiss(action)


class LeavePage(ModalScreen[bool]):
    """Asks once whether to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q,y,Y,enter,ctrl+c", "dismiss(True)", show=False),
        Binding("escape,n,N,space", "dismiss(False)", show=False),
    ]

    def __init__(self, saved: bool, palette: Palette) -> None:
        super().__init__()
        self.saved = saved
        self.palette = palette

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Leave the game?"
            kept = "The record is saved." if self.saved else "It is not saved: use --save FILE."
            yield Static(Text(kept, style=self.palette.text, justify="center"))
            yield Static(
                Text("Enter to leave · Esc to stay", style=self.palette.magic, justify="center")
            )


def tablet(
    sheet: Sequence[Round], names: Sequence[str], palette: Palette, width: int, height: int
) -> Table:
    """The sheet with its chart: side by side if there is room, else below."""
    used = 6 + 10 * len(names)
    table = score_sheet(sheet, names, palette, bids=width >= used)
    rows = [line.totals for line in sheet]
    grid = Table.grid(padding=(0, 1))
    beside = width - used - 4
    if beside >= 28:
        lines = min(max(len(sheet) + 2, 8), height, 16)
        grid.add_row(table, chart(rows, names, palette, min(beside, 60), lines))
    else:
        lines = min(max(height - len(sheet) - 3, 7), 16)
        grid.add_row(table)
        grid.add_row("")
        grid.add_row(chart(rows, names, palette, min(used, width), lines))
    return grid

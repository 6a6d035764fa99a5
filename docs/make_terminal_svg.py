"""Makes docs/terminal.svg: the beginning of a real game, as the terminal shows it."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

from foretold.bots import SimpleBot
from foretold.game import Game
from foretold.rules import EDITIONS
from foretold.terminal import NAMES, YOU, LeftError, TerminalGame
from foretold.view import View

# Rich's own template loads a font from the web; this one uses what the reader has.
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xml:space="preserve"
xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


DECISIONS = 3


class ShownGame(TerminalGame):
    """A game in which a bot answers the first questions, then leaves at the next."""

    def _input(self, view: View) -> str:
        prompt = self._prompt(view)
        made = sum(seat == YOU for log in self.game.position.logs for seat, _ in log.actions)
        if made == DECISIONS:
            self.console.print(prompt)
            raise LeftError
        answer = SimpleBot().choose(view).object
        self.console.print(Text.assemble(prompt, (answer, "bold")))
        return answer


def main() -> None:
    rules = EDITIONS["anniversary"].rules(rounds="5")
    game = Game(rules, seed=11, names=NAMES[:4])
    bots = {seat: SimpleBot(seat) for seat in range(rules.players) if seat != YOU}
    console = Console(record=True, width=72, file=io.StringIO(), force_terminal=True)
    with suppress(LeftError):
        ShownGame(game, bots, console).play()
    picture = console.export_svg(title="foretold play", code_format=SVG)
    Path(__file__).with_name("terminal.svg").write_text(picture)


if __name__ == "__main__":
    main()

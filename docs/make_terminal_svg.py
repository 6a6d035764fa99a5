"""Makes docs/terminal.svg: a moment of a real game on the full screen."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from foretold.bots import SimpleBot
from foretold.editions import EDITIONS
from foretold.kernel import Phase
from foretold.tui.app import ForetoldApp
from foretold.tui.setting import Setting
from foretold.tui.table import TableScreen
from foretold.view import View

SIZE = (80, 24)
SEED = 11


def is_worth_showing(view: View) -> bool:
    """A trick that has begun, in a round well under way, with a choice to make."""
    return (
        view.phase is Phase.PLAY
        and view.trick is not None
        and len(view.trick.plays) >= 2
        and len(view.tricks) >= 2
        and 1 < len(view.legal_actions) < len(view.hand or ())
    )


async def picture() -> str:
    rules = EDITIONS["anniversary"].rules(rounds="8")
    app = ForetoldApp(Setting(rules, seed=SEED), pace="instant")
    async with app.run_test(size=SIZE) as pilot:
        table = app.screen
        assert isinstance(table, TableScreen)
        while True:
            while table.session.next_bot is not None:
                await pilot.pause(0.01)
            view = table.session.view
            if is_worth_showing(view):
                break
            table.take(SimpleBot().choose(view))
        await pilot.press("right", "h")
        while not table.note.startswith("Hint"):
            await pilot.pause(0.05)
        await pilot.pause()
        return app.export_screenshot(title="foretold play")


def with_own_fonts(svg: str) -> str:
    """The picture with the reader's fonts: Rich's template loads one from the web."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "ui-monospace, Menlo, Consolas")
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", '<svg xml:space="preserve" ', 1)


def main() -> None:
    svg = with_own_fonts(asyncio.run(picture()))
    Path(__file__).with_name("terminal.svg").write_text(svg)


if __name__ == "__main__":
    main()

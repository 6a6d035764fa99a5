"""The full-screen game."""

from __future__ import annotations

import os
from typing import ClassVar, Final

from foretold.extras import need

with need("play", otherwise="play line by line with --plain"):
    from textual.app import App
    from textual.binding import Binding, BindingType
    from textual.theme import Theme

from foretold.tui.background import is_light
from foretold.tui.pages import LeavePage
from foretold.tui.palette import DARK, LIGHT, MONO, Palette
from foretold.tui.session import Session
from foretold.tui.setting import Setting
from foretold.tui.table import TableScreen

_NAMES: Final = {True: "foretold-light", False: "foretold-dark"}


class ForetoldApp(App[None]):
    """Plays one game after another at the same table."""

    TITLE = "Foretold"
    CSS_PATH = "foretold.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,D", "daylight", "Dark or light"),
    ]

    def __init__(self, setting: Setting, *, light: bool = False, pace: str = "normal") -> None:
        self.colourless = bool(os.environ.get("NO_COLOR"))
        # With native colours, Textual drops every colour when NO_COLOR asks for it.
        super().__init__(ansi_color=True if self.colourless else None)
        self.animation_level = "none"
        self.light = light
        self.pace = pace
        self.session = Session(setting)
        for name, palette in ((_NAMES[False], DARK), (_NAMES[True], LIGHT)):
            self.register_theme(_theme(name, palette))
        self.theme = "ansi-dark" if self.colourless else _NAMES[light]

    @property
    def palette(self) -> Palette:
        return MONO if self.colourless else LIGHT if self.light else DARK

    async def action_quit(self) -> None:
        self.action_help_quit()

    def action_help_quit(self) -> None:
        """Ctrl-Q and Ctrl-C ask once, as Q does."""
        table = next((one for one in self.screen_stack if isinstance(one, TableScreen)), None)
        if table is None or isinstance(self.screen, LeavePage):
            self.exit()
        else:
            table.action_leave()

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self.session, self.palette, self.pace))

    def action_daylight(self) -> None:
        if self.colourless or not isinstance(self.screen, TableScreen):
            return
        self.light = not self.light
        self.theme = _NAMES[self.light]
        self.screen.palette = self.palette
        self.screen.show()


def play_on_screen(setting: Setting) -> None:
    """Take over the terminal, play, and give it back."""
    ForetoldApp(setting, light=is_light()).run()


def _theme(name: str, palette: Palette) -> Theme:
    gold = palette.magic.removeprefix("bold ")
    return Theme(
        name=name,
        primary=gold,
        accent=gold,
        foreground=palette.text,
        background=palette.table,
        surface=palette.table,
        panel=palette.panel,
        dark=palette is DARK,
    )

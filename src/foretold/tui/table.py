"""The table: where the game is played."""

from __future__ import annotations

import asyncio
import time
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from foretold.actions import Action
from foretold.bots import LEVELS, Player, make_bot
from foretold.kernel import Phase
from foretold.tui.choices import IN_HAND, Choice, choices_of
from foretold.tui.hand import Hand
from foretold.tui.hint import hint_of
from foretold.tui.lines import Asking, Heading, Keys, News
from foretold.tui.others import Others, Own
from foretold.tui.pages import Dialog, EndPage, LeavePage, TabletPage, TrickPage, WordsPage, tablet
from foretold.tui.palette import Palette
from foretold.tui.reference import HELP, rules_in_words
from foretold.tui.scene import Scene, ScenePart
from foretold.tui.session import Session, decide
from foretold.tui.stage import Stage
from foretold.tui.telling import YOU

PACES: Final = {"instant": 0.0, "quick": 0.35, "normal": 0.9, "calm": 1.8, "slow": 3.5}
"""The minimum seconds for a bot's decision; a finished trick stays for two of these."""

ADVISER: Final = tuple(LEVELS)[-1]
"""The bot that gives hints: the strongest level."""

WIDE: Final = 120
"""From this many columns, the Tablet stays open on the right."""
SMALLEST: Final = (80, 24)


class TableScreen(Screen[None]):
    """One game. Keys choose and decide; bots decide in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "move(-1)", show=False),
        Binding("right,down", "move(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
        Binding("enter", "decide", "Play"),
        Binding("escape", "let_go", show=False),
        Binding("space", "hurry", show=False),
        Binding("t,T", "tablet", "Tablet"),
        Binding("l,L", "last_trick", "Last trick"),
        Binding("h,H", "hint", "Hint"),
        Binding("r,R", "rules", "Rules"),
        Binding("question_mark", "help", "Help"),
        Binding("plus,equals_sign", "pace(-1)", "Faster"),
        Binding("minus,underscore", "pace(1)", "Slower"),
        Binding("q,Q", "leave", "Leave"),
    ]

    def __init__(self, session: Session, palette: Palette, pace: str = "normal") -> None:
        super().__init__()
        self.session = session
        self.palette = palette
        self.pace = pace
        self.chosen: int | None = None
        self.note = ""
        self._typed = ""
        self._asked: tuple[int, Phase, bool, int] | None = None
        """What the choices belong to: round, phase, whether it is your turn, cards in hand."""
        self._side: tuple[int, Size, Palette] | None = None
        """What the Tablet on the right was last drawn for."""
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Static(id="too-small")
        with Horizontal(id="all"):
            with Vertical(id="table"):
                yield Heading(id="heading")
                yield Others(id="others")
                yield Stage(id="stage")
                yield News(id="news")
                yield Own(id="own")
                yield Hand(id="hand")
                yield Asking(id="asking")
                yield Keys(id="keys")
            with Vertical(id="side") as side:
                side.border_title = "Tablet of Truth"
                yield Static(id="tablet")

    def on_mount(self) -> None:
        self.show()
        self.run_bots()

    def on_resize(self, event: Resize) -> None:
        width, height = event.size
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(small, "small")
        self.set_class(width >= WIDE, "wide")
        self.set_class(height >= 32, "tall")
        self.query_one("#too-small", Static).update(
            f"Foretold needs {SMALLEST[0]} by {SMALLEST[1]} characters, not {width} by {height}."
        )
        self._show_side()

    # Showing

    def scene(self) -> Scene:
        view = self.session.view
        return Scene(
            view=view,
            names=self.session.names,
            palette=self.palette,
            choices=choices_of(view),
            chosen=self.chosen,
            note=self.note,
            news=tuple(self.session.news[-12:]),
            pace=self.pace,
        )

    def show(self) -> None:
        """Update the screen to match the table."""
        scene = self.scene()
        cards = len(scene.view.hand or ())
        asked = (scene.view.round, scene.view.phase, scene.is_your_turn, cards)
        if asked != self._asked:
            self._begin_choice(scene)
            self._asked = asked
            scene = self.scene()
        for part in self.query(ScenePart):
            part.scene = scene
        self._show_side()

    def _begin_choice(self, scene: Scene) -> None:
        """A new decision: nothing is chosen yet, except a playable card during tricks."""
        before = self._asked
        self.note = self._typed = ""
        same_tricks = before is not None and before[0] == scene.view.round and before[1] in IN_HAND
        if not (scene.chooses_card and same_tricks):
            self.chosen = None
        if scene.is_your_turn and scene.chooses_card and self.chosen is not None:
            legal = [index for index, choice in enumerate(scene.choices) if choice.is_legal]
            if self.chosen not in legal:
                self.chosen = min(legal, key=lambda index: abs(index - (self.chosen or 0)))
        if scene.is_your_turn and scene.view.phase is Phase.BID:
            self.note = self._forbidden(scene.choices)

    def _forbidden(self, choices: tuple[Choice, ...]) -> str:
        """Why a bid is struck out, if one is."""
        for choice in choices:
            if not choice.is_legal and choice.tried is not None:
                return f"Not {choice.label}: {self.session.refusal(choice.tried)}"
        return ""

    def _show_side(self) -> None:
        """The Tablet on the right of a wide screen, redrawn only when it changes."""
        sheet = self.session.game.sheet
        shown = (len(sheet), self.size, self.palette)
        if not self.has_class("wide") or shown == self._side:
            return
        self._side = shown
        side = self.query_one("#tablet", Static)
        if sheet:
            width = self.size.width * 33 // 100 - 4  # its frame and padding
            height = self.size.height - 2
            side.update(tablet(sheet, self.session.names, self.palette, width, height))
        else:
            side.update("The rounds will appear here.")

    # Choosing

    def action_move(self, step: int) -> None:
        count = len(choices_of(self.session.view))
        if count:
            start = -1 if self.chosen is None and step > 0 else self.chosen or 0
            self.choose((start + step) % count)

    def action_move_to(self, index: int) -> None:
        count = len(choices_of(self.session.view))
        if count:
            self.choose(index % count)

    def choose(self, index: int) -> None:
        self.chosen = index
        self.note = ""
        choice = choices_of(self.session.view)[index]
        if self.session.is_your_turn and not choice.is_legal and choice.tried is not None:
            self.note = self.session.refusal(choice.tried) or ""
        self.show()

    def on_key(self, event: Key) -> None:
        view = self.session.view
        digit = event.character or ""
        bidding = view.phase is Phase.BID and self.session.is_your_turn
        if not (bidding and digit.isdecimal() and digit.isascii()):
            return
        event.stop()
        # A second digit makes a larger number if that bid exists, otherwise it starts over.
        for typed in (self._typed + digit, digit):
            if int(typed) <= view.size:
                self.choose(int(typed))
                self._typed = typed
                return
        self.note = self.session.refusal(Action(f"bid {digit}")) or ""
        self.show()

    def on_hand_tapped(self, tap: Hand.Tapped) -> None:
        if tap.index == self.chosen:
            self.action_decide()
        else:
            self.choose(tap.index)

    def action_let_go(self) -> None:
        self.chosen = None
        self.note = self._typed = ""
        self.show()

    # Deciding

    def action_decide(self) -> None:
        if self.session.resting:
            self._go_on()
            return
        choices = choices_of(self.session.view)
        if self.chosen is None or self.chosen >= len(choices):
            if self.session.is_your_turn:
                self.action_move(1)
            return
        choice = choices[self.chosen]
        if len(choice.actions) > 1:
            question = f"{choice.card.name if choice.card else choice.label}: announce"
            self.app.push_screen(Dialog(question, choice.actions, self.palette), self._announced)
        elif choice.actions:
            self.take(choice.actions[0])
        elif choice.tried is not None:
            self.note = self.session.refusal(choice.tried) or ""
            self.show()

    def _announced(self, action: Action | None) -> None:
        if action is not None and action in self.session.view.legal_actions:
            self.take(action)

    def take(self, action: Action) -> None:
        """Take a decision, and let the others continue."""
        self.session.push(YOU, action)
        self.note = self._typed = ""
        self.show()
        self._wake.set()

    def _go_on(self) -> None:
        if self.session.game.outcome() is not None:
            self._end()
            return
        self.session.go_on()
        self.show()
        self._wake.set()

    def action_hurry(self) -> None:
        """Let the bots decide at once until it is your turn."""
        if self.session.resting:
            self._go_on()
        elif self.session.next_bot is not None:
            self._hurry.set()

    def action_pace(self, step: int) -> None:
        paces = list(PACES)
        index = min(max(paces.index(self.pace) + step, 0), len(paces) - 1)
        self.pace = paces[index]
        self.show()

    # The others

    @work(exclusive=True, group="bots")
    async def run_bots(self) -> None:
        """Ask one bot after another; wait when it is your turn."""
        while True:
            seat = self.session.next_bot
            if seat is None:
                self._hurry.clear()
                self._wake.clear()
                await self._wake.wait()
                continue
            start = time.monotonic()
            action = await self.session.think(seat)
            await self._pause(start)
            if not self.is_attached:
                return
            self.session.push(seat, action)
            self.show()

    async def _pause(self, start: float) -> None:
        """Wait as long as the pace says, measured from the start of the thinking."""
        view = self.session.view
        lying = view.trick is not None and not view.trick.plays and bool(view.tricks)
        wanted = PACES[self.pace] * (2 if lying else 1)
        left = wanted - (time.monotonic() - start)
        if left > 0:
            try:
                await asyncio.wait_for(self._hurry.wait(), left)
            except TimeoutError:
                return
        else:
            await asyncio.sleep(0)

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask a good bot, also in the background."""
        view = self.session.view
        if not self.session.is_your_turn:
            self.note = "You can get a hint when it is your turn."
            self.show()
            return
        self.note = f"The {ADVISER} is thinking …"
        self.show()
        try:
            decision = await decide(Player(make_bot(ADVISER)), view)
        except TimeoutError:
            self.note = f"The {ADVISER} has no answer."
            self.show()
            return
        if self.session.view != view:
            return  # you decided first
        hint = hint_of(view, decision.action)
        for index, choice in enumerate(choices_of(view)):
            if hint.action in choice.actions:
                self.chosen = index
        self.note = str(hint)
        self.show()

    # Pages

    def action_tablet(self) -> None:
        view = self.session.view
        self.app.push_screen(TabletPage(view.sheet, self.session.names, self.palette))

    def action_last_trick(self) -> None:
        scene = self.scene()
        trick = scene.view.last_trick
        if trick is not None:
            self.app.push_screen(TrickPage(scene, trick))
        else:
            self.note = "There is no trick yet."
            self.show()

    def action_rules(self) -> None:
        setting = self.session.setting
        pairs = list(rules_in_words(setting.rules))
        bots = [
            f"{name}: {setting.bot_of(seat)}"
            for seat, name in enumerate(self.session.names)
            if seat != YOU
        ]
        pairs.append(("Opponents", ", ".join(bots)))
        self.app.push_screen(WordsPage("The rules of this table", "r", self.palette, pairs))

    def action_help(self) -> None:
        self.app.push_screen(WordsPage("Help", "?", self.palette, HELP))

    def action_leave(self) -> None:
        saved = self.session.setting.write is not None
        self.app.push_screen(LeavePage(saved, self.palette), self._left)

    def _left(self, leaves: bool | None) -> None:
        if leaves:
            self.app.exit()

    def _end(self) -> None:
        outcome = self.session.game.outcome()
        assert outcome is not None
        page = EndPage(outcome, self.session.game.sheet, self.session.names, self.palette)
        self.app.push_screen(page, self._again)

    def _again(self, again: bool | None) -> None:
        if again:
            self.app.switch_screen(
                TableScreen(Session(self.session.setting), self.palette, self.pace)
            )

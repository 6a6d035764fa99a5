"""Everything the table's widgets show at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from foretold.kernel import Phase
from foretold.kernel.after import tricks_off
from foretold.tui.canvas import Canvas
from foretold.tui.choices import IN_HAND, Choice
from foretold.tui.palette import Palette
from foretold.tui.telling import YOU, balance
from foretold.view import View
from foretold.words import counted


@dataclass(frozen=True)
class Scene:
    view: View
    names: tuple[str, ...]
    palette: Palette
    choices: tuple[Choice, ...]
    chosen: int | None
    """The index of the current choice."""
    note: str
    """A reason, a hint, or nothing."""
    news: tuple[str, ...]
    pace: str

    @property
    def is_your_turn(self) -> bool:
        return YOU in self.view.to_act

    @property
    def chooses_card(self) -> bool:
        """Whether the choices are the cards in hand."""
        return not (self.is_your_turn and self.view.phase not in IN_HAND)

    @property
    def bids_are_sealed(self) -> bool:
        """Whether some bids are made but not shown yet."""
        view = self.view
        all_made = view.phase not in (Phase.TRUMP, Phase.BID)
        return not view.rules.bids_show(all_made=all_made, all_played=None not in view.bids)

    def chips(self, seat: int, width: int) -> str:
        """Tricks taken as full chips, those still needed as hollow ones."""
        bid, taken = self.view.bids[seat], self.view.taken[seat]
        if bid is None:
            return "●" * taken if taken <= width else ""
        over = max(taken - bid, 0)
        chips = "●" * min(bid, taken) + "○" * max(bid - taken, 0) + (f"+{over}" if over else "")
        return chips if len(chips) <= width else ""

    def count(self, seat: int) -> str:
        """``2 of 3``; ``sealed`` if the bid is made but not shown."""
        bid, taken = self.view.bids[seat], self.view.taken[seat]
        if self.view.phase is Phase.TRUMP:
            return "no bid yet"
        if self.view.phase is Phase.BID:
            if bid is not None:
                return f"bids {bid}"
            waits = seat in self.view.to_act or not self.bids_are_sealed
            return "no bid yet" if waits else "bid sealed"
        return f"{taken} · sealed" if bid is None else f"{taken} of {bid}"

    def met(self, seat: int) -> bool:
        """Whether the bid is met as things stand, during play or after it."""
        late = self.view.phase in (Phase.PLAY, Phase.PASS, Phase.CLOUD, Phase.DEAL, Phase.OVER)
        bid = self.view.bids[seat]
        return late and bid is not None and tricks_off(bid, self.view.taken[seat]) == 0

    def total(self) -> str:
        """All bids against the tricks of the round."""
        view = self.view
        tricks = counted(view.size, "trick")
        if view.phase is Phase.TRUMP:
            return tricks
        if None in view.bids:
            if self.bids_are_sealed:
                return f"{tricks}, bids sealed"
            return f"{tricks}, {sum(bid or 0 for bid in view.bids)} bid so far"
        bid = sum(bid or 0 for bid in view.bids)
        return f"{tricks}, {bid} bid" + ("" if bid == view.size else f": {balance(bid, view.size)}")


class ScenePart(Widget):
    """A part of the table drawn from the scene, redrawn only when the scene changes."""

    scene: reactive[Scene | None] = reactive(None)

    def render(self) -> Text:
        if self.scene is None or self.size.width <= 0:
            return Text("")
        canvas = Canvas(self.size.width, self.size.height)
        self.draw(self.scene, canvas)
        return canvas.text()

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        raise NotImplementedError

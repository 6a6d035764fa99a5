"""A game in the terminal: you against bots, line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console
from rich.text import Text

from foretold.actions import Action, Verb
from foretold.bots import Player
from foretold.cards import Card
from foretold.errors import ForetoldError, IllegalActionError, UnreadableError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.results import Round
from foretold.tui.palette import ANSI, with_cards
from foretold.tui.scoresheet import score_sheet
from foretold.tui.telling import ASKS, NAMES, YOU, Teller
from foretold.view import View
from foretold.words import shown

HELP: Final = """\
The highest card takes the trick. Foretell how many tricks you will take.
  R4, W, J        play that card          JU=R, CL=G, SH=W   play and announce
  2               bid two tricks          r, none            name trump
  +1, -1          change your bid (Cloud)
  s  score sheet   l  last trick   ?  this help   q  quit"""


class LeftError(Exception):
    """The player has left the game."""


class TerminalGame:
    """One person at seat 0, bots at the others."""

    def __init__(
        self,
        game: Game,
        bots: Mapping[int, Player],
        console: Console,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep` is called after each of the player's decisions, and at the end."""
        self.keep = keep
        self.game = game
        self.bots = bots
        self.console = console
        self.names = NAMES[: game.rules.players]
        self.teller = Teller(self.names)

    def play(self) -> None:
        """Play to the end; raises `LeftError` if the player leaves early."""
        self.console.print("[bold]Foretold[/] — foretell your tricks. ? for help, q to quit.\n")
        if self.game.sheet == () and self.game.phase is not Phase.DEAL:
            self._tell_deal()
        while self.game.outcome() is None:
            seat = self.game.to_act[0]
            view = self.game.view(seat)
            action = self._ask(view) if seat == YOU else self.bots[seat].decide(view).action
            self._push(seat, action)
            if seat == YOU:
                self.keep()
        self.keep()
        self._tell_outcome()

    # Asking

    def _ask(self, view: View) -> Action:
        self._show_table(view)
        while True:
            answer = self._input(view).strip()
            if answer in ("q", "quit", "exit"):
                raise LeftError
            if answer in ("?", "h", "help"):
                self.console.print(HELP, markup=False)
            elif answer == "s":
                self._show_sheet()
            elif answer == "l":
                self._show_last_trick(view)
            elif answer:
                try:
                    return self._read(view, answer)
                except IllegalActionError as error:
                    self._say(f"You may not: {error.reason}.")
                except ForetoldError as error:
                    self._say(f"{error}.")

    def _prompt(self, view: View) -> Text:
        choices = " ".join(action.object for action in view.legal_actions)
        return Text.assemble((ASKS[view.phase], "bold"), f" ({choices}): ")

    def _input(self, view: View) -> str:
        try:
            return self.console.input(self._prompt(view))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise LeftError from None

    def _read(self, view: View, answer: str) -> Action:
        verb = view.legal_actions[0].verb
        word = answer.split()[-1]
        word = word.lower() if word.lower() == "none" else word.upper()
        try:
            action = Action(f"{verb.value} {word}")
        except UnreadableError:
            # Explain what a card needs only for cards in the hand; others are not a choice at all.
            if view.hand is not None and word in {card.code for card in view.hand}:
                raise
            choices = " ".join(action.object for action in view.legal_actions)
            raise UnreadableError(
                f"{shown(answer)} is not a choice now ({choices}): ? for help"
            ) from None
        if action not in view.legal_actions:
            self.game.copy().push(action, YOU)  # raises with the reason
        return action

    # Telling

    def _push(self, seat: int, action: Action) -> None:
        told = self.teller.push(self.game, seat, action)
        self._say(f"  {told.action}")
        for line in told.after:
            self._say(f"  → {line}\n" if action.verb is Verb.PLAY else line)
        if told.round is not None:
            self._tell_round(told.round)
            if self.game.outcome() is None:
                self._tell_deal()

    def _tell_deal(self) -> None:
        view = self.game.view(YOU)
        self.console.rule(Text(self.teller.round(view), style="bold"), style="dim")
        swap = self.teller.werewolf(view)
        if swap is not None:
            self._say(swap)

    def _tell_round(self, line: Round) -> None:
        for seat, name in enumerate(self.names):
            self.console.print(
                Text(
                    f"  {name:<6} bid {line.scored_bids[seat]:>2}, took {line.taken[seat]:>2}: "
                    f"{line.points[seat]:>+4} → {line.totals[seat]}",
                    style="bold" if line.off[seat] == 0 else "",
                )
            )
        self.console.print()

    def _tell_outcome(self) -> None:
        outcome = self.game.outcome()
        assert outcome is not None
        self._show_sheet()
        self.console.print(Text(self.teller.outcome(outcome), style="bold"))

    def _show_sheet(self) -> None:
        self.console.print(Text("Tablet of Truth (points, tricks taken/bid)", style="bold"))
        self.console.print(score_sheet(self.game.sheet, self.names, ANSI))

    def _show_table(self, view: View) -> None:
        turned = "" if view.turned is None else f" ({view.turned} turned up)"
        if view.trump is not None:
            self._say(f"Trump: {view.trump}{turned}")
        elif view.turned is not None:
            self._say(f"Turned up: {view.turned}")
        if view.phase is not Phase.BID:
            needs = "  ".join(
                f"{name} {taken}/{'?' if bid is None else bid}"
                for name, taken, bid in zip(self.names, view.taken, view.bids, strict=True)
            )
            self._say(f"Taken/bid: {needs}")
        for seat, hand in enumerate(view.seen_hands):
            if hand is not None and view.hand is None:
                self._say(f"{self.names[seat]} holds {_listed(hand)}")
        if view.hand is None:
            self._say("Your own cards are hidden until all have bid.")
        else:
            self._say(f"Your hand: {_listed(view.hand)}")

    def _show_last_trick(self, view: View) -> None:
        trick = view.last_trick
        if trick is None:
            self._say("There is no trick yet.")
            return
        for seat, play in zip(view.rules.seats_from(trick.leader), trick.plays, strict=False):
            name = self.names[seat]
            self._say(f"  {name} {play.object}")
        self._say(f"  → {self.teller.trick(trick)}")

    def _say(self, text: str) -> None:
        self.console.print(with_cards(text, ANSI))


def _listed(hand: tuple[Card, ...]) -> str:
    return " ".join(card.code for card in hand)

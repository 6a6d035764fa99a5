"""A game in the terminal: you against bots, line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from foretold.actions import Action, Verb
from foretold.bots import Bot
from foretold.cards import Card, Suit, Trump
from foretold.errors import ForetoldError, IllegalActionError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Bidding
from foretold.sheet import Round, Trick
from foretold.view import View
from foretold.words import counted

YOU: Final = 0
NAMES: Final = ("You", "Ada", "Bran", "Cleo", "Dag", "Edda")
"""You and the apprentices of the Academy."""

HELP: Final = """\
You win a trick with the highest card; before the round everyone foretells how many.
  R4, W, J        play that card          JU=R, CL=G, SH=W   play and announce
  2               bid two tricks          r, none            name trump
  +1, -1          change your bid (Cloud)
  s  score sheet   l  last trick   ?  this help   q  leave the game"""

_STYLES: Final = {
    Suit.BLUE: "bright_blue",
    Suit.GREEN: "green",
    Suit.RED: "red",
    Suit.YELLOW: "yellow",
}
_ASKS: Final = {
    Phase.TRUMP: "Name trump",
    Phase.BID: "Your bid",
    Phase.PLAY: "Your card",
    Phase.PASS: "Pass a card to the left",
    Phase.CLOUD: "The Cloud changes your bid: +1 or -1",
}


class LeftError(Exception):
    """The player has left the game."""


class TerminalGame:
    """One person at seat 0, bots at the others."""

    def __init__(
        self,
        game: Game,
        bots: Mapping[int, Bot],
        console: Console,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep` is called after every decision of the player, and at the end."""
        self.keep = keep
        self.game = game
        self.bots = bots
        self.console = console
        self.names = NAMES[: game.rules.players]

    def play(self) -> None:
        """Play to the end; raises `LeftError` if the player leaves before."""
        self.console.print("[bold]Foretold[/] — foretell your tricks. ? helps, q leaves.\n")
        if self.game.sheet == () and self.game.phase is not Phase.DEAL:
            self._tell_deal()
        while self.game.outcome() is None:
            seat = self.game.to_act[0]
            view = self.game.view(seat)
            action = self._ask(view) if seat == YOU else self.bots[seat].choose(view)
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
                self.console.print(score_sheet(view.sheet, self.names))
            elif answer == "l":
                self._show_last_trick(view)
            elif answer:
                try:
                    return self._read(view, answer)
                except IllegalActionError as error:
                    self.console.print(f"You may not: {error.reason}.", markup=False)
                except ForetoldError as error:
                    self.console.print(f"{error}.", markup=False)

    def _prompt(self, view: View) -> Text:
        choices = " ".join(action.object for action in view.legal_actions)
        return Text.assemble((_ASKS[view.phase], "bold"), f" ({choices}): ")

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
        action = Action(f"{verb.value} {word}")
        if action not in view.legal_actions:
            self.game.copy().push(action, YOU)  # raises with the reason
        return action

    # Telling

    def _push(self, seat: int, action: Action) -> None:
        game = self.game
        tricks, rounds = len(game.position.tricks), len(game.sheet)
        phase = game.phase
        game.push(action, seat)
        self._tell_action(seat, action)
        if len(game.sheet) > rounds:
            if action.verb is Verb.PLAY:
                self._tell_trick(game.sheet[-1].tricks[-1])
            self._tell_round(game.sheet[-1])
            if game.outcome() is None:
                self._tell_deal()
            return
        if len(game.position.tricks) > tricks:
            self._tell_trick(game.position.tricks[-1])
        if phase is Phase.BID and game.phase is Phase.PLAY:
            self._tell_bids(game.view(YOU))
        if phase is Phase.PASS and game.phase is Phase.PLAY:
            swap = game.view(YOU).passes[-1]
            self._say(f"All pass a card: you gave {swap.given} and got {swap.received}.")

    def _tell_action(self, seat: int, action: Action) -> None:
        name = self.names[seat]
        if action.verb is Verb.PLAY:
            does = "play" if seat == YOU else "plays"
            self.console.print(Text.assemble(f"  {name} {does} ", card_text(action)))
        elif action.verb is Verb.BID and self.game.rules.bidding is Bidding.OPEN:
            self._say(f"  {name} {'bid' if seat == YOU else 'bids'} {action.bid}")
        elif action.verb is Verb.TRUMP:
            self._say(f"  {name} {'name' if seat == YOU else 'names'} trump: {action.trump}")
        elif action.verb is Verb.CLOUD:
            whose = "your bid" if seat == YOU else f"{name}'s bid"
            self._say(f"  The Cloud changes {whose} by {action.object}")

    def _tell_bids(self, view: View) -> None:
        if view.rules.bidding is Bidding.SECRET:
            self._say("All have bid, in secret.")
            return
        bids = ", ".join(f"{name} {bid}" for name, bid in zip(self.names, view.bids, strict=True))
        total = sum(bid or 0 for bid in view.bids)
        self._say(f"Bids: {bids}. {_balance(total - view.size)}")

    def _tell_trick(self, trick: Trick) -> None:
        if trick.winner is None:
            assert trick.next_leader is not None
            leads = (
                "You lead" if trick.next_leader == YOU else f"{self.names[trick.next_leader]} leads"
            )
            self._say(f"  The Bomb: nobody takes it. {leads} next.\n")
            return
        who = "You take" if trick.winner == YOU else f"{self.names[trick.winner]} takes"
        self._say(f"  → {who} the trick.\n")

    def _tell_deal(self) -> None:
        view = self.game.view(YOU)
        dealer = "You deal" if view.dealer == YOU else f"{self.names[view.dealer]} deals"
        cards = counted(view.size, "card")
        title = f"Round {view.round} of {len(view.rules.sizes)} · {cards} · {dealer}"
        self.console.rule(Text(title, style="bold"), style="dim")
        if view.werewolf is not None:
            who = "You swap" if view.werewolf == YOU else f"{self.names[view.werewolf]} swaps"
            self._say(f"{who} the Werewolf for {view.turned} and names trump.")

    def _tell_round(self, line: Round) -> None:
        for seat, name in enumerate(self.names):
            made = line.scored_bids[seat] == line.taken[seat]
            self.console.print(
                Text(
                    f"  {name:<6} bid {line.scored_bids[seat]:>2}, took {line.taken[seat]:>2}: "
                    f"{line.points[seat]:>+4} → {line.totals[seat]}",
                    style="bold" if made else "",
                )
            )
        self.console.print()

    def _tell_outcome(self) -> None:
        outcome = self.game.outcome()
        assert outcome is not None
        self.console.print(score_sheet(self.game.sheet, self.names))
        winners = " and ".join(self.names[seat] for seat in outcome.winners)
        win = "win" if outcome.winners == (YOU,) or len(outcome.winners) > 1 else "wins"
        self.console.print(f"[bold]{winners} {win} with {max(outcome.totals)} points.[/]")

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
                self.console.print(Text.assemble(f"{self.names[seat]} holds ", hand_text(hand)))
        if view.hand is None:
            self._say("Your own cards are hidden until all have bid.")
        else:
            self.console.print(Text.assemble("Your hand: ", hand_text(view.hand)))

    def _show_last_trick(self, view: View) -> None:
        tricks = view.tricks or (view.sheet[-1].tricks if view.sheet else ())
        if not tricks:
            self._say("There is no trick yet.")
            return
        players = len(self.names)
        for index, play in enumerate(tricks[-1].plays):
            name = self.names[(tricks[-1].leader + index) % players]
            self.console.print(Text.assemble(f"  {name} ", card_text(play)))
        self._tell_trick(tricks[-1])

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False)


def _balance(over: int) -> str:
    if over == 0:
        return "Just as many as there are tricks."
    return f"{abs(over)} {'over' if over > 0 else 'under'}."


def card_text(card: Card | Action) -> Text:
    """A card, or a play with its announcement, in the colour of its suit."""
    label = card.object if isinstance(card, Action) else card.code
    return Text(label, style="bold magenta" if card.suit is None else _STYLES[card.suit])


def hand_text(hand: tuple[Card, ...]) -> Text:
    return Text(" ").join(card_text(card) for card in hand)


def trump_text(trump: Trump) -> Text:
    suit = trump.suit
    return Text(trump.code, style="" if suit is None else _STYLES[suit])


def score_sheet(sheet: tuple[Round, ...], names: tuple[str, ...]) -> Table:
    """The Tablet of Truth: for every round the totals, with the bids beside them."""
    table = Table(title="Tablet of Truth", title_style="bold")
    table.add_column("round", justify="right")
    table.add_column("trump", justify="center")
    for name in names:
        table.add_column(name, justify="right")
    for number, line in enumerate(sheet, start=1):
        table.add_row(
            str(number),
            trump_text(line.trump),
            *(
                Text(f"{total} [{bid}]", style="bold" if points > 0 else "")
                for total, bid, points in zip(
                    line.totals, line.scored_bids, line.points, strict=True
                )
            ),
        )
    return table

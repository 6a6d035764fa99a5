"""What happens at the table, in words, for both terminal games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from foretold.actions import Action, Verb
from foretold.errors import IllegalActionError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.results import Outcome, Round, Trick
from foretold.rules import Bidding
from foretold.view import View
from foretold.words import counted

YOU: Final = 0
NAMES: Final = ("You", "Ada", "Bran", "Cleo", "Dag", "Edda")
"""You and the apprentices of the Academy."""

ASKS: Final = {
    Phase.TRUMP: "Name trump",
    Phase.BID: "Your bid",
    Phase.PLAY: "Your card",
    Phase.PASS: "Pass a card to the left",
    Phase.CLOUD: "The Cloud changes your bid",
}
"""What a player is asked, by phase."""


@dataclass(frozen=True)
class Told:
    """What there is to say about an action: the action, its result, the round it ended."""

    action: str
    after: tuple[str, ...]
    round: Round | None


class Teller:
    """Tells a game to the person at seat 0."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def push(self, game: Game, seat: int, action: Action) -> Told:
        """Take an action, and describe it."""
        phase, tricks, rounds = game.phase, len(game.position.tricks), len(game.sheet)
        game.push(action, seat)
        after: list[str] = []
        finished = game.sheet[-1] if len(game.sheet) > rounds else None
        if finished is not None:
            if action.verb is Verb.PLAY:
                after.append(self.trick(finished.tricks[-1]))
        else:
            view = game.view(YOU)
            if len(view.tricks) > tricks:
                after.append(self.trick(view.tricks[-1]))
            if phase is Phase.BID and view.phase is Phase.PLAY:
                after.append(self.bids(view))
            if phase is Phase.PASS and view.phase is Phase.PLAY:
                after.append(self.passed(view))
        return Told(self.action(seat, action, game.rules.bidding), tuple(after), finished)

    def who(self, seat: int, verb: str) -> str:
        """``You play``, ``Ada plays``."""
        if seat == YOU:
            return f"You {verb}"
        return f"{self.names[seat]} {verb}{'es' if verb.endswith('s') else 's'}"

    def whose(self, seat: int) -> str:
        return "your" if seat == YOU else f"{self.names[seat]}'s"

    def action(self, seat: int, action: Action, bidding: Bidding) -> str:
        if action.verb is Verb.PLAY:
            return f"{self.who(seat, 'play')} {action.object}"
        if action.verb is Verb.BID:
            if bidding is Bidding.OPEN:
                return f"{self.who(seat, 'bid')} {action.bid}"
            return f"{self.who(seat, 'seal')} a bid"
        if action.verb is Verb.TRUMP:
            return f"{self.who(seat, 'name')} trump: {action.trump}"
        if action.verb is Verb.PASS:
            return f"{self.who(seat, 'put')} a card aside to pass"
        return f"The Cloud changes {self.whose(seat)} bid by {action.object}"

    def bids(self, view: View) -> str:
        if None in view.bids:
            return "All have bid, in secret."
        bids = ", ".join(f"{name} {bid}" for name, bid in zip(self.names, view.bids, strict=True))
        return f"Bids: {bids}; {balance(sum(bid or 0 for bid in view.bids), view.size)}."

    def trick(self, trick: Trick) -> str:
        if trick.winner is None:
            assert trick.next_leader is not None
            return f"The Bomb: nobody takes it. {self.who(trick.next_leader, 'lead')} next."
        return f"{self.who(trick.winner, 'take')} the trick."

    def passed(self, view: View) -> str:
        swap = view.passes[-1]
        return f"All pass a card: you gave {swap.given} and got {swap.received}."

    def round(self, view: View) -> str:
        """``Round 3 of 15 · 3 cards · Ada deals``."""
        number = f"Round {view.round} of {len(view.rules.sizes)}"
        return f"{number} · {counted(view.size, 'card')} · {self.who(view.dealer, 'deal')}"

    def werewolf(self, view: View) -> str | None:
        if view.werewolf is None:
            return None
        name = "name" if view.werewolf == YOU else "names"
        return f"{self.who(view.werewolf, 'swap')} the Werewolf for {view.turned} and {name} trump."

    def outcome(self, outcome: Outcome) -> str:
        winners = " and ".join(self.names[seat] for seat in outcome.winners)
        win = "win" if outcome.winners == (YOU,) or len(outcome.winners) > 1 else "wins"
        return f"{winners} {win} with {max(outcome.totals)} points."

    def refusal(self, error: IllegalActionError) -> str:
        """The reason, as a sentence."""
        reason = error.reason
        if error.code == "not_on_turn":
            reason = f"it is {self.names[int(str(error.params['turn']))]}'s turn"
        return f"{reason[:1].upper()}{reason[1:]}."


def balance(bid: int, tricks: int) -> str:
    """The total of all bids against the number of tricks: ``2 over``."""
    if bid == tricks:
        return "as many as there are tricks"
    return f"{abs(bid - tricks)} {'over' if bid > tricks else 'under'}"

"""A hint: what a good bot would do in your place, and briefly why."""

from __future__ import annotations

from dataclasses import dataclass

from foretold.actions import Action, Verb
from foretold.bots.heuristics import hand_worth
from foretold.cards import Trump
from foretold.kernel.after import tricks_off
from foretold.kernel.rounds import settle_trump
from foretold.kernel.tricks import would_win
from foretold.rows import row_of
from foretold.view import View
from foretold.words import counted


@dataclass(frozen=True)
class Hint:
    action: Action
    why: str

    def __str__(self) -> str:
        """``Hint: play R4; it does not win the trick, your bid is met.``"""
        if self.action.trump is not None:
            what = f"name {self.action.trump}"
        elif self.action.verb is Verb.CLOUD:
            what = f"change it by {self.action.object}"
        else:
            what = str(self.action)
        return f"Hint: {what}; {self.why}."


def hint_of(view: View, action: Action) -> Hint:
    """A hint for the action chosen in this view, with its reason."""
    if len(view.legal_actions) == 1:
        return Hint(action, "there is no other choice")
    reasons = {
        Verb.BID: _why_bid,
        Verb.TRUMP: _why_trump,
        Verb.PLAY: _why_play,
        Verb.PASS: _why_pass,
        Verb.CLOUD: _why_cloud,
    }
    return Hint(action, reasons[action.verb](view, action))


def _why_bid(view: View, action: Action) -> str:
    if view.hand is None:
        return "your share of the tricks, as you cannot see your cards"
    worth = float(hand_worth(row_of(view), view.seat or 0))
    return f"your cards should take about {worth:.1f}"


def _why_trump(view: View, action: Action) -> str:
    if view.hand is None:
        return "any suit will do, as you cannot see your cards"
    row = row_of(view)
    settle_trump(row, int(action.trump or 0))
    worth = float(hand_worth(row, view.seat or 0))
    without = "without trump" if action.trump is Trump.NONE else f"with {action.trump} as trump"
    return f"{without} your cards should take about {worth:.1f}"


def _why_play(view: View, action: Action) -> str:
    played = 0 if view.trick is None else len(view.trick.plays)
    if not played:
        does = "a lead that fits"
    elif would_win(row_of(view), int(action)):
        last = played == view.rules.players - 1
        does = "it takes the trick" if last else "it goes in front"
    else:
        does = "it does not win the trick"
    return f"{does}, {_need(view)}"


def _why_pass(view: View, action: Action) -> str:
    return f"without it your hand fits your bid best, {_need(view)}"


def _why_cloud(view: View, action: Action) -> str:
    return f"you bid {view.bids[view.seat or 0]} and took {view.taken[view.seat or 0]}"


def _need(view: View) -> str:
    seat = view.seat or 0
    off = int(tricks_off(view.bids[seat] or 0, view.taken[seat]))
    if off < 0:
        return f"you still need {counted(-off, 'trick')}"
    return "your bid is met" if off == 0 else "you have too many tricks already, take no more"

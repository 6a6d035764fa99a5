"""Views, tricks and score lines as clients get them (docs/protocol.md)."""

from __future__ import annotations

from typing import Any

from foretold.actions import ACTIONS, BID, Action
from foretold.cards import SUIT_CARDS, Card
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Bidding
from foretold.sheet import Outcome, Round, Trick
from foretold.table.refusals import Refused
from foretold.view import View

Data = dict[str, Any]


def view_data(view: View, turn: int, sheet: list[Data], why: Data) -> Data:
    """All that a seat, or a spectator, may know, as clients get it.

    `sheet` are the lines of the score sheet, which the views of a table share.
    """
    trick = view.trick
    return {
        "turn": turn,
        "phase": view.phase.name.lower(),
        "to_act": view.to_act,
        "legal": [str(action) for action in view.legal_actions],
        "why": why,
        "round": view.round,
        "size": view.size,
        "dealer": view.dealer,
        "hand": _codes(view.hand),
        "seen_hands": [_codes(hand) for hand in view.seen_hands],
        "held": _held(view),
        "turned": None if view.turned is None else view.turned.code,
        "werewolf": view.werewolf,
        "trump": None if view.trump is None else view.trump.code,
        "bids": view.bids,
        "sealed": _sealed(view),
        "taken": view.taken,
        "trick": None
        if trick is None
        else {"leader": trick.leader, "plays": _plays(trick), "winning": view.winning},
        "follow": None if view.follow is None else view.follow.letter,
        "last_trick": trick_data(view.tricks[-1]) if view.tricks else None,
        "passed": passed_data(view),
        "set_aside": _codes(view.set_aside),
        "suits": [None if suit is None else suit.letter for suit in view.suits],
        "out": _codes(view.out),
        "sheet": sheet,
        "totals": view.totals,
        "outcome": None if view.outcome is None else outcome_data(view.outcome),
    }


def why_not(game: Game, view: View) -> Data:
    """Why not, for the cards and bids that the player on turn may not choose."""
    if view.seat is None or not view.legal_actions:
        return {}
    barred: list[Action] = []
    if view.phase is Phase.PLAY and view.hand is not None:
        playable = {action.card for action in view.legal_actions}
        barred = [ACTIONS[card] for card in view.hand if card < SUIT_CARDS and card not in playable]
    elif view.phase is Phase.BID:
        legal = set(view.legal_actions)
        barred = [ACTIONS[BID + bid] for bid in range(view.size + 1) if BID + bid not in legal]
    if not barred:
        return {}
    # One reason holds for all of them: the suit to follow, or the total of the bids.
    error = game.refusal(barred[0], view.seat)
    assert error is not None
    reason = Refused.by_rules(error, game).to_data()
    return {str(action): reason for action in barred}


def changes(before: Data, after: Data) -> Data:
    """The fields that are not what they were."""
    return {name: value for name, value in after.items() if before[name] != value}


def trick_data(trick: Trick) -> Data:
    return {
        "leader": trick.leader,
        "plays": _plays(trick),
        "winner": trick.winner,
        "next_leader": trick.next_leader,
    }


def dealt_data(game: Game) -> Data:
    """What all see of a round that was just dealt."""
    position = game.position
    return {
        "round": len(game.sheet) + 1,
        "size": position.size,
        "dealer": position.dealer,
        "turned": None if position.turned is None else position.turned.code,
        "werewolf": position.werewolf,
    }


def round_data(line: Round) -> Data:
    return {
        "size": line.size,
        "dealer": line.dealer,
        "turned": None if line.turned is None else line.turned.code,
        "trump": line.trump.code,
        "bids": line.bids,
        "scored_bids": line.scored_bids,
        "taken": line.taken,
        "points": line.points,
        "totals": line.totals,
    }


def outcome_data(outcome: Outcome) -> Data:
    return {"winners": outcome.winners, "places": outcome.places}


def passed_data(view: View) -> Data | None:
    if not view.passes:
        return None
    swap = view.passes[-1]
    received = None if swap.received is None else swap.received.code
    return {"given": swap.given.code, "received": received}


def _held(view: View) -> list[int]:
    """How many cards every hand has: those dealt less those played."""
    players = view.rules.players
    held = [view.size - len(view.tricks)] * players
    if view.trick is not None:
        for index in range(len(view.trick.plays)):
            held[(view.trick.leader + index) % players] -= 1
    return held


def _sealed(view: View) -> list[bool]:
    """Whose bid is made but not shown."""
    if view.rules.bidding is Bidding.OPEN or view.phase in (Phase.TRUMP, Phase.DEAL):
        return [False] * view.rules.players
    waiting = view.to_act if view.phase is Phase.BID else ()
    return [bid is None and seat not in waiting for seat, bid in enumerate(view.bids)]


def _plays(trick: Trick) -> list[str]:
    return [play.object for play in trick.plays]


def _codes(cards: tuple[Card, ...] | None) -> list[str] | None:
    return None if cards is None else [card.code for card in cards]

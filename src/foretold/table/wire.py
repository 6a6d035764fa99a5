"""Views, tricks and score lines as clients get them (docs/protocol.md)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from foretold.actions import ACTIONS
from foretold.cards import Card, Suit
from foretold.claim import may_claim
from foretold.game import Game
from foretold.illegal import barred_of
from foretold.kernel import Phase
from foretold.kernel.after import changed_bid
from foretold.position import Position
from foretold.refusals import to_player
from foretold.results import Outcome, Round, Trick, off_by_tricks
from foretold.table.entries import BotSeat, PlayerSeat, Seat
from foretold.table.refusals import plain
from foretold.table.table import Table
from foretold.view import Look, Pass, View

Data = dict[str, Any]

_TEXTS: Final = tuple(map(str, ACTIONS))
_PHASES: Final = {phase: phase.name.lower() for phase in Phase}
LETTERS: Final = tuple(suit.letter for suit in Suit)
_OBJECTS: Final = tuple(action.object for action in ACTIONS)


def seats_data(table: Table) -> list[Data]:
    """The seats, without their players' ids."""
    return [_seat_data(*one) for one in zip(table.seats, table.names, strict=True)]


def _seat_data(seat: Seat, name: str) -> Data:
    if isinstance(seat, PlayerSeat):
        return {"kind": "player", "name": name, "stand_in": seat.stand_in, "face": seat.face}
    if isinstance(seat, BotSeat):
        return {"kind": "bot", "name": name, "level": seat.level}
    return {"kind": "empty"}


def view_data(position: Position, view: View | Look, turn: int) -> Data:
    """Everything a seat, or a spectator, may know, as clients get it."""
    return {**common_data(position, view, turn), **own_data(position, view)}


def common_data(position: Position, view: View | Look, turn: int) -> Data:
    """The fields that are the same in every view."""
    bids = {} if position.rules.seals_bids else bids_data(position, view)
    return {**turn_data(view, turn), **bids, **tricks_data(view), **settled_data(view)}


def own_data(position: Position, view: View | Look) -> Data:
    """The fields that differ between views."""
    bids = bids_data(position, view) if position.rules.seals_bids else {}
    return {**hand_data(position, view), **bids, **secret_data(view)}


def turn_data(view: View | Look, turn: int) -> Data:
    """The fields that change with every decision."""
    trick, follow = view.trick, view.follow
    return {
        "turn": turn,
        "phase": _PHASES[view.phase],
        "to_act": view.to_act,
        "held": _held(view, trick),
        "trick": None
        if trick is None
        else {"leader": trick.leader, "plays": _plays(trick), "winning": view.winning},
        "follow": None if follow is None else LETTERS[follow],
    }


def tricks_data(view: View | Look) -> Data:
    """The fields that change when a trick is finished."""
    return {
        "taken": view.taken,
        "finished": len(view.tricks),
        "last_trick": None if view.last_trick is None else trick_data(view.last_trick),
        "set_aside": set_aside_data(view),
    }


def set_aside_data(view: View | Look) -> tuple[str, ...] | None:
    return _codes(view.set_aside)


def settled_data(view: View | Look) -> Data:
    """What is settled for a round, once trump is named, and the score before it."""
    return {
        "round": view.round,
        "size": view.size,
        "dealer": view.dealer,
        "order": view.rules.turns(view.dealer),
        "turned": None if view.turned is None else view.turned.code,
        "werewolf": view.werewolf,
        "trump": None if view.trump is None else view.trump.code,
        "out": _codes(view.out),
        "sheet": [round_data(line) for line in view.sheet],
        "totals": view.totals,
        "places": Outcome(view.totals).places,
        "outcome": None if view.outcome is None else outcome_data(view.outcome),
    }


def hand_data(position: Position, view: View | Look) -> Data:
    """A seat's cards, what it may do now, and why it may not do the rest."""
    seat, hand = view.seat, _codes(view.hand)
    if seat is None or seat not in view.to_act:
        return {"hand": hand, "legal": [], "why": {}, "bid_after": {}, "claim": False}
    return {
        "hand": hand,
        "legal": action_texts(position.legal_actions(seat).mask),
        "why": why_not(position, seat),
        "bid_after": _bid_after(position, seat),
        "claim": may_claim(position, seat),
    }


def bids_data(position: Position, view: View | Look) -> Data:
    """The bids, as far as they are shown."""
    return told_bids_data(view.bids, _sealed(position, view.bids), view.size)


def told_bids_data(bids: tuple[int | None, ...], sealed: list[bool], size: int) -> Data:
    """These bids, and what follows from them."""
    foretold = None if any(sealed) else sum(bid for bid in bids if bid is not None)
    return {
        "bids": bids,
        "sealed": sealed,
        "foretold": foretold,
        "over": None if foretold is None or None in bids else foretold - size,
        "off": [None if bid is None else off_by_tricks(bid, size) for bid in bids],
    }


def secret_data(view: View | Look) -> Data:
    """What a seat knows about cards not yet played."""
    return {
        "seen_hands": [_codes(hand) for hand in view.seen_hands],
        "passed": passed_data(view.passes),
        "suits": [None if suit is None else LETTERS[suit] for suit in view.suits],
    }


def changes(before: Data, after: Data) -> Data:
    """The fields that changed."""
    return {name: value for name, value in after.items() if before[name] != value}


def trick_data(trick: Trick) -> Data:
    return {
        "leader": trick.leader,
        "plays": _plays(trick),
        "winner": trick.winner,
        "next_leader": trick.next_leader,
    }


def dealt_data(game: Game) -> Data:
    """What everyone sees of a round just dealt."""
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
        "off": line.off,
        "points": line.points,
        "totals": line.totals,
    }


def outcome_data(outcome: Outcome) -> Data:
    return {"winners": outcome.winners, "places": outcome.places}


def passed_data(passes: tuple[Pass, ...]) -> Data | None:
    if not passes:
        return None
    swap = passes[-1]
    received = None if swap.received is None else swap.received.code
    return {"given": swap.given.code, "received": received}


def why_not(position: Position, seat: int) -> Data:
    """Why the player on turn may not choose each of the barred cards and bids."""
    barred, error = barred_of(position, seat)
    if error is None:
        return {}
    return dict.fromkeys(action_texts(barred), reason_data(error.code, tuple(error.params.items())))


def _bid_after(position: Position, seat: int) -> dict[str, int]:
    """What a seat's bid becomes with each change that it may choose."""
    bid = position.bids[seat]
    if position.phase is not Phase.CLOUD or bid is None:
        return {}
    legal = position.legal_actions(seat)
    return {str(change): int(changed_bid(bid, change)) for change in legal}


@lru_cache(maxsize=1024)  # there are few, and one is sent with every second card
def reason_data(code: str, params: tuple[tuple[str, object], ...]) -> Data:
    known = dict(params)
    told = {name: plain(value) for name, value in params}
    return {"code": code, "params": told, "reason": to_player(code, known)}


def action_texts(mask: int) -> list[str]:
    """The actions whose bits are set, in order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(_TEXTS[lowest.bit_length() - 1])
        mask ^= lowest
    return found


def _held(view: View | Look, trick: Trick | None) -> list[int]:
    """The number of cards in every hand: dealt minus played."""
    players = view.rules.players
    held = [view.size - len(view.tricks)] * players
    if trick is not None:
        for seat in view.rules.seats_from(trick.leader)[: len(trick.plays)]:
            held[seat] -= 1
    return held


def _sealed(position: Position, bids: tuple[int | None, ...]) -> list[bool]:
    """By seat, whether a bid is made but not shown."""
    phase = position.phase
    if not position.rules.seals_bids or phase is Phase.TRUMP:
        return [False] * len(bids)
    waiting = position.to_act if phase is Phase.BID else ()
    return [bid is None and seat not in waiting for seat, bid in enumerate(bids)]


def _plays(trick: Trick) -> list[str]:
    return [_OBJECTS[play] for play in trick.plays]


@lru_cache(maxsize=4096)  # most hands were sent before and come up again
def _codes(cards: tuple[Card, ...] | None) -> tuple[str, ...] | None:
    return None if cards is None else tuple([card.code for card in cards])

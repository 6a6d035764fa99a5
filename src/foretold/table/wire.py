"""Views, tricks and score lines as clients get them (docs/protocol.md)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from foretold.actions import ACTIONS, BID
from foretold.cards import Card
from foretold.game import Game
from foretold.kernel import Phase
from foretold.refusals import to_player
from foretold.rules import Bidding
from foretold.sheet import Outcome, Round, Trick
from foretold.table.entries import BotSeat, PlayerSeat, Seat
from foretold.table.refusals import plain
from foretold.table.table import Table
from foretold.view import Own, View

Data = dict[str, Any]

_TEXTS: Final = tuple(map(str, ACTIONS))


def seats_data(table: Table) -> list[Data]:
    """The seats without who the players are."""
    return [_seat_data(*one) for one in zip(table.seats, table.names, strict=True)]


def _seat_data(seat: Seat, name: str) -> Data:
    if isinstance(seat, PlayerSeat):
        return {"kind": "player", "name": name, "stand_in": seat.stand_in}
    if isinstance(seat, BotSeat):
        return {"kind": "bot", "name": name, "level": seat.level}
    return {"kind": "empty"}


def view_data(game: Game, view: View, turn: int, sheet: list[Data]) -> Data:
    """All that a seat, or a spectator, may know, as clients get it."""
    return {**common_data(view, turn, sheet), **own_data(game, view.seat, view)}


def common_data(view: View, turn: int, sheet: list[Data]) -> Data:
    """What is the same in every view; `sheet` are the lines of the score sheet."""
    trick = view.trick
    return {
        "turn": turn,
        "phase": view.phase.name.lower(),
        "to_act": view.to_act,
        "round": view.round,
        "size": view.size,
        "dealer": view.dealer,
        "held": _held(view),
        "turned": None if view.turned is None else view.turned.code,
        "werewolf": view.werewolf,
        "trump": None if view.trump is None else view.trump.code,
        "taken": view.taken,
        "trick": None
        if trick is None
        else {"leader": trick.leader, "plays": _plays(trick), "winning": view.winning},
        "follow": None if view.follow is None else view.follow.letter,
        "last_trick": None if view.last_trick is None else trick_data(view.last_trick),
        "set_aside": _codes(view.set_aside),
        "out": _codes(view.out),
        "sheet": sheet,
        "totals": view.totals,
        "outcome": None if view.outcome is None else outcome_data(view.outcome),
    }


def own_data(game: Game, seat: int | None, own: View | Own) -> Data:
    """What differs from view to view."""
    return {
        **choice_data(game, seat),
        "hand": _codes(own.hand),
        "seen_hands": [_codes(hand) for hand in own.seen_hands],
        "bids": own.bids,
        "sealed": _sealed(game, own.bids),
        "passed": passed_data(own),
        "suits": [None if suit is None else suit.letter for suit in own.suits],
    }


def choice_data(game: Game, seat: int | None) -> Data:
    """What a seat may do now, and why not what else it might want to do."""
    position = game.position
    if seat is None or seat not in position.to_act:
        return {"legal": [], "why": {}}
    legal = position.legal_actions(seat).mask
    return {"legal": _texts(legal), "why": _why_not(game, seat, legal)}


def changes(before: Data, after: Data) -> Data:
    """The fields that are not what they were."""
    found = {}
    for name, value in after.items():
        if before[name] != value:
            found[name] = value
    return found


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


def passed_data(own: View | Own) -> Data | None:
    if not own.passes:
        return None
    swap = own.passes[-1]
    received = None if swap.received is None else swap.received.code
    return {"given": swap.given.code, "received": received}


def _why_not(game: Game, seat: int, legal: int) -> Data:
    """Why not, for the cards and bids that the player on turn may not choose."""
    position = game.position
    wanted = 0
    if position.phase is Phase.PLAY:
        # A suit card is played by the action of its own number; all others may always be played.
        wanted = sum(1 << card for card in position.hand(seat) if card.suit is not None)
    elif position.phase is Phase.BID:
        wanted = (1 << position.size + 1) - 1 << BID
    barred = wanted & ~legal
    if not barred:
        return {}
    # One reason holds for all of them: the suit to follow, or the total of the bids.
    error = game.refusal(ACTIONS[barred.bit_length() - 1], seat)
    assert error is not None
    return dict.fromkeys(_texts(barred), _reason(error.code, tuple(error.params.items())))


@lru_cache(maxsize=1024)  # there are few, and one is told with every second card
def _reason(code: str, params: tuple[tuple[str, object], ...]) -> Data:
    known = dict(params)
    told = {name: plain(value) for name, value in params}
    return {"code": code, "params": told, "reason": to_player(code, known)}


def _texts(mask: int) -> list[str]:
    """The actions whose bits are set, in order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(_TEXTS[lowest.bit_length() - 1])
        mask ^= lowest
    return found


def _held(view: View) -> list[int]:
    """How many cards every hand has: those dealt less those played."""
    players = view.rules.players
    held = [view.size - len(view.tricks)] * players
    if view.trick is not None:
        for index in range(len(view.trick.plays)):
            held[(view.trick.leader + index) % players] -= 1
    return held


def _sealed(game: Game, bids: tuple[int | None, ...]) -> list[bool]:
    """Whose bid is made but not shown."""
    phase = game.phase
    if game.rules.bidding is Bidding.OPEN or phase is Phase.TRUMP:
        return [False] * len(bids)
    waiting = game.to_act if phase is Phase.BID else ()
    return [bid is None and seat not in waiting for seat, bid in enumerate(bids)]


def _plays(trick: Trick) -> list[str]:
    return [play.object for play in trick.plays]


def _codes(cards: tuple[Card, ...] | None) -> list[str] | None:
    return None if cards is None else [card.code for card in cards]

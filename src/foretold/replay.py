"""A game as `foretold replay` tells it: as one JSON object, or for people to read."""

from __future__ import annotations

from typing import Any

from foretold.actions import ACTIONS
from foretold.game import Game
from foretold.kernel import Phase
from foretold.kernel.layout import BIDS, LEADER, NOTHING, PLAYED, TAKEN, TRICK
from foretold.position import Position
from foretold.sheet import Round, Trick


def summary(game: Game) -> dict[str, Any]:
    """The object that ``foretold replay --json`` prints for a game."""
    outcome = game.outcome()
    rounds = [_finished(one) for one in game.sheet]
    if game.phase not in (Phase.DEAL, Phase.OVER):
        rounds.append(_under_way(game.position))
    return {
        "status": "unfinished" if outcome is None else "finished",
        "rounds": rounds,
        "totals": list(game.totals),
        "winners": [] if outcome is None else list(outcome.winners),
        "to_act": list(game.to_act),
    }


def _finished(line: Round) -> dict[str, Any]:
    return {
        "size": line.size,
        "dealer": line.dealer,
        "trump": line.trump.code,
        "bids": list(line.bids),
        "scored_bids": list(line.scored_bids),
        "taken": list(line.taken),
        "tricks": [_trick(trick) for trick in line.tricks],
        "points": list(line.points),
        "totals": list(line.totals),
    }


def _under_way(position: Position) -> dict[str, Any]:
    row = position.row
    tricks = [_trick(trick) for trick in position.tricks]
    if position.phase is Phase.PLAY and row[PLAYED]:
        plays = row[TRICK : TRICK + row[PLAYED]]
        tricks.append(_trick(Trick(row[LEADER], tuple(ACTIONS[play] for play in plays))))
    return {
        "size": position.size,
        "dealer": position.dealer,
        "trump": None if position.trump is None else position.trump.code,
        "bids": [None if bid == NOTHING else bid for bid in position.by_seat(BIDS)],
        "scored_bids": None,
        "taken": list(position.by_seat(TAKEN)),
        "tricks": tricks,
        "points": None,
        "totals": None,
    }


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "cards": [play.object for play in trick.plays],
        "winner": trick.winner,
        "next_leader": trick.next_leader,
    }

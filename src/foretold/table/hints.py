"""Hints at a table: who may have one, and what it is based on."""

from __future__ import annotations

from foretold.bots.trained import is_trained
from foretold.table.refusals import Refused
from foretold.table.table import Table
from foretold.table.wire import Data
from foretold.view import View


def gives_hints(table: Table) -> bool:
    """Whether hints are given here: only to one person against bots, and not in a lesson."""
    return is_trained() and table.lesson is None and table.people == 1


def check_listed(summary: Data) -> None:
    """Raise `Refused` if the table's list entry for the player already rules a hint out."""
    if summary["your_seat"] is None:
        raise Refused("not_seated")
    _check_state(summary["state"])
    if summary["lesson"] is not None:
        raise Refused("no_hints_in_lessons")
    if sum(one["kind"] == "player" for one in summary["seats"]) > 1:
        raise Refused("no_hints")
    if not summary["your_turn"]:
        raise Refused("no_choice")


def hint_view(table: Table, player: str, turn: int) -> View:
    """Everything a player's hint may be based on; raises `Refused`."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    _check_state(table.state)
    if table.lesson is not None:
        raise Refused("no_hints_in_lessons")
    if not is_trained():
        raise Refused("no_trained_player")
    if not gives_hints(table):
        raise Refused("no_hints")
    if turn != table.turn:
        raise Refused("stale", turn=table.turn)
    assert table.game is not None
    view = table.game.view(seat)
    if len(view.legal_actions) < 2:
        raise Refused("no_choice")
    return view


def _check_state(state: str) -> None:
    if state in ("over", "closed"):
        raise Refused("game_over" if state == "over" else "closed")
    if state != "playing":
        raise Refused("not_playing")

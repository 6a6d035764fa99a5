"""Hints at a table: who may have one, and of what."""

from __future__ import annotations

from foretold.bots.trained import is_trained
from foretold.table.refusals import Refused
from foretold.table.table import Table
from foretold.table.wire import Data
from foretold.view import View


def gives_hints(table: Table) -> bool:
    """Whether hints are given here: to one person against bots, who is not at a lesson."""
    return is_trained() and table.lesson is None and table.people == 1


def check_listed(summary: Data) -> None:
    """Raise `Refused` where what lists say of a table, for one player, is enough to know."""
    if summary["your_seat"] is None:
        raise Refused("not_seated")
    if summary["state"] != "playing":
        raise Refused("not_playing")
    people = sum(one["kind"] == "player" for one in summary["seats"])
    if people > 1 or summary["lesson"] is not None:
        raise Refused("no_hints")
    if not summary["your_turn"]:
        raise Refused("no_choice")


def hint_view(table: Table, player: str, turn: int) -> View:
    """All that a hint for a player may be made from; raises `Refused`."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    if table.game is None or table.state != "playing":
        raise Refused("not_playing")
    if not gives_hints(table):
        raise Refused("no_hints")
    if turn != table.turn:
        raise Refused("stale", turn=table.turn)
    view = table.game.view(seat)
    if len(view.legal_actions) < 2:
        raise Refused("no_choice")
    return view

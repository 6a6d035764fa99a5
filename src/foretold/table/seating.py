"""Who may sit where."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain

from foretold.table.changes import check_bounds
from foretold.table.entries import BotSeat, Empty, PlayerSeat, Sat
from foretold.table.refusals import Refused
from foretold.table.stand_ins import is_free
from foretold.table.table import Table


def check_seat(table: Table, player: str, seat: int) -> None:
    """Raise `Refused` unless the player could sit there if let in."""
    _check_person(table, player)
    if not is_free(at(table, seat)):
        raise Refused("seat_taken")
    if table.state == "playing" and not table.may_take_over(player, seat):
        raise _has_seen_cards(table, player)


def _check_person(table: Table, player: str) -> None:
    """Raise `Refused` if the player cannot sit anywhere now."""
    if table.seat_of(player) is not None:
        raise Refused("already_seated")
    if table.state == "dealing":
        raise Refused("dealing")
    check_open(table)
    if table.past is not None and table.past.is_known and not _has_played(table, player):
        raise Refused("taken_back")
    if player in table.removed:
        raise Refused("removed")


def _has_played(table: Table, player: str) -> bool:
    return any(table.had_seat(player, seat) for seat in range(len(table.seats)))


def _has_seen_cards(table: Table, player: str) -> Refused:
    """Why a player may only return to the seat they had in this game."""
    own = (seat for seat in range(len(table.seats)) if table.had_seat(player, seat))
    return Refused("seat_seen" if any(is_free(table.seats[one]) for one in own) else "seat_lost")


def seat_for(table: Table, player: str, wanted: int | None) -> int:
    """The seat for a player who is let in: the one they want, or the first they may take."""
    _check_person(table, player)
    for seat in chain(() if wanted is None else (wanted,), range(len(table.seats))):
        with suppress(Refused):
            check_seat(table, player, seat)
            return seat
    if not any(map(is_free, table.seats)):
        raise Refused("no_free_seat")
    raise _has_seen_cards(table, player)


def moved_seat(table: Table, before: str, player: str, name: str) -> Sat | None:
    """Move a player's seat to another browser; None if that browser already has it."""
    if before == player:
        return None
    seat = table.seat_of(before)
    if seat is None:
        raise Refused("bad_link")
    check_open(table)
    if table.seat_of(player) is not None:
        raise Refused("already_seated")
    if player in table.removed:
        raise Refused("removed")
    if table.state != "lobby" and not table.may_take_over(player, seat):
        raise _has_seen_cards(table, player)
    check_bounds(table, player)
    return Sat(seat=seat, player=player, name=name, same=True, asked_by=player)


def at(table: Table, seat: int) -> Empty | BotSeat | PlayerSeat:
    if not 0 <= seat < len(table.seats):
        raise Refused("no_seat", last=len(table.seats) - 1)
    return table.seats[seat]


def check_open(table: Table) -> None:
    """Raise `Refused` if the game is over, or the table closed."""
    if table.state in ("over", "closed"):
        raise Refused("game_over" if table.state == "over" else "closed")

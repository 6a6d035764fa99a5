"""Bots that play for people, and why they do."""

from __future__ import annotations

from typing import Final

from foretold.bots import LEVELS
from foretold.table.entries import BotSeat, PlayerSeat, Seat

STAND_IN_LEVEL: Final = "adept"
"""How strong the bot is that plays for someone who is away, or who has left."""

LEFT: Final = "left"
"""Why a bot stands in for a player who has gone for good, or so it seems."""
ABSENT: Final = "absent"
"""Why a bot stands in for a player whose connection was lost."""
LATE: Final = "clock"
"""Why a bot makes one decision for a player: the time for it was up."""

assert STAND_IN_LEVEL in LEVELS


def is_free(seat: Seat) -> bool:
    """Whether somebody may sit down there: the seat is empty, a bot's, or its player has left."""
    return not isinstance(seat, PlayerSeat) or seat.stand_in == LEFT


def level_of(seat: Seat) -> str | None:
    """How strong the bot is that decides for a seat; None where a player does."""
    if isinstance(seat, BotSeat):
        return seat.level
    return STAND_IN_LEVEL if isinstance(seat, PlayerSeat) and seat.stand_in else None


def stands_in_once(seat: Seat) -> bool:
    """Whether a bot makes only this decision, for a player who ran out of time."""
    return isinstance(seat, PlayerSeat) and seat.stand_in == LATE

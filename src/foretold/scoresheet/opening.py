"""How a score sheet begins: with names, and with rules for that many players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foretold.rules import Rules
from foretold.scoresheet.entries import Opened
from foretold.scoresheet.writing import SheetError


def options_for(names: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options for a game with these names; two names play the two-player game by default."""
    usual = {"mode": "two_player"} if len(names) == 2 else {}
    return {**usual, **options, "players": len(names)}


def open_sheet(
    names: Sequence[str],
    rules: Rules,
    *,
    edition: str | None = None,
    first_dealer: int = 0,
    host: str = "",
) -> Opened:
    """The first entry of a sheet; raises `SheetError` if the dealer does not exist."""
    if not 0 <= first_dealer < rules.players:
        raise SheetError("no_seat", last=rules.players - 1)
    return Opened(
        names=tuple(names),
        rules=rules.to_options(),
        edition=edition,
        first_dealer=first_dealer,
        host=host,
    )

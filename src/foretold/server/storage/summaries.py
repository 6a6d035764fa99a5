"""List entries of tables and score sheets."""

from __future__ import annotations

from typing import Any

import msgspec

from foretold.results import Outcome
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.storage.listing import Listed
from foretold.table.stand_ins import is_free
from foretold.table.table import Table
from foretold.table.wire import seats_data


def listed_of(table: Table) -> Listed:
    game = table.game
    summary = {
        "code": table.code,
        "state": table.state,
        "rules": table.rules.to_options(),
        "settings": msgspec.to_builtins(table.settings),
        "host": table.host,
        "seats": seats_data(table),
        "round": 0 if game is None else min(len(game.sheet) + 1, len(table.rules.sizes)),
        "rounds": len(table.rules.sizes),
        "totals": None if game is None else game.totals,
        "created": table.created,
        "updated": table.updated,
        "lesson": table.lesson,
        "taken_back": table.taken_back,
    }
    return Listed(table.n, summary, table.to_act, _is_public(table), table.arrivals)


def summary_data(listed: Listed, seat: int | None) -> dict[str, Any]:
    """For the player in that seat, or for somebody without one."""
    own = {"your_seat": seat, "your_turn": seat in listed.to_act, "key": None}
    is_over = listed.summary["state"] == "over"
    places = Outcome(tuple(listed.summary["totals"])).places if is_over else None
    # Summaries written by older versions lack it.
    return {"taken_back": 0, **listed.summary, "places": places, **own}


def _is_public(table: Table) -> bool:
    """Whether it is listed for everyone: they could sit down there, or watch."""
    if not table.settings.public or table.state in ("over", "closed"):
        return False
    may_join = table.state == "lobby" or table.settings.open
    has_room = may_join and any(is_free(one) for one in table.seats)
    return table.settings.spectators or has_room


def sheet_summary(code: str, tablet: Tablet, created: int, updated: int) -> dict[str, Any]:
    current = tablet.current
    state = "deleted" if tablet.is_deleted else "playing" if current is not None else "over"
    finished = [line.off for line in tablet.lines if line.is_finished]
    return {
        "code": code,
        "state": state,
        "names": list(tablet.names),
        "rules": tablet.rules.to_options(),
        "round": len(tablet.lines) if current is None else current.number,
        "rounds": len(tablet.lines),
        "totals": tablet.totals,
        "places": Outcome(tablet.totals).places,
        "met": [sum(off[seat] == 0 for off in finished) for seat in range(tablet.rules.players)],
        "created": created,
        "updated": updated,
    }

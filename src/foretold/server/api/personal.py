"""Personal data over HTTP: how long it is kept, export in one file, and erasure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Request, Response
from sqlalchemy.engine import Connection

from foretold.protocol.http import Me, MyData, Privacy
from foretold.protocol.http import Stay as StayTold
from foretold.scoresheet.scoresheet import Line
from foretold.scoresheet.showing import sheet_data
from foretold.server.api.visitors import (
    AtTheDoor,
    Doors,
    Entered,
    Owner,
    SheetCode,
    door,
    encoded,
    in_json,
)
from foretold.server.house import House
from foretold.server.net.cookies import COOKIE_SECONDS, forget_cookie
from foretold.server.operation.retention import Stay, stay_of
from foretold.server.people.doors import Visitor
from foretold.server.people.identity import LINK_MINUTES
from foretold.server.storage.listing import find_sheets
from foretold.server.storage.reading import own_record
from foretold.server.storage.schema import bans, players, seats, tables
from foretold.server.storage.waking import SHEET
from foretold.table.refusals import Refused

MOST_RECORDS: Final = 200
"""Games, and score sheets, exported with all their moves; the others only as summaries."""

MOST_GAMES: Final = 10_000

personal = APIRouter(prefix="/api", default_response_class=Response)


@personal.get("/privacy", **door(Privacy))
async def privacy(house: Doors) -> Response:
    """What the privacy page needs to know about this server."""
    told = Privacy(
        keep_days=house.settings.keep_days,
        link_minutes=LINK_MINUTES,
        cookie_days=COOKIE_SECONDS // (24 * 3600),
    )
    return in_json(told)


@personal.get("/me/data", **door(MyData, 401, 503))
async def my_data(house: Doors, asker: Owner) -> Response:
    """Everything stored about you, in one file. Open to banned players too."""
    data = await _data_of(house, asker[0])
    answer = encoded(await house.store.run(partial(msgspec.json.encode, data)))
    answer.headers["content-disposition"] = 'attachment; filename="foretold-my-data.json"'
    return answer


@personal.delete("/me/data", **door(Me, 401, 503))
async def erase_me(request: Request, house: Doors, asker: Owner) -> Response:
    """Erase yourself for good: name, seats, cookie. Open to banned players too."""
    await house.caretaker.erase(asker[0])
    return forget_cookie(in_json(Me(name=None, face=None)), request.scope)


@personal.post("/tables/{code}/share", **door(StayTold, 404, 409, 503))
async def share(entered: Entered, house: Doors) -> Response:
    """Mark a game's replay as shared, so that it is kept."""
    if entered["state"] == "lobby":
        raise Refused("not_playing")
    await house.store.share(entered["code"])
    return await _stay(house, entered["code"], "no_table")


@personal.get("/tables/{code}/kept", **door(StayTold, 404))
async def table_kept(entered: Entered, house: Doors) -> Response:
    """How long a table is kept."""
    return await _stay(house, entered["code"], "no_table")


@personal.get("/sheets/{code}/kept", **door(StayTold, 404, 410))
async def sheet_kept(code: SheetCode, house: Doors, visitor: AtTheDoor) -> Response:
    """How long a score sheet is kept."""
    await house.sheets.summary(code, visitor)
    return await _stay(house, code, "no_sheet")


async def _stay(house: House, code: str, missing: str) -> Response:
    def ask(connection: Connection) -> Stay | None:
        return stay_of(connection, code, house.settings.keep_days)

    stay = await house.store.read(ask)
    if stay is None:
        raise Refused(missing)
    return in_json(stay)


async def _data_of(house: House, player: str) -> dict[str, Any]:
    """Everything linked to a player's id; sealed bids only if they wrote them."""

    def own_bids(line: Line, seat: int) -> bool:
        return line.wrote_bid(player, seat)

    found = await house.store.read(partial(rows_of, player))
    games, sheets = found["tables"], found["sheets"]
    for game in games[:MOST_RECORDS]:
        rows = await house.store.rows_of(game["code"])
        make = partial(_in_json, own_record, game["code"], rows)
        game["record"] = await house.store.run(make) if rows.entries else None
    for sheet in sheets[:MOST_RECORDS]:
        try:
            tablet = await house.sheets.tablet(sheet["code"], Visitor(player, None, ""))
        except Refused:
            continue  # deleted or hidden
        make_sheet = partial(_in_json, sheet_data, tablet, own_bids)
        sheet["sheet"] = await house.store.run(make_sheet)
    return found


def _in_json(make: Callable[..., object], *args: object) -> msgspec.Raw:
    """Encoded at once: as objects, many long games would take ten times the memory."""
    return msgspec.Raw(msgspec.json.encode(make(*args)))


def rows_of(player: str, connection: Connection) -> dict[str, Any]:
    """What the database has about a player, without the games themselves."""
    own = sa.select(players).where(players.c.id == player)
    me = connection.execute(own).first()
    if me is None:
        raise Refused("no_name")  # erased just now
    mine = sa.select(tables).join(seats).where(seats.c.player == player)
    latest = mine.order_by(tables.c.updated.desc()).limit(MOST_GAMES)
    games = connection.execute(latest.where(tables.c.state != SHEET).add_columns(seats.c.seat))
    summaries = (
        sa.select(tables.c.summary)
        .join(seats)
        .where(seats.c.player == player, tables.c.state == SHEET)
        .order_by(tables.c.updated.desc())
    )
    banned = sa.select(bans.c.until, bans.c.created).where(bans.c.subject == player)
    return {
        "player": dict(me._mapping),
        "tables": [
            {
                "code": row.code,
                "state": row.state,
                "seat": row.seat,
                "created": row.created,
                "updated": row.updated,
            }
            for row in games
        ],
        "sheets": find_sheets(connection, summaries),
        "bans": [dict(row._mapping) for row in connection.execute(banned)],
    }

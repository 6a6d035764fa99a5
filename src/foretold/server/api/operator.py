"""The operator's endpoints: the same as `foretold admin`, for whoever has the operator's token.

Closed unless the setting `operator_token` is set.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import StringConstraints

from foretold.errors import UnreadableError
from foretold.protocol.http import Me, NewName
from foretold.protocol.operators import (
    Acted,
    BanList,
    Day,
    NewBan,
    OneBan,
    PlaceInFull,
    Places,
    Players,
)
from foretold.server.api.visitors import Doors, TableCode, body_of, door, in_json
from foretold.server.house import House
from foretold.server.operation import overview
from foretold.server.people.bans import current_bans
from foretold.table.refusals import Refused

Text = Annotated[str, StringConstraints(pattern="^[^\0]*$")]
"""Text that any database accepts: PostgreSQL allows no zero bytes."""
NameIn = Annotated[NewName, body_of(NewName)]
BanIn = Annotated[NewBan, body_of(NewBan)]
Limit = Annotated[int, Query(ge=1, le=overview.MOST)]


def _check_token(request: Request, house: Doors) -> None:
    token = house.settings.operator_token
    if not token:
        raise Refused("not_available")
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not hmac.compare_digest(given.encode(), token.encode()):
        raise Refused("need_token")


operator = APIRouter(
    prefix="/api/operator",
    default_response_class=Response,
    dependencies=[Depends(_check_token)],
    tags=["operator"],
)


async def _do(house: House, act: Callable[[], object]) -> Response:
    await house.caretaker.do(act)
    return in_json(Acted(done=True))


@operator.get("/tables", **door(Places, 404))
async def list_tables(
    house: Doors,
    state: overview.State | None = None,
    hidden: bool = False,
    sort: overview.Sort = "updated",
    limit: Limit = 50,
) -> Response:
    """Tables and score sheets, filtered by state and sorted."""
    ask = partial(overview.list_tables, state=state, hidden=hidden, sort=sort, limit=limit)
    return in_json({"tables": await house.store.read(ask)})


@operator.get("/tables/{code}", **door(PlaceInFull, 404))
async def show_table(code: TableCode, house: Doors) -> Response:
    """One table or score sheet, and who is at it."""
    ask = partial(overview.show_table, code=code, keep_days=house.settings.keep_days)
    return in_json(await house.store.read(ask))


@operator.post("/tables/{code}/close", **door(Acted, 404, 503))
async def close_table(code: TableCode, house: Doors) -> Response:
    """End a game for good, or delete a score sheet."""
    return await _do(house, partial(house.caretaker.acts.close, code))


@operator.post("/tables/{code}/hide", **door(Acted, 404, 503))
async def hide_table(code: TableCode, house: Doors) -> Response:
    """Hide it from everyone."""
    return await _do(house, partial(house.caretaker.acts.hide, code))


@operator.post("/tables/{code}/unhide", **door(Acted, 404, 503))
async def unhide_table(code: TableCode, house: Doors) -> Response:
    """Stop hiding it."""
    return await _do(house, partial(house.caretaker.acts.unhide, code))


@operator.get("/players", **door(Players, 404))
async def list_players(
    house: Doors, name: Annotated[Text, Query(max_length=200)] = "", limit: Limit = 50
) -> Response:
    """Players whose names contain a text."""
    ask = partial(overview.list_players, text=name, limit=limit)
    return in_json({"players": await house.store.read(ask)})


@operator.put("/players/{player}", **door(Me, 404, 503, body=NewName))
async def rename_player(player: Text, body: NameIn, house: Doors) -> Response:
    """Rename a player."""
    act = partial(house.caretaker.acts.rename, player, body.name)
    name = await house.caretaker.do(act)
    return in_json(Me(name=name, face=await house.store.face_of(player)))


@operator.delete("/players/{player}", **door(Acted, 404, 503))
async def erase_player(player: Text, house: Doors) -> Response:
    """Erase a player, as they could themselves."""
    await house.caretaker.erase(player)
    return in_json(Acted(done=True))


@operator.get("/bans", **door(BanList, 404))
async def list_bans(house: Doors, limit: Limit = 50) -> Response:
    """The current bans, last to end first."""
    found = await house.store.read(partial(current_bans, most=limit))
    return in_json({"bans": [one.row() for one in found]})


@operator.post("/bans", **door(OneBan, 404, 503, body=NewBan))
async def ban(body: BanIn, house: Doors) -> Response:
    """Ban a player or an address for a time."""
    act = partial(house.caretaker.acts.ban, body.subject, body.hours)
    return in_json((await house.caretaker.do(act)).row())


@operator.delete("/bans/{ban}", **door(Acted, 404, 503))
async def lift_ban(ban: Text, house: Doors) -> Response:
    """End a ban now."""
    return await _do(house, partial(house.caretaker.acts.lift, ban))


@operator.get("/days/{day}", **door(Day, 404))
async def day(day: str, house: Doors) -> Response:
    """What happened on a day (UTC)."""
    try:
        ask = partial(overview.day_of, day=overview.parse_day(day))
    except UnreadableError as error:
        raise Refused("bad_message", detail=str(error)) from None
    found: dict[str, Any] = await house.store.read(ask)
    return in_json(found)

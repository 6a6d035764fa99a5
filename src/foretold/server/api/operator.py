"""The doors of whoever runs the site: what `foretold admin` does, for the operator's token.

Closed unless the setting `operator_token` is there.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import StringConstraints

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
"""Any that a database takes: PostgreSQL has no zero bytes in texts."""
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
    state: Annotated[Text, Query(max_length=10)] | None = None,
    hidden: bool = False,
    sort: overview.Sort = "updated",
    limit: Limit = 50,
) -> Response:
    """Tables and score sheets, by state and in an order."""
    ask = partial(overview.list_tables, state=state, hidden=hidden, sort=sort, limit=limit)
    return in_json({"tables": await house.store.read(ask)})


@operator.get("/tables/{code}", **door(PlaceInFull, 404))
async def show_table(code: TableCode, house: Doors) -> Response:
    """One of them, and who is there."""
    ask = partial(overview.show_table, code=code, keep_days=house.settings.keep_days)
    return in_json(await house.store.read(ask))


@operator.post("/tables/{code}/close", **door(Acted, 404, 503))
async def close_table(code: TableCode, house: Doors) -> Response:
    """End a game for good, or delete a score sheet."""
    return await _do(house, partial(house.caretaker.acts.close, code))


@operator.post("/tables/{code}/hide", **door(Acted, 404, 503))
async def hide_table(code: TableCode, house: Doors) -> Response:
    """Let nobody find it any more."""
    return await _do(house, partial(house.caretaker.acts.hide, code))


@operator.post("/tables/{code}/unhide", **door(Acted, 404, 503))
async def unhide_table(code: TableCode, house: Doors) -> Response:
    """Let it be found again."""
    return await _do(house, partial(house.caretaker.acts.unhide, code))


@operator.get("/players", **door(Players, 404))
async def list_players(
    house: Doors, name: Annotated[Text, Query(max_length=200)] = "", limit: Limit = 50
) -> Response:
    """Players whose names have a text in them."""
    ask = partial(overview.list_players, text=name, limit=limit)
    return in_json({"players": await house.store.read(ask)})


@operator.put("/players/{player}", **door(Me, 404, 503, body=NewName))
async def rename_player(player: Text, body: NameIn, house: Doors) -> Response:
    """Give a player another name."""
    act = partial(house.caretaker.acts.rename, player, body.name)
    return in_json(Me(name=await house.caretaker.do(act)))


@operator.delete("/players/{player}", **door(Acted, 404, 503))
async def erase_player(player: Text, house: Doors) -> Response:
    """Erase a player, as they could themselves."""
    await house.caretaker.erase(player)
    return in_json(Acted(done=True))


@operator.get("/bans", **door(BanList, 404))
async def list_bans(house: Doors, limit: Limit = 50) -> Response:
    """The bans in force, the last to end first."""
    found = await house.store.read(partial(current_bans, most=limit))
    return in_json({"bans": [one.row() for one in found]})


@operator.post("/bans", **door(OneBan, 404, 503, body=NewBan))
async def ban(body: BanIn, house: Doors) -> Response:
    """Keep a player, or an address, out for a time."""
    act = partial(house.caretaker.acts.ban, body.subject, body.hours)
    return in_json((await house.caretaker.do(act)).row())


@operator.delete("/bans/{ban}", **door(Acted, 404, 503))
async def lift_ban(ban: Text, house: Doors) -> Response:
    """End a ban now."""
    return await _do(house, partial(house.caretaker.acts.lift, ban))


@operator.get("/days/{day}", **door(Day, 404))
async def day(day: str, house: Doors) -> Response:
    """What happened on a day (UTC)."""
    found: dict[str, Any] = await house.store.read(partial(overview.day_of, text=day))
    return in_json(found)

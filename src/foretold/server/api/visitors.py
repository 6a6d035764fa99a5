"""What every HTTP endpoint needs: who is asking, and the format of answers."""

from __future__ import annotations

import re
from types import NoneType
from typing import Annotated, Any, Final, get_args

import msgspec
from fastapi import Depends, Path, Request, Response

from foretold.protocol.http import NewCode
from foretold.protocol.schema import schema_of
from foretold.protocol.words import Refusal
from foretold.server.house import House
from foretold.server.net.cookies import cookie_of
from foretold.server.people.doors import CODE, Visitor, shown_key
from foretold.server.quotas.limits import source_of
from foretold.table.messages import read
from foretold.table.refusals import Refused

_InPath = Annotated[str, Path(description="Six letters.")]


def _code(code: str, missing: str) -> str:
    """A code as the database has it; text that cannot be a code is not looked up."""
    if re.fullmatch(CODE, code) is None:
        raise Refused(missing)
    return code.upper()


def _table_code(code: _InPath) -> str:
    return _code(code, "no_table")


def _sheet_code(code: _InPath) -> str:
    return _code(code, "no_sheet")


TableCode = Annotated[str, Depends(_table_code)]
SheetCode = Annotated[str, Depends(_sheet_code)]


JSON: Final = "application/json"
ALWAYS: Final = (400, 403, 413, 422, 429)
"""The statuses that any request may be refused with."""


def door(answer: Any, *statuses: int, body: Any = None, media: str = JSON) -> dict[str, Any]:
    """An endpoint in the OpenAPI document: its answer, refusals and body."""
    told: dict[str, Any] = {"responses": answers(answer, *ALWAYS, *statuses, media=media)}
    if body is not None:
        is_needed = NoneType not in get_args(body)
        content = {"required": is_needed, "content": _content(body)}
        told["openapi_extra"] = {"requestBody": content}
    return told


def answers(answer: Any, *statuses: int, media: str = JSON) -> dict[int | str, dict[str, Any]]:
    refused = {"description": "Refused", "content": _content(Refusal)}
    return {
        200: {"description": "Done", "content": _content(answer, media)},
        **dict.fromkeys(statuses, refused),
    }


def _content(kind: Any, media: str = JSON) -> dict[str, Any]:
    return {media: {"schema": schema_of(kind)}}


def body_of(kind: Any) -> Any:
    """Read a request's body as a type of the protocol; raises `Refused`."""
    decoder = msgspec.json.Decoder(kind)

    async def read_body(request: Request) -> Any:
        text = await request.body()
        if not text and NoneType in get_args(kind):
            return None
        media, _, _ = request.headers.get("content-type", "").partition(";")
        if media.strip().lower() != JSON:
            raise Refused("bad_message", detail=f"a body is {JSON}")
        return read(decoder, text)

    return Depends(read_body)


def in_json(data: object) -> Response:
    return encoded(msgspec.json.encode(data))


def encoded(json: bytes) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(json, 200, headers, media_type=JSON)


def opened(house: House, code: str) -> Response:
    """The answer for a new table or sheet."""
    return in_json(NewCode(code=code, key=house.identity.invitation(code)))


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


Doors = Annotated[House, Depends(_house)]


async def _whoever(house: Doors, request: Request) -> tuple[str, str] | None:
    """Who is asking: id and name."""
    player = house.identity.player(cookie_of(request.scope))
    name = None if player is None else await house.store.name_of(player)
    return None if player is None or name is None else (player, name)


Whoever = Annotated[tuple[str, str] | None, Depends(_whoever)]


def _welcome(house: Doors, asker: Whoever) -> tuple[str, str] | None:
    if asker is not None:
        house.caretaker.bans.check(asker[0])
    return asker


Asker = Annotated[tuple[str, str] | None, Depends(_welcome)]
"""Who is asking; never a banned player."""


def _named(asker: Asker) -> tuple[str, str]:
    if asker is None:
        raise Refused("no_name")
    return asker


Named = Annotated[tuple[str, str], Depends(_named)]


def _visitor(request: Request, asker: Asker) -> Visitor:
    return Visitor(asker and asker[0], shown_key(request.scope), source_of(request.scope))


AtTheDoor = Annotated[Visitor, Depends(_visitor)]
"""Who is asking, and the invitation key they present, if any."""


async def _entered(code: TableCode, house: Doors, visitor: AtTheDoor) -> dict[str, Any]:
    return await house.rooms.enter(code, visitor)


Entered = Annotated[dict[str, Any], Depends(_entered)]
"""The list entry of a table that the visitor may see."""


def _owner(asker: Whoever) -> tuple[str, str]:
    return _named(asker)


Owner = Annotated[tuple[str, str], Depends(_owner)]
"""Who is asking, banned or not: their data belongs to them."""

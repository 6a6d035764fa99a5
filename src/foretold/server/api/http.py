"""The HTTP side: names, lists, new tables, records and replays."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import foretold
from foretold.protocol.http import (
    DeviceLink,
    Games,
    Health,
    Lessons,
    Me,
    Meaning,
    NewCode,
    NewName,
    NewTable,
    Options,
    QuickPlay,
    SeatLink,
    Tables,
    TakenSeat,
    Token,
)
from foretold.protocol.schema import components
from foretold.protocol.study import Hint, ReplayData, ReviewData
from foretold.protocol.tables import TableSummary
from foretold.protocol.words import GameRecord, Rules
from foretold.server.api.gate import refusal
from foretold.server.api.operator import operator
from foretold.server.api.personal import personal
from foretold.server.api.sheet_doors import on_sheets
from foretold.server.api.visitors import (
    Asker,
    Doors,
    Entered,
    Named,
    answers,
    body_of,
    door,
    encoded,
    in_json,
    opened,
)
from foretold.server.client.invitations import inviter
from foretold.server.house import House
from foretold.server.net.cookies import cookie_of, is_outdated, set_cookie
from foretold.server.observing.logs import logger
from foretold.server.people.identity import LINK_MINUTES, SEAT_DAYS, new_player_id
from foretold.server.people.names import clean_name
from foretold.server.quotas.limits import source_of
from foretold.server.quotas.sizes import PLAYER
from foretold.server.replays.packed import packed_answer
from foretold.server.rooms.options import options_data, rules_data
from foretold.server.storage.failures import refused_by
from foretold.table.creation import new_table, started_at_once
from foretold.table.entries import Dealt, Started
from foretold.table.hints import check_listed, hint_view
from foretold.table.lessons import LESSONS, lesson_table
from foretold.table.refusals import Refused
from foretold.table.seating import moved_seat

NameIn = Annotated[NewName, body_of(NewName)]
TokenIn = Annotated[Token, body_of(Token)]
RulesIn = Annotated[dict[str, Any], body_of(Rules)]
PlayIn = Annotated[QuickPlay | None, body_of(QuickPlay | None)]
TableIn = Annotated[NewTable, body_of(NewTable)]

api = APIRouter(prefix="/api", default_response_class=Response)


@api.get("/me", **door(Me))
async def get_me(request: Request, house: Doors, asker: Asker) -> Response:
    """Who you are."""
    if asker is None:
        return in_json(Me(name=None, face=None))
    answer = in_json(Me(name=asker[1], face=await house.store.face_of(asker[0])))
    is_old = is_outdated(request.scope) or house.identity.is_old(cookie_of(request.scope) or "")
    return _with_cookie(answer, request, house, asker[0]) if is_old else answer


@api.put("/me", **door(Me, 503, body=NewName))
async def put_me(request: Request, body: NameIn, house: Doors, asker: Asker) -> Response:
    """Set or change your name and face; this sets the cookie."""
    name, face = clean_name(body.name), body.face
    if asker is None:
        player = new_player_id()
        await _add_player(request, house, player, name, face)
    else:
        player = asker[0]
        face = face or await house.store.face_of(player)
        await house.store.rename(player, name, face)
        house.rename(player, name)
    return _with_cookie(in_json(Me(name=name, face=face)), request, house, player)


@api.post("/me/link", **door(DeviceLink, 401))
async def make_link(house: Doors, asker: Named) -> Response:
    """A link that signs you in on another device. It works once."""
    return in_json(
        DeviceLink(path=f"/device/{house.identity.link(asker[0])}", minutes=LINK_MINUTES)
    )


@api.post("/me/device", **door(Me, body=Token))
async def take_link(request: Request, body: TokenIn, house: Doors) -> Response:
    """Use such a link; this sets the cookie. A temporary refusal does not use it up."""
    linked = house.identity.linked(body.token)
    name = None if linked is None else await house.store.name_of(linked[0])
    if linked is None or name is None:
        raise Refused("bad_link")
    player, mark = linked
    house.caretaker.bans.check(player)
    face = await house.store.face_of(player)
    await house.links.use(player, mark)
    return _with_cookie(in_json(Me(name=name, face=face)), request, house, player)


@api.post("/me/seat", **door(TakenSeat, 404, 409, 410, 503, body=Token))
async def take_seat(request: Request, body: TokenIn, house: Doors, asker: Asker) -> Response:
    """Use a link to a seat: it moves to this browser, away from any other. Sets the cookie."""
    linked = house.identity.seat_linked(body.token)
    before = None if linked is None else await house.store.name_of(linked[1])
    if linked is None or before is None:
        raise Refused("bad_link")
    code, owner = linked
    house.caretaker.bans.check(owner)
    player, name = asker or (new_player_id(), before)
    face = await house.store.face_of(owner if asker is None else player)
    if asker is None:
        # An invalid link must not create a player.
        moved_seat(await house.rooms.table_of(code), owner, player, name)
        house.rooms.charge(source_of(request.scope), PLAYER)
        await house.store.add_player(player, name, face)
    await house.move_seat(code, owner, player, name)
    await house.store.know(player)
    return _with_cookie(in_json(TakenSeat(code=code, name=name, face=face)), request, house, player)


@api.get("/me/games", **door(Games, 401))
async def my_games(house: Doors, asker: Named) -> Response:
    """The tables where you sit: unfinished ones first, then latest first."""
    return in_json({"games": await house.rooms.summaries_of(asker[0])})


@api.get("/options", **door(Options))
async def options() -> Response:
    """Everything a new table can be."""
    return in_json(options_data())


@api.post("/rules", **door(Meaning, body=Rules))
async def rules(body: RulesIn) -> Response:
    """What a choice of rules means, and which single changes would conflict with it."""
    return in_json(rules_data(body))


@api.post("/play", **door(NewCode, 401, 503, body=QuickPlay | None))
async def play(request: Request, house: Doors, asker: Asker, body: PlayIn) -> Response:
    """A standard game with three bots, started. Someone new may give a name with it."""
    wanted = body or QuickPlay()
    if asker is None and wanted.name is None:
        raise Refused("no_name")
    name = clean_name(wanted.name or "") if asker is None else asker[1]
    player = new_player_id() if asker is None else asker[0]
    commitment = wanted.commitment or ""
    created = new_table(player, name, bots=(None, *[wanted.level] * 3), commitment=commitment)
    newcomer = name if asker is None else None
    more = started_at_once(created)
    answer = opened(house, await house.rooms.open_table(created, *more, newcomer=newcomer))
    return _with_cookie(answer, request, house, player) if asker is None else answer


@api.post("/tables", **door(NewCode, 401, 503, body=NewTable))
async def make_table(body: TableIn, house: Doors, asker: Named) -> Response:
    """A new table, with you as its host in seat 0."""
    created = new_table(
        *asker,
        rules=body.rules,
        settings=msgspec.to_builtins(body.settings),
        bots=body.bots,
        commitment=body.commitment or "",
    )
    more = started_at_once(created) if body.start else ()
    return opened(house, await house.rooms.open_table(created, *more))


@api.get("/tables", **door(Tables))
async def tables(house: Doors, asker: Asker) -> Response:
    """Public tables with a free seat or open to spectators, newest first.

    Only tables with a player present, or where something happened in the last 15 minutes.
    """
    return in_json({"tables": await house.rooms.public_summaries(asker and asker[0])})


@api.get("/tables/{code}", **door(TableSummary, 404))
async def table(entered: Entered) -> Response:
    """One table."""
    return in_json(entered)


@api.post("/tables/{code}/seat", **door(SeatLink, 401, 404, 409, 410))
async def make_seat_link(asker: Named, entered: Entered, house: Doors) -> Response:
    """A personal link back to your seat, for when the cookie is lost; it works once."""
    if entered["your_seat"] is None:
        raise Refused("not_seated")
    if entered["state"] in ("over", "closed"):
        raise Refused("game_over" if entered["state"] == "over" else "closed")
    token = house.identity.seat_link(entered["code"], asker[0])
    return in_json(SeatLink(path=f"/seat#{token}", days=SEAT_DAYS))


@api.get("/tables/{code}/record", **door(GameRecord, 404, 409, 410, 503))
async def record(request: Request, entered: Entered, house: Doors, asker: Asker) -> Response:
    """The game record; while the game is under way, its finished rounds."""
    code = entered["code"]
    found = await house.archive.record(code, asker and asker[0])
    named = f'attachment; filename="foretold-{code}.json"'
    return packed_answer(request, found, house.pace, {"content-disposition": named})


@api.get("/tables/{code}/replay", **door(ReplayData, 404, 409, 410, 503))
async def replay(
    request: Request,
    entered: Entered,
    house: Doors,
    asker: Asker,
    as_: Annotated[str, Query(alias="as", pattern="^(open|[0-5])$")] = "open",
) -> Response:
    """The game step by step: `as` one seat saw it, or `open`, with all hands.

    While the game is under way, its finished rounds.
    """
    viewer = None if as_ == "open" else int(as_)
    found = await house.archive.replay(entered["code"], viewer, asker and asker[0])
    return packed_answer(request, found, house.pace)


@api.get("/tables/{code}/hint", **door(Hint, 401, 404, 409, 410, 503))
async def hint(
    asker: Named,
    entered: Entered,
    house: Doors,
    turn: Annotated[int, Query(description="The turn to decide.")],
) -> Response:
    """What each of your choices is worth at that turn, given what you know.

    Only if the table's `hints` is true.
    """
    check_listed(entered)  # before waking a table for nothing
    table = await house.rooms.table_of(entered["code"])
    return encoded(await house.study.hint(hint_view(table, asker[0], turn)))


@api.get("/tables/{code}/review", **door(ReviewData, 404, 409, 410, 503))
async def review(request: Request, entered: Entered, house: Doors) -> Response:
    """What the decisions of a finished game gave away, and what luck brought."""
    return packed_answer(request, await house.archive.review(entered["code"]), house.pace)


@api.get("/lessons", **door(Lessons))
async def lessons() -> Response:
    """The lessons, in the order of the course."""
    return in_json(Lessons(lessons=list(LESSONS)))


@api.post("/lessons/{lesson}", **door(NewCode, 401, 404, 503))
async def make_lesson(lesson: str, house: Doors, asker: Named) -> Response:
    """A lesson's table, with the game started."""
    created = lesson_table(*asker, lesson)
    return opened(house, await house.rooms.open_table(created, Started(), Dealt()))


async def _add_player(
    request: Request, house: House, player: str, name: str, face: str | None = None
) -> None:
    house.rooms.charge(source_of(request.scope), PLAYER)
    await house.store.add_player(player, name, face)


def _with_cookie(answer: Response, request: Request, house: House, player: str) -> Response:
    return set_cookie(answer, request.scope, house.identity.cookie(player))


def http_app() -> FastAPI:
    """The HTTP application; its `House` is set at start-up."""
    app = FastAPI(
        title="Foretold",
        description="A server for the card game Wizard. For the socket, see docs/protocol.md.",
        version=foretold.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        """With all messages of the protocol, including those of the sockets."""
        document = plain()
        document.setdefault("components", {}).setdefault("schemas", {}).update(components())
        return document

    app.openapi = openapi  # type: ignore[method-assign]
    for doors in (api, on_sheets, personal, operator):
        app.include_router(doors)

    @app.get("/livez", responses=answers(Health))
    async def lives() -> Response:
        """Liveness: whether the process answers; if not, restart it."""
        return in_json(Health(status="ok"))

    @app.get("/healthz", responses=answers(Health, 503))
    @app.get("/readyz", responses=answers(Health, 503))
    async def health(house: Doors) -> Response:
        """Readiness: whether the database can be read and written; clients should connect here."""
        if not await house.is_ready():
            return refusal(Refused("unavailable"))
        return in_json(Health(status="ok"))

    @app.get("/metrics", include_in_schema=False)
    async def metrics(house: Doors) -> Response:
        return Response(house.metrics.page(), media_type="text/plain; version=0.0.4")

    @app.get("/{path:path}", include_in_schema=False)
    async def client(path: str, request: Request, house: Doors) -> Response:
        if path.startswith("api/"):
            raise Refused("not_available")
        # Clients over their limit get the plain page: it is in memory, the host's name is not.
        source = source_of(request.scope)
        asks = path.startswith("t/") and house.budgets.requests.take(source)
        host = await inviter(path, house.rooms, source) if asks else None
        return house.client.answer(request, host)

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return refusal(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return refusal(Refused("bad_message", detail=f"{place}: {first['msg']}"))

    @app.exception_handler(HTTPException)
    async def not_there(_: Request, error: HTTPException) -> Response:
        unreadable = Refused("bad_message", detail=error.detail)
        told = unreadable if error.status_code == 400 else Refused("not_available")
        answer = refusal(told, error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        route = getattr(request.scope.get("route"), "path", "?")
        logger().error("a request failed", route=route, exc_info=error)
        return refusal(refused_by(error))

    return app

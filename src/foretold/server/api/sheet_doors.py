"""Score sheets over HTTP: creating, listing, and exporting one as a spreadsheet."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from pydantic import StringConstraints

from foretold.protocol.http import NewCode, NewSheet, Sheets, Statistics
from foretold.protocol.sheets import SheetSummary
from foretold.scoresheet.showing import ENGLISH, Heading, Separator, to_csv
from foretold.server.api.statistics import statistics
from foretold.server.api.visitors import (
    AtTheDoor,
    Doors,
    Named,
    SheetCode,
    body_of,
    door,
    in_json,
    opened,
)
from foretold.server.people.names import clean_name
from foretold.server.storage.listing import MOST_LISTED
from foretold.table.scoresheets import new_sheet

CSV: Final = "text/csv"
SheetIn = Annotated[NewSheet, body_of(NewSheet)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]

on_sheets = APIRouter(prefix="/api", default_response_class=Response)


@on_sheets.post("/sheets", **door(NewCode, 401, 503, body=NewSheet))
async def make_sheet(body: SheetIn, house: Doors, asker: Named) -> Response:
    """A new score sheet, with you as its host."""
    names = [clean_name(name) for name in body.names]
    sheet = new_sheet(asker[0], names, body.rules, body.first_dealer)
    return opened(house, await house.sheets.open_sheet(sheet))


@on_sheets.get("/me/sheets", **door(Sheets, 401))
async def my_sheets(house: Doors, asker: Named) -> Response:
    """The sheets you opened or wrote on, latest first."""
    return in_json({"sheets": (await house.sheets.summaries_of(asker[0]))[:MOST_LISTED]})


@on_sheets.get("/me/statistics", **door(Statistics, 401))
async def my_statistics(house: Doors, asker: Named) -> Response:
    """Your finished sheets, summed up by name."""
    found = await house.sheets.summaries_of(asker[0])
    return in_json({"players": await house.store.run(lambda: statistics(found))})


@on_sheets.get("/sheets/{code}", **door(SheetSummary, 404, 410))
async def sheet(code: SheetCode, house: Doors, visitor: AtTheDoor) -> Response:
    """One sheet."""
    return in_json(await house.sheets.summary(code, visitor))


@on_sheets.get("/sheets/{code}/csv", **door(str, 404, 410, media=CSV))
async def sheet_csv(
    code: SheetCode,
    house: Doors,
    visitor: AtTheDoor,
    heading: Annotated[
        list[Word] | None, Query(min_length=len(ENGLISH), max_length=len(ENGLISH))
    ] = None,
    separator: Separator = ",",
) -> Response:
    """A sheet for a spreadsheet.

    `heading`, eight times, names its columns (round, cards, dealer, bid, tricks, points, total,
    note); `separator` is `,` or `;`.
    """
    tablet = await house.sheets.tablet(code, visitor)
    named = {"content-disposition": f'attachment; filename="foretold-{code}.csv"'}
    # The byte order mark tells spreadsheets that the text is UTF-8.
    text = "\N{BYTE ORDER MARK}" + to_csv(tablet, Heading(*heading or ENGLISH), separator)
    headers = {**named, "cache-control": "no-store"}
    return Response(text, 200, headers, f"{CSV}; charset=utf-8")

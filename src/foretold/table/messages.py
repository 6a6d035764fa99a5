"""Reads clients' messages; their types are in `foretold.protocol`."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from foretold.protocol.requests import TableMessage
from foretold.protocol.sheet_messages import SheetMessage
from foretold.table.refusals import Refused

Kind = TypeVar("Kind")

MOST_DETAIL = 200
"""The maximum length, in characters, of what is reported about an unreadable message."""

_AT_TABLES: msgspec.json.Decoder[TableMessage] = msgspec.json.Decoder(TableMessage)
_AT_SHEETS: msgspec.json.Decoder[SheetMessage] = msgspec.json.Decoder(SheetMessage)


class _AnyId(msgspec.Struct):
    id: str = ""


def read(decoder: msgspec.json.Decoder[Kind], text: str | bytes) -> Kind:
    """Decode a message; raises `Refused` if it is not one of that kind."""
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        detail = " ".join(str(error).split())[:MOST_DETAIL]
        raise Refused("bad_message", detail=detail) from None


def read_message(frame: str | bytes) -> TableMessage:
    """The message in a frame sent to a table."""
    return read(_AT_TABLES, frame)


def read_sheet_message(frame: str | bytes) -> SheetMessage:
    """The message in a frame sent to a score sheet."""
    return read(_AT_SHEETS, frame)


def id_of(frame: str | bytes) -> str | None:
    """The id in an invalid frame, if it has one, so that it can be answered."""
    try:
        found = msgspec.json.decode(frame, type=_AnyId).id
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return found if 0 < len(found) <= 40 else None

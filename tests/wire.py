"""Reads strictly, by the types of the protocol, whatever a server sends in any test."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import msgspec

from foretold.protocol.describing import all_messages
from foretold.protocol.messages import Happened, HiddenHappened, RefusedTold, ServerMessage, Welcome
from foretold.protocol.sheet_messages import SheetServerMessage
from foretold.protocol.words import Refusal
from foretold.refusals import REASONS
from foretold.server.api.http import http_app

_TABLES: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(ServerMessage)
_HIDDEN: Final = msgspec.json.Decoder(HiddenHappened)
_SHEETS: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(SheetServerMessage)
_REFUSALS: Final = msgspec.json.Decoder(Refusal)


CHECKED: Final[set[tuple[str, str]]] = set()
"""The doors whose answers were read in this process."""


def check_frame(frame: bytes | str, *, place: str = "tables", hidden: bool = False) -> None:
    """What a socket was sent; `hidden` to somebody who may not watch the game."""
    if place == "sheets":
        told = _SHEETS.decode(frame)
    elif hidden and not _opens(msgspec.json.decode(frame)):
        told = _HIDDEN.decode(frame)
    else:
        told = _TABLES.decode(frame)
    if isinstance(told, RefusedTold):
        _check_refusal(told.code, told.params)
    if isinstance(told, Welcome | Happened) and told.view:
        for why in getattr(told.view, "why", None) or {}:
            refusal = told.view.why[why]
            _check_refusal(refusal.code, refusal.params)


def check_answer(method: str, path: str, status: int, body: bytes) -> None:
    """What was answered over HTTP."""
    if status != 200:
        refusal = _REFUSALS.decode(body)
        _check_refusal(refusal.code, refusal.params)
        assert status in (REASONS[refusal.code].status, 400, 404, 405), (status, refusal)
        return
    for door, decoder in _answers()[method].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", door), path.partition("?")[0]):
            decoder.decode(body)
            CHECKED.add((method, door))
            return
    raise AssertionError(f"no door {method} {path}")


def _check_refusal(code: str, params: dict[str, Any]) -> None:
    assert params.keys() == REASONS[code].params.keys(), (code, params)


def _opens(message: dict[str, Any]) -> bool:
    """Whether it is no event, or one that shows the game to everyone."""
    table = message.get("table", {})
    spectators = table.get("settings", {}).get("spectators", False)
    return bool(message["t"] != "event" or table.get("state") == "over" or spectators)


def doors() -> set[tuple[str, str]]:
    """All that answer in JSON: method and path."""
    return {(method, path) for method, paths in _answers().items() for path in paths}


@cache
def _answers() -> dict[str, dict[str, msgspec.json.Decoder[Any]]]:
    """By method, the paths and what is answered there, as the OpenAPI document says."""
    kinds = {kind.__name__: kind for kind in all_messages()}
    found: dict[str, dict[str, msgspec.json.Decoder[Any]]] = {}
    for path, methods in http_app().openapi()["paths"].items():
        for method, told in methods.items():
            content = told["responses"]["200"]["content"]
            if "application/json" not in content:
                continue
            schema = content["application/json"]["schema"]
            kind = kinds[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else dict[str, Any]
            found.setdefault(method.upper(), {})[path] = msgspec.json.Decoder(kind)
    return found

"""JSON Schema of the protocol, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import msgspec

from foretold.protocol import http, operators, study
from foretold.protocol.describing import all_messages, fields_of, messages_in, title_of, whole_of
from foretold.protocol.messages import HiddenHappened, ServerMessage
from foretold.protocol.requests import TableMessage
from foretold.protocol.sheet_messages import SheetMessage, SheetServerMessage

_REF: Final = "#/components/schemas/{name}"
SPOKEN: Final = (TableMessage, ServerMessage, SheetMessage, SheetServerMessage)
"""The messages sent both ways over the sockets of tables and sheets."""


def schema_of(kind: Any) -> dict[str, Any]:
    """The schema of a body or an answer, with references to the messages."""
    return _schemas((kind,))[0][0]


@cache
def components() -> dict[str, Any]:
    """The schemas of all messages, by name."""
    messages = [one for module in (http, operators, study) for one in messages_in(module)]
    spoken, found = _schemas([*SPOKEN, HiddenHappened, *messages])
    named = {str(title_of(kind)): one for kind, one in zip(SPOKEN, spoken, strict=False)}
    for kind in all_messages():
        properties = found.get(kind.__name__, {}).get("properties", {})
        for field in fields_of(whole_of(kind) or kind):
            if field.about and field.name in properties:
                properties[field.name] = {**properties[field.name], "description": field.about}
    return {**found, **named}


def _schemas(kinds: Iterable[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components(kinds, ref_template=_REF)

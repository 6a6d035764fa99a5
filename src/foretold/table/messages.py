"""What clients say to a table: a closed family of messages, read in one place."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from foretold.table.refusals import Refused

Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Hex: TypeAlias = Annotated[str, msgspec.Meta(max_length=128, pattern="^([0-9a-f]{2})*$")]


class _Message(msgspec.Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    id: Id


class Act(_Message, frozen=True, tag="act"):
    turn: int
    action: Annotated[str, msgspec.Meta(max_length=20)]


class Sit(_Message, frozen=True, tag="sit"):
    seat: int
    commitment: Hex = ""


class Leave(_Message, frozen=True, tag="leave"):
    pass


class SeatBot(_Message, frozen=True, tag="bot"):
    seat: int
    level: Annotated[str, msgspec.Meta(max_length=20)]


class Clear(_Message, frozen=True, tag="clear"):
    seat: int
    may_return: bool = False
    """Whether the seat is only freed; else its player is removed and stays out."""


class Readmit(_Message, frozen=True, tag="readmit"):
    name: Annotated[str, msgspec.Meta(max_length=200)]


class Host(_Message, frozen=True, tag="host"):
    seat: int


class Change(_Message, frozen=True, tag="settings"):
    settings: dict[str, Any] | None = None
    """Those that change."""
    rules: dict[str, Any] | None = None


class Commit(_Message, frozen=True, tag="commit"):
    commitment: Hex


class Start(_Message, frozen=True, tag="start"):
    pass


class Reveal(_Message, frozen=True, tag="reveal"):
    bytes: Hex


class Back(_Message, frozen=True, tag="back"):
    pass


class Say(_Message, frozen=True, tag="say"):
    phrase: Annotated[str, msgspec.Meta(max_length=40)]


class Knock(_Message, frozen=True, tag="knock"):
    """Ask the host to be let in; answered when the host has decided."""

    seat: int | None = None
    """Which is wanted at a table; None for any."""


class LetIn(_Message, frozen=True, tag="let_in"):
    knock: int
    yes: bool = True


class Rematch(_Message, frozen=True, tag="rematch"):
    pass


class Close(_Message, frozen=True, tag="close"):
    pass


class Sync(_Message, frozen=True, tag="sync"):
    since: int | None = None


class Ping(_Message, frozen=True, tag="ping"):
    pass


Request: TypeAlias = (
    Act
    | Sit
    | Leave
    | SeatBot
    | Clear
    | Readmit
    | Host
    | Change
    | Commit
    | Start
    | Reveal
    | Back
    | Rematch
    | Close
)
"""What changes the table, and is written down."""

Message: TypeAlias = Request | Knock | LetIn | Say | Sync | Ping

_DECODER: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


class _AnyId(msgspec.Struct):
    id: str = ""


def read_message(frame: str | bytes) -> Message:
    """The message of a frame; raises `Refused` if it is none."""
    try:
        return _DECODER.decode(frame)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Refused("bad_message", detail=" ".join(str(error).split())[:200]) from None


def id_of(frame: str | bytes) -> str | None:
    """The id of a frame that is no message, if it has one, so that it can be answered."""
    try:
        found = msgspec.json.decode(frame, type=_AnyId).id
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return found if 0 < len(found) <= 40 else None

"""What nodes say to each other, as types; on the wire they are MessagePack arrays.

Two versions of Foretold run side by side during a deploy. So fields are only ever added, at the end
and with a default: the other version ignores or lacks them. A new kind of message may be sent only
from the release after the one that understands it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec


class _Message(msgspec.Struct, frozen=True, array_like=True, tag_field="t"):
    pass


# From the node that has a socket to the one that has the table


class Join(_Message, frozen=True, tag="J"):
    """Somebody wants to join a table or sheet that the receiving node owns."""

    guest: int
    """A number that the sending node has not used before."""
    place: str
    """`tables` or `sheets`."""
    code: str
    player: str | None
    name: str | None
    source: str
    key: str | None
    since: int | None


class Frame(_Message, frozen=True, tag="F"):
    """A client's message."""

    guest: int
    text: str


class Leave(_Message, frozen=True, tag="L"):
    guest: int


# The other way


class Joined(_Message, frozen=True, tag="j"):
    guest: int


class Unwelcome(_Message, frozen=True, tag="r"):
    """A guest may not come in."""

    guest: int
    code: str
    params: dict[str, Any]


class NotHere(_Message, frozen=True, tag="n"):
    """The table is not at this node; look for its owner again."""

    guest: int


class Text(_Message, frozen=True, tag="t"):
    """A message for a client."""

    guest: int
    data: bytes


class End(_Message, frozen=True, tag="e"):
    """Close a client's socket, after everything sent before."""

    guest: int
    code: int


Item: TypeAlias = Join | Frame | Leave | Joined | Unwelcome | NotHere | Text | End


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Everything one node has for another from one round of its event loop."""

    sender: str
    session: int
    number: int
    """Counts the batches of a session, from 1, so that a lost one is noticed."""
    items: list[Item]


# To all nodes


class Renamed(_Message, frozen=True, tag="N"):
    player: str
    name: str


class Look(_Message, frozen=True, tag="O"):
    """There are new notices in the database."""

    sender: str


class Beat(_Message, frozen=True, tag="B"):
    """A node's status, once a second."""

    sender: str
    saves: bool
    """Whether its lease could be renewed."""
    sockets: int
    tables: int
    public: list[str]
    """Public tables with players present, the newest."""
    used: dict[str, dict[str, float]]
    """What addresses have used of their budgets since the last one, by kind of budget."""


News: TypeAlias = Renamed | Look | Beat


# Requests to one node


class MoveSeat(_Message, frozen=True, tag="M"):
    """To the owner of a table: move a seat to another browser."""

    code: str
    before: str
    player: str
    name: str
    source: str


class Prepare(_Message, frozen=True, tag="P"):
    """A table is about to be handed over: have a snapshot ready that your version can read."""

    code: str


Request: TypeAlias = MoveSeat | Prepare


class Answered(msgspec.Struct, frozen=True, array_like=True):
    """Done, or why not: `code` is that of a refusal, `NOT_HERE` or `UNKNOWN`."""

    code: str = ""
    params: dict[str, Any] = {}


NOT_HERE: Final = "not_here"
UNKNOWN: Final = "unknown"
"""The request is of a later version."""

encode: Final = msgspec.msgpack.Encoder().encode
read_batch: Final = msgspec.msgpack.Decoder(Batch).decode
read_news: Final = msgspec.msgpack.Decoder(News).decode
read_request: Final = msgspec.msgpack.Decoder(Request).decode
read_answer: Final = msgspec.msgpack.Decoder(Answered).decode

"""The log of a score sheet: everything ever written on it.

A server keeps the names on a sheet apart from its log, so that they can be erased: entries
are encoded without names, and get them back when read. A `foretold score` file belongs to its owner
alone and has everything in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType


class _Entry(msgspec.Struct, frozen=True, tag_field="e", omit_defaults=True, kw_only=True):
    asked_by: str = ""
    """The player whose message this answers, if any."""
    ask_id: str = ""
    """The id of that message."""


class Opened(_Entry, frozen=True, tag="opened"):
    rules: dict[str, Any]
    names: tuple[str, ...] = ()
    edition: str | None = None
    first_dealer: int = 0
    host: str = ""
    """The player who keeps the sheet."""


class Wrote(_Entry, frozen=True, tag="wrote"):
    """Some cells of a round, written together. Cells not given stay as they are."""

    round: int
    """From 1."""
    bids: dict[int, int | None] = {}
    """By seat; None clears a cell."""
    taken: dict[int, int | None] = {}
    cloud: tuple[int, int] | UnsetType | None = UNSET
    """Who had to change their bid because of the Cloud, and by +1 or -1; None: nobody."""
    bombed: bool | UnsetType = UNSET
    """Whether the Bomb set a trick aside."""
    note: str | UnsetType = UNSET
    by: str = ""
    """The name of whoever wrote it."""


class Undone(_Entry, frozen=True, tag="undone"):
    n: int
    """The number of the entry that is undone."""


class Renamed(_Entry, frozen=True, tag="renamed"):
    seat: int
    name: str = ""


class Claimed(_Entry, frozen=True, tag="claimed"):
    """Somebody sits in this seat, and enters their own sealed bids."""

    seat: int
    player: str
    """Nobody, if empty."""


class Admitted(_Entry, frozen=True, tag="admitted"):
    """Somebody without the link may write."""

    player: str


class Deleted(_Entry, frozen=True, tag="deleted"):
    pass


Entry: TypeAlias = Opened | Wrote | Undone | Renamed | Claimed | Admitted | Deleted


class Written(msgspec.Struct, frozen=True):
    """An entry of the log."""

    n: int
    at: int
    """Milliseconds since 1970."""
    entry: Entry


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """For a server's log: without any names."""
    return _ENCODER.encode(_named(entry, (), {}))


def decode_entry(data: bytes) -> Entry:
    return _DECODER.decode(data)


def named_sheet(
    log: Iterable[Written], names: Sequence[str], writers: Mapping[str, str]
) -> list[Written]:
    """A log just read, with the current names by seat and by player filled in."""
    return [Written(one.n, one.at, _named(one.entry, names, writers)) for one in log]


def _named(entry: Entry, names: Sequence[str], writers: Mapping[str, str]) -> Entry:
    match entry:
        case Opened():
            return msgspec.structs.replace(entry, names=tuple(names))
        case Renamed():
            name = names[entry.seat] if entry.seat < len(names) else ""
            return msgspec.structs.replace(entry, name=name)
        case Wrote():
            return msgspec.structs.replace(entry, by=writers.get(entry.asked_by, ""))
        case _:
            return entry

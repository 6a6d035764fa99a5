"""The log of a score sheet: everything that was ever written on it."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType


class _Entry(msgspec.Struct, frozen=True, tag_field="e", omit_defaults=True, kw_only=True):
    asked_by: str = ""
    """The player whose message this answers, if it does."""
    ask_id: str = ""
    """The id of that message."""


class Opened(_Entry, frozen=True, tag="opened"):
    names: tuple[str, ...]
    rules: dict[str, Any]
    edition: str | None = None
    first_dealer: int = 0
    host: str = ""
    """The player who keeps the sheet."""


class Wrote(_Entry, frozen=True, tag="wrote"):
    """Some cells of a round, written together. What is not named stays as it is."""

    round: int
    """From 1."""
    bids: dict[int, int | None] = {}
    """By seat; None rubs a cell out."""
    taken: dict[int, int | None] = {}
    cloud: tuple[int, int] | UnsetType | None = UNSET
    """Who had to change the bid by the Cloud, and by +1 or -1; None: nobody."""
    bombed: bool | UnsetType = UNSET
    """Whether a trick was set aside by the Bomb."""
    note: str | UnsetType = UNSET
    by: str = ""
    """The name of whoever wrote it."""


class Undone(_Entry, frozen=True, tag="undone"):
    n: int
    """The number of the entry that is taken back."""


class Renamed(_Entry, frozen=True, tag="renamed"):
    seat: int
    name: str


class Claimed(_Entry, frozen=True, tag="claimed"):
    """Somebody sits in this seat, and enters the own sealed bids."""

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
    """An entry as it stands in the log."""

    n: int
    at: int
    """Milliseconds since 1970."""
    entry: Entry


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


def decode_entry(data: bytes) -> Entry:
    return _DECODER.decode(data)

"""The log of a table: everything that ever happened to it, and nothing else.

A table is what its log says. Entries are written down before anyone is told of them, and are never
changed; so their fields may be added to, but not renamed.

The names of players are not in the log but in one place elsewhere, so that they can be changed and
erased. Entries are kept without them, and get them when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from foretold.protocol.settings import TableSettings

FORMER: Final = ""
"""The name of a player who was erased: clients say so in their reader's language."""

Names: TypeAlias = Mapping[str, str]
"""By player; those who were erased are not there."""
LookUp: TypeAlias = Callable[[set[str]], Names]
"""Finds the names of some players."""


class Empty(msgspec.Struct, frozen=True, tag_field="kind", tag="empty"):
    """A seat that waits for somebody."""


class BotSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="bot"):
    name: str
    level: str


class PlayerSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="player", omit_defaults=True):
    player: str
    """Who it is; never shown to others."""
    name: str = FORMER
    stand_in: str | None = None
    """Why a bot plays for them: ``clock``, ``idle``, ``absent`` or ``left``."""


Seat: TypeAlias = Empty | BotSeat | PlayerSeat


class _Entry(msgspec.Struct, frozen=True, tag_field="e", omit_defaults=True, kw_only=True):
    asked_by: str = ""
    """The player whose message this answers, if it does."""
    ask_id: str = ""
    """The id of that message."""


class Created(_Entry, frozen=True, tag="created"):
    seats: tuple[Seat, ...]
    rules: dict[str, Any]
    edition: str | None
    settings: TableSettings
    secrets: tuple[str, ...]
    """The secrets of the deals, in hexadecimal."""
    commitments: tuple[str, ...]
    """What the players have committed to, by seat; nothing for those who have not."""
    host: str
    """The player who made the table."""
    lesson: str | None = None
    """The lesson that is taught here, if one is."""


class Sat(_Entry, frozen=True, tag="sat"):
    seat: int
    player: str
    name: str = FORMER
    commitment: str = ""
    same: bool = False
    """Whether it is who had the seat before, in another browser."""


class Left(_Entry, frozen=True, tag="left"):
    seat: int
    bot: BotSeat | None = None
    """Who took the seat in a game under way, in logs from before seats were kept."""


class BotCame(_Entry, frozen=True, tag="bot"):
    seat: int
    bot: BotSeat


class Cleared(_Entry, frozen=True, tag="cleared"):
    seat: int
    bot: BotSeat | None = None
    """Who plays on in a game under way."""


class Readmitted(_Entry, frozen=True, tag="readmitted"):
    players: tuple[str, ...]
    """Those who were removed and may come back."""
    name: str = FORMER
    """The name that all of them have."""

    @property
    def player(self) -> str:
        """One of them."""
        return self.players[0] if self.players else ""


class Hosted(_Entry, frozen=True, tag="host"):
    seat: int
    """Whose player is the host from now on."""


class Changed(_Entry, frozen=True, tag="settings"):
    settings: TableSettings
    rules: dict[str, Any] | None = None
    edition: str | None = None
    secrets: tuple[str, ...] = ()
    """New secrets for all rounds, in logs from before they were kept when the rules change."""
    more_secrets: tuple[str, ...] = ()
    """Secrets for the rounds that there were none for before."""


class Committed(_Entry, frozen=True, tag="committed"):
    seat: int
    commitment: str


class Started(_Entry, frozen=True, tag="started"):
    pass


class Revealed(_Entry, frozen=True, tag="revealed"):
    seat: int
    contribution: str


class Dealt(_Entry, frozen=True, tag="dealt"):
    pass


class Acted(_Entry, frozen=True, tag="act"):
    seat: int
    action: str
    by: str = "player"
    """``player``, ``bot`` or ``stand_in``."""


class StoodIn(_Entry, frozen=True, tag="stand_in"):
    seat: int
    reason: str


class CameBack(_Entry, frozen=True, tag="back"):
    seat: int


class Rematched(_Entry, frozen=True, tag="rematch"):
    code: str


class Closed(_Entry, frozen=True, tag="closed"):
    pass


Entry: TypeAlias = (
    Created
    | Sat
    | Left
    | BotCame
    | Cleared
    | Readmitted
    | Hosted
    | Changed
    | Committed
    | Started
    | Revealed
    | Dealt
    | Acted
    | StoodIn
    | CameBack
    | Rematched
    | Closed
)


class Logged(msgspec.Struct, frozen=True):
    """An entry as it stands in the log."""

    n: int
    """Its number, from 1."""
    at: int
    """When, in milliseconds since 1970."""
    entry: Entry


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """As it is kept: without the names of players."""
    return _ENCODER.encode(named(entry, {}))


def decode_entry(data: bytes) -> Entry:
    return _DECODER.decode(data)


def named(entry: Entry, names: Names) -> Entry:
    """An entry with the names that its players have now."""
    match entry:
        case Created():
            seats = tuple(named_seat(one, names) for one in entry.seats)
            return msgspec.structs.replace(entry, seats=seats)
        case Sat() | Readmitted():
            return msgspec.structs.replace(entry, name=names.get(entry.player, FORMER))
        case _:
            return entry


def named_seat(seat: Seat, names: Names) -> Seat:
    if not isinstance(seat, PlayerSeat):
        return seat
    return msgspec.structs.replace(seat, name=names.get(seat.player, FORMER))


def named_log(log: Iterable[Logged], look_up: LookUp) -> list[Logged]:
    """A log that was just read, with the names that its players have now."""
    read = list(log)
    named_in_it = {player for one in read for player in _players_in(one.entry)}
    if not named_in_it:
        return read
    names = look_up(named_in_it)
    return [
        Logged(one.n, one.at, named(one.entry, names)) if _players_in(one.entry) else one
        for one in read
    ]


def _players_in(entry: Entry) -> tuple[str, ...]:
    """Those whose names belong in an entry."""
    match entry:
        case Created():
            return tuple(one.player for one in entry.seats if isinstance(one, PlayerSeat))
        case Sat():
            return (entry.player,)
        case Readmitted():
            return entry.players
        case _:
            return ()

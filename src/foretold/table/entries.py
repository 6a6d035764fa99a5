"""The log of a table: everything that ever happened to it, and nothing else.

The log defines the table. Entries are saved before anyone hears of them and never change, so
fields may be added to them but not renamed.

Players' names are not in the log but in one place elsewhere, so that they can be changed and
erased. Entries are stored without names, and get them when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from foretold.protocol.settings import TableSettings

FORMER: Final = ""
"""The name of an erased player: clients say so in the reader's language."""

Names: TypeAlias = Mapping[str, str]
"""By player; erased players are missing."""
LookUp: TypeAlias = Callable[[set[str]], Names]
"""Finds the names of some players."""


class Empty(msgspec.Struct, frozen=True, tag_field="kind", tag="empty"):
    """A seat nobody has taken."""


class BotSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="bot"):
    name: str
    level: str


class PlayerSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="player", omit_defaults=True):
    player: str
    """The player's id; never shown to others."""
    name: str = FORMER
    stand_in: str | None = None
    """Why a bot is playing for them: ``clock``, ``idle``, ``absent`` or ``left``."""
    face: str | None = None
    """The one they have chosen."""


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
    """The players' commitments, by seat; empty for those who made none."""
    host: str
    """The player who made the table."""
    lesson: str | None = None
    """The lesson taught here, if any."""


class Sat(_Entry, frozen=True, tag="sat"):
    seat: int
    player: str
    name: str = FORMER
    commitment: str = ""
    same: bool = False
    """Whether this is the seat's former player in another browser."""


class Left(_Entry, frozen=True, tag="left"):
    seat: int
    bot: BotSeat | None = None
    """The bot that took the seat during a game, in old logs from before seats were kept."""


class BotCame(_Entry, frozen=True, tag="bot"):
    seat: int
    bot: BotSeat


class Cleared(_Entry, frozen=True, tag="cleared"):
    seat: int
    bot: BotSeat | None = None
    """The bot that plays on during a game."""


class Readmitted(_Entry, frozen=True, tag="readmitted"):
    players: tuple[str, ...]
    """Those who were removed and may come back."""
    name: str = FORMER
    """The name they all have."""

    @property
    def player(self) -> str:
        """One of them."""
        return self.players[0] if self.players else ""


class Hosted(_Entry, frozen=True, tag="host"):
    seat: int
    """The seat of the new host."""


class Changed(_Entry, frozen=True, tag="settings"):
    settings: TableSettings
    rules: dict[str, Any] | None = None
    edition: str | None = None
    secrets: tuple[str, ...] = ()
    """New secrets for all rounds, in old logs from before a change of rules kept the secrets."""
    more_secrets: tuple[str, ...] = ()
    """Secrets for the rounds that had none."""


class Committed(_Entry, frozen=True, tag="committed"):
    seat: int
    commitment: str


class Faced(_Entry, frozen=True, tag="face"):
    seat: int
    face: str


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
    """``player``, ``bot``, ``stand_in`` or ``claim``."""


class Claimed(_Entry, frozen=True, tag="claimed"):
    seat: int
    """Who takes all remaining tricks of the round."""


class TookBack(_Entry, frozen=True, tag="took_back"):
    seat: int
    to: int
    """How many decisions of the round stay as they were."""


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
    | Faced
    | Started
    | Revealed
    | Dealt
    | Acted
    | Claimed
    | TookBack
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
    """As it is stored: without players' names."""
    return _ENCODER.encode(entry if isinstance(entry, Acted) else named(entry, {}))


def decode_entry(data: bytes) -> Entry:
    return _DECODER.decode(data)


def named(entry: Entry, names: Names) -> Entry:
    """An entry with its players' current names."""
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
    """A log just read, with its players' current names."""
    read = list(log)
    named_in_it = players_in(read)
    if not named_in_it:
        return read
    names = look_up(named_in_it)
    return [
        Logged(one.n, one.at, named(one.entry, names)) if _players_in(one.entry) else one
        for one in read
    ]


def players_in(log: Iterable[Logged]) -> set[str]:
    """Those whose names belong in a log."""
    return {player for one in log for player in _players_in(one.entry)}


def _players_in(entry: Entry) -> tuple[str, ...]:
    """The players whose names belong in an entry."""
    match entry:
        case Created():
            return tuple(one.player for one in entry.seats if isinstance(one, PlayerSeat))
        case Sat():
            return (entry.player,)
        case Readmitted():
            return entry.players
        case _:
            return ()

"""Where a table stood at a number of its log, so that waking it need not replay all of it.

A snapshot is made from the log and can be thrown away at any time. It is good only for the code
that made it and together with the entry of the log it was made at: on any doubt the log is
replayed. As in the log, players have no names in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from foretold.actions import ACTIONS
from foretold.cards import CARDS, Card, Suit
from foretold.fair import FairDeals
from foretold.game import Game
from foretold.position import Position, RoundLog
from foretold.protocol.settings import TableSettings
from foretold.results import Round, Trick
from foretold.rules import Rules
from foretold.table.audience import MISSED, Audience
from foretold.table.entries import (
    FORMER,
    Logged,
    Names,
    PlayerSeat,
    Seat,
    encode_entry,
    named_seat,
)
from foretold.table.events import Kept
from foretold.table.table import Table

_MODULES: Final = (
    *("actions", "cards", "deal", "fair", "game", "position", "record", "results", "rules", "view"),
)
"""What a table is made with, besides the kernel and this folder."""


class Snapshot(msgspec.Struct, frozen=True):
    """A table at one moment, as it is kept."""

    n: int
    """The number of the last entry it takes into account."""
    last: bytes
    """The fingerprint of that entry."""
    made_by: str
    """The fingerprint of the code that made it."""
    data: bytes


class _Position(msgspec.Struct, array_like=True):
    """A `Position`, without what follows from the rest."""

    state: bytes
    dealer: int
    sheet: tuple[Round, ...]
    past: tuple[RoundLog, ...]
    log: RoundLog | None
    tricks: tuple[Trick, ...]
    passed_after: int | None
    suits: tuple[Suit | None, ...]
    suits_are_public: bool
    out: tuple[Card, ...]
    to_act: tuple[int, ...]


class _Table(msgspec.Struct, array_like=True):
    """The attributes of a `Table`."""

    code: str
    n: int
    created: int
    updated: int
    state: str
    seats: list[Seat]
    rules: dict[str, Any]
    edition: str | None
    lesson: str | None
    settings: TableSettings
    secrets: tuple[str, ...]
    commitments: list[str]
    contributions: dict[int, str]
    deals: FairDeals
    game: _Position | None
    turn: int
    rematch: str | None
    removed: dict[str, str]
    changes: dict[str, int]
    _founder: str
    _sat: dict[str, int]
    _done: dict[str, dict[str, int]]


class Stored(msgspec.Struct, array_like=True):
    """What the data of a snapshot hold."""

    table: _Table
    events: list[tuple[int, bytes, dict[int, bytes] | None, str]]

    @property
    def players(self) -> set[str]:
        """Those whose names belong in it."""
        seated = (one.player for one in self.table.seats if isinstance(one, PlayerSeat))
        return {*seated, *self.table.removed, *(who for *_, who in self.events if who)}


def _card_or_action(kind: type, value: int) -> Any:
    return CARDS[value] if kind is Card else ACTIONS[value]


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=int)
_DECODER: Final = msgspec.msgpack.Decoder(Stored, dec_hook=_card_or_action)

read_snapshot: Final = _DECODER.decode


def snapshot_of(audience: Audience) -> Snapshot:
    table = audience.table
    values = vars(table)
    unknown = values.keys() ^ set(_Table.__struct_fields__)
    assert not unknown, f"a table has, or has no longer, {unknown}: so must its snapshot"
    kept = {
        **values,
        "rules": table.rules.to_options(),
        "game": None,
        "seats": [named_seat(one, {}) for one in table.seats],
        "removed": dict.fromkeys(table.removed, FORMER),
    }
    if table.game is not None:
        kept["game"] = _position_of(table.game.position)
    events = [_plain(event.named({})) for event in audience.events]
    data = _ENCODER.encode(Stored(_Table(**kept), events))
    last = audience.last
    return Snapshot(table.n, fingerprint(last.at, encode_entry(last.entry)), made_by(), data)


def _position_of(position: Position) -> _Position:
    return _Position(
        position.state.tobytes(),
        position.dealer,
        position.sheet,
        position.past,
        position.log,
        position.tricks,
        position.passed_after,
        position.suits,
        position.suits_are_public,
        position.out,
        position.to_act,
    )


def _plain(event: Kept) -> tuple[int, bytes, dict[int, bytes] | None, str]:
    own = None if event.own is None else {seat: bytes(raw) for seat, raw in event.own.items()}
    return event.n, bytes(event.common), own, event.who


def _kept(n: int, common: bytes, own: dict[int, bytes] | None, who: str) -> Kept:
    raw = None if own is None else {seat: msgspec.Raw(data) for seat, data in own.items()}
    return Kept(n, msgspec.Raw(common), raw, who)


def restored(stored: Stored, log: Sequence[Logged], names: Names) -> Audience:
    """The table of a snapshot, and what its log tells from that very entry on."""
    kept, events = stored.table, [_kept(*event) for event in stored.events]
    kept.seats = [named_seat(one, names) for one in kept.seats]
    kept.removed = {player: names.get(player, FORMER) for player in kept.removed}
    table = object.__new__(Table)
    values = {name: getattr(kept, name) for name in _Table.__struct_fields__}
    rules = Rules.from_options(kept.rules)
    game = None
    if kept.game is not None:
        game = Game.standing_at(_as_position(kept.game, rules), kept.deals)
    vars(table).update(values, rules=rules, game=game, changes=Counter(kept.changes))
    shown = {**names, **table.shown}
    return Audience(table, log, (one.named(shown) for one in events))


def _as_position(kept: _Position, rules: Rules) -> Position:
    state = np.frombuffer(kept.state, dtype=np.int64).copy()
    values = {name: getattr(kept, name) for name in _Position.__struct_fields__}
    return Position(rules=rules, row=state.tolist(), **{**values, "state": state})


def replayed(code: str, log: Sequence[Logged]) -> Audience:
    """The table of a whole log."""
    recent = max(1, len(log) - MISSED)
    return Audience(Table.replayed(code, log[:recent]), log[recent - 1 :])


def fingerprint(at: int, entry: bytes) -> bytes:
    """Of an entry of the log."""
    return hashlib.sha256(b"%d %b" % (at, entry)).digest()[:16]


@cache
def made_by() -> str:
    """The fingerprint of all code that makes a table of a log."""
    package = Path(__file__).parents[1]
    sources = [package / f"{name}.py" for name in _MODULES]
    for folder in ("kernel", "table"):
        sources += sorted((package / folder).glob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]

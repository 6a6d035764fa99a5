"""The state of a table at some entry of its log, so that waking it need not replay the whole log.

A snapshot is derived from the log and can be thrown away at any time. It is valid only for the code
and the log entry it was made with; when in doubt, the log is replayed. Like the log, it does not
contain players' names.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, overload

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
from foretold.table.past import Past
from foretold.table.table import Table

_MODULES: Final = (
    *("actions", "cards", "deal", "fair", "game", "position", "record", "results", "rules", "view"),
)
"""The modules that build a table, besides the kernel and this folder."""


class Snapshot(msgspec.Struct, frozen=True):
    """A table at one moment, as it is stored."""

    n: int
    """The number of the last entry it includes."""
    last: bytes
    """The fingerprint of that entry."""
    made_by: str
    """The fingerprint of the code that made it."""
    data: bytes


class _Position(msgspec.Struct, array_like=True):
    """A `Position`, without what can be derived."""

    state: bytes
    dealer: int
    sheet: tuple[Round, ...]
    past: tuple[int, int, bytes]
    """How many rounds, and their logs as `EarlierRounds` has them, after their checksum."""
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
    claimed: bool
    past: tuple[_Position, tuple[int, ...], bool] | None
    taken_back: int
    rematch: str | None
    removed: dict[str, str]
    changes: dict[str, int]
    _founder: str
    _sat: dict[str, int]
    _done: dict[str, dict[str, int]]


class Stored(msgspec.Struct, array_like=True):
    """The contents of a snapshot."""

    table: _Table
    events: list[tuple[int, bytes, dict[int, bytes] | None, str]]

    @property
    def players(self) -> set[str]:
        """The players whose names belong in it."""
        seated = (one.player for one in self.table.seats if isinstance(one, PlayerSeat))
        return {*seated, *self.table.removed, *(who for *_, who in self.events if who)}


def _card_or_action(kind: type, value: int) -> Any:
    return CARDS[value] if kind is Card else ACTIONS[value]


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=int)
_DECODER: Final = msgspec.msgpack.Decoder(Stored, dec_hook=_card_or_action)

_PAST_DECODER: Final = msgspec.msgpack.Decoder(tuple[RoundLog, ...], dec_hook=_card_or_action)

read_snapshot: Final = _DECODER.decode


class EarlierRounds(Sequence[RoundLog]):
    """The logs of earlier rounds, decoded only when they are needed: most tables that wake are
    played on, and need none of them before the round ends."""

    __slots__ = ("_count", "_logs", "raw")

    def __init__(self, count: int, checksum: int, raw: bytes) -> None:
        if zlib.crc32(raw) != checksum:
            raise ValueError("damaged")  # now, while the log can still be replayed instead
        self._count = count
        self.raw = raw
        self._logs: tuple[RoundLog, ...] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> RoundLog: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[RoundLog, ...]: ...
    def __getitem__(self, at: int | slice) -> RoundLog | tuple[RoundLog, ...]:
        if self._logs is None:
            self._logs = _PAST_DECODER.decode(self.raw)
        return self._logs[at]

    def __iter__(self) -> Iterator[RoundLog]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def snapshot_of(audience: Audience) -> Snapshot:
    table = audience.table
    values = vars(table)
    unknown = values.keys() ^ set(_Table.__struct_fields__)
    assert not unknown, f"Table and its snapshot differ in {unknown}"
    kept = {
        **values,
        "rules": table.rules.to_options(),
        "game": None,
        "seats": [named_seat(one, {}) for one in table.seats],
        "removed": dict.fromkeys(table.removed, FORMER),
    }
    if table.game is not None:
        kept["game"] = _position_of(table.game.position)
    if table.past is not None:
        kept["past"] = (_position_of(table.past.dealt), *table.past[1:])
    events = [_plain(event.named({})) for event in audience.events]
    data = _ENCODER.encode(Stored(_Table(**kept), events))
    last = audience.last
    return Snapshot(table.n, fingerprint(last.at, encode_entry(last.entry)), made_by(), data)


def _position_of(position: Position) -> _Position:
    return _Position(
        position.state.tobytes(),
        position.dealer,
        position.sheet,
        _past_of(position.past),
        position.log,
        position.tricks,
        position.passed_after,
        position.suits,
        position.suits_are_public,
        position.out,
        position.to_act,
    )


def _past_of(past: Sequence[RoundLog]) -> tuple[int, int, bytes]:
    raw = past.raw if isinstance(past, EarlierRounds) else _ENCODER.encode(tuple(past))
    return len(past), zlib.crc32(raw), raw


def _plain(event: Kept) -> tuple[int, bytes, dict[int, bytes] | None, str]:
    own = None if event.own is None else {seat: bytes(raw) for seat, raw in event.own.items()}
    return event.n, bytes(event.common), own, event.who


def _kept(n: int, common: bytes, own: dict[int, bytes] | None, who: str) -> Kept:
    raw = None if own is None else {seat: msgspec.Raw(data) for seat, data in own.items()}
    return Kept(n, msgspec.Raw(common), raw, who)


def restored(stored: Stored, log: Sequence[Logged], names: Names) -> Audience:
    """The table from a snapshot and the log from the snapshot's entry on."""
    kept, events = stored.table, [_kept(*event) for event in stored.events]
    kept.seats = [named_seat(one, names) for one in kept.seats]
    kept.removed = {player: names.get(player, FORMER) for player in kept.removed}
    table = object.__new__(Table)
    values = {name: getattr(kept, name) for name in _Table.__struct_fields__}
    rules = Rules.from_options(kept.rules)
    game = None
    if kept.game is not None:
        game = Game.standing_at(_as_position(kept.game, rules), kept.deals)
    past = None
    if kept.past is not None:
        past = Past(_as_position(kept.past[0], rules), *kept.past[1:])
    vars(table).update(values, rules=rules, game=game, past=past, changes=Counter(kept.changes))
    shown = {**names, **table.shown}
    return Audience(table, log, (one.named(shown) for one in events))


def _as_position(kept: _Position, rules: Rules) -> Position:
    state = np.frombuffer(kept.state, dtype=np.int64).copy()
    values = {name: getattr(kept, name) for name in _Position.__struct_fields__}
    changed = {"state": state, "past": EarlierRounds(*kept.past)}
    return Position(rules=rules, row=state.tolist(), **{**values, **changed})


def replayed(code: str, log: Sequence[Logged]) -> Audience:
    """The table from a whole log."""
    recent = max(1, len(log) - MISSED)
    return Audience(Table.replayed(code, log[:recent]), log[recent - 1 :])


def fingerprint(at: int, entry: bytes) -> bytes:
    """The fingerprint of a log entry."""
    return hashlib.sha256(b"%d %b" % (at, entry)).digest()[:16]


@cache
def made_by() -> str:
    """The fingerprint of all code that turns a log into a table."""
    package = Path(__file__).parents[1]
    sources = [package / f"{name}.py" for name in _MODULES]
    for folder in ("kernel", "table"):
        sources += sorted((package / folder).glob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]

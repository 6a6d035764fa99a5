"""What happened at a table, as its viewers are told."""

from __future__ import annotations

import msgspec

from foretold.table.entries import FORMER, Names
from foretold.table.wire import Data

Viewer = int | None
"""A seat, or None for everyone else."""

encode = msgspec.json.Encoder().encode


class Event(msgspec.Struct, frozen=True):
    """What happened: what everyone may know, and what individual seats also know."""

    n: int
    common: Data
    own: dict[int, Data]
    who: str = ""
    """The player whose name it carries, if any."""

    def seen_by(self, viewer: Viewer) -> Data:
        own = None if viewer is None else self.own.get(viewer)
        return {**self.common, **own} if own else self.common


class Kept(msgspec.Struct, frozen=True):
    """An event for viewers who reconnect: encoded, since every table keeps many."""

    n: int
    common: msgspec.Raw
    own: dict[int, msgspec.Raw] | None
    who: str = ""

    @classmethod
    def of(cls, event: Event) -> Kept:
        own = None
        if event.own:
            own = {seat: msgspec.Raw(encode(event.seen_by(seat))) for seat in event.own}
        return cls(event.n, msgspec.Raw(encode(event.common)), own, event.who)

    def seen_by(self, viewer: Viewer) -> msgspec.Raw:
        if self.own is None or viewer is None:
            return self.common
        return self.own.get(viewer, self.common)

    # No player can write these words: quotation marks in names are escaped.

    @property
    def is_card(self) -> bool:
        """Whether somebody played a card."""
        return b'"action":"play ' in bytes(self.common)

    @property
    def ends_trick(self) -> bool:
        return b'"trick":{' in bytes(self.common)

    def named(self, names: Names) -> Kept:
        """The same with its player's current name."""
        if not self.who:
            return self
        common = {**msgspec.json.decode(self.common), "name": names.get(self.who, FORMER)}
        return msgspec.structs.replace(self, common=msgspec.Raw(encode(common)))

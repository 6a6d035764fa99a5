"""A score sheet shared by several phones: who may write what, and what each may see."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from foretold.protocol.requests import LetIn
from foretold.protocol.sheet_messages import Claim, Delete, Rename, SheetRequest, Undo, Write
from foretold.scoresheet.choices import cells_data
from foretold.scoresheet.entries import (
    Admitted,
    Claimed,
    Deleted,
    Entry,
    Opened,
    Renamed,
    Undone,
    Written,
    Wrote,
)
from foretold.scoresheet.opening import open_sheet, options_for
from foretold.scoresheet.scoresheet import Line, Tablet
from foretold.scoresheet.showing import sheet_data
from foretold.scoresheet.writing import SheetError, check
from foretold.table.creation import rules_of
from foretold.table.refusals import Refused
from foretold.table.wire import Data, changes

MISSED: Final = 100
MOST_ENTRIES: Final = 3000
"""How many entries fit on a sheet: several times as many as a long game with corrections needs."""

encode = msgspec.json.Encoder().encode


def new_sheet(
    player: str, names: Sequence[str], rules: Mapping[str, Any], first_dealer: int
) -> Opened:
    """A new sheet; whoever opens it is its host. `names` are shown as given."""
    chosen = rules_of(options_for(names, rules))
    edition = rules.get("edition")
    try:
        return open_sheet(names, chosen, edition=edition, first_dealer=first_dealer, host=player)
    except SheetError as error:
        raise _refused(error) from None


def check_kept(tablet: Tablet) -> None:
    """Raise `Refused` if the sheet was deleted: nobody may see any of it again."""
    if tablet.is_deleted:
        raise Refused("sheet_deleted")


def answer_sheet(tablet: Tablet, player: str, name: str, request: SheetRequest) -> Entry | None:
    """The entry that grants a request, or None if there is nothing to change; raises `Refused`."""
    check_kept(tablet)
    try:
        entry = _entry(tablet, player, name, request)
    except SheetError as error:
        raise _refused(error) from None
    if tablet.n >= MOST_ENTRIES and entry is not None and not isinstance(entry, Deleted):
        raise Refused("full")
    return entry


def let_write(tablet: Tablet, host: str, request: LetIn, player: str) -> Admitted:
    """Let somebody who asked for it write."""
    check_kept(tablet)
    if host != tablet.host:
        raise Refused("not_host")
    if tablet.n >= MOST_ENTRIES:
        raise Refused("full")
    return Admitted(player=player, asked_by=host, ask_id=request.id)


def _refused(error: SheetError) -> Refused:
    return Refused(error.code, **error.params)


def _entry(tablet: Tablet, player: str, name: str, request: SheetRequest) -> Entry | None:
    asked = {"asked_by": player, "ask_id": request.id}
    match request:
        case Write():
            return _write(tablet, player, name, request)
        case Undo():
            if tablet.latest() is None:
                raise SheetError("nothing_to_undo")
            if request.n != tablet.latest():
                raise Refused("written_since")
            return Undone(n=request.n, **asked)
        case Rename():
            _seat(tablet, request.seat)
            if request.name == tablet.names[request.seat]:
                return None
            return Renamed(seat=request.seat, name=request.name, **asked)
        case Claim():
            _seat(tablet, request.seat)
            holder = tablet.claims[request.seat]
            # The host can free a seat whose phone is gone.
            frees = player == tablet.host and not request.mine
            if holder not in ("", player) and not frees:
                raise Refused("seat_taken")
            holds = player if request.mine else ""
            return None if holds == holder else Claimed(seat=request.seat, player=holds, **asked)
        case Delete():
            if player != tablet.host:
                raise Refused("not_host")
            return Deleted(**asked)


def _write(tablet: Tablet, player: str, name: str, request: Write) -> Wrote | None:
    entry = Wrote(
        round=request.round,
        bids=request.bids,
        taken=request.taken,
        cloud=request.cloud,
        bombed=request.bombed,
        note=request.note,
        by=name,
        asked_by=player,
        ask_id=request.id,
    )
    check(tablet, entry)
    line = tablet.lines[request.round - 1]
    if not tablet.bids_show(line):
        for seat in request.bids:
            if not _may_bid(tablet, player, seat):
                raise Refused("not_yours")
    # Two phones may write the same cell at once: the second is told what the first wrote.
    for cell, cells in (("bid", request.bids), ("taken", request.taken)):
        is_sealed = cell == "bid" and not tablet.bids_show(line)
        for seat, value in cells.items():
            n, earlier = line.last.get((cell, seat), (0, entry))
            there = (line.bids if cell == "bid" else line.taken)[seat]
            if n > request.seen and earlier.asked_by != player and (is_sealed or there != value):
                if is_sealed:  # even if both are equal, or the answer would reveal the bid
                    raise Refused("cell_sealed", name=earlier.by)
                if there is None:
                    raise Refused("cell_cleared", name=earlier.by)
                raise Refused("cell_taken", name=earlier.by, value=there)
    # This must not reveal that a guess at a sealed bid was right.
    knows = tablet.bids_show(line) or all(line.wrote_bid(player, seat) for seat in request.bids)
    return None if knows and line.says(entry) else entry


def _may_bid(tablet: Tablet, player: str | None, seat: int) -> bool:
    """Whether they may write this sealed bid: nobody else has claimed the seat."""
    return tablet.claims[seat] in ("", player)


def _seat(tablet: Tablet, seat: int) -> None:
    if not 0 <= seat < len(tablet.names):
        raise Refused("no_seat", last=len(tablet.names) - 1)


class SheetAudience:
    """The connections to a sheet; each sees only its own sealed bids."""

    def __init__(self, code: str, tablet: Tablet) -> None:
        self.code = code
        self.tablet = tablet
        self._events: deque[Data] = deque(maxlen=MISSED)
        self._sent: dict[str | None, Data] = {}
        self._cells: Data | None = None
        """What may be written now, and the number of the entry it is valid after."""
        self._cells_at = 0

    @classmethod
    def replayed(cls, code: str, log: Sequence[Written]) -> SheetAudience:
        """Built from a log, with the events that reconnecting viewers may have missed."""
        audience = cls(code, Tablet.replayed(log[:1]))
        for written in log[1:]:
            audience.advance(written, ())
        return audience

    def welcome(
        self,
        player: str | None,
        name: str | None,
        since: int | None,
        presence: Data,
        key: str | None = None,
    ) -> bytes:
        """Everything somebody may know; `key` is for those who may write."""
        sheet = self._sent[player] = self._sheet(player)
        missed = [] if since is None else [one for one in self._events if one["n"] > since]
        host = player is not None and player == self.tablet.host
        you = {"name": name, "host": host, "key": key}
        return encode(
            {
                "t": "welcome",
                "n": self.tablet.n,
                "you": you,
                "sheet": sheet,
                "missed": missed,
                "presence": presence,
            }
        )

    def advance(self, written: Written, players: Iterable[str | None]) -> dict[str | None, bytes]:
        """Apply an entry; returns what each of these players is sent."""
        self.tablet.apply(written)
        event = _event(written)
        self._events.append(event)
        players = set(players)
        for gone in self._sent.keys() - players:
            del self._sent[gone]
        return {player: self._told(event, player) for player in players}

    def _told(self, event: Data, player: str | None) -> bytes:
        before, after = self._sent.get(player), self._sheet(player)
        self._sent[player] = after
        sheet = after if before is None else changes(before, after)
        return encode({"t": "event", "n": event["n"], "event": event, "sheet": sheet})

    def _sheet(self, player: str | None) -> Data:
        tablet = self.tablet
        own = [seat for seat, claim in enumerate(tablet.claims) if claim and claim == player]

        def sees(line: Line, seat: int) -> bool:
            """Only the writer of a sealed bid sees it, not somebody who takes the seat later."""
            return player is not None and line.wrote_bid(player, seat)

        return {
            **sheet_data(tablet, sees),
            "cells": self._cells_for(player),
            "code": self.code,
            "sizes": tablet.rules.sizes,
            "yours": own,
            "claimed": [bool(claim) for claim in tablet.claims],
            "sealed": tablet.rules.seals_bids,
            "deleted": tablet.is_deleted,
            "last": tablet.latest(),
        }

    def _cells_for(self, player: str | None) -> Data | None:
        """What this player may write; None for sealed bids that only others may enter."""
        tablet, line = self.tablet, self.tablet.current
        if self._cells_at != tablet.n:
            self._cells_at, self._cells = tablet.n, cells_data(tablet)
        cells = self._cells
        if cells is None or line is None or tablet.bids_show(line):
            return cells
        bids = [
            cell if _may_bid(tablet, player, seat) else None
            for seat, cell in enumerate(cells["bid"])
        ]
        return {**cells, "bid": bids}


def _event(written: Written) -> Data:
    """The public part of an event: who wrote and where, but not what."""
    entry = written.entry
    event: Data = {"e": type(entry).__struct_config__.tag, "n": written.n, "at": written.at}
    match entry:
        case Wrote():
            cells = [["bid", seat] for seat in entry.bids]
            cells += [["taken", seat] for seat in entry.taken]
            event.update(round=entry.round, cells=cells, by=entry.by)
        case Renamed():
            event.update(seat=entry.seat, name=entry.name)
        case Claimed():
            event.update(seat=entry.seat, claimed=bool(entry.player))
        case _:
            pass
    return event

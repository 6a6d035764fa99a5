"""The state of a score sheet, folded from its log. The kernel decides bids and points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import cycle
from typing import Final

from msgspec import UNSET

from foretold.actions import ACTIONS, Action, Verb
from foretold.figures import Effect
from foretold.kernel.after import bids_after_cloud, points
from foretold.kernel.bidding import last_bid_forbidden
from foretold.legal_actions import LegalActions
from foretold.results import Outcome, off_by_tricks
from foretold.rules import Rules
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


@dataclass
class Line:
    """One round on the sheet, as far as it is written."""

    number: int
    size: int
    dealer: int
    bids: list[int | None]
    taken: list[int | None]
    cloud: tuple[int, int] | None = None
    bombed: bool = False
    note: str = ""
    last: dict[tuple[str, int], tuple[int, Wrote]] = field(default_factory=dict)
    """By cell, the last entry that wrote it, and its number."""

    @property
    def scored_bids(self) -> list[int | None]:
        """The bids after the Cloud."""
        bids = list(self.bids)
        if self.cloud is not None:
            seat, change = self.cloud
            bid = bids[seat]
            bids[seat] = None if bid is None else bid + change
        return bids

    @property
    def numbers(self) -> range:
        """What a bid, or a number of tricks, can be."""
        return range(self.size + 1)

    @property
    def off(self) -> tuple[int | None, ...]:
        """By seat, how many tricks too many for the bid (below 0: too few), once both are known."""
        return tuple(
            None if bid is None or taken is None else off_by_tricks(bid, self.size)[taken]
            for bid, taken in zip(self.scored_bids, self.taken, strict=True)
        )

    @property
    def tricks_to_take(self) -> int:
        """How many tricks the players take in all."""
        return self.size - self.bombed

    @property
    def is_finished(self) -> bool:
        return None not in self.bids and None not in self.taken

    def points(self) -> tuple[int, ...] | None:
        """Everyone's points in the round, once all of it is written."""
        if not self.is_finished:
            return None
        pairs = zip(self.scored_bids, self.taken, strict=True)
        return tuple(int(points(int(bid or 0), int(taken or 0))) for bid, taken in pairs)

    def says(self, entry: Wrote) -> bool:
        """Whether the sheet already says all that an entry would write."""
        return (
            all(self.bids[seat] == bid for seat, bid in entry.bids.items())
            and all(self.taken[seat] == taken for seat, taken in entry.taken.items())
            and entry.cloud in (UNSET, self.cloud)
            and entry.bombed in (UNSET, self.bombed)
            and entry.note in (UNSET, self.note)
        )

    def wrote_bid(self, player: str, seat: int) -> bool:
        """Whether this player wrote that bid."""
        _, entry = self.last.get(("bid", seat), (0, None))
        return entry is not None and entry.asked_by == player

    def write(self, entry: Wrote, n: int) -> None:
        for name, cells, new in (
            ("bid", self.bids, entry.bids),
            ("taken", self.taken, entry.taken),
        ):
            for seat, value in new.items():
                cells[seat] = value
                self.last[name, seat] = n, entry
        if entry.cloud is not UNSET:
            self.cloud = entry.cloud
        if entry.bombed is not UNSET:
            self.bombed = entry.bombed
        if entry.note is not UNSET:
            self.note = entry.note


class Tablet:
    """A score sheet: all its rounds, the finished ones scored."""

    def __init__(self, opened: Opened, n: int = 1) -> None:
        self.rules = Rules.from_options(opened.rules)
        self.edition = opened.edition
        self.names = list(opened.names) or [""] * self.rules.players
        self.first_dealer = opened.first_dealer
        self.host = opened.host
        self.claims = [""] * self.rules.players
        self.writers = {opened.host}
        """Who may write without showing the link: the host, past writers, and those let in."""
        self.is_deleted = False
        self.n = n
        self._written: list[tuple[int, Wrote]] = []
        self._done: dict[tuple[str, str], int] = {}
        self.lines = self._blank()
        self._note(n, opened)

    @classmethod
    def replayed(cls, log: Iterable[Written]) -> Tablet:
        entries = iter(log)
        first = next(entries)
        assert isinstance(first.entry, Opened)
        tablet = cls(first.entry, first.n)
        for written in entries:
            tablet.apply(written)
        return tablet

    # State

    @property
    def current(self) -> Line | None:
        """The first round that is not finished; None when the game is over."""
        return next((line for line in self.lines if not line.is_finished), None)

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.totals) if self.current is None else None

    @property
    def totals(self) -> tuple[int, ...]:
        """The points by seat over all finished rounds."""
        return self.totals_after(len(self.lines))

    def totals_after(self, rounds: int) -> tuple[int, ...]:
        totals = [0] * self.rules.players
        for line in self.lines[:rounds]:
            for seat, won in enumerate(line.points() or ()):
                totals[seat] += won
        return tuple(totals)

    def next_cell(self) -> tuple[str, int] | None:
        """The cell to write next: ``("bid", 2)`` or ``("taken", 0)``."""
        line = self.current
        if line is None:
            return None
        for name, cells in (("bid", line.bids), ("taken", line.taken)):
            for seat in self.rules.turns(line.dealer):
                if cells[seat] is None:
                    return name, seat
        return None

    def forbidden(self, line: Line) -> int | None:
        """The bid that the dealer may not make, once all others have bid."""
        others = [bid for seat, bid in enumerate(line.bids) if seat != line.dealer]
        if None in others:
            return None
        total = sum(bid or 0 for bid in others)
        return last_bid_forbidden(
            self.rules, line.dealer, line.size, total, self.totals_after(line.number - 1)
        )

    @property
    def has_bomb(self) -> bool:
        return self.rules.has(Effect.SETS_ASIDE)

    @property
    def has_cloud(self) -> bool:
        return self.rules.has(Effect.CHANGES_BID)

    def cloud_changes(self, line: Line, seat: int) -> tuple[int, ...]:
        """By how much the Cloud can change a bid; by anything, if the bid is not written."""
        bid = line.bids[seat]
        return CLOUD_CHANGES if bid is None else _cloud_changes(bid, line.size)

    def bids_show(self, line: Line) -> bool:
        """Whether everyone may see the bids of a round."""
        return self.rules.bids_show(all_made=None not in line.bids, all_played=line.is_finished)

    def done(self, player: str, ask_id: str) -> int | None:
        """The number of the entry that a message made, if it was written."""
        return self._done.get((player, ask_id))

    def latest(self) -> int | None:
        """The number of the last undoable entry."""
        return self._written[-1][0] if self._written else None

    # Changes

    def apply(self, written: Written) -> None:
        assert written.n == self.n + 1, f"entry {written.n} after {self.n}"
        self.n = written.n
        entry = written.entry
        match entry:
            case Wrote():
                self._written.append((written.n, entry))
                self.lines[entry.round - 1].write(entry, written.n)
            case Undone():
                self._written = [one for one in self._written if one[0] != entry.n]
                self.lines = self._blank()
                for n, earlier in self._written:
                    self.lines[earlier.round - 1].write(earlier, n)
            case Renamed():
                self.names[entry.seat] = entry.name
            case Claimed():
                self.claims[entry.seat] = entry.player
            case Admitted():
                self.writers.add(entry.player)
            case Deleted():
                self.is_deleted = True
            case Opened():
                raise AssertionError("a sheet is opened once")
        self._note(written.n, entry)

    def _note(self, n: int, entry: Entry) -> None:
        if entry.ask_id:
            self.writers.add(entry.asked_by)
            self._done[entry.asked_by, entry.ask_id] = n

    def _blank(self) -> list[Line]:
        dealers = cycle(self.rules.seats_from(self.first_dealer))
        players = self.rules.players
        return [
            Line(number, size, next(dealers), [None] * players, [None] * players)
            for number, size in enumerate(self.rules.sizes, start=1)
        ]


@lru_cache(maxsize=1024)
def _cloud_changes(bid: int, size: int) -> tuple[int, ...]:
    return _changes(LegalActions(0, bids_after_cloud(bid, size)))


def _changes(actions: Iterable[Action]) -> tuple[int, ...]:
    return tuple(sorted(int(action.object) for action in actions if action.verb is Verb.CLOUD))


CLOUD_CHANGES: Final = _changes(ACTIONS)

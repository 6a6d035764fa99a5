"""The Tablet of Truth in the terminal: keeps score for a game with real cards, saving as it goes.

The file is the sheet's log, one entry per line. Every entry is on disk before the next question,
so neither a crash nor a dead battery loses a round.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from foretold.errors import ForetoldError, UnreadableError
from foretold.rules import Rules
from foretold.scoresheet.entries import Entry, Opened, Renamed, Undone, Written, Wrote
from foretold.scoresheet.opening import open_sheet, options_for
from foretold.scoresheet.scoresheet import Line, Tablet
from foretold.scoresheet.writing import SheetError, check
from foretold.words import counted, printable, shown

HELP: Final = """\
Enter each player's bid, then the tricks each has taken. Everything is saved.
  2             that number
  2 0 1 3       all the remaining numbers, in the order asked
  u             undo the last entry
  e 3           correct round 3
  n TEXT        a note on this round
  cloud ANA +1  the Cloud changed Ana's bid (or -1; cloud none)
  name 2 ANA    rename the second player
  s             show the sheet
  ?             this help
  q             quit; continue another time"""

_DECODER: Final = msgspec.json.Decoder(Written)


class LeftError(Exception):
    """The keeper of the sheet has left."""


def asked_sheet(
    names: Sequence[str], dealer: int, edition: str, options: Mapping[str, Any]
) -> Opened:
    """The sheet that a command asks for; `dealer` is counted from 1."""
    if not 2 <= len(names) <= 6:
        raise UnreadableError(f"expected 2 to 6 names, not {len(names)}")
    rules = Rules.from_options(options_for(names, {"edition": edition, **options}))
    if dealer > len(names):
        raise UnreadableError(f"there is no player {dealer} to deal first")
    return open_sheet(names, rules, edition=edition, first_dealer=dealer - 1)


class SheetFile:
    """A sheet and its file."""

    def __init__(self, path: Path, opened: Opened | None) -> None:
        """`opened` begins a new sheet; without it, the file continues where it ended."""
        self.path = path
        try:
            if opened is None:
                self.tablet, end = _read(path)
                self._file: BinaryIO = open(path, "rb+")  # noqa: SIM115  # open as long as the sheet
                _lock(self._file, path)
                self._file.truncate(end)
                self._file.seek(end)
            else:
                self._file = open(path, "xb")  # noqa: SIM115
                first = Written(1, _now(), opened)
                self._save(first)
                self.tablet = Tablet.replayed([first])
        except FileExistsError:
            raise UnreadableError(f"{path} already exists: give another name") from None
        except OSError as error:
            raise UnreadableError(f"cannot use {path}: {error.strerror}") from None

    def write(self, entry: Entry) -> None:
        """Save an entry and apply it; raises `SheetError`."""
        if isinstance(entry, Wrote):
            check(self.tablet, entry)
        written = Written(self.tablet.n + 1, _now(), entry)
        try:
            self._save(written)
        except OSError as error:
            raise UnreadableError(f"not saved in {self.path}: {error.strerror}") from None
        self.tablet.apply(written)

    def close(self) -> None:
        with suppress(OSError):  # a failed write was reported when it happened
            self._file.close()

    def _save(self, written: Written) -> None:
        self._file.write(msgspec.json.encode(written) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _lock(file: BinaryIO, path: Path) -> None:
    """Two processes writing the same file would overwrite each other."""
    try:
        import fcntl
    except ImportError:
        return  # Windows does not let two processes open it
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise UnreadableError(f"another foretold score is writing {path}") from None


def read_sheet(path: Path) -> Tablet:
    """The sheet in a file, which stays unchanged."""
    try:
        return _read(path)[0]
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from None


def _read(path: Path) -> tuple[Tablet, int]:
    """The sheet in a file, and where it ends; an entry cut off while being written is left out."""
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    log: list[Written] = []
    for number, line in enumerate(content[:end].splitlines(), start=1):
        try:
            log.append(_DECODER.decode(line))
        except (msgspec.DecodeError, ValueError):
            raise UnreadableError(f"{path}, line {number}: this is not a score sheet") from None
    if not log or not isinstance(log[0].entry, Opened):
        raise UnreadableError(f"{path} is not a score sheet")
    try:
        tablet = Tablet.replayed(log[:1])
        if len(tablet.names) != tablet.rules.players:
            raise UnreadableError("names are missing")
        for written in log[1:]:
            if isinstance(written.entry, Wrote):
                check(tablet, written.entry)
            tablet.apply(written)
        return tablet, end
    except (AssertionError, IndexError, ForetoldError):
        raise UnreadableError(
            f"{path} is not a score sheet: its entries do not fit together"
        ) from None


class ScoreKeeper:
    """Asks for one number after another."""

    def __init__(self, sheet: SheetFile, console: Console, ask: Callable[[str], str]) -> None:
        self.sheet = sheet
        self.console = console
        self._ask = ask

    @property
    def tablet(self) -> Tablet:
        return self.sheet.tablet

    def keep(self) -> None:
        """Keep score to the end; raises `LeftError` if the keeper leaves early."""
        self.console.print("[bold]The Tablet of Truth[/]  ? for help, q to quit.\n")
        self._show()
        while (asked := self.tablet.next_cell()) is not None:
            line = self.tablet.current
            assert line is not None
            rounds = self.tablet.totals
            self._one(line, *asked)
            if self.tablet.current is not line and self.tablet.totals != rounds:
                self._show()
        self._tell_outcome()

    def _one(self, line: Line, cell: str, seat: int) -> None:
        name = self.tablet.names[seat]
        question = "foretells" if cell == "bid" else "has taken"
        where = f"round {line.number}, {counted(line.size, 'card')}"
        answer = self._ask(f"{where}: {printable(name)} {question} ").strip()
        try:
            self._do(answer, line, cell)
        except SheetError as error:
            if error.code == "bomb_asked":
                self._bombed(answer, line, cell)
            else:
                self._complain(str(error))
        except ForetoldError as error:
            self._complain(str(error))

    def _do(self, answer: str, line: Line, cell: str) -> None:
        word, _, rest = answer.partition(" ")
        if answer in ("q", "quit", "exit"):
            raise LeftError
        if answer in ("?", "h", "help"):
            self.console.print(HELP, markup=False)
        elif answer == "s":
            self._show()
        elif answer == "u":
            self._undo()
        elif word == "e":
            self._correct(rest)
        elif word == "n":
            self.sheet.write(Wrote(round=line.number, note=rest.strip()))
        elif word == "cloud":
            self.sheet.write(self._cloud(rest, line))
        elif word == "name":
            self.sheet.write(self._renamed(rest))
        elif answer:
            self.sheet.write(self._numbers(answer, line, cell))

    def _numbers(self, answer: str, line: Line, cell: str, bombed: bool = False) -> Wrote:
        """The numbers for the next cells, as many as are given."""
        cells = line.bids if cell == "bid" else line.taken
        waiting = [seat for seat in self.tablet.rules.turns(line.dealer) if cells[seat] is None]
        numbers = _read_numbers(answer)
        if len(numbers) > len(waiting):
            raise UnreadableError(
                f"there are {counted(len(numbers), 'number')} for {counted(len(waiting), 'player')}"
            )
        new: dict[int, int | None] = dict(zip(waiting, numbers, strict=False))
        if cell == "bid":
            return Wrote(round=line.number, bids=new)
        if bombed:
            return Wrote(round=line.number, taken=new, bombed=True)
        return Wrote(round=line.number, taken=new)

    def _bombed(self, answer: str, line: Line, cell: str) -> None:
        if self._yes("One trick is missing. Did the Bomb set it aside? [y/n] "):
            self.sheet.write(self._numbers(answer, line, cell, bombed=True))

    def _yes(self, question: str) -> bool:
        return self._ask(question).strip().lower() in ("y", "yes")

    def _cloud(self, rest: str, line: Line) -> Wrote:
        """The Cloud changes a bid of this round, or of the previous one if this has no bid yet."""
        if not any(bid is not None for bid in line.bids) and line.number > 1:
            line = self.tablet.lines[line.number - 2]
        if rest.strip() == "none":
            return Wrote(round=line.number, cloud=None)
        name, _, change = rest.rpartition(" ")
        if change not in ("+1", "-1"):
            raise UnreadableError("expected cloud NAME +1, cloud NAME -1 or cloud none")
        return Wrote(round=line.number, cloud=(self._seat(name), int(change)))

    def _renamed(self, rest: str) -> Renamed:
        number, _, name = rest.partition(" ")
        if not number.isdecimal() or not 1 <= int(number) <= len(self.tablet.names) or not name:
            raise UnreadableError("expected name NUMBER NAME, such as name 2 Ana")
        return Renamed(seat=int(number) - 1, name=name.strip())

    def _seat(self, name: str) -> int:
        wanted = name.strip().casefold()
        for seat, one in enumerate(self.tablet.names):
            if wanted in (one.casefold(), str(seat + 1)):
                return seat
        raise UnreadableError(f"there is no player {shown(name)}")

    def _undo(self) -> None:
        latest = self.tablet.latest()
        if latest is None:
            raise SheetError("nothing_to_undo")
        self.sheet.write(Undone(n=latest))

    def _correct(self, rest: str) -> None:
        """Ask for a whole round again."""
        if not rest.strip().isdecimal() or not 1 <= int(rest) <= len(self.tablet.lines):
            raise SheetError("no_round", last=len(self.tablet.lines))
        line = self.tablet.lines[int(rest) - 1]
        if not line.is_finished:
            raise UnreadableError(f"round {line.number} is not finished: u undoes entries")
        turns = self.tablet.rules.turns(line.dealer)
        names = ", ".join(printable(self.tablet.names[seat]) for seat in turns)
        bids = self._row(f"round {line.number}, all bids ({names}) ", len(turns))
        taken = self._row(f"round {line.number}, all tricks ({names}) ", len(turns))
        entry = Wrote(
            round=line.number,
            bids=dict(zip(turns, bids, strict=True)),
            taken=dict(zip(turns, taken, strict=True)),
            bombed=self.tablet.has_bomb and sum(taken) == line.size - 1,
        )
        self.sheet.write(entry)
        self._show()

    def _row(self, question: str, count: int) -> list[int]:
        numbers = _read_numbers(self._ask(question))
        if len(numbers) != count:
            raise UnreadableError(f"expected {count} numbers: nothing was changed")
        return numbers

    def _show(self) -> None:
        self.console.print(score_table(self.tablet))

    def _tell_outcome(self) -> None:
        outcome = self.tablet.outcome
        assert outcome is not None
        winners = " and ".join(printable(self.tablet.names[seat]) for seat in outcome.winners)
        verb = "wins" if len(outcome.winners) == 1 else "win"
        self.console.print(f"{winners} {verb} with {max(outcome.totals)} points.", markup=False)

    def _complain(self, text: str) -> None:
        self.console.print(f"{text[:1].upper()}{text[1:]}.", markup=False)


def score_table(tablet: Tablet) -> Table:
    """The sheet like the printed pad: everyone's total, with the bid beside it."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    table.add_column("", justify="right")
    for name in tablet.names:
        table.add_column(Text(printable(name)), justify="right")
    current = tablet.current
    for line in tablet.lines[: len(tablet.lines) if current is None else current.number]:
        points, totals = line.points(), tablet.totals_after(line.number)
        cells = []
        for seat, bid in enumerate(line.scored_bids):
            total = "" if points is None else str(totals[seat])
            met = points is not None and line.off[seat] == 0
            cell = Text(total, style="bold yellow" if met else "")
            cell.append(f"  {'-' if bid is None else bid:>2}", "dim")
            cells.append(cell)
        dealt = f"{line.size}" + ("*" if line.note else "")
        table.add_row(dealt, *cells)
    for line in tablet.lines:
        if line.note:
            table.caption = "\n".join(
                f"* {one.number}: {printable(one.note)}" for one in tablet.lines if one.note
            )
            break
    return table


def _read_numbers(answer: str) -> list[int]:
    words = answer.replace(",", " ").split()
    if not words or not all(re.fullmatch(r"-?[0-9]{1,4}", word) for word in words):
        raise UnreadableError(f"{shown(answer.strip())} is not a number: ? for help")
    return [int(word) for word in words]


def _now() -> int:
    return time.time_ns() // 1_000_000

"""A match's file: its settings, then a line for every finished deal set.

Whatever stops a match, complete lines survive; an incomplete last line is dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import msgspec

from foretold.arena.match import FORMAT, ArenaError, Match, Settings
from foretold.arena.results import SetResult
from foretold.errors import UnreadableError


class Journal:
    """Saves finished deal sets, and knows those from earlier runs."""

    def __init__(self, path: Path, match: Match) -> None:
        self._path = path
        self._match = match
        self.finished: dict[int, SetResult] = {}
        try:
            self._file: BinaryIO = open(path, "a+b")  # noqa: SIM115  # closed by close
        except OSError as error:
            raise UnreadableError(f"cannot write {path}: {error.strerror}") from None
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, result: SetResult) -> None:
        self._file.write(msgspec.json.encode(result) + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _read(self) -> None:
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        header = msgspec.json.encode(self._match.settings)
        if not lines:
            if not header.startswith(torn):
                raise ArenaError(f"{self._path} is not the file of a match")
            self._file.truncate(0)
            self._file.write(header + b"\n")
            self._file.flush()
            return
        self._compare(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            result = self._result(line)
            if result is None:
                raise ArenaError(f"{self._path}, line {number}: not a deal set of this match")
            self.finished.setdefault(result.index, result)
        self._file.truncate(sum(len(line) + 1 for line in lines))

    def _compare(self, line: bytes) -> None:
        try:
            theirs = msgspec.json.decode(line, type=Settings)
        except msgspec.MsgspecError:
            raise ArenaError(f"{self._path} is not the file of a match") from None
        ours = self._match.settings
        if theirs.format != FORMAT:
            raise ArenaError(f"{self._path} has another format: {theirs.format!r:.40}")
        for name in ("bots", "rules", "seed", "limit"):
            then, now = getattr(theirs, name), getattr(ours, name)
            if name == "rules":
                changed = [rule for rule in now if now[rule] != then.get(rule)]
                if not changed:
                    continue
                name, then, now = changed[0], then.get(changed[0]), now[changed[0]]
            if then != now:
                raise ArenaError(
                    f"{self._path} belongs to another match: its {name} is "
                    f"{_worded(then)}, not {_worded(now)}"
                )

    def _result(self, line: bytes) -> SetResult | None:
        try:
            result = msgspec.json.decode(line, type=SetResult)
        except msgspec.MsgspecError:
            return None
        seats, rounds = self._match.rules.players, len(self._match.rules.sizes)
        fits = len(result.games) == seats and all(
            len(game.seats) == seats
            and all(
                len(seat.points) == len(seat.off) == rounds
                and 0 <= seat.bot < len(self._match.bots)
                for seat in game.seats
            )
            for game in result.games
        )
        return result if fits else None


def _worded(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

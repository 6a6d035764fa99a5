"""The process that bots play in. It reads deal sets line by line, and answers each with a line.

Bots may print, read, leave threads behind, crash or hang: the pipes to the referee are out of
their reach, and a mark in a file says at every moment whose turn it is, so that the referee knows
whom a sudden end is owed to.
"""

from __future__ import annotations

import struct
import sys
from typing import BinaryIO, Final, NamedTuple

import msgspec

from foretold.arena.match import Job, Settings
from foretold.arena.play import MAKING_LIMIT, play_set
from foretold.bots import LEVELS, Bot, SimpleBot, make_bot
from foretold.bots.pipes import arriving, own_pipes
from foretold.bots.registry import OWN_BOTS
from foretold.errors import BotError
from foretold.game import Game
from foretold.rules import Rules

_MARK: Final = struct.Struct("<qiid")
_NOBODY: Final = -1


class Hello(msgspec.Struct, frozen=True):
    """The first line that a worker reads."""

    settings: Settings
    mark: str
    """The file for the marks, which is there until the worker has opened it."""
    check: bool
    """Whether to make every bot once."""


class Ready(msgspec.Struct, frozen=True):
    """The first line that it writes."""

    refusal: str | None = None


class Mark(NamedTuple):
    """Who is at work."""

    number: int
    """Grows with every mark."""
    rotation: int
    seat: int | None
    """None while no bot is; for a check, which of the match's bots it is."""
    allowed: float
    """How many seconds it may take."""


def read_mark(file: BinaryIO) -> Mark:
    file.seek(0)
    data = file.read(_MARK.size)
    if len(data) < _MARK.size:
        return Mark(0, 0, None, 0.0)
    number, rotation, seat, allowed = _MARK.unpack(data)
    return Mark(number, rotation, None if seat == _NOBODY else seat, allowed)


class Marker:
    """Writes the marks."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # open as long as the process
        self._count = 0

    def __call__(self, rotation: int, seat: int | None, allowed: float) -> None:
        self._count += 1
        mark = _MARK.pack(self._count, rotation, _NOBODY if seat is None else seat, allowed)
        self._file.seek(0)
        self._file.write(mark)


def main() -> None:
    questions, answers = own_pipes()
    hello = msgspec.json.decode(questions.readline(), type=Hello)
    lines = arriving(questions)
    marker = Marker(hello.mark)
    ready = _checked(hello.settings, marker) if hello.check else Ready()
    if ready.refusal is None:
        _warm_up(hello.settings)
    _answer(answers, ready)
    while True:
        job = msgspec.json.decode(lines.get(), type=Job)
        _answer(answers, play_set(hello.settings, job, marker))


def _checked(settings: Settings, marker: Marker) -> Ready:
    for text in dict.fromkeys(settings.bots):
        marker(0, settings.bots.index(text), MAKING_LIMIT)
        try:
            make_bot(text)
        except BotError as error:
            return Ready(str(error))
        finally:
            marker(0, None, 0)
    return Ready()


def _warm_up(settings: Settings) -> None:
    """Get what is compiled ready, so that it does not count as thinking.

    Other people's bots are not asked; they may use the time in which they are made.
    """
    ours = {text for text in settings.bots if text.split(",")[0] in (*OWN_BOTS, *LEVELS)}
    rules = Rules.from_options({**settings.rules, "rounds": "2"})
    for text in sorted(ours):
        game = Game(rules, seed=0)
        bots: list[Bot] = [make_bot(text), *[SimpleBot()] * (rules.players - 1)]
        while game.to_act:
            seat = game.to_act[0]
            game.push(bots[seat].choose(game.view(seat)), seat)


def _answer(answers: BinaryIO, answer: object) -> None:
    sys.stdout.flush()
    answers.write(msgspec.json.encode(answer) + b"\n")
    answers.flush()

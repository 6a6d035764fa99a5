"""The files that commands read and write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import typer

from foretold.cli.telling import BAD_INPUT, complain, counter, print_json

if TYPE_CHECKING:
    from foretold.game import Game


def sound_games(file: str, json: bool) -> Iterator[Game]:
    """The valid games of a file; errors are reported for the others."""
    faults = 0
    for game in _games(file):
        if isinstance(game, str):
            faults += 1
            if json:
                print_json({"error": game})
            complain(game)
        else:
            yield game
    if faults:
        raise typer.Exit(BAD_INPUT)


def _games(file: str) -> Iterator[Game | str]:
    """The games of a file, each replayed; for an invalid record, what is wrong with it."""
    from foretold.errors import ForetoldError
    from foretold.game import Game
    from foretold.record import read_records

    with _open(file) as stream, counter("records") as count:
        for record in read_records(stream):
            try:
                if isinstance(record, ForetoldError):
                    raise record
                yield Game.from_record(record)
            except ForetoldError as error:
                yield str(error)
            count()


@contextmanager
def _open(file: str) -> Iterator[BinaryIO]:
    from foretold.errors import UnreadableError

    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115  # closed below
    except OSError as error:
        raise UnreadableError(f"cannot read {file}: {error.strerror}") from None
    with stream:
        yield stream


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    from foretold.errors import UnreadableError

    partial = path.with_name(f"{path.name}.part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Fail before the work, not after it, if its result cannot be written there."""
    from foretold.errors import UnreadableError

    try:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        partial = path.with_name(f"{path.name}.part")
        partial.write_bytes(b"")
        partial.unlink()
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None

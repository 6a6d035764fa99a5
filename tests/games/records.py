"""A record, what is read from one, and the one-line refusal."""

from __future__ import annotations

import io

import pytest

from foretold.errors import ForetoldError, UnreadableError
from foretold.game import Game
from foretold.record import (
    RecordData,
    read_records,
    write_record,
)
from foretold.rules import Rules

RECORD: RecordData = Game(Rules(players=3, rounds="1,2"), seed=1).to_record()
LINE = write_record(RECORD)


def read(data: bytes) -> list[RecordData | UnreadableError]:
    return list(read_records(io.BytesIO(data)))


def kinds(data: bytes) -> str:
    """What a file holds: `r` for a record, `e` for an error."""
    return "".join("r" if isinstance(found, dict) else "e" for found in read(data))


def refused(record: RecordData | bytes | str) -> str:
    """The one line with which a record is refused."""
    with pytest.raises(ForetoldError) as caught:
        Game.from_record(record)
    return one_line(caught.value)


def one_line(error: ForetoldError) -> str:
    message = str(error)
    assert message.strip()
    assert len(message.splitlines()) == 1
    assert message.isprintable()
    assert len(message) < 500
    return message

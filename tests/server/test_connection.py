"""What is queued for a slow reader, and for how long."""

from __future__ import annotations

import pytest

from foretold.server.rooms.connection import MOST_WAITING, REFUSED, Connection

BACKLOG = 10


class SlowLine:
    """A line that has room only when told so."""

    def __init__(self) -> None:
        self.has_room = False
        self.written: list[bytes] = []
        self.ended: str | int | None = None

    def write(self, text: bytes) -> None:
        self.written.append(text)

    def hang_up(self, code: int) -> None:
        self.ended = code

    def abort(self) -> None:
        self.ended = "aborted"


@pytest.fixture
def line() -> SlowLine:
    return SlowLine()


@pytest.fixture
def connection(line: SlowLine) -> Connection:
    return Connection("ana", "Ana", line, BACKLOG)


def test_what_waits_is_sent_in_order_when_there_is_room(
    line: SlowLine, connection: Connection
) -> None:
    line.has_room = True
    connection.send(b"0")
    line.has_room = False
    for number in range(1, BACKLOG):
        connection.send(b"%d" % number)
    connection.close(REFUSED)
    assert (line.written, line.ended) == ([b"0"], None)
    line.has_room = True
    connection.go_on()
    assert line.written == [b"%d" % number for number in range(BACKLOG)]
    assert line.ended == REFUSED


def test_too_many_messages_unread_cut_the_line(line: SlowLine, connection: Connection) -> None:
    for _ in range(BACKLOG):
        connection.send(b"x")
    ended_before = line.ended
    connection.send(b"x")
    assert (ended_before, line.ended) == (None, "aborted")
    assert connection.was_cut


def test_too_many_bytes_unread_cut_the_line_however_few_the_messages(
    line: SlowLine, connection: Connection
) -> None:
    connection.send(b"x" * (MOST_WAITING // 2))
    connection.send(b"x" * (MOST_WAITING // 2))
    ended_before = line.ended
    connection.send(b"x")
    assert (ended_before, line.ended) == (None, "aborted")
    assert connection.was_cut


def test_what_was_read_counts_no_longer(line: SlowLine, connection: Connection) -> None:
    for _ in range(5):
        line.has_room = False
        connection.send(b"x" * MOST_WAITING)
        line.has_room = True
        connection.go_on()
    assert not connection.was_cut
    assert len(line.written) == 5

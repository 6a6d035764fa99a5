"""All that a stranger can send or cause, and its bound: the table of docs/server.md.

    python -m foretold.server.bounds

Every number stands where it is used, or is a setting; here they are only read.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from foretold.scoresheet.writing import MAX_NOTE
from foretold.server.api import personal
from foretold.server.api import socket as sockets
from foretold.server.net import guard, protocol
from foretold.server.observing import logs
from foretold.server.operation import overview
from foretold.server.people import bans
from foretold.server.quotas import budgets, pace
from foretold.server.rooms import connection, knocks, phrases
from foretold.server.run import LARGEST_FRAME
from foretold.server.settings import ServerSettings
from foretold.server.storage.listing import MOST_LISTED, MOST_SHEETS
from foretold.server.workers import labour, study
from foretold.table import answers, creation, scoresheets

CUT = "cut off"


class Bound(NamedTuple):
    """Something that comes from outside, how much of it may come, and what happens then."""

    what: str
    most: str
    then: str


def bounds() -> list[Bound]:
    """With the usual settings."""
    usual = ServerSettings(data=Path())
    one = budgets.Budgets(usual)
    frames = one.frames()
    share = usual.core_share_per_address
    return [
        Bound("connections of one address", f"{guard.MOST_OF_ONE}, sockets apart", CUT),
        Bound(
            "connections in all", f"{usual.max_waiting:,}, sockets apart", "the idlest is cut off"
        ),
        Bound("path and query", _size(guard.MOST_ADDRESS), "414, cut off"),
        Bound("one header", _size(guard.MOST_HEADER), "431, cut off"),
        Bound("headers", f"{guard.MOST_HEADERS}, {_size(guard.MOST_HEAD)}", "431, cut off"),
        Bound("body", _size(guard.LARGEST_BODY), "413 `too_large`"),
        Bound("a request with all that is wrapped around its body", _size(guard.MOST_REQUEST), CUT),
        Bound("time for a request, and to read an answer", f"{guard.REQUEST_SECONDS:.0f} s", CUT),
        Bound(
            "requests sent before the first is answered", f"{guard.MOST_PIPELINED}", "429, cut off"
        ),
        Bound(
            "requests", f"{_rate(usual.requests_per_second, one.requests.brim)}", "429 `too_fast`"
        ),
        Bound("requests begun", "one of each address in a round of the event loop", "wait"),
        Bound(
            "requests that wait for that", f"{pace.MOST_WAITING} of an address", "503 `too_many`"
        ),
        Bound(
            "time of the event loop",
            f"{share:.0%} of a core; {share * budgets.TIME_BURST_SECONDS:.0f} s at once",
            "429 `too_fast`, then cut off",
        ),
        Bound(
            "work beside it: replays, records, waking a table, hints, reviews, one's data, erasing",
            f"{budgets.WORK_SHARE:.0%} of a core; {budgets.WORK_BURST:.0f} s at once",
            "429 `too_fast`",
        ),
        Bound(
            "such work that waits",
            f"{labour.MOST_OF_ONE:,} of an address; of hints and reviews "
            f"{study.MOST_OF_ONE} and {study.MOST_WAITING} in all",
            "503 `too_many`",
        ),
        Bound(
            "sockets",
            f"{usual.max_connections_per_address} of an address, {usual.max_connections:,} in all",
            "`too_many`, closed",
        ),
        Bound(
            "frames of a socket, of any kind",
            f"{_rate(frames.rate, frames.brim)}; {protocol.BYTES_OF_A_FRAME} bytes count as one",
            CUT,
        ),
        Bound(
            "a message",
            f"{_size(LARGEST_FRAME)}, {protocol.MOST_FRAGMENTS} frames",
            "closed, or cut off",
        ),
        Bound(
            "messages of a socket",
            _rate(usual.messages_per_second, usual.messages_per_second * sockets.BURST_SECONDS),
            f"`too_fast`; after {sockets.PATIENCE} of these closed, "
            f"and cut off after {protocol.CLOSE_SECONDS:.0f} s",
        ),
        Bound(
            "bytes after a socket was closed",
            f"{_size(protocol.MOST_AFTER_CLOSE)}, {protocol.CLOSE_SECONDS:.0f} s",
            CUT,
        ),
        Bound(
            "messages that a socket does not read",
            f"{usual.backlog}, {_size(connection.MOST_WAITING)}",
            CUT,
        ),
        Bound(
            "phrases of a player",
            f"one in {1 / phrases.PER_SECOND:.0f} s; {phrases.AT_ONCE} at once",
            "`too_fast`",
        ),
        Bound(
            "new tables and sheets, rematches too",
            f"{usual.tables_per_minute:.0f} a minute; {one.tables.brim:.0f} at once",
            "429 `too_fast`",
        ),
        Bound(
            "codes tried that open nothing",
            f"{usual.guesses_per_minute:.0f} a minute; {one.guesses.brim:.0f} at once",
            "`too_fast` for every code; links work",
        ),
        Bound(
            "requests to be let in by a host",
            f"one in {1 / budgets.KNOCKS_PER_SECOND:.0f} s; {budgets.KNOCKS_AT_ONCE} at once; "
            f"{knocks.MOST_KNOCKS} wait at a table or sheet",
            "`too_fast`, `too_many`",
        ),
        Bound("rounds of a game", f"{creation.MOST_ROUNDS}", "422 `bad_rules`"),
        Bound(
            "changes at a table besides moves",
            f"{_size(answers.MOST_CHANGES)} of the log by a player, "
            f"{_size(answers.MOST_BY_ALL)} by all but the host",
            "`full`",
        ),
        Bound(
            "entries of a sheet, characters of a note",
            f"{scoresheets.MOST_ENTRIES:,}, {MAX_NOTE}",
            "`full`, `note_long`",
        ),
        Bound(
            "what is written for an address",
            f"{usual.megabytes_per_day:.0f} MB a day",
            "429 `used_up`",
        ),
        Bound("tables in memory", f"{usual.max_tables:,}", "503 `too_many`"),
        Bound("lists", f"{MOST_LISTED} tables; {MOST_SHEETS:,} sheets in statistics", "the latest"),
        Bound(
            "somebody's data in one file",
            f"{personal.MOST_GAMES:,} games and {MOST_SHEETS:,} sheets, "
            f"the latest {personal.MOST_RECORDS} of each with all moves",
            "the latest",
        ),
        Bound("rows of an answer to the operator", f"{overview.MOST}", "the first"),
        Bound("bans in force", f"{bans.MOST_BANS:,}", "those that end last"),
        Bound(
            "replays and reviews kept",
            f"{usual.kept_megabytes:.0f} MB",
            "the longest unused are worked out anew",
        ),
        Bound("lines of the log", f"one of a kind in {logs.QUIET_SECONDS:.0f} s", "counted"),
    ]


def _size(count: int) -> str:
    return f"{count >> 10} KiB" if count % 1024 == 0 else f"{count:,} bytes"


def _rate(rate: float, brim: float) -> str:
    return f"{rate:.0f} a second; {brim:.0f} at once"


def markdown() -> str:
    rows = [f"| {what} | {most} | {then} |" for what, most, then in bounds()]
    return "\n".join(["| what | at most | then |", "|---|---|---|", *rows])


if __name__ == "__main__":
    print(markdown())

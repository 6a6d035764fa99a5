"""Everything a stranger can send or cause, and its limit: the table in docs/server.md.

    python -m foretold.server.bounds

Every number is defined where it is used, or is a setting; here they are only read.
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
from foretold.server.rooms import awake, connection, knocks, live, phrases
from foretold.server.run import LARGEST_FRAME
from foretold.server.settings import ServerSettings
from foretold.server.storage.listing import MOST_LISTED, MOST_SHEETS
from foretold.server.workers import labour, study
from foretold.table import changes, creation, scoresheets

CUT = "cut off"


class Bound(NamedTuple):
    """Something that comes from outside, its limit, and what happens beyond it."""

    what: str
    most: str
    then: str


def bounds() -> list[Bound]:
    """With the default settings."""
    usual = ServerSettings(data=Path())
    one = budgets.Budgets(usual)
    frames = one.frames()
    share = usual.core_share_per_address
    return [
        Bound("connections from one address", f"{guard.MOST_OF_ONE}, not counting sockets", CUT),
        Bound(
            "connections in total",
            f"{usual.max_waiting:,}, not counting sockets",
            "the idlest is cut off",
        ),
        Bound("path and query", _size(guard.MOST_ADDRESS), "414, cut off"),
        Bound("one header", _size(guard.MOST_HEADER), "431, cut off"),
        Bound("headers", f"{guard.MOST_HEADERS}, {_size(guard.MOST_HEAD)}", "431, cut off"),
        Bound("body", _size(guard.LARGEST_BODY), "413 `too_large`"),
        Bound("a whole request, with the encoding of its body", _size(guard.MOST_REQUEST), CUT),
        Bound("time for a request, and to read an answer", f"{guard.REQUEST_SECONDS:.0f} s", CUT),
        Bound(
            "requests sent before the first is answered", f"{guard.MOST_PIPELINED}", "429, cut off"
        ),
        Bound(
            "requests", f"{_rate(usual.requests_per_second, one.requests.brim)}", "429 `too_fast`"
        ),
        Bound("requests started", "one per address in a round of the event loop", "wait"),
        Bound(
            "requests waiting for that", f"{pace.MOST_WAITING} from an address", "503 `too_many`"
        ),
        Bound(
            "time in the event loop",
            f"{share:.0%} of a core; {share * budgets.TIME_BURST_SECONDS:.0f} s at once",
            "429 `too_fast`, then cut off",
        ),
        Bound(
            "work outside it: replays, records, waking tables, hints, reviews, own data, erasing",
            f"{budgets.WORK_SHARE:.0%} of a core; {budgets.WORK_BURST:.0f} s at once",
            "429 `too_fast`",
        ),
        Bound(
            "such work waiting",
            f"{labour.MOST_OF_ONE:,} from an address; hints and reviews "
            f"{study.MOST_OF_ONE}, and {study.MOST_WAITING} in total",
            "503 `too_many`",
        ),
        Bound(
            "sockets",
            f"{usual.max_connections_per_address} from an address, "
            f"{usual.max_connections:,} in total",
            "`too_many`, closed",
        ),
        Bound(
            "frames on a socket, of any kind",
            f"{_rate(frames.rate, frames.brim)}; {protocol.BYTES_OF_A_FRAME} bytes count as one",
            CUT,
        ),
        Bound(
            "a message",
            f"{_size(LARGEST_FRAME)}, {protocol.MOST_FRAGMENTS} frames",
            "closed, or cut off",
        ),
        Bound(
            "messages on a socket",
            _rate(usual.messages_per_second, usual.messages_per_second * sockets.BURST_SECONDS),
            f"`too_fast`; closed after {sockets.PATIENCE} of these, "
            f"and cut off after {protocol.CLOSE_SECONDS:.0f} s",
        ),
        Bound(
            "messages waiting for their turn at a table or sheet",
            f"{live.MOST_WAITING} from an address",
            "`unavailable`",
        ),
        Bound(
            "answers waiting until the database confirms that no other node has the table",
            f"{usual.max_connections_per_address} for an address, "
            f"{awake.MOST_CONFIRMING:,} in total",
            "closed, or 503 `unavailable`",
        ),
        Bound(
            "bytes after a socket was closed",
            f"{_size(protocol.MOST_AFTER_CLOSE)}, {protocol.CLOSE_SECONDS:.0f} s",
            CUT,
        ),
        Bound(
            "messages that a client has not read",
            f"{usual.backlog}, {_size(connection.MOST_WAITING)}",
            CUT,
        ),
        Bound(
            "phrases from a player",
            f"one in {1 / phrases.PER_SECOND:.0f} s; {phrases.AT_ONCE} at once",
            "`too_fast`",
        ),
        Bound(
            "new tables and sheets, including rematches",
            f"{usual.tables_per_minute:.0f} a minute; {one.tables.brim:.0f} at once",
            "429 `too_fast`",
        ),
        Bound(
            "wrong codes",
            f"{usual.guesses_per_minute:.0f} a minute; {one.guesses.brim:.0f} at once",
            "`too_fast` for every code; links work",
        ),
        Bound(
            "requests to be let in by a host",
            f"one in {1 / budgets.KNOCKS_PER_SECOND:.0f} s; {budgets.KNOCKS_AT_ONCE} at once; "
            f"{knocks.MOST_KNOCKS} waiting at a table or sheet",
            "`too_fast`, `too_many`",
        ),
        Bound("rounds of a game", f"{creation.MOST_ROUNDS}", "422 `bad_rules`"),
        Bound(
            "changes at a table besides moves",
            f"{_size(changes.MOST_CHANGES)} of log per player, "
            f"{_size(changes.MOST_BY_ALL)} for all but the host",
            "`full`",
        ),
        Bound(
            "entries of a sheet, characters of a note",
            f"{scoresheets.MOST_ENTRIES:,}, {MAX_NOTE}",
            "`full`, `note_long`",
        ),
        Bound(
            "data written for an address",
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
        Bound("rows in an answer to the operator", f"{overview.MOST}", "the first"),
        Bound("bans in force", f"{bans.MOST_BANS:,}", "those that end last"),
        Bound(
            "replays and reviews kept",
            f"{usual.kept_megabytes:.0f} MB",
            "the least recently used are computed again",
        ),
        Bound("lines in the log", f"one of a kind in {logs.QUIET_SECONDS:.0f} s", "counted"),
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

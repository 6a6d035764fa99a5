"""Reads logs, whether they are in the archive or not.

In the archive, every entry of a log but the last is in one compressed row. The last one stays in
`log`: whatever asks how long a log is or how it ends need not know about the archive, and entries
can still be appended.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from foretold.server.storage.schema import archive, log, tables


class Row(NamedTuple):
    """An entry as the database has it."""

    n: int
    at: int
    entry: bytes


def read_log(connection: Connection, code: str, *conditions: sa.ColumnElement[bool]) -> list[Row]:
    """The whole log of a table or sheet; empty if there is none that meets the conditions on
    `tables`."""
    hot = [Row(n, at, bytes(one)) for n, at, one in connection.execute(_log(code, conditions))]
    if not hot or hot[0].n == 1:
        return hot
    # Entries only ever move to the archive, so those missing are there by now.
    found = connection.execute(sa.select(archive.c.entries).where(archive.c.code == code)).scalar()
    if found is None:
        return []  # deleted just now
    return [*unpacked(bytes(found))[: hot[0].n - 1], *hot]


def _log(code: str, conditions: Iterable[sa.ColumnElement[bool]]) -> sa.Select[Any]:
    joined = log.join(tables, tables.c.code == log.c.code)
    columns = sa.select(log.c.n, log.c.at, log.c.entry).select_from(joined)
    return columns.where(log.c.code == code, *conditions).order_by(log.c.n)


def packed(rows: Sequence[Row]) -> bytes:
    """Entries from the first on: their times, as differences, apart from the entries themselves."""
    times = (0, *(row.at for row in rows))
    data = [after - before for before, after in pairwise(times)], [row.entry for row in rows]
    return zlib.compress(msgspec.msgpack.encode(data), 9)


def unpacked(data: bytes) -> list[Row]:
    times, entries = _DECODER.decode(zlib.decompress(data))
    numbered = enumerate(zip(accumulate(times), entries, strict=True), start=1)
    return [Row(n, at, entry) for n, (at, entry) in numbered]


_DECODER: Final = msgspec.msgpack.Decoder(tuple[list[int], list[bytes]])

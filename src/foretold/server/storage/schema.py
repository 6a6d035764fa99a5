"""The tables of the database, the same for SQLite and PostgreSQL.

Players and the log are the truth. The rest is derived from the log: list entries, so that lists
need not replay anything, and snapshots, so that waking a table need not replay its whole log.

Players' names are only in `players`, and the names on a score sheet only in `sheet_names`: neither
the log nor anything derived from it contains names.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

HEAD: Final = "0009"
"""The last migration."""

metadata: Final = MetaData()

players: Final = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("known", Boolean, nullable=False),
    Column("face", String(20)),
)
"""A player is `known` once they have used a link to another device: their games are kept."""

tables: Final = Table(
    "tables",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("state", String(10), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("n", Integer, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Index("tables_listed", "listed", "updated"),
    Index("tables_updated", "updated", "code"),
)

log: Final = Table(
    "log",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("entry", LargeBinary, nullable=False),
)
"""SQLite keeps it in the order in which it was written: an entry goes at the end, and only its key
to a page that differs from table to table. Databases made by version 0.1 keep it sorted by table,
where every entry changes a page of its own that is four times as full; they still work."""

archive: Final = Table(
    "archive",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("entries", LargeBinary, nullable=False),
)
"""The logs of finished games, packed: their entries up to `n`; the last one stays in `log`."""

seats: Final = Table(
    "seats",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(32), nullable=False),
    Index("seats_player", "player"),
)

snapshots: Final = Table(
    "snapshots",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("made_by", String(16), nullable=False),
    Column("last", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""The state of tables at some entry of their log; any row may be deleted at any time.

Like the log, they contain secrets."""

sheet_names: Final = Table(
    "sheet_names",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(200), nullable=False),
)
"""The names of the people around the real table, as typed on a score sheet."""

marks: Final = Table(
    "marks",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("mark", String(10), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""Marks on a table or sheet that are not in its log: `SHARED`, `HIDDEN`."""

SHARED: Final = "shared"
"""Its replay was shared, so it is kept."""
HIDDEN: Final = "hidden"
"""The operator has hidden it from everyone."""

bans: Final = Table(
    "bans",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("subject", String(50), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""Players and addresses banned for a time; a row is deleted when the ban is over."""

days: Final = Table(
    "days",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("connections", Integer, nullable=False),
    Column("tables", Integer, nullable=False),
)
"""The peak numbers of connections and live tables on each day (UTC)."""

notices: Final = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("about", String(10), nullable=False),
    Column("subject", String(32), nullable=False),
)
"""Changes that a running server must notice; deleted after an hour."""

keys: Final = Table(
    "keys",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("secret", LargeBinary, nullable=False),
)
"""The keys that cookies and links are signed with, unless there is only one, in a file."""

used_links: Final = Table(
    "used_links",
    metadata,
    Column("mark", String(16), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""Links to other devices that have been used; deleted after an hour: they have long expired."""

heartbeat: Final = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
"""One row, written to check that writing works."""

nodes: Final = Table(
    "nodes",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("is_leaving", Boolean, nullable=False),
    Column("hears", Boolean, nullable=False),
    Column("version", String(40), nullable=False),
)
"""The nodes of a site of several processes, each with its lease, in milliseconds of the database's
clock.

A node that is leaving takes no more tables; one that does not hear is cut off from the bus."""

owners: Final = Table(
    "owners",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("node", String(64), nullable=False),
    Column("epoch", BigInteger, nullable=False),
)
"""Which node has a table or sheet in memory, as long as its lease lasts. Each new owner has a
higher epoch, and entries of an earlier one are refused."""

DERIVED: Final = (snapshots, heartbeat, notices, nodes, owners, used_links)
"""Tables that need no backup: they are rebuilt."""

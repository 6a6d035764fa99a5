"""The tables of the database, the same for SQLite and PostgreSQL.

Players and the log are the truth. The rest can be made from the log: what lists say of tables, so
that they need not replay any, and snapshots, so that waking a table need not replay all of it.
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

HEAD: Final = "0003"
"""The last migration."""

metadata: Final = MetaData()

players: Final = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
)

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
)

log: Final = Table(
    "log",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("entry", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

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
"""Where tables stood at a number of their log; any row may be deleted at any time.

They hold names and secrets as the log does: what is erased there must be deleted here."""

heartbeat: Final = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
"""One row, written to find out whether writing works."""

DERIVED: Final = (snapshots, heartbeat)
"""What need not be kept with the rest: it comes back by itself."""

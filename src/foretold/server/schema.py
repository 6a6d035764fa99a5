"""The tables of the database, the same for SQLite and PostgreSQL.

The log is the truth. The rest can be made from it, and is there so that lists of tables need not
replay any.
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

HEAD: Final = "0002"
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

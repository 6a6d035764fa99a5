"""The tables of the database, the same for SQLite and PostgreSQL.

Players and the log are the truth. The rest can be made from the log: what lists say of tables, so
that they need not replay any, and snapshots, so that waking a table need not replay all of it.

The name of a player is in `players` alone, the names on a score sheet are in `sheet_names` alone:
neither the log nor anything made from it has any.
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

HEAD: Final = "0004"
"""The last migration."""

metadata: Final = MetaData()

players: Final = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("known", Boolean, nullable=False),
)
"""Known is who has taken a link to another device: what they played stays."""

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

They hold secrets as the log does."""

sheet_names: Final = Table(
    "sheet_names",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(200), nullable=False),
)
"""Who plays at the real table of a score sheet, as somebody has typed it."""

marks: Final = Table(
    "marks",
    metadata,
    Column("code", String(6), ForeignKey("tables.code"), primary_key=True),
    Column("mark", String(10), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""What was decided about a table or sheet besides what is in its log: `SHARED`, `HIDDEN`."""

SHARED: Final = "shared"
"""Its replay was shared: it stays."""
HIDDEN: Final = "hidden"
"""The operator has hidden it: nobody finds it."""

bans: Final = Table(
    "bans",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("subject", String(50), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""Players and addresses that are not served for a time; a row is deleted when that is over."""

days: Final = Table(
    "days",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("connections", Integer, nullable=False),
    Column("tables", Integer, nullable=False),
)
"""How many connections and live tables there were at most at one moment of a day (UTC)."""

notices: Final = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("about", String(10), nullable=False),
    Column("subject", String(32), nullable=False),
)
"""What was changed past a running server, for it to notice; an hour later they are deleted."""

heartbeat: Final = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
"""One row, written to find out whether writing works."""

DERIVED: Final = (snapshots, heartbeat, notices)
"""What need not be kept with the rest: it comes back by itself."""

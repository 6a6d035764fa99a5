"""Which node owns which table: leases and epochs, in PostgreSQL.

A node has one lease, however many tables it owns; only the database's clock counts. A table belongs
to a node while that node's lease lasts; then anyone may claim it. Each claim raises the table's
epoch, and the writer refuses entries with an old one, so a node that was paused or cut off can do
no harm, however late it wakes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

LEASE_SECONDS: Final = 3.0
"""How long a node that no longer answers keeps its tables."""
FORGET_SECONDS: Final = 3600.0
"""How long the row of a dead node is kept."""

_NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# A lease that ends later than any could was set before the clock was set back, or by another
# server's clock; if its node is alive, it renews the lease within a second.
_LIVES: Final = f"nodes.until BETWEEN {_NOW} AND {_NOW} + {round(2000 * LEASE_SECONDS)}"


class Peer(NamedTuple):
    """A node whose lease has not run out."""

    id: str
    is_leaving: bool
    hears: bool
    """Whether the bus can be reached from there."""


class Owned(NamedTuple):
    """The owner of a table."""

    node: str
    epoch: int


def renew(connection: Connection, node: str, version: str, leaving: bool, hears: bool) -> bool:
    """Take or renew a node's lease; returns whether it had run out in between."""
    values = {
        "node": node,
        "lease": round(LEASE_SECONDS * 1000),
        "leaving": leaving,
        "hears": hears,
        "version": version,
    }
    return bool(connection.execute(_RENEW, values).scalar())


_RENEW: Final = sa.text(f"""
WITH before AS (SELECT {_LIVES} AS lives FROM nodes WHERE id = :node)
INSERT INTO nodes (id, until, is_leaving, hears, version)
VALUES (:node, {_NOW} + :lease, :leaving, :hears, :version)
ON CONFLICT (id) DO UPDATE
SET until = excluded.until, is_leaving = excluded.is_leaving, hears = excluded.hears
RETURNING NOT coalesce((SELECT lives FROM before), false)
""")


def peers(connection: Connection) -> list[Peer]:
    """All nodes with a lease."""
    return [Peer(*row) for row in connection.execute(_PEERS)]


_PEERS: Final = sa.text(f"SELECT id, is_leaving, hears FROM nodes WHERE {_LIVES} ORDER BY id")


def leave(connection: Connection, node: str) -> None:
    """End a lease, so that all tables of the node can be claimed; and forget dead nodes."""
    connection.execute(_LEAVE, {"node": node, "old": round(FORGET_SECONDS * 1000)})


_LEAVE: Final = sa.text(f"DELETE FROM nodes WHERE id = :node OR until < {_NOW} - :old")


def claim(connection: Connection, node: str, codes: Sequence[str]) -> Mapping[str, Owned]:
    """Take those tables and sheets that no other live node owns; returns the owners of all.

    What is not among them does not exist, or the node has no lease.
    """
    values = {"node": node, "codes": list(codes)}
    claimed = {row.code: Owned(node, row.epoch) for row in connection.execute(_CLAIM, values)}
    others = [code for code in codes if code not in claimed]
    if others:
        for row in connection.execute(_OWNERS, {"codes": others}):
            claimed[row.code] = Owned(row.node, row.epoch)
    return claimed


# In the order of their codes, or two nodes that claim the same tables might wait for each other.
_CLAIM: Final = sa.text(f"""
INSERT INTO owners (code, node, epoch)
SELECT tables.code, nodes.id, 1 FROM tables, nodes
WHERE tables.code = ANY(:codes) AND nodes.id = :node AND {_LIVES}
ORDER BY tables.code
ON CONFLICT (code) DO UPDATE SET node = excluded.node, epoch = owners.epoch + 1
WHERE owners.node = excluded.node OR NOT EXISTS (
    SELECT 1 FROM nodes WHERE nodes.id = owners.node AND {_LIVES}
)
RETURNING code, epoch
""")

_OWNERS: Final = sa.text(f"""
SELECT code, node, epoch FROM owners JOIN nodes ON nodes.id = owners.node
WHERE code = ANY(:codes) AND {_LIVES}
""")


def release(connection: Connection, node: str, epochs: Collection[tuple[str, int]]) -> None:
    """Give tables up, so that others can claim them at once; not those claimed again since."""
    values = {
        "node": node,
        "codes": [code for code, _ in epochs],
        "epochs": [epoch for _, epoch in epochs],
    }
    connection.execute(_RELEASE, values)


_RELEASE: Final = sa.text("""
UPDATE owners SET node = '', epoch = owners.epoch + 1
FROM unnest(CAST(:codes AS text[]), CAST(:epochs AS bigint[])) AS mine (code, epoch)
WHERE owners.code = mine.code AND owners.epoch = mine.epoch AND owners.node = :node
""")


def lost(connection: Connection, node: str, epochs: Mapping[str, int]) -> list[str]:
    """Which of these tables somebody else has claimed since."""
    rows = connection.execute(_STILL, {"node": node, "codes": list(epochs)})
    still = {row.code: row.epoch for row in rows}
    return [code for code, epoch in epochs.items() if still.get(code) != epoch]


_STILL: Final = sa.text("SELECT code, epoch FROM owners WHERE node = :node AND code = ANY(:codes)")

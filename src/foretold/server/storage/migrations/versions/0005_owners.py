"""The nodes of a site of several processes, and which of them owns which table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("is_leaving", sa.Boolean, nullable=False),
        sa.Column("hears", sa.Boolean, nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
    )
    op.create_table(
        "owners",
        sa.Column("code", sa.String(6), primary_key=True),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
    )

"""Logs of finished games, packed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "archive",
        sa.Column("code", sa.String(6), sa.ForeignKey("tables.code"), primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("entries", sa.LargeBinary, nullable=False),
    )

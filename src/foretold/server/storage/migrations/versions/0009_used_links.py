"""Links to other devices are marked as used in the database, so that all nodes know."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "used_links",
        sa.Column("mark", sa.String(16), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )

"""Public tables are listed by when something last happened there."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("tables_listed", "tables")
    op.create_index("tables_listed", "tables", ["listed", "updated"])

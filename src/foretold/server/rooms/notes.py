"""What is written down of a table besides its log: what lists say of it, and where it stands."""

from __future__ import annotations

from typing import Final

from foretold.server.observing.logs import logger
from foretold.server.storage.listing import Listed
from foretold.server.storage.store import Store
from foretold.server.storage.summaries import listed_of
from foretold.server.storage.writer import told
from foretold.table.audience import Audience
from foretold.table.snapshots import snapshot_of

SNAPSHOT_EVERY: Final = 80
"""How many entries a log is ahead of the last snapshot before, at the end of a round, another is
made."""
SNAPSHOT_AT_REST: Final = 10
"""The same for a table that goes to sleep, or whose server stops."""


class Notes:
    """Of one table; all of it can be made from the log again."""

    def __init__(self, store: Store, audience: Audience, snapshot_n: int) -> None:
        self._store = store
        self._audience = audience
        self._snapshot_n = snapshot_n
        """The number of its log at which the last snapshot was made, or 0."""
        self._listed: Listed | None = None

    @property
    def listed(self) -> Listed:
        """What lists say of it now."""
        table = self._audience.table
        if self._listed is None or self._listed.n != table.n:
            self._listed = listed_of(table)
        return self._listed

    @property
    def are_behind(self) -> bool:
        """Whether the table is so far ahead that a snapshot is due while it is played."""
        return self._ahead >= SNAPSHOT_EVERY

    @property
    def _ahead(self) -> int:
        return self._audience.table.n - self._snapshot_n

    def names_changed(self) -> None:
        self._listed = None

    async def write(self, every: int = SNAPSHOT_EVERY) -> None:
        """Write it down, with a snapshot if the log is so many entries ahead of the last."""
        snapshot = None
        if self._ahead >= every:
            snapshot = snapshot_of(self._audience)
            self._snapshot_n = snapshot.n
        try:
            await self._store.summarise(self.listed, snapshot)
        except Exception as error:  # lists will replay the log
            code = self._audience.table.code
            logger().warning("no summary", table=code, fault=told(error))

"""What is saved about a table besides its log: its list entry and snapshots."""

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
"""How many entries the log must be ahead of the last snapshot for another to be made, at the end of
a round."""
SNAPSHOT_AT_REST: Final = 10
"""The same when a table goes to sleep, or the server stops."""


class Notes:
    """The notes of one table; everything in them can be derived from the log."""

    def __init__(self, store: Store, audience: Audience, snapshot_n: int) -> None:
        self._store = store
        self._audience = audience
        self._snapshot_n = snapshot_n
        """The number of the log entry with the last snapshot, or 0."""
        self._listed: Listed | None = None
        self.are_prepared = False
        """Whether a snapshot is ready for the table's next owner; none made here may replace it."""

    @property
    def listed(self) -> Listed:
        """Its current list entry."""
        table = self._audience.table
        if self._listed is None or self._listed.n != table.n:
            self._listed = listed_of(table)
        return self._listed

    @property
    def are_behind(self) -> bool:
        """Whether a snapshot is due during play."""
        return self._ahead >= SNAPSHOT_EVERY

    @property
    def _ahead(self) -> int:
        return self._audience.table.n - self._snapshot_n

    def names_changed(self) -> None:
        self._listed = None

    async def write(self, every: int = SNAPSHOT_EVERY) -> None:
        """Save the list entry, and a snapshot if the log is this many entries ahead of the last."""
        snapshot = None
        if self._ahead >= every and not self.are_prepared:
            snapshot = snapshot_of(self._audience)
            self._snapshot_n = snapshot.n
        try:
            await self._store.summarise(self.listed, snapshot)
        except Exception as error:  # lists will replay the log
            code = self._audience.table.code
            logger().warning("no summary", table=code, fault=told(error))

"""Links to other devices: each works once, whichever node it is used at."""

from __future__ import annotations

from typing import Final

from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.writes import ConflictError, Write
from foretold.table.refusals import Refused

MOST_UNSURE: Final = 1000


class DeviceLinks:
    """Marks links as used, in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unsure: set[str] = set()
        """Marks that may have been saved although their browser was told to try again."""

    async def use(self, player: str, mark: str) -> None:
        """Use up a link; raises `Refused` if that was done before. A temporary refusal does not
        use it up."""
        try:
            await self._store.know(player, (Write.USE_LINK, {"mark": mark, "at": now_ms()}))
        except ConflictError:
            if mark not in self._unsure:
                raise Refused("bad_link") from None
        except Refused:
            if len(self._unsure) < MOST_UNSURE:
                self._unsure.add(mark)
            raise
        self._unsure.discard(mark)

"""Records, replays and reviews: of a finished game each is worked out once, and kept."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from foretold.record import RecordData
from foretold.server.kept import Kept, Packed
from foretold.server.rooms import Rooms
from foretold.server.store import Store
from foretold.server.study import Study
from foretold.table.entries import Logged
from foretold.table.refusals import Refused
from foretold.table.replay import replay_data
from foretold.table.table import Table

OVER = "over"


class Archive:
    """What can be read of games; what is asked for twice at once is worked out once."""

    def __init__(self, kept: Kept, rooms: Rooms, store: Store, study: Study) -> None:
        self._kept = kept
        self._rooms = rooms
        self._store = store
        self._study = study
        self._under_way: dict[str, asyncio.Task[Packed]] = {}

    async def record(self, code: str, player: str | None) -> Packed:
        """The record of a game; while it is under way, of its finished rounds."""
        return await self._read(code, f"{code}-record", lambda log: _record(code, log, player))

    async def replay(self, code: str, viewer: int | None, player: str | None) -> Packed:
        """The game step by step, all hands open or as one seat saw it."""
        key = f"{code}-replay-{'open' if viewer is None else viewer}"
        return await self._read(code, key, lambda log: _replay(code, log, viewer, player))

    async def review(self, code: str) -> Packed:
        """What the decisions of a finished game gave away."""
        if await self._state(code) != OVER:
            raise Refused("not_over")

        async def work_out() -> Packed:
            log = await self._rooms.log_of(code)
            found = await self._store.run(lambda: _finished(code, log))
            told = await self._study.review(found)
            return await self._store.run(lambda: _packed(told))

        return await self._once(f"{code}-review", work_out)

    async def close(self) -> None:
        for task in tuple(self._under_way.values()):
            task.cancel()
        await self._kept.close()

    async def _state(self, code: str) -> str:
        return str((await self._rooms.summary(code, None))["state"])

    async def _read(
        self, code: str, key: str, make: Callable[[Sequence[Logged]], Packed]
    ) -> Packed:
        """From what is kept, if the game is over; else it is worked out anew, for it goes on."""

        async def work_out() -> Packed:
            log = await self._rooms.log_of(code)
            return await self._store.run(lambda: make(log))

        if await self._state(code) != OVER:
            return await work_out()
        return await self._once(key, work_out)

    async def _once(self, key: str, work_out: Callable[[], Awaitable[Packed]]) -> Packed:
        found = await self._kept.get(key)
        if found is not None:
            return found
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(self._keep(key, work_out))
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        # Shielded: others may be waiting for it too.
        return await asyncio.shield(task)

    async def _keep(self, key: str, work_out: Callable[[], Awaitable[Packed]]) -> Packed:
        packed = await work_out()
        await self._kept.put(key, packed)
        return packed


def _watched(code: str, log: Sequence[Logged], player: str | None) -> Table:
    """The table, for somebody who may watch it; raises `Refused`."""
    table = Table.replayed(code, log)
    is_seated = player is not None and table.seat_of(player) is not None
    if not is_seated and table.state != OVER and not table.settings.spectators:
        raise Refused("not_available", "this game is not open to spectators until it is over")
    return table


def _record(code: str, log: Sequence[Logged], player: str | None) -> Packed:
    found = _watched(code, log, player).record()
    if found is None:
        raise Refused("not_available")
    return _packed(msgspec.json.encode(found))


def _replay(code: str, log: Sequence[Logged], viewer: int | None, player: str | None) -> Packed:
    table = _watched(code, log, player)
    if viewer is not None and viewer >= table.rules.players:
        raise Refused("not_available")
    found = replay_data(code, log, viewer)
    if found is None:
        raise Refused("not_available")
    return _packed(msgspec.json.encode(found))


def _finished(code: str, log: Sequence[Logged]) -> RecordData:
    found = Table.replayed(code, log).record()
    assert found is not None
    return found


def _packed(text: bytes) -> Packed:
    return Packed.of(gzip.compress(text, 6, mtime=0))

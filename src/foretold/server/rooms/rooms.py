"""All live tables, and the list entries of those asleep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec

from foretold.protocol.settings import TableSettings
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors, Visitor, opens_by_code
from foretold.server.quotas.budgets import Budgets, asked_by
from foretold.server.quotas.sizes import PLAYER, table_size
from foretold.server.rooms.awake import ElsewhereError, LiveRooms
from foretold.server.rooms.lines import Lines
from foretold.server.rooms.notes import SNAPSHOT_AT_REST, Notes
from foretold.server.rooms.room import Room
from foretold.server.settings import ServerSettings
from foretold.server.storage.listing import MOST_LISTED, Found, Listed
from foretold.server.storage.reading import Rows
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of, summary_data
from foretold.server.storage.waking import Woken
from foretold.server.storage.writer import OUTAGES
from foretold.server.storage.writes import ConflictError
from foretold.server.workers.bots import BotPool
from foretold.table.creation import new_code
from foretold.table.entries import FORMER, Created, Entry, Logged
from foretold.table.refusals import Refused
from foretold.table.table import Table

TRIES: Final = 10
RECENT_MINUTES: Final = 15
"""How long a public table is listed after its players have gone."""
SUMMARY_SECONDS: Final = 0.5
"""How long the list entries of tables that finish a round are gathered, to be saved together. On a
busy server, every commit would otherwise include some, and take four statements instead of one."""


class Rooms(LiveRooms[Room]):
    """The live tables by code."""

    def __init__(
        self,
        settings: ServerSettings,
        store: Store,
        bots: BotPool,
        metrics: Metrics,
        budgets: Budgets,
        doors: Doors,
    ) -> None:
        super().__init__(settings, store, metrics, budgets, doors)
        self.bots = bots
        self.lines = Lines()
        self._noting: set[str] = set()
        """Sleeping tables whose summaries are being saved."""
        self._unsaved: set[Room] = set()
        """Tables that have finished a round since their list entry was saved."""
        self.public_elsewhere: Callable[[], frozenset[str]] = frozenset
        """Public tables with players present at other nodes."""
        metrics.tables.set_function(lambda: len(self._rooms))

    def rename(self, player: str, name: str) -> None:
        super().rename(player, name)
        if name == FORMER:
            self.lines.forget(player)

    def summarise_soon(self, room: Room) -> None:
        """A round has ended: save the list entry, together with others unless the game is over."""
        if room.table.state == "over":
            self.start(room.summarise())
            return
        if not self._unsaved:
            asyncio.get_running_loop().call_later(SUMMARY_SECONDS, self._summarise_all)
        self._unsaved.add(room)

    def _summarise_all(self) -> None:
        unsaved, self._unsaved = self._unsaved, set()
        for room in unsaved:
            if room.is_open:  # or it was saved on closing, or will be by whoever has the table now
                self.start(room.summarise())

    async def open_table(self, created: Created, *more: Entry, newcomer: str | None = None) -> str:
        """Create a table, and its host if that is a newcomer of that name; returns its code."""
        self.charge_new(table_size(created, more))
        if newcomer is not None:  # only now: a refusal must not leave a player behind
            self.charge(asked_by.get(), PLAYER)
            await self.store.add_player(created.host, newcomer)
        for _ in range(TRIES):
            code = new_code()
            entries = [Logged(n, now_ms(), one) for n, one in enumerate((created, *more), start=1)]
            try:
                await self.store.add_table(code, entries, listed_of(Table.replayed(code, entries)))
            except ConflictError:
                continue
            return code
        raise Refused("busy")

    async def summary(self, code: str, player: str | None = None) -> dict[str, Any]:
        found = await self.store.table(code, player)
        if found is None:
            raise Refused("no_table")
        return summary_data(await self._listed(found), found.seat)

    async def enter(self, code: str, visitor: Visitor) -> dict[str, Any]:
        """A table's list entry, for a visitor who may see it; raises `Refused`."""
        summary = await self.found(visitor.source, self.summary(code, visitor.player))
        settings = msgspec.convert(summary["settings"], TableSettings)
        by_code = opens_by_code(summary["state"], settings)
        knows = summary["your_seat"] is not None
        if not (knows or by_code or visitor.player is None or self.doors.has_key(code, visitor)):
            knows = (await self.table_of(code)).knows(visitor.player)
        self.doors.check(code, visitor, knows=knows, opens_by_code=by_code)
        if knows or self.doors.has_key(code, visitor):
            summary["key"] = self.doors.key_of(code)
        return summary

    async def move_seat(self, code: str, before: str, player: str, name: str) -> None:
        """Move a player's seat to another browser; raises `Refused` if that is impossible."""
        while True:
            room = await self._room(code)
            try:
                await room.move_seat(before, player, name)
            except (ConflictError, *OUTAGES):
                continue  # the room has been given up
            finally:
                self.let_sleep(room)  # nobody may be there yet
            return

    async def summaries_of(self, player: str) -> list[dict[str, Any]]:
        found = await self.store.tables_of(player)
        keys = ({"key": self.doors.key_of(one.code)} for one in found)
        told = [summary_data(await self._listed(one), one.seat) for one in found]
        return [one | key for one, key in zip(told, keys, strict=True)]

    def public_codes(self) -> list[str]:
        """Public tables with players present, the newest first."""
        rooms = [
            (-room.listed.summary["created"], room.code)
            for room in self._rooms.values()
            if room.table.settings.public and room.has_players
        ]
        return [code for _, code in sorted(rooms)[:MOST_LISTED]]

    async def public_summaries(self, player: str | None) -> list[dict[str, Any]]:
        """Public tables with players present or recent activity; newest first."""
        found = [
            (room.listed, room.table.seat_of(player))
            for room in self._rooms.values()
            if room.table.settings.public and room.has_players
        ]
        known = {listed.summary["code"] for listed, _ in found}
        for code in self.public_elsewhere() - known:
            there = await self.store.table(code, player)
            if there is not None:
                known.add(code)
                found.append((await self._listed(there), there.seat))
        for one in await self.store.public_tables(player, now_ms() - RECENT_MINUTES * 60_000):
            if one.code not in known:
                found.append((await self._listed(one), one.seat))
        public = [one for one in found if one[0].is_public]
        public.sort(key=lambda one: -one[0].summary["created"])
        return [summary_data(listed, seat) for listed, seat in public[:MOST_LISTED]]

    async def rows_of(self, code: str) -> Rows:
        rows = await self.store.rows_of(code)
        if not rows.entries:
            raise Refused("no_table")
        return rows

    async def table_of(self, code: str) -> Table:
        """The table now; a sleeping one stays awake for a while in case of further requests."""
        while True:
            try:
                room = await self._room(code)
            except ElsewhereError:
                return (await self._woken(code)).audience.table  # the log is the same for all
            if room.is_empty:
                self.let_sleep(room)
            if await self._is_ours(room, asked_by.get()):
                return room.table

    async def wake(self, code: str) -> Room:
        woken = await self._woken(code)
        room = Room(self, woken.audience, woken.snapshot_n)
        if not woken.snapshot_n and room.notes.are_behind:
            self.start(room.summarise())  # so that it need not be replayed again
        return room

    async def prepare_elsewhere(self, room: Room) -> None:
        assert self.claims is not None
        room.notes.are_prepared = await self.claims.prepare(room.code)

    async def prepare(self, code: str) -> None:
        """Save a snapshot of a table of another node, unless there is a recent one already that
        this version can read."""
        if self._is_stopping:
            raise Refused("restarting")
        woken = await self._woken(code)
        await Notes(self.store, woken.audience, woken.snapshot_n).write(SNAPSHOT_AT_REST)

    async def _woken(self, code: str) -> Woken:
        woken = await self.store.wake(code)
        if woken is None:
            raise Refused("no_table")
        return woken

    async def _listed(self, found: Found) -> Listed:
        """A table's list entry: from memory, or from its log if that is newer."""
        room = self._rooms.get(found.code)
        if room is not None:
            return room.listed
        if found.is_current:
            return found.listed
        try:
            woken = await self._woken(found.code)
        except Refused:
            return found.listed  # the asker is over their budget, or it was just deleted
        except Exception:
            logger().exception("a log cannot be read", table=found.code)
            return found.listed  # one outdated entry is better than no list
        notes = Notes(self.store, woken.audience, woken.snapshot_n)
        if found.code not in self._noting:
            self._noting.add(found.code)
            self.start(self._note(found.code, notes))  # in the background, so that no reader waits
        return notes.listed

    async def _note(self, code: str, notes: Notes) -> None:
        try:
            await notes.write()
        finally:
            self._noting.discard(code)

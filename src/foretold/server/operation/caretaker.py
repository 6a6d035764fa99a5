"""Background work of a running server: it follows changes made elsewhere, archives and deletes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from foretold.server.observing.logs import logger
from foretold.server.operation.acts import (
    ABOUT_BANS,
    ABOUT_KEYS,
    ABOUT_PLAYER,
    ABOUT_TABLE,
    STEP_PAUSE,
    Acts,
)
from foretold.server.operation.retention import DAY_MS
from foretold.server.people.bans import Bans, current_bans
from foretold.server.people.keys import Keys, read_keys
from foretold.server.quotas.budgets import Budgets
from foretold.server.replays.archive import Archive
from foretold.server.rooms.rooms import Rooms
from foretold.server.rooms.scoresheets import Sheets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import scrub
from foretold.server.storage.schema import days, notices
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.writer import OUTAGES
from foretold.table.entries import FORMER
from foretold.table.refusals import Refused

Answer = TypeVar("Answer")

LOOK_SECONDS: Final = 2.0
"""Seconds between two checks for notices."""
OVERLAP_MS: Final = 60_000
"""A notice may become visible after a later one, and clocks differ."""
TIDY_SECONDS: Final = 3600.0
PAUSE_SECONDS: Final = 0.2
"""Seconds between two batches of deletions."""
SCRUBS: Final = 20
"""How often to try to empty the write-ahead log; it may be in use each time."""


class Caretaker:
    """One per server. Created inside the event loop, where everything but the acts runs."""

    def __init__(
        self,
        settings: ServerSettings,
        engine: Engine,
        store: Store,
        rooms: Rooms,
        sheets: Sheets,
        archive: Archive,
        budgets: Budgets,
        keys: Keys,
    ) -> None:
        self.acts = Acts(engine)
        self._engine = engine
        self.bans = Bans()
        self._settings = settings
        self._store = store
        self._rooms = rooms
        self._sheets = sheets
        self._archive = archive
        self._keys = keys
        self._looked = now_ms()
        self._looking = asyncio.Lock()
        with engine.connect() as connection:
            found = connection.execute(_since(self._looked)).all()
            self.bans.replace(current_bans(connection))
        self._seen = {row.id for row in found}
        """The latest notices, already handled."""
        self._spread: Callable[[], None] = lambda: None
        self._census: Callable[[], tuple[int, int]] = lambda: (budgets.places.taken, len(rooms))
        self._day = ("", 0, 0)
        self._archived = (0, "")
        """Every game quiet for longer than this one is in the archive, or was in use."""
        self._tasks = [asyncio.create_task(self._look_on()), asyncio.create_task(self._forget_on())]

    def share(self, spread: Callable[[], None], census: Callable[[], tuple[int, int]]) -> None:
        """With several nodes: `spread` tells the others of notices; `census` gives the sockets and
        tables of all."""
        self._spread, self._census = spread, census

    async def do(self, act: Callable[[], Answer]) -> Answer:
        """Do an act when its turn comes, charge the asker's address, and apply its notices."""
        answer = await self._run(act)
        self._spread()
        await self.look()
        return answer

    async def erase(self, player: str) -> None:
        """The same for erasing a player: others get turns, and can write, between the steps."""
        steps = self.acts.erase(player)
        while await self._run(partial(next, steps, None)) is not None:
            await asyncio.sleep(STEP_PAUSE)
        self._spread()
        await self.look()

    async def _run(self, act: Callable[[], Answer]) -> Answer:
        try:
            return await self._store.run(act)
        except (*OUTAGES, IntegrityError) as error:
            logger().error("an act failed", fault=type(error).__name__)
            raise Refused("unavailable") from None

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    # Changes made elsewhere

    async def look(self) -> None:
        """Handle new notices."""
        async with self._looking:
            query, now = _since(self._looked), now_ms()
            found = await self._store.read(lambda connection: connection.execute(query).all())
            new = [(row.about, row.subject) for row in found if row.id not in self._seen]
            for about, subject in new:
                if about == ABOUT_PLAYER:
                    self._store.forget_name(subject)  # before anyone returns to a table
            for about, subject in dict.fromkeys(new):
                if about == ABOUT_BANS:
                    await self._notice_bans()
                elif about == ABOUT_KEYS:
                    self._keys.replace(await self._store.read(read_keys))
                elif about == ABOUT_PLAYER:
                    await self._notice_player(subject)
                elif about == ABOUT_TABLE:
                    self._archive.forget(subject)
                    self._rooms.renew(subject)
                    self._sheets.renew(subject)
                await asyncio.sleep(0)  # there may be thousands
            # Only now that all are handled: handling one twice does no harm.
            self._looked, self._seen = now, {row.id for row in found}

    async def _notice_bans(self) -> None:
        self.bans.replace(await self._store.read(current_bans))
        for rooms in (self._rooms, self._sheets):
            rooms.send_away(lambda one: self.bans.is_banned(one.player, one.source))

    async def _notice_player(self, player: str) -> None:
        name = await self._store.name_of(player)
        for rooms in (self._rooms, self._sheets):
            rooms.rename(player, FORMER if name is None else name)
            if name is None:
                rooms.send_away(lambda one: one.player == player)

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
                await self._note_peaks()
                if self.bans.has_ended:
                    await self.do(self.acts.tidy)
                    await self._notice_bans()
            except Refused:
                pass  # the database does not answer; that is logged elsewhere
            except Exception:
                logger().exception("the caretaker failed")

    async def _note_peaks(self) -> None:
        """Save today's peak numbers, if they are new peaks."""
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        if self._day[0] != today:
            query = sa.select(days).where(days.c.day == today)
            row = await self._store.read(lambda connection: connection.execute(query).first())
            self._day = (today, 0, 0) if row is None else tuple(row)
        _, most_connections, most_tables = self._day
        connections, tables = self._census()
        peak = (today, max(most_connections, connections), max(most_tables, tables))
        if peak != self._day:
            await self._store.note_day(*peak)
            self._day = peak

    # Expiry

    async def _forget_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.forget()
            except Refused:
                pass
            except Exception:
                logger().exception("archiving and expiry failed")
            await asyncio.sleep(TIDY_SECONDS)

    async def forget(self) -> None:
        """Archive finished games and delete what has expired, a little at a time; then make sure
        that names erased since the last time are gone from the files."""
        await self.do(self.acts.tidy)
        await self._archive_games()
        if self._settings.keep_days:
            await self._expire(self._settings.keep_days)
        for _ in range(SCRUBS):
            if await self._run(partial(scrub, self._engine)):
                return
            await asyncio.sleep(PAUSE_SECONDS)
        logger().warning("the write-ahead log is in use: what was erased is still in it")

    async def _expire(self, keep: float) -> None:
        before = now_ms() - round(keep * DAY_MS)
        after: tuple[int, str] | None = (0, "")
        while after is not None:
            here = {*self._rooms.codes, *self._sheets.codes}
            after, gone = await self.do(partial(self.acts.expire, before, after, here))
            for code in gone:
                self._archive.forget(code)
            await asyncio.sleep(PAUSE_SECONDS)
        last: str | None = ""
        while last is not None:
            connected = self._rooms.players | self._sheets.players
            last, players = await self.do(
                partial(self.acts.expire_players, before, last, connected)
            )
            for player in players:
                self._store.forget_name(player)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _archive_games(self) -> None:
        days = self._settings.archive_days
        before = now_ms() - round(days * DAY_MS) if days else 0
        after: tuple[int, str] | None = self._archived
        while after is not None:
            self._archived = after
            act = partial(self.acts.archive, before, after, frozenset(self._rooms.codes))
            after, _ = await self._run(act)
            await asyncio.sleep(PAUSE_SECONDS)


def _since(looked: int) -> sa.Select[Any]:
    return sa.select(notices).where(notices.c.at >= looked - OVERLAP_MS).order_by(notices.c.id)

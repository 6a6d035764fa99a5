"""The store of players, tables and their logs. Reads run outside the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from foretold.scoresheet import entries as sheet_entries
from foretold.scoresheet.entries import Opened, Written, named_sheet
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import span
from foretold.server.quotas.budgets import asked_by
from foretold.server.storage.listing import (
    Found,
    Listed,
    find_sheets,
    find_tables,
    names_on_sheet,
    seated_names,
    sheet_row,
    summary_row,
    tables_query,
)
from foretold.server.storage.logs import read_log
from foretold.server.storage.lots import Lots
from foretold.server.storage.reading import Rows
from foretold.server.storage.schema import SHARED, players, seats, tables
from foretold.server.storage.steps import appended, seated, written_down
from foretold.server.storage.waking import (
    SHEET,
    Woken,
    find_asleep,
    from_snapshots,
    hidden_among,
    is_visible,
    names_of,
    woken,
)
from foretold.server.storage.writer import OUTAGES, GoneError, Then, Writer, told
from foretold.server.storage.writes import ConflictError, Step, Write
from foretold.server.workers.labour import MOST_OF_ONE, Labour, Turnstile, refused_turn
from foretold.table.entries import (
    BotCame,
    Cleared,
    Created,
    Left,
    Logged,
    PlayerSeat,
    Sat,
    decode_entry,
    named_log,
)
from foretold.table.refusals import Refused
from foretold.table.snapshots import Snapshot

Answer = TypeVar("Answer")

READERS: Final = 4
READ_SECONDS: Final = 6.0
"""How long a read may take, including the wait for a free reader."""
WRITE_SECONDS: Final = 5.0
"""How long to wait for saving a new player, table or sheet; moves wait until they can be saved."""
CLOSE_SECONDS: Final = 2.0
FORGOTTEN_SECONDS: Final = 10.0
"""How long a name is not cached after `forget_name`: any read begun before that has ended by
then."""
_MOST_NAMES: Final = 50_000
WAKE_AT_ONCE: Final = 16
"""Tables that are restored from their snapshots in one go: that takes a thread a few hundredths of
a second."""
NAMES_AT_ONCE: Final = 200

FINISHED: Final = ("over", "closed")
"""The states of a table whose game is over."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """The database as rooms and endpoints use it."""

    def __init__(self, engine: Engine, metrics: Metrics, labour: Labour | None = None) -> None:
        self._engine = engine
        self._labour = labour or Labour()
        self._writer = Writer(engine, metrics)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._sleepers = Lots(self._wake_many, WAKE_AT_ONCE, MOST_OF_ONE, refused_turn)
        self._logs = Turnstile(float("inf"), MOST_OF_ONE)
        self._unknown = Lots(self._names_of, NAMES_AT_ONCE)
        self._metrics = metrics
        self._names: dict[str, str] = {}
        self._forgotten: dict[str, float] = {}
        """When names were forgotten, latest last."""

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Everything waiting is on disk when this returns, if the database can be written to."""
        await self._writer.close(min(seconds, CLOSE_SECONDS))
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._labour.close()
        self._engine.dispose()

    @property
    def saving_for(self) -> float:
        """Seconds the pending writes have waited; large when writing fails."""
        return self._writer.busy_for

    async def beat(self) -> None:
        """Write something to check that writing works; raises `Refused` if it does not."""
        await self._save((Write.BEAT, {"id": 1, "at": now_ms()}))

    async def read(
        self,
        ask: Callable[[Connection], Answer],
        turn: AbstractAsyncContextManager[None] | None = None,
    ) -> Answer:
        """Query the database, off the event loop; raises `Refused` if it does not answer.

        Longer queries wait for a `turn` first, so that they never occupy all readers.
        """
        loop = asyncio.get_running_loop()
        async with self._in_time(), turn or nullcontext():
            return await loop.run_in_executor(self._readers, self._ask, ask)

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """Wait for the database, but not for long; raises `Refused` if it does not answer."""
        start = time.monotonic()
        try:
            async with asyncio.timeout(READ_SECONDS):
                yield
        except (TimeoutError, *OUTAGES) as error:
            self._metrics.read_failures.inc()
            logger().error("the database cannot be read", fault=told(error))
            raise Refused("unavailable") from None
        finally:
            self._metrics.read_seconds.observe(time.monotonic() - start)

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Do longer work off the event loop; reads do not wait for it."""
        return await self._labour.do(work)

    def _ask(self, ask: Callable[[Connection], Answer]) -> Answer:
        with self._engine.connect() as connection:
            return ask(connection)

    async def _save(self, *steps: Step) -> None:
        """Write something that somebody is waiting for; raises `Refused` if that fails."""
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._writer.written(*steps)
        except (TimeoutError, *OUTAGES):
            raise Refused("unavailable") from None
        except GoneError:
            raise Refused("no_name") from None

    # Players

    async def name_of(self, player: str) -> str | None:
        """A player's name, if the player exists."""
        known = self._names.get(player)
        if known is not None:
            return known
        async with self._in_time():
            name = await self._unknown.ask(player)
        if name is not None:
            self._remember(player, name)
        return name

    async def _names_of(self, ids: Sequence[str]) -> Mapping[str, str | None]:
        names = await self.read(lambda connection: names_of(connection, set(ids)))
        return {one: names.get(one) for one in ids}

    async def face_of(self, player: str) -> str | None:
        """The face that a player has chosen, if any."""
        query = sa.select(players.c.face).where(players.c.id == player)
        return await self.read(lambda connection: connection.execute(query).scalar())

    async def add_player(self, player: str, name: str, face: str | None = None) -> None:
        values = {"id": player, "name": name, "created": now_ms(), "known": False, "face": face}
        await self._save((Write.NEW_PLAYER, values))
        self._remember(player, name)

    async def rename(self, player: str, name: str, face: str | None) -> None:
        """Raises `Refused` if the player no longer exists."""
        await self._save((Write.RENAME, {"player": player, "name": name, "face": face}))
        self._remember(player, name)

    async def know(self, player: str, *more: Step) -> None:
        """Mark a player who has used a link, so that their games are kept, and write `more`."""
        await self._save((Write.KNOW, {"player": player}), *more)

    async def note_day(self, day: str, connections: int, tables: int) -> None:
        """Save a day's peak numbers."""
        await self._save((Write.DAY, {"day": day, "connections": connections, "tables": tables}))

    def forget_name(self, player: str) -> None:
        """The name was changed elsewhere: look it up again next time."""
        self._names.pop(player, None)
        now = time.monotonic()
        self._forgotten.pop(player, None)
        self._forgotten[player] = now
        while now - self._forgotten[oldest := next(iter(self._forgotten))] > FORGOTTEN_SECONDS:
            del self._forgotten[oldest]

    def _remember(self, player: str, name: str) -> None:
        if time.monotonic() - self._forgotten.get(player, float("-inf")) < FORGOTTEN_SECONDS:
            return  # it may have been read before that
        if len(self._names) >= _MOST_NAMES:
            self._names.clear()
        self._names[player] = name

    # Tables

    async def add_table(self, code: str, entries: Sequence[Logged], listed: Listed) -> None:
        """Save a new table; raises `ConflictError` if the code is taken."""
        first = entries[0].entry
        assert isinstance(first, Created)
        sitting = [
            seated(code, seat, one.player)
            for seat, one in enumerate(first.seats)
            if isinstance(one, PlayerSeat)
        ]
        appending = [appended(code, one) for one in entries]
        await self._save((Write.NEW_TABLE, summary_row(listed)), *sitting, *appending)

    def append(self, code: str, logged: Logged, then: Then, epoch: int | None = None) -> None:
        """Append to a table's log; calls back with `ConflictError` if the number is taken, or the
        epoch is over."""
        steps = [appended(code, logged, epoch)]
        entry = logged.entry
        if isinstance(entry, (Sat, Left, Cleared, BotCame)):
            steps.append((Write.STAND_UP, {"table": code, "place": entry.seat}))
        if isinstance(entry, Sat):
            steps.append(seated(code, entry.seat, entry.player))
        self._writer.write(steps, then)

    def confirm(self, code: str, epoch: int, then: Then) -> None:
        """Call back once everything appended before is written; with `ConflictError` if another
        node has claimed the table."""
        self._writer.write([(Write.CONFIRM, {"code": code, "epoch": epoch})], then)

    async def summarise(self, listed: Listed, snapshot: Snapshot | None = None) -> None:
        """Save a table's list entry, and a snapshot; does nothing if it was deleted."""
        steps = [(Write.SUMMARY, summary_row(listed))]
        if snapshot is not None:
            row = msgspec.structs.asdict(snapshot)
            steps.append((Write.SNAPSHOT, {"code": listed.summary["code"], **row}))
        await self._writer.written(*steps)

    async def wake(self, code: str) -> Woken | None:
        """Load a table, from its snapshot if that is valid; None if there is no table.

        The asker's address pays; the addresses take turns. Whole logs are read one at a time, and
        replayed one at a time.
        """
        with span("wake", code=code):
            self._labour.check()
            source = asked_by.get()
            async with self._in_time():
                is_there, table = await self._sleepers.ask(code, source)
            if table is not None:
                self._labour.charge(table.seconds)
            elif is_there:
                find = partial(find_asleep, code=code)
                asleep = await self.read(find, self._logs.turn(source))
                if asleep is not None:
                    self._labour.charge(asleep.seconds)
                    table = await self.run(partial(woken, asleep))
            if table is not None:
                kind = "snapshot" if table.snapshot_n else "log"
                self._metrics.wake_seconds.labels(kind).observe(table.seconds)
        return table

    async def _wake_many(self, codes: Sequence[str]) -> Mapping[str, tuple[bool, Woken | None]]:
        """Whether each may exist, and the table itself if its snapshot is valid."""

        def ask(connection: Connection) -> Mapping[str, tuple[bool, Woken | None]]:
            hidden = hidden_among(connection, codes)
            found = from_snapshots(connection, [one for one in codes if one not in hidden])
            return {one: (one not in hidden, found.get(one)) for one in codes}

        return await self.read(ask)

    async def log_of(self, code: str) -> list[Logged]:
        """A table's whole log; empty if there is no such table."""
        rows = (await self.rows_of(code)).entries
        log = await self.run(lambda: [Logged(n, at, decode_entry(one)) for n, at, one in rows])
        return await self.read(lambda connection: named_log(log, partial(names_of, connection)))

    async def rows_of(self, code: str) -> Rows:
        """The same, as the database has it."""
        is_table = tables.c.state != SHEET, is_visible(tables.c.code)

        def ask(connection: Connection) -> Rows:
            return Rows(read_log(connection, code, *is_table), seated_names(connection, code))

        return await self.read(ask)

    async def table(self, code: str, player: str | None) -> Found | None:
        found = await self._find(tables_query(player).where(tables.c.code == code))
        return found[0] if found else None

    async def tables_of(self, player: str) -> list[Found]:
        """The tables where a player sits: unfinished ones first, then latest first."""
        is_finished = sa.case((tables.c.state.in_(FINISHED), 1), else_=0)
        query = tables_query(player).where(seats.c.player == player)
        return await self._find(query.order_by(is_finished, tables.c.updated.desc()))

    async def public_tables(self, player: str | None, since: int) -> list[Found]:
        """Public tables with activity since then, latest first."""
        query = tables_query(player).where(tables.c.listed, tables.c.updated >= since)
        return await self._find(query.order_by(tables.c.updated.desc()))

    async def _find(self, query: sa.Select[Any]) -> list[Found]:
        return await self.read(lambda connection: find_tables(connection, query))

    async def share(self, code: str) -> None:
        """Mark a game whose replay was shared, so that it is kept."""
        try:
            await self._save((Write.MARK, {"code": code, "mark": SHARED, "at": now_ms()}))
        except ConflictError:
            raise Refused("no_table") from None  # deleted at the same moment

    # Score sheets: in the same database tables, distinguished by their state

    async def add_sheet(
        self, code: str, written: Written, summary: dict[str, Any], player: str
    ) -> None:
        """Save a new sheet; raises `ConflictError` if the code is taken."""
        await self._save(
            (Write.NEW_TABLE, sheet_row(summary, written.n)),
            seated(code, written.n, player),
            *written_down(code, written),
        )

    async def append_sheet(
        self, code: str, written: Written, newcomer: str | None, epoch: int | None = None
    ) -> None:
        """Write an entry to a sheet's log, and add the sheet to a newcomer's list."""
        steps = written_down(code, written, epoch)
        if newcomer is not None:
            known = sa.select(seats.c.seat).where(seats.c.code == code, seats.c.player == newcomer)
            if await self.read(lambda connection: connection.execute(known).first()) is None:
                steps.append(seated(code, written.n, newcomer))
        await self._writer.written(*steps)

    async def summarise_sheet(self, summary: dict[str, Any], n: int) -> None:
        await self._writer.written((Write.SUMMARY, sheet_row(summary, n)))

    async def sheet_log_of(self, code: str) -> list[Written]:
        """A sheet's whole log; empty if there is no such sheet."""
        is_sheet = tables.c.state == SHEET, is_visible(tables.c.code)
        decode = sheet_entries.decode_entry

        def ask(connection: Connection) -> list[Written]:
            rows = read_log(connection, code, *is_sheet)
            written = [Written(n, at, decode(one)) for n, at, one in rows]
            if not written:
                return []
            opened = written[0].entry
            assert isinstance(opened, Opened)
            names = names_on_sheet(connection, code, int(opened.rules["players"]))
            writers = names_of(connection, {one.entry.asked_by for one in written})
            return named_sheet(written, names, writers)

        return await self.read(ask)

    async def sheets_of(self, player: str) -> list[dict[str, Any]]:
        """The sheets that a player opened or wrote on, latest first."""
        query = (
            sa.select(tables.c.summary)
            .join(seats, seats.c.code == tables.c.code)
            .where(seats.c.player == player, tables.c.state == SHEET, is_visible(tables.c.code))
            .order_by(tables.c.updated.desc())
        )
        return await self.read(lambda connection: find_sheets(connection, query))

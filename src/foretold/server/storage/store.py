"""What is kept: players, tables and their logs. Reads run beside the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from foretold.scoresheet import entries as sheet_entries
from foretold.scoresheet.entries import Deleted, Opened, Renamed, Written, named_sheet
from foretold.server.observing.logs import logger
from foretold.server.observing.metrics import Metrics
from foretold.server.observing.tracing import span
from foretold.server.quotas.budgets import asked_by
from foretold.server.storage import waking
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
from foretold.server.storage.reading import Rows
from foretold.server.storage.schema import SHARED, players, seats, tables
from foretold.server.storage.waking import (
    SHEET,
    Asleep,
    Woken,
    is_hidden,
    is_visible,
    log_query,
    names_of,
    woken,
)
from foretold.server.storage.writer import (
    OUTAGES,
    ConflictError,
    GoneError,
    Step,
    Then,
    Write,
    Writer,
    told,
)
from foretold.server.workers.labour import MOST_OF_ONE, Labour, Turnstile
from foretold.table.entries import (
    BotCame,
    Cleared,
    Created,
    Left,
    Logged,
    PlayerSeat,
    Sat,
    decode_entry,
    encode_entry,
    named_log,
)
from foretold.table.refusals import Refused
from foretold.table.snapshots import Snapshot

Answer = TypeVar("Answer")

READERS: Final = 4
READ_SECONDS: Final = 6.0
"""How long whoever asks the database waits for an answer, the wait for a reader included."""
WRITE_SECONDS: Final = 5.0
"""How long a new player, table or sheet is waited for; a move is kept until it can be written."""
CLOSE_SECONDS: Final = 2.0
FORGOTTEN_SECONDS: Final = 10.0
"""How long a name is not remembered after it was forgotten: whoever asked for it before has an
answer by then."""
_MOST_NAMES: Final = 50_000


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """The database as the rooms and the doors use it."""

    def __init__(self, engine: Engine, metrics: Metrics, labour: Labour | None = None) -> None:
        self._engine = engine
        self._labour = labour or Labour()
        self._writer = Writer(engine, metrics)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._wakes = Turnstile(float("inf"), MOST_OF_ONE)
        self._metrics = metrics
        self._names: dict[str, str] = {}
        self._forgotten: dict[str, float] = {}
        """When names were forgotten, the latest last."""

    async def close(self) -> None:
        """What is waiting is on disk when this returns, if the database can be written to."""
        await self._writer.close(CLOSE_SECONDS)
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._labour.close()
        self._engine.dispose()

    @property
    def saving_for(self) -> float:
        """Seconds that what is being written has waited; large when it cannot be written."""
        return self._writer.busy_for

    async def beat(self) -> None:
        """Write something, to find out whether that works; raises `Refused` if it does not."""
        await self._save((Write.BEAT, {"id": 1, "at": now_ms()}))

    async def read(
        self,
        ask: Callable[[Connection], Answer],
        turn: AbstractAsyncContextManager[None] | None = None,
    ) -> Answer:
        """Ask the database, off the event loop; raises `Refused` if it does not answer.

        What takes longer waits for a `turn` first, so that it never takes all readers.
        """
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(READ_SECONDS):
                async with turn or nullcontext():
                    return await loop.run_in_executor(self._readers, self._ask, ask)
        except (TimeoutError, *OUTAGES) as error:
            self._metrics.read_failures.inc()
            logger().error("the database cannot be read", fault=told(error))
            raise Refused("unavailable") from None
        finally:
            self._metrics.read_seconds.observe(loop.time() - start)

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Do some longer piece of work off the event loop; no read waits for it."""
        return await self._labour.do(work)

    def _ask(self, ask: Callable[[Connection], Answer]) -> Answer:
        with self._engine.connect() as connection:
            return ask(connection)

    async def _save(self, *steps: Step) -> None:
        """Write something that somebody waits for; raises `Refused` if that cannot be."""
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._writer.written(*steps)
        except (TimeoutError, *OUTAGES):
            raise Refused("unavailable") from None

    # Players

    async def name_of(self, player: str) -> str | None:
        """The name of a player, if there is such a player."""
        known = self._names.get(player)
        if known is not None:
            return known
        query = sa.select(players.c.name).where(players.c.id == player)
        name = await self.read(lambda connection: connection.execute(query).scalar())
        if name is not None:
            self._remember(player, str(name))
        return None if name is None else str(name)

    async def add_player(self, player: str, name: str) -> None:
        values = {"id": player, "name": name, "created": now_ms(), "known": False}
        await self._save((Write.NEW_PLAYER, values))
        self._remember(player, name)

    async def rename(self, player: str, name: str) -> None:
        """Raises `Refused` if there is no such player any more."""
        await self._change((Write.RENAME, {"player": player, "name": name}))
        self._remember(player, name)

    async def know(self, player: str) -> None:
        """A player has taken a link to another device: what they played is to stay."""
        await self._change((Write.KNOW, {"player": player}))

    async def _change(self, step: Step) -> None:
        try:
            await self._save(step)
        except GoneError:
            raise Refused("no_name") from None

    async def note_day(self, day: str, connections: int, tables: int) -> None:
        """Write down how many there were at one moment of a day."""
        await self._save((Write.DAY, {"day": day, "connections": connections, "tables": tables}))

    def forget_name(self, player: str) -> None:
        """It was changed elsewhere: look it up again."""
        self._names.pop(player, None)
        now = time.monotonic()
        self._forgotten.pop(player, None)
        self._forgotten[player] = now
        while now - self._forgotten[oldest := next(iter(self._forgotten))] > FORGOTTEN_SECONDS:
            del self._forgotten[oldest]

    def _remember(self, player: str, name: str) -> None:
        forgotten = self._forgotten.get(player)
        if forgotten is not None and time.monotonic() - forgotten < FORGOTTEN_SECONDS:
            return  # perhaps it was read before
        if len(self._names) >= _MOST_NAMES:
            self._names.clear()
        self._names[player] = name

    # Tables

    async def add_table(self, code: str, entries: Sequence[Logged], listed: Listed) -> None:
        """Write down a new table; raises `ConflictError` if the code is taken."""
        first = entries[0].entry
        assert isinstance(first, Created)
        sitting = [
            _sit_down(code, seat, one.player)
            for seat, one in enumerate(first.seats)
            if isinstance(one, PlayerSeat)
        ]
        appending = [_append(code, one) for one in entries]
        await self._save((Write.NEW_TABLE, summary_row(listed)), *sitting, *appending)

    def append(self, code: str, logged: Logged, then: Then) -> None:
        """Write an entry to a table's log; with `ConflictError` if its number is taken."""
        steps = [_append(code, logged)]
        entry = logged.entry
        if isinstance(entry, (Sat, Left, Cleared, BotCame)):
            steps.append((Write.STAND_UP, {"table": code, "place": entry.seat}))
        if isinstance(entry, Sat):
            steps.append(_sit_down(code, entry.seat, entry.player))
        self._writer.write(steps, then)

    async def summarise(self, listed: Listed, snapshot: Snapshot | None = None) -> None:
        """Write what lists say of a table, and where it stands; nothing if it was deleted."""
        steps = [(Write.SUMMARY, summary_row(listed))]
        if snapshot is not None:
            row = msgspec.structs.asdict(snapshot)
            steps.append((Write.SNAPSHOT, {"code": listed.summary["code"], **row}))
        await self._writer.written(*steps)

    async def wake(self, code: str) -> Woken | None:
        """A table as its log says, by its snapshot if that is good; None if there is no table.

        Paid for by whoever asks. One is read at a time, and one replayed; the addresses take turns.
        """
        with span("wake", code=code):
            self._labour.check()
            found = await self.read(partial(_visible, code), self._wakes.turn(asked_by.get()))
            if found is None:
                return None
            self._labour.charge(found.seconds)
            table = found if isinstance(found, Woken) else await self.run(partial(woken, found))
            assert table is not None, "a whole log makes a table"
            source = "snapshot" if table.snapshot_n else "log"
            self._metrics.wake_seconds.labels(source).observe(table.seconds)
        return table

    async def log_of(self, code: str) -> list[Logged]:
        """All that ever happened to a table; empty if there is none of that code."""
        rows = (await self.rows_of(code)).entries
        log = await self.run(lambda: [Logged(n, at, decode_entry(one)) for n, at, one in rows])
        return await self.read(lambda connection: named_log(log, partial(names_of, connection)))

    async def rows_of(self, code: str) -> Rows:
        """The same as the database has it."""
        is_table = tables.c.state != SHEET, is_visible(tables.c.code)
        query = log_query(code).where(*is_table)

        def ask(connection: Connection) -> Rows:
            entries = [(n, at, bytes(entry)) for n, at, entry in connection.execute(query)]
            return Rows(entries, seated_names(connection, code))

        return await self.read(ask)

    async def table(self, code: str, player: str | None) -> Found | None:
        found = await self._find(tables_query(player).where(tables.c.code == code))
        return found[0] if found else None

    async def tables_of(self, player: str) -> list[Found]:
        """The tables where a player sits: unfinished ones first, then latest first."""
        is_finished = sa.case((tables.c.state.in_(("over", "closed")), 1), else_=0)
        query = tables_query(player).where(seats.c.player == player)
        return await self._find(query.order_by(is_finished, tables.c.updated.desc()))

    async def public_tables(self, player: str | None, since: int) -> list[Found]:
        """The tables that everyone is told of where something happened since, latest first."""
        query = tables_query(player).where(tables.c.listed, tables.c.updated >= since)
        return await self._find(query.order_by(tables.c.updated.desc()))

    async def _find(self, query: sa.Select[Any]) -> list[Found]:
        return await self.read(lambda connection: find_tables(connection, query))

    async def share(self, code: str) -> None:
        """The replay of a game was shared: it is to stay."""
        try:
            await self._save((Write.MARK, {"code": code, "mark": SHARED, "at": now_ms()}))
        except ConflictError:
            raise Refused("no_table") from None  # it was deleted at the same moment

    # Score sheets: in the same tables, told apart by their state

    async def add_sheet(
        self, code: str, written: Written, summary: dict[str, Any], player: str
    ) -> None:
        """Write down a new sheet; raises `ConflictError` if the code is taken."""
        await self._save(
            (Write.NEW_TABLE, sheet_row(summary, written.n)),
            _sit_down(code, written.n, player),
            *_write_down(code, written),
        )

    async def append_sheet(self, code: str, written: Written, newcomer: str | None) -> None:
        """Write an entry to a sheet's log, and into whose list it now belongs."""
        steps = _write_down(code, written)
        if newcomer is not None:
            known = sa.select(seats.c.seat).where(seats.c.code == code, seats.c.player == newcomer)
            if await self.read(lambda connection: connection.execute(known).first()) is None:
                steps.append(_sit_down(code, written.n, newcomer))
        await self._writer.written(*steps)

    async def summarise_sheet(self, summary: dict[str, Any], n: int) -> None:
        await self._writer.written((Write.SUMMARY, sheet_row(summary, n)))

    async def sheet_log_of(self, code: str) -> list[Written]:
        """All that was ever written on a sheet; empty if there is none of that code."""
        is_sheet = tables.c.state == SHEET, is_visible(tables.c.code)
        query = log_query(code).where(*is_sheet)
        decode = sheet_entries.decode_entry

        def ask(connection: Connection) -> list[Written]:
            rows = connection.execute(query)
            written = [Written(n, at, decode(bytes(one))) for n, at, one in rows]
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


def _write_down(code: str, written: Written) -> list[Step]:
    """An entry of a sheet, and apart from it the names it has."""
    entry = written.entry
    row = {"code": code, "n": written.n, "at": written.at}
    steps: list[Step] = [(Write.APPEND, {**row, "entry": sheet_entries.encode_entry(entry)})]
    if isinstance(entry, Opened):
        steps += [_write_name(code, seat, name) for seat, name in enumerate(entry.names)]
    elif isinstance(entry, Renamed):
        steps.append(_write_name(code, entry.seat, entry.name))
    elif isinstance(entry, Deleted):
        steps.append((Write.FORGET_SHEET_NAMES, {"sheet": code}))
    return steps


def _write_name(code: str, seat: int, name: str) -> Step:
    return Write.SHEET_NAME, {"code": code, "seat": seat, "name": name}


def _append(code: str, logged: Logged) -> Step:
    entry = encode_entry(logged.entry)
    return Write.APPEND, {"code": code, "n": logged.n, "at": logged.at, "entry": entry}


def _sit_down(code: str, seat: int, player: str) -> Step:
    return Write.SIT_DOWN, {"code": code, "seat": seat, "player": player}


def _visible(code: str, connection: Connection) -> Asleep | Woken | None:
    """What waking a table needs, unless it is hidden."""
    return None if is_hidden(connection, code) else waking.read(connection, code)

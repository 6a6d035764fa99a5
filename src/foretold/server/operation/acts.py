"""Acts on the site's data: by the operator, by players who erase themselves, and by expiry.

Every act works on the database, in short transactions, from the command line as well as from a
server. It leaves a notice there of what has changed, which a running server takes into account: at
once if it did the act itself, otherwise within seconds.

On SQLite nobody else can write during such a transaction. So logs are read and replayed before it
begins, and it fails if they have changed since.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from foretold.scoresheet import entries as sheet_entries
from foretold.scoresheet.entries import Deleted, Written
from foretold.server.operation.archiving import AT_ONCE, archive_logs, pack_logs, quiet_tables
from foretold.server.operation.erasing import erase_traces, sheet_of, traces_of
from foretold.server.operation.retention import delete, expired, still_expired
from foretold.server.people.bans import BAN_PLAYER, Ban, subject_of
from foretold.server.people.keys import expire_keys, rotate
from foretold.server.people.names import clean_name
from foretold.server.storage.listing import sheet_row, summary_row
from foretold.server.storage.schema import (
    HIDDEN,
    bans,
    log,
    marks,
    notices,
    players,
    seats,
    sheet_names,
    snapshots,
    tables,
    used_links,
)
from foretold.server.storage.store import FINISHED, now_ms
from foretold.server.storage.summaries import listed_of, sheet_summary
from foretold.server.storage.waking import SHEET, wake
from foretold.table.answers import leaves
from foretold.table.entries import Closed, Entry, Left, Logged, encode_entry
from foretold.table.refusals import Refused
from foretold.table.table import Table

TRIES: Final = 10
FINISHED_AT_ONCE: Final = 20
"""The number of finished games from which one transaction removes an erased player."""
STEP_PAUSE: Final = 0.02
"""Seconds between two steps of erasing, for others to write in."""
PLAYERS_AT_ONCE: Final = 200
NOTICE_MS: Final = 3_600_000
"""How long notices and marks of used links are kept."""

ABOUT_TABLE, ABOUT_PLAYER, ABOUT_BANS, ABOUT_KEYS = "table", "player", "bans", "keys"


class Acts:
    """The acts. They block on the database, so don't call them in the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                # Take the write lock at the start, so that what was read stays true until the end.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    # Tables and sheets

    def close(self, code: str) -> None:
        """End a game for good, or delete a score sheet."""
        if self._state_of(code) == SHEET:
            self._retry(partial(self._close_sheet, code))
        else:
            self._append(code, _closes)

    def hide(self, code: str) -> None:
        """Hide it from everyone until it is shown again."""
        self._state_of(code)
        with self._begin() as connection:
            connection.execute(_unmarked(code, HIDDEN))
            connection.execute(sa.insert(marks).values(code=code, mark=HIDDEN, at=now_ms()))
            _tell(connection, ABOUT_TABLE, [code])

    def unhide(self, code: str) -> None:
        self._state_of(code)
        with self._begin() as connection:
            connection.execute(_unmarked(code, HIDDEN))

    def _state_of(self, code: str) -> str:
        query = sa.select(tables.c.state).where(tables.c.code == code)
        with self._engine.connect() as connection:
            state = connection.execute(query).scalar()
        if state is None:
            raise Refused("no_table")
        return str(state)

    def _append(
        self, code: str, ask: Callable[[Table], Entry | None], *, erased: str | None = None
    ) -> None:
        """Write an entry to a table's log; a server that has the table in memory reloads it.

        An erased player loses the seat even if there is nothing to write; servers are told at the
        end.
        """
        self._retry(partial(self._append_once, code, ask, erased))

    def _append_once(
        self, code: str, ask: Callable[[Table], Entry | None], erased: str | None
    ) -> None:
        with self._engine.connect() as connection:
            woken = wake(connection, code)
        if woken is None:
            raise Refused("no_table")
        table = woken.audience.table
        entry, n = ask(table), table.n
        if entry is None and erased is None:
            return
        with self._begin() as connection:
            _hold(connection, code, n)
            if entry is not None:
                _write(connection, table, entry)
            if erased is None:
                _tell(connection, ABOUT_TABLE, [code])
            else:
                _stand_up(connection, [code], erased)

    def _close_sheet(self, code: str) -> None:
        with self._engine.connect() as connection:
            tablet, created = sheet_of(connection, code)
        if tablet.is_deleted:
            return
        n, written = tablet.n, Written(tablet.n + 1, now_ms(), Deleted())
        tablet.apply(written)
        entry = sheet_entries.encode_entry(written.entry)
        row = {"code": code, "n": written.n, "at": written.at, "entry": entry}
        summary = sheet_summary(code, tablet, created, written.at)
        with self._begin() as connection:
            _hold(connection, code, n)
            connection.execute(sa.insert(log).values(row))
            connection.execute(sa.delete(sheet_names).where(sheet_names.c.code == code))
            _summarise(connection, sheet_row(summary, tablet.n))
            _tell(connection, ABOUT_TABLE, [code])

    def _retry(self, act: Callable[[], None]) -> None:
        """Try an act again if somebody else wrote to the same log in the meantime."""
        for _ in range(TRIES):
            try:
                return act()
            except (_HasGoneOnError, IntegrityError):
                continue
        raise Refused("busy")

    # Players

    def rename(self, player: str, name: str) -> str:
        """Rename a player; returns the name as it is stored."""
        cleaned = clean_name(name)
        with self._begin() as connection:
            named = sa.update(players).where(players.c.id == player).values(name=cleaned)
            if connection.execute(named).rowcount == 0:
                raise Refused("no_player")
            _tell(connection, ABOUT_PLAYER, [player])
        return cleaned

    def erase(self, player: str) -> Iterator[str]:
        """Forget who a player was. Their games stay; in one under way, a bot takes their seat.

        It works one table or sheet at a time, and yields its code after each step, so that the
        caller can let others write in between. If it stops early, the next call continues from
        there.
        """
        query = sa.select(players.c.name).where(players.c.id == player)
        with self._engine.connect() as connection:
            name = connection.execute(query).scalar()
        if name is None:
            raise Refused("no_player")
        told: list[str] = []
        while places := self._places_of(player):
            finished = [code for code, state in places if state in FINISHED]
            for code, state in places:
                if state in FINISHED:
                    continue
                try:
                    self._erase_at(code, state, player, str(name))
                except Refused as refused:
                    if refused.code not in ("no_table", "no_sheet"):
                        raise
                    finished.append(code)  # deleted at the same moment
                told.append(code)
                yield code
            for first in range(0, len(finished), FINISHED_AT_ONCE):
                some = finished[first : first + FINISHED_AT_ONCE]
                with self._begin() as connection:
                    _stand_up(connection, some, player)
                    _tell(connection, ABOUT_TABLE, some)
                yield some[-1]
        with self._begin() as connection:
            connection.execute(sa.delete(bans).where(bans.c.subject == player))
            connection.execute(sa.delete(players).where(players.c.id == player))
            # Not earlier: a server would reload them with the name, and everyone reconnect twice.
            _tell(connection, ABOUT_TABLE, told)
            _tell(connection, ABOUT_PLAYER, [player])

    def _places_of(self, player: str) -> list[tuple[str, str]]:
        """The tables and sheets of a player, each with its state."""
        query = sa.select(tables.c.code, tables.c.state).join(seats).where(seats.c.player == player)
        with self._engine.connect() as connection:
            return [(row.code, row.state) for row in connection.execute(query.distinct())]

    def _erase_at(self, code: str, state: str, player: str, name: str) -> None:
        if state == SHEET:
            self._retry(partial(self._erase_from_sheet, code, player, name))
        else:
            self._append(code, lambda table: leaves(table, player), erased=player)

    def _erase_from_sheet(self, code: str, player: str, name: str) -> None:
        with self._engine.connect() as connection:
            traces = traces_of(connection, code, player, name)
        with self._begin() as connection:
            _hold(connection, code, traces.n)
            others = sa.select(seats.c.seat).where(seats.c.code == code, seats.c.player != player)
            if connection.execute(others).first() is None:
                delete(connection, [code])  # nobody else has ever written on it
            else:
                erase_traces(connection, code, traces)
                _stand_up(connection, [code], player)

    # Bans

    def ban(self, subject: str, hours: float) -> Ban:
        """Ban a player or an address for a time; an existing ban gets the new end."""
        kind, cleaned = subject_of(subject)
        now = now_ms()
        made = Ban(secrets.token_hex(4), kind, cleaned, now, now + round(hours * 3_600_000))
        with self._begin() as connection:
            if kind == BAN_PLAYER:
                there = sa.select(players.c.id).where(players.c.id == cleaned)
                if connection.execute(there).first() is None:
                    raise Refused("no_player")
            connection.execute(sa.delete(bans).where(bans.c.subject == cleaned))
            connection.execute(sa.insert(bans).values(made.row()))
            _tell(connection, ABOUT_BANS, [""])
        return made

    def lift(self, ban: str) -> None:
        with self._begin() as connection:
            if connection.execute(sa.delete(bans).where(bans.c.id == ban)).rowcount == 0:
                raise Refused("no_ban")
            _tell(connection, ABOUT_BANS, [""])

    def rotate_key(self, in_file: bytes | None) -> int:
        """Replace the key that signs cookies and links; returns how many older ones verify.

        `in_file` is the key used before there was one in the database.
        """
        with self._begin() as connection:
            older = rotate(connection, now_ms(), in_file)
            _tell(connection, ABOUT_KEYS, [""])
        return older

    # Archive and expiry

    def archive(
        self, before: int, after: tuple[int, str], but: Collection[str]
    ) -> tuple[tuple[int, str] | None, list[str]]:
        """Move the logs of some games to the archive that were over by then, except those in use.

        Returns where to continue, if anywhere, and what was moved.
        """
        with self._engine.connect() as connection:
            quiet = quiet_tables(connection, before, after)
        if not quiet:
            return None, []
        codes = [one.code for one in quiet if one.is_to_archive and one.code not in but]
        moved: list[str] = []
        for first in range(0, len(codes), AT_ONCE):
            with self._engine.connect() as connection:
                logs = pack_logs(connection, codes[first : first + AT_ONCE])
            with self._begin() as connection:
                moved += archive_logs(connection, logs, before)
        return (quiet[-1].updated, quiet[-1].code), moved

    def expire(
        self, before: int, after: tuple[int, str], but: Collection[str]
    ) -> tuple[tuple[int, str] | None, list[str]]:
        """Delete a few tables and sheets that have been quiet since then, except those in use.

        Returns where to continue, if anywhere, and what was deleted.
        """
        with self._engine.connect() as connection:
            rows = expired(connection, before, after)
        if not rows:
            return None, []
        codes = [row.code for row in rows if row.code not in but]
        if codes:
            with self._begin() as connection:
                codes = still_expired(connection, before, codes)
                delete(connection, codes)
        return (rows[-1].updated, rows[-1].code), codes

    def expire_players(
        self, before: int, after: str, but: Collection[str | None]
    ) -> tuple[str | None, list[str]]:
        """Forget some players who came before then and have no seat, except those online.

        Returns where to continue, if anywhere, and who was forgotten.
        """
        has_seat = sa.exists().where(seats.c.player == players.c.id)
        is_over = players.c.created < before, ~players.c.known, ~has_seat
        some = sa.select(players.c.id).where(*is_over, players.c.id > after).order_by(players.c.id)
        with self._engine.connect() as connection:
            found = list(connection.execute(some.limit(PLAYERS_AT_ONCE)).scalars())
        if not found:
            return None, []
        meant = players.c.id.in_([player for player in found if player not in but])
        with self._begin() as connection:
            still = sa.select(players.c.id).where(meant, *is_over).with_for_update(of=players)
            gone = list(connection.execute(still).scalars())
            connection.execute(sa.delete(players).where(players.c.id.in_(gone)))
        return found[-1], gone

    def tidy(self) -> None:
        """Delete expired bans and keys, and old notices and marks."""
        now = now_ms()
        with self._begin() as connection:
            expire_keys(connection, now)
            connection.execute(sa.delete(bans).where(bans.c.until <= now))
            for kept in (notices, used_links):
                connection.execute(sa.delete(kept).where(kept.c.at < now - NOTICE_MS))


class _HasGoneOnError(Exception):
    """Somebody has written to the log since it was read."""


def _hold(connection: Connection, code: str, n: int) -> None:
    """Lock a log that ends with that number against other writers."""
    # SQLite has no row locks; it was locked at the start of the transaction.
    connection.execute(sa.select(tables.c.n).where(tables.c.code == code).with_for_update())
    last = sa.select(sa.func.max(log.c.n)).where(log.c.code == code)
    if connection.execute(last).scalar() != n:
        raise _HasGoneOnError


def _closes(table: Table) -> Closed | None:
    return None if table.state in FINISHED else Closed()


def _write(connection: Connection, table: Table, entry: Entry) -> None:
    logged = Logged(table.n + 1, now_ms(), entry)
    row = {"code": table.code, "n": logged.n, "at": logged.at, "entry": encode_entry(entry)}
    connection.execute(sa.insert(log).values(row))
    if isinstance(entry, Left):
        there = seats.c.code == table.code, seats.c.seat == entry.seat
        connection.execute(sa.delete(seats).where(*there))
    table.apply(logged)
    _summarise(connection, summary_row(listed_of(table)))


def _stand_up(connection: Connection, codes: Collection[str], player: str) -> None:
    """Delete every trace of the player's seats."""
    connection.execute(sa.delete(snapshots).where(snapshots.c.code.in_(codes)))
    there = seats.c.code.in_(codes), seats.c.player == player
    connection.execute(sa.delete(seats).where(*there))


def _summarise(connection: Connection, row: dict[str, Any]) -> None:
    connection.execute(sa.update(tables).where(tables.c.code == row["code"]).values(row))


def _unmarked(code: str, mark: str) -> sa.Delete:
    return sa.delete(marks).where(marks.c.code == code, marks.c.mark == mark)


def _tell(connection: Connection, about: str, subjects: Iterable[str]) -> None:
    at = now_ms()
    rows = [{"at": at, "about": about, "subject": subject} for subject in subjects]
    if rows:
        connection.execute(sa.insert(notices), rows)

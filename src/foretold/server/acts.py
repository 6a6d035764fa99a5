"""What is done to a site past its tables: by its operator, by who wants to be erased, and by time.

Every act is done to the database, in short transactions, by the command line as by a server. It
leaves a notice there of what has changed, so that a running server takes it into account: at once
if it did the act itself, else within seconds.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from foretold.server.bans import BAN_PLAYER, Ban, subject_of
from foretold.server.erasing import erase_from_sheet, sheet_of
from foretold.server.listing import sheet_row, summary_row
from foretold.server.names import clean_name
from foretold.server.retention import delete, expired
from foretold.server.schema import (
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
)
from foretold.server.store import now_ms
from foretold.server.summaries import listed_of, sheet_summary
from foretold.server.waking import SHEET, wake
from foretold.table.answers import leaves
from foretold.table.entries import Closed, Entry, Left, Logged, encode_entry
from foretold.table.refusals import Refused
from foretold.table.table import Table
from foretold.tablet import entries as sheet_entries
from foretold.tablet.entries import Deleted, Written

TRIES: Final = 5
PLAYERS_AT_ONCE: Final = 200
NOTICE_MS: Final = 3_600_000
"""How long notices are kept."""

NO_PLAYER: Final = "there is no such player"

ABOUT_TABLE, ABOUT_PLAYER, ABOUT_BANS = "table", "player", "bans"


class Acts:
    """The acts. They wait for the database: not for the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                # From the start the only one who writes: what was read is so until the end.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    # Tables and sheets

    def close(self, code: str) -> None:
        """End a game for good, or delete a score sheet."""
        if self._state_of(code) == SHEET:
            self._close_sheet(code)
        else:
            self._append(code, _closes)

    def hide(self, code: str) -> None:
        """Nobody finds it any more, until it is shown again."""
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

    def _append(self, code: str, ask: Callable[[Table], Entry | None]) -> None:
        """Write an entry to the log of a table; a server that has it in memory wakes it anew."""
        for _ in range(TRIES):
            try:
                with self._begin() as connection:
                    _write(connection, code, ask)
                return
            except IntegrityError:
                continue  # a move was written at the same moment
        raise Refused("unavailable")

    def _close_sheet(self, code: str) -> None:
        with self._begin() as connection:
            tablet, created = sheet_of(connection, code)
            if tablet.is_deleted:
                return
            written = Written(tablet.n + 1, now_ms(), Deleted())
            tablet.apply(written)
            entry = sheet_entries.encode_entry(written.entry)
            row = {"code": code, "n": written.n, "at": written.at, "entry": entry}
            connection.execute(sa.insert(log).values(row))
            connection.execute(sa.delete(sheet_names).where(sheet_names.c.code == code))
            _summarise(
                connection, sheet_row(sheet_summary(code, tablet, created, written.at), tablet.n)
            )
            _tell(connection, ABOUT_TABLE, [code])

    # Players

    def rename(self, player: str, name: str) -> str:
        """Give a player another name; answers it as it is kept."""
        cleaned = clean_name(name)
        with self._begin() as connection:
            named = sa.update(players).where(players.c.id == player).values(name=cleaned)
            if connection.execute(named).rowcount == 0:
                raise Refused("not_available", NO_PLAYER)
            _tell(connection, ABOUT_PLAYER, [player])
        return cleaned

    def erase(self, player: str) -> None:
        """Forget who a player was. Their games stay, with a bot in their seat where one goes on."""
        query = sa.select(players.c.name).where(players.c.id == player)
        places = (
            sa.select(tables.c.code, tables.c.state).join(seats).where(seats.c.player == player)
        )
        with self._engine.connect() as connection:
            name = connection.execute(query).scalar()
            found = {row.code: row.state for row in connection.execute(places.distinct())}
        if name is None:
            raise Refused("not_available", NO_PLAYER)
        for code, state in found.items():
            if state == SHEET:
                self._erase_from_sheet(code, player, str(name))
            elif state not in ("over", "closed"):
                self._append(code, lambda table: leaves(table, player))
        with self._begin() as connection:
            codes = sa.select(seats.c.code).where(seats.c.player == player)
            connection.execute(sa.delete(snapshots).where(snapshots.c.code.in_(codes)))
            connection.execute(sa.delete(seats).where(seats.c.player == player))
            connection.execute(sa.delete(bans).where(bans.c.subject == player))
            connection.execute(sa.delete(players).where(players.c.id == player))
            _tell(connection, ABOUT_TABLE, found)
            _tell(connection, ABOUT_PLAYER, [player])

    def _erase_from_sheet(self, code: str, player: str, name: str) -> None:
        with self._begin() as connection:
            others = sa.select(seats.c.seat).where(seats.c.code == code, seats.c.player != player)
            if connection.execute(others).first() is None:
                delete(connection, [code])  # nobody else has ever written on it
            else:
                erase_from_sheet(connection, code, player, name)

    # Bans

    def ban(self, subject: str, hours: float) -> Ban:
        """Keep a player or an address out for a time; one there is already ends when this does."""
        kind, cleaned = subject_of(subject)
        now = now_ms()
        made = Ban(secrets.token_hex(4), kind, cleaned, now, now + round(hours * 3_600_000))
        with self._begin() as connection:
            if kind == BAN_PLAYER:
                there = sa.select(players.c.id).where(players.c.id == cleaned)
                if connection.execute(there).first() is None:
                    raise Refused("not_available", NO_PLAYER)
            connection.execute(sa.delete(bans).where(bans.c.subject == cleaned))
            connection.execute(sa.insert(bans).values(made.row()))
            _tell(connection, ABOUT_BANS, [""])
        return made

    def lift(self, ban: str) -> None:
        with self._begin() as connection:
            if connection.execute(sa.delete(bans).where(bans.c.id == ban)).rowcount == 0:
                raise Refused("not_available", "there is no such ban")
            _tell(connection, ABOUT_BANS, [""])

    # What time does

    def expire(
        self, before: int, after: tuple[int, str], but: Collection[str]
    ) -> tuple[tuple[int, str] | None, list[str]]:
        """Delete a few tables and sheets that nothing has happened to since, but those in use.

        Answers where to go on, if anywhere, and what is deleted.
        """
        with self._begin() as connection:
            rows = expired(connection, before, after)
            codes = [row.code for row in rows if row.code not in but]
            delete(connection, codes)
        return (rows[-1].updated, rows[-1].code) if rows else None, codes

    def expire_players(self, before: int) -> list[str]:
        """Forget some of those who came before and have no seat anywhere; answers whom."""
        has_seat = sa.exists().where(seats.c.player == players.c.id)
        query = sa.select(players.c.id).where(
            players.c.created < before, ~players.c.known, ~has_seat
        )
        with self._begin() as connection:
            found = list(connection.execute(query.limit(PLAYERS_AT_ONCE)).scalars())
            connection.execute(sa.delete(players).where(players.c.id.in_(found)))
        return found

    def tidy(self) -> None:
        """Forget bans that are over, and old notices."""
        now = now_ms()
        with self._begin() as connection:
            connection.execute(sa.delete(bans).where(bans.c.until <= now))
            connection.execute(sa.delete(notices).where(notices.c.at < now - NOTICE_MS))


def _closes(table: Table) -> Closed | None:
    return None if table.state in ("over", "closed") else Closed()


def _write(connection: Connection, code: str, ask: Callable[[Table], Entry | None]) -> None:
    woken = wake(connection, code)
    if woken is None:
        raise Refused("no_table")
    table = woken.audience.table
    entry = ask(table)
    if entry is None:
        return
    logged = Logged(table.n + 1, now_ms(), entry)
    row = {"code": code, "n": logged.n, "at": logged.at, "entry": encode_entry(entry)}
    connection.execute(sa.insert(log).values(row))
    if isinstance(entry, Left):
        there = seats.c.code == code, seats.c.seat == entry.seat
        connection.execute(sa.delete(seats).where(*there))
    table.apply(logged)
    _summarise(connection, summary_row(listed_of(table)))
    _tell(connection, ABOUT_TABLE, [code])


def _summarise(connection: Connection, row: dict[str, Any]) -> None:
    connection.execute(sa.update(tables).where(tables.c.code == row["code"]).values(row))


def _unmarked(code: str, mark: str) -> sa.Delete:
    return sa.delete(marks).where(marks.c.code == code, marks.c.mark == mark)


def _tell(connection: Connection, about: str, subjects: Iterable[str]) -> None:
    at = now_ms()
    rows = [{"at": at, "about": about, "subject": subject} for subject in subjects]
    if rows:
        connection.execute(sa.insert(notices), rows)

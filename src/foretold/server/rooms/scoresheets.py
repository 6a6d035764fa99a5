"""Live score sheets, and the list entries of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from foretold.protocol.requests import Knock, LetIn, Ping, Sync
from foretold.protocol.sheet_messages import Rename, SheetMessage, SheetRequest, Write
from foretold.scoresheet.entries import Entry, Opened, Written, encode_entry
from foretold.scoresheet.scoresheet import Tablet
from foretold.server.observing.logs import logger
from foretold.server.observing.timed import Timed
from foretold.server.people.doors import Visitor
from foretold.server.people.names import clean_name
from foretold.server.quotas.sizes import ROOM, ROW
from foretold.server.rooms.awake import LiveRooms
from foretold.server.rooms.connection import REFUSED, Connection
from foretold.server.rooms.live import PONG, LiveRoom, done, encode
from foretold.server.storage.store import now_ms
from foretold.server.storage.summaries import sheet_summary
from foretold.server.storage.writer import OUTAGES, told
from foretold.server.storage.writes import ConflictError
from foretold.table.creation import new_code
from foretold.table.messages import read_sheet_message
from foretold.table.refusals import Refused
from foretold.table.scoresheets import SheetAudience, answer_sheet, check_kept, let_write
from foretold.words import printable

TRIES: Final = 10


class SheetRoom(LiveRoom):
    """One sheet, and the phones around it."""

    def __init__(
        self, sheets: Sheets, code: str, audience: SheetAudience, log: Sequence[Written]
    ) -> None:
        super().__init__(sheets, code)
        self._audience = audience
        self.tablet = audience.tablet
        self._created, self._updated = log[0].at, log[-1].at
        self._known: set[str] = set()
        """The players whose lists include the sheet."""

    def check(self, visitor: Visitor) -> None:
        """Anyone with the code may look."""
        knows = visitor.player in self.tablet.writers
        self._keeper.doors.check(self.code, visitor, knows=knows, opens_by_code=True)

    def _may_write(self, connection: Connection) -> bool:
        """Whether they have the link or were let in; the code alone is not enough."""
        known = connection.player is not None and connection.player in self.tablet.writers
        return known or self._keeper.doors.has_key(self.code, connection.visitor)

    async def join(self, connection: Connection, since: int | None) -> bool:
        if not self.is_open:
            return False
        self._connections.append(connection)
        self._welcome(connection, since)
        self._tell_presence()
        return True

    def leave(self, connection: Connection) -> None:
        super().leave(connection)
        if self.is_open:
            self._tell_presence()

    def read(self, frame: str) -> SheetMessage:
        return read_sheet_message(frame)

    def answer(self, connection: Connection, message: SheetMessage) -> None:
        self._take_turn_for(connection, self._take_turn, connection, message)

    def _take_turn(self, connection: Connection, message: SheetMessage) -> None:
        self._keeper.start(self._answer_paid(connection, message))

    async def _answer_paid(self, connection: Connection, message: SheetMessage) -> None:
        """Answer a message in a task, whose time nobody else measures."""
        answered = Timed(self._answer(connection, message))
        await answered
        self._keeper.charge_time(connection.source, answered.seconds)

    async def _answer(self, connection: Connection, message: SheetMessage) -> None:
        """Do what a message asks for, and end the turn."""
        try:
            if not self.is_open:
                return
            if isinstance(message, Ping):
                connection.send(PONG)
            elif isinstance(message, Sync):
                self._welcome(connection, message.since)
            elif connection.player is None or connection.name is None:
                raise Refused("no_name")
            elif isinstance(message, Knock):
                self._ask_to_write(connection, connection.player, connection.name, message)
            elif isinstance(message, LetIn):
                await self._let_in(connection, connection.player, message)
            else:
                await self._grant(connection, connection.player, connection.name, message)
        except (ConflictError, *OUTAGES):
            pass  # the sheet is given up: whoever asked reconnects, and repeats it
        except Exception as error:
            self.refuse(connection, message.id, error)
        finally:
            self._turns.end()

    async def _grant(
        self, connection: Connection, player: str, name: str, request: SheetRequest
    ) -> None:
        """Do what is asked, once. Called in its turn."""
        n = self.tablet.done(player, request.id)
        if n is not None:
            connection.send(done(request.id, n))
            return
        if not self._may_write(connection):
            raise Refused("not_a_writer")
        entry = answer_sheet(self.tablet, player, name, _cleaned(request))
        if entry is None:
            self.say(connection, done(request.id, self.tablet.n))
        else:
            await self._write(connection, player, entry)

    def _ask_to_write(self, connection: Connection, player: str, name: str, message: Knock) -> None:
        if self._may_write(connection):
            connection.send(done(message.id, self.tablet.n))
        else:
            self._knock(connection, player, name, message)

    async def _let_in(self, connection: Connection, host: str, message: LetIn) -> None:
        """Answer a request to write."""
        n = self.tablet.done(host, message.id)
        if n is None:
            if host != self.tablet.host:
                raise Refused("not_host")
            knock = self._knocks.answered(message.knock)
            if message.yes:
                entry = let_write(self.tablet, host, message, knock.player)
                await self._write(connection, host, entry)
                self._has_let_in(knock.player, self.tablet.n)
                for one in self._connections:
                    if one.player == knock.player:
                        self._welcome(one, None)
                return
            self._turn_down(knock)
        connection.send(done(message.id, self.tablet.n if n is None else n))

    async def _write(self, connection: Connection, player: str, entry: Entry) -> None:
        """Save an entry, apply it and tell everyone."""
        self._keeper.charge(connection.source, ROW + len(encode_entry(entry)))
        written = Written(self.tablet.n + 1, now_ms(), entry)
        try:
            newcomer = None if player in self._known else player
            await self._keeper.store.append_sheet(self.code, written, newcomer, self.epoch)
            told = self._audience.advance(written, self.players)
            hearers = tuple(self._connections)
        except Refused:
            raise  # nothing was saved
        except BaseException as error:
            if isinstance(error, ConflictError):
                logger().warning("a sheet was written to elsewhere", sheet=self.code)
            self.give_up()
            raise
        self._known.add(player)
        self._updated = written.at
        await self.summarise()  # so that it is in the next list anyone asks for
        connection.send(done(entry.ask_id, written.n))
        for one in hearers:  # whoever has come since was welcomed with the entry
            one.send(told[one.player])
        self._keeper.metrics.entries.labels(type(entry).__name__).inc()
        if self.tablet.is_deleted:
            self.close()
            for one in self._connections:
                one.close(REFUSED)

    def _welcome(self, connection: Connection, since: int | None) -> None:
        presence = {"watching": len(self._connections)}
        key = self._keeper.doors.key_of(self.code) if self._may_write(connection) else None
        connection.is_host = connection.player == self.tablet.host
        connection.send(
            self._audience.welcome(connection.player, connection.name, since, presence, key)
        )
        if connection.is_host and self._knocks:
            connection.send(self._knocks_told())

    def _tell_presence(self) -> None:
        self.tell(encode({"t": "presence", "presence": {"watching": len(self._connections)}}))

    async def summarise(self) -> None:
        summary = sheet_summary(self.code, self.tablet, self._created, self._updated)
        try:
            await self._keeper.store.summarise_sheet(summary, self.tablet.n)
        except Exception as error:
            logger().warning("no summary", sheet=self.code, fault=told(error))


def _cleaned(request: SheetRequest) -> SheetRequest:
    """With cleaned texts that are safe to show; raises `Refused`."""
    if isinstance(request, Rename):
        return msgspec.structs.replace(request, name=clean_name(request.name))
    if isinstance(request, Write) and isinstance(request.note, str):
        return msgspec.structs.replace(request, note=printable(" ".join(request.note.split())))
    return request


class Sheets(LiveRooms[SheetRoom]):
    """The sheets by code."""

    async def open_sheet(self, opened: Opened) -> str:
        """Create a sheet; returns its code."""
        self.charge_new(ROOM + len(encode_entry(opened)))
        for _ in range(TRIES):
            code = new_code()
            written = Written(1, now_ms(), opened)
            summary = sheet_summary(code, Tablet(opened), written.at, written.at)
            try:
                await self.store.add_sheet(code, written, summary, opened.host)
            except ConflictError:
                continue
            return code
        raise Refused("busy")

    async def wake(self, code: str) -> SheetRoom:
        log = await self._log_of(code)
        audience = await self.store.run(lambda: SheetAudience.replayed(code, log))
        check_kept(audience.tablet)
        return SheetRoom(self, code, audience, log)

    async def tablet(self, code: str, visitor: Visitor) -> Tablet:
        """A sheet to read; raises `Refused` if there is none."""
        return (await self._kept(code, visitor))[1]

    async def summary(self, code: str, visitor: Visitor) -> dict[str, Any]:
        log, tablet = await self._kept(code, visitor)
        return sheet_summary(code, tablet, log[0].at, log[-1].at)

    async def summaries_of(self, player: str) -> list[dict[str, Any]]:
        """All sheets that a player opened or wrote on, except deleted ones; latest first."""
        found = await self.store.sheets_of(player)
        return [one for one in found if one["state"] != "deleted"]

    async def _kept(self, code: str, visitor: Visitor) -> tuple[Sequence[Written], Tablet]:
        log = await self.found(visitor.source, self._log_of(code))
        tablet = await self.store.run(lambda: Tablet.replayed(log))
        knows = visitor.player in tablet.writers
        self.doors.check(code, visitor, knows=knows, opens_by_code=True)
        check_kept(tablet)
        return log, tablet

    async def _log_of(self, code: str) -> Sequence[Written]:
        log = await self.store.sheet_log_of(code)
        if not log:
            raise Refused("no_sheet")
        return log

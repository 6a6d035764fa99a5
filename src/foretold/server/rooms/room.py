"""A live table: its connections, their messages, and the log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from foretold.protocol import requests
from foretold.protocol.messages import SaidTold
from foretold.protocol.requests import Request, TableMessage
from foretold.server.observing.logs import logger
from foretold.server.people.doors import Visitor
from foretold.server.quotas.budgets import asked_by
from foretold.server.quotas.sizes import entry_size
from foretold.server.rooms.admission import Admission
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.knocks import Knock
from foretold.server.rooms.live import PONG, LiveRoom, Server, done, encode
from foretold.server.rooms.notes import SNAPSHOT_AT_REST, SNAPSHOT_EVERY, Notes
from foretold.server.rooms.phrases import Phrases
from foretold.server.rooms.pulse import Pulse
from foretold.server.rooms.timing import Timing
from foretold.server.storage.listing import Listed
from foretold.server.storage.store import now_ms
from foretold.server.storage.writer import OUTAGES, Then, settle
from foretold.server.storage.writes import ConflictError
from foretold.table.answers import answer, check_rematch, let_in, seated
from foretold.table.audience import Audience
from foretold.table.creation import rematch_of, started_at_once
from foretold.table.entries import (
    Acted,
    CameBack,
    Changed,
    Cleared,
    Entry,
    Hosted,
    Logged,
    PlayerSeat,
    Rematched,
    Sat,
    Started,
)
from foretold.table.messages import read_message
from foretold.table.refusals import Refused
from foretold.table.seating import moved_seat, seat_for
from foretold.table.stand_ins import ABSENT
from foretold.table.table import Table


class Room(LiveRoom):
    """One live table."""

    def __init__(self, server: Server, audience: Audience, snapshot_n: int) -> None:
        super().__init__(server, audience.table.code)
        self._server = server
        self.table: Table = audience.table
        self._audience = audience
        self.notes = Notes(server.store, audience, snapshot_n)
        self._admission = Admission(self.table, server.doors, server.lines)
        self._timing = Timing(self.table, server.settings)
        self._pulse = Pulse(self.table, self._timing, server.bots, self.happen, server.is_settling)
        self._told_presence: object = None
        self._phrases = Phrases()
        self._waits_for_people_alone = False
        """As of the last plan; a move cannot make it false."""

    # Connecting and disconnecting

    def check(self, visitor: Visitor) -> None:
        self._admission.check(visitor)

    async def join(self, connection: Connection, since: int | None) -> bool:
        if not self.is_open:
            return False
        player = connection.player
        seat = self.table.seat_of(player)
        if player is not None and seat is not None:
            self._admission.note(player, connection.source)
            self._timing.arrives(seat, self._people())
        self._connections.append(connection)
        self._welcome(connection, since)
        if seat is not None and self._is_away(seat):
            self.happen(partial(self._comes_back, seat))
        self._plan()
        return True

    def leave(self, connection: Connection) -> None:
        super().leave(connection)
        if self.is_open:
            seat = connection.seat
            if seat is not None and seat not in self._people():
                self._timing.leaves(seat)
            self._plan()

    def rename(self, player: str, name: str) -> None:
        super().rename(player, name)
        if self._audience.rename(player, name):
            self.notes.names_changed()
            for connection in self._connections:
                self._welcome(connection, None)

    @property
    def has_players(self) -> bool:
        return any(one.seat is not None for one in self._connections)

    @property
    def listed(self) -> Listed:
        return self.notes.listed

    def _people(self) -> set[int]:
        """The seats whose players are present."""
        return {one.seat for one in self._connections if one.seat is not None}

    def _watching(self) -> int:
        return sum(one.seat is None for one in self._connections)

    def _comes_back(self, seat: int) -> CameBack | None:
        return CameBack(seat=seat) if self._is_away(seat) else None

    def _is_away(self, seat: int) -> bool:
        one = self.table.seats[seat]
        return isinstance(one, PlayerSeat) and one.stand_in == ABSENT

    # Messages

    def read(self, frame: str) -> TableMessage:
        return read_message(frame)

    def answer(self, connection: Connection, message: TableMessage) -> None:
        self._take_turn_for(connection, self._take_turn, connection, message)

    def _take_turn(self, connection: Connection, message: TableMessage) -> None:
        try:
            goes_on = self.is_open and self._answer(connection, message)
        except Exception as error:
            self.refuse(connection, message.id, error)
            goes_on = False
        if not goes_on:
            self._turns.end()

    def _answer(self, connection: Connection, message: TableMessage) -> bool:
        """Do what a message asks for; returns whether the turn goes on until a write is done."""
        player, name = connection.player, connection.name
        if isinstance(message, requests.Act) and player is not None and name is not None:
            return self._grant(connection, player, name, message)  # as nearly always
        if isinstance(message, requests.Ping):
            connection.send(PONG)
        elif isinstance(message, requests.Sync):
            self._welcome(connection, message.since)
        elif player is None or name is None:
            raise Refused("no_name")
        elif isinstance(message, requests.Say):
            self._say(player, message)
        elif isinstance(message, requests.Wait):
            self._wait(connection, player, message)
        elif isinstance(message, requests.Knock):
            self._ask_for_seat(connection, player, name, message)
        elif isinstance(message, requests.LetIn):
            return self._let_in(connection, player, message)
        else:
            return self._grant(connection, player, name, message)
        return False

    def _say(self, player: str, message: requests.Say) -> None:
        seat = seated(self.table, player)
        self._phrases.check(player, message.phrase)
        self.tell(encode(SaidTold(seat=seat, phrase=message.phrase)))

    def _wait(self, connection: Connection, player: str, message: requests.Wait) -> None:
        """Somebody would rather wait for a player who is away than see a bot play."""
        seated(self.table, player)
        self._timing.waits(message.seat, self._people())
        connection.send(done(message.id, self.table.n))
        self._plan()

    def _grant(self, connection: Connection, player: str, name: str, request: Request) -> bool:
        """Do what is asked, once; returns whether the turn goes on."""
        table = self.table
        n = table.done(player, request.id)
        if n is None and isinstance(request, requests.Rematch):
            check_rematch(table, player)
            if table.rematch is None:
                self._server.start(self._open_rematch(connection, player, request))
                return True
        elif n is None:
            if isinstance(request, requests.LetBot):
                self._timing.lets_bot(request.seat, self._people())
            if isinstance(request, requests.Sit):
                self._admission.check_line(player, connection.source, request.seat)
            entry = answer(table, player, name, request)
            if entry is not None:
                if not isinstance(entry, Acted):
                    self._server.charge(connection.source, entry_size(entry, table.rules))
                self._write(entry, connection)
                return True
        self.say(connection, done(request.id, table.n if n is None else n))
        return False

    # Letting people in

    def _ask_for_seat(
        self, connection: Connection, player: str, name: str, message: requests.Knock
    ) -> None:
        if self.table.seat_of(player) is not None:
            connection.send(done(message.id, self.table.n))
            return
        seat_for(self.table, player, message.seat)
        self._knock(connection, player, name, message)

    def _like(self, knock: Knock) -> list[str]:
        return self._admission.like(knock.player, knock.connection.source)

    def _let_in(self, connection: Connection, host: str, message: requests.LetIn) -> bool:
        """Answer a request for a seat; returns whether the turn goes on."""
        table = self.table
        n = table.done(host, message.id)
        if n is None:
            if not table.is_host(host):
                raise Refused("not_host")
            knock = self._knocks.answered(message.knock)
            if message.yes:
                entry = let_in(table, host, message, knock.player, knock.name, knock.seat)
                self._server.charge(connection.source, entry_size(entry, table.rules))
                self._write(entry, connection)
                return True
            self._turn_down(knock)
        connection.send(done(message.id, table.n if n is None else n))
        return False

    async def move_seat(self, before: str, player: str, name: str) -> None:
        """Move a player's seat to another browser; raises `Refused` if that is impossible."""
        moved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        source = asked_by.get()

        def take_turn() -> None:
            then = partial(settle, moved)
            try:
                if not self.is_open:
                    raise Refused("busy")
                entry = moved_seat(self.table, before, player, name)
                if entry is not None:
                    self._server.charge(source, entry_size(entry, self.table.rules))
            except Refused as error:
                refused: Refused | None = error
            else:
                if entry is not None:
                    self._write(entry, then=then)
                    return
                refused = None
            # as in `say`
            self._server.confirm(self, source, lambda error: then(error or refused))
            self._turns.end()

        self._turns.take(take_turn)
        await moved

    async def _open_rematch(
        self, connection: Connection, player: str, request: requests.Rematch
    ) -> None:
        """Create the rematch's table, and save its code."""
        asked_by.set(connection.source)
        try:
            created = rematch_of(self.table, player, request.commitment)
            code = await self._server.open_table(created, *started_at_once(created))
        except Exception as error:
            self.refuse(connection, request.id, error)
            self._turns.end()
        else:
            self._write(Rematched(code=code, asked_by=player, ask_id=request.id), connection)

    # What happens

    def happen(self, ask: Callable[[], Entry | None]) -> None:
        """Apply an entry that nobody asked for, if there still is one when its turn comes."""
        self._turns.take(partial(self._let_happen, ask))

    def _let_happen(self, ask: Callable[[], Entry | None]) -> None:
        entry = ask() if self.is_open else None
        if entry is None:
            self._turns.end()
            self._plan()
        else:
            self._write(entry)

    def _write(
        self, entry: Entry, asker: Connection | None = None, then: Then | None = None
    ) -> None:
        """Save an entry, then apply it, and end the turn."""
        logged = Logged(self.table.n + 1, now_ms(), entry)
        then_told = partial(self._written, logged, asker, then)
        if asker is not None and not isinstance(entry, Acted):  # moves wait for others' moves
            then_told = partial(self._timed, asker.source, then_told)
        self._server.store.append(self.code, logged, then_told, self.epoch)

    def _written(
        self, logged: Logged, asker: Connection | None, then: Then | None, error: Exception | None
    ) -> None:
        try:
            if error is not None:
                raise error
            self._happens(logged, asker)
        except OUTAGES:
            self.give_up()  # the server is stopping; the writer has logged why this is not saved
        except ConflictError:
            logger().warning("a table was written to elsewhere", table=self.code)
            self.give_up()
        except Exception:
            logger().exception("a table failed", table=self.code)
            self.give_up()
        finally:
            self._turns.end()
        self._plan(logged.entry)
        if then is not None:
            then(error)

    def _happens(self, logged: Logged, asker: Connection | None) -> None:
        """Apply a saved entry, and tell everyone."""
        entry, table = logged.entry, self.table
        seats, spectators = list(table.seats), table.settings.spectators
        told = self._audience.advance(logged, {one.seat for one in self._connections})
        ended_round = self._timing.goes_on(entry)
        for connection in self._connections:
            if connection is asker:
                connection.send(done(entry.ask_id, logged.n))
            connection.send(told[connection.seat])
        watched = table.settings.spectators != spectators
        if table.seats != seats or isinstance(entry, Hosted) or watched:
            self._welcome_changed(watched)
        if isinstance(entry, Acted):
            self._server.metrics.moves += 1
            if ended_round:
                self._server.summarise_soon(self)
        else:
            self._see_to_the_door(entry, logged.n)
            self._server.metrics.entries.labels(type(entry).__name__).inc()
            self._server.start(self.summarise())
        if table.state in ("over", "closed"):
            self._refuse_knocks(Refused("game_over" if table.state == "over" else "closed"))

    def _see_to_the_door(self, entry: Entry, n: int) -> None:
        """Update who is in, who is asking to be, and who can no longer stay."""
        if isinstance(entry, Sat):
            for connection in self._connections:
                if connection.player == entry.player:
                    self._admission.note(entry.player, connection.source)
            self._has_let_in(entry.player, n)
        if isinstance(entry, Started | Changed | Cleared):
            self._send_strangers_away()

    async def summarise(self) -> None:
        await self.notes.write(SNAPSHOT_EVERY if self.is_open else SNAPSHOT_AT_REST)

    def _welcome(self, connection: Connection, since: int | None) -> None:
        connection.seat = self.table.seat_of(connection.player)
        connection.is_host = connection.seat is not None and connection.seat == self.table.host
        presence = self._timing.presence(self._people(), self._watching())
        key = self._admission.key_for(connection)
        connection.send(
            self._audience.welcome(connection.player, connection.name, since, presence, key)
        )
        if connection.is_host and self._knocks:
            connection.send(self._knocks_told())

    def _welcome_changed(self, watched: bool) -> None:
        """Send a new welcome to everyone whose role at the table, or view of it, has changed."""
        for connection in self._connections:
            seat = self.table.seat_of(connection.player)
            is_host = seat is not None and seat == self.table.host
            sees_other = watched and seat is None
            if seat != connection.seat or is_host != connection.is_host or sees_other:
                if seat is not None and seat != connection.seat:
                    self._timing.arrives(seat, self._people())
                self._welcome(connection, None)

    def _plan(self, happened: Entry | None = None) -> None:
        """Schedule what is due next, and tell everyone who is present if that has changed."""
        if not self.is_open:
            return
        if not self._connections:
            self._pulse.pause()
            return
        if isinstance(happened, Acted) and self._waits_for_people_alone:
            return  # no news for anyone, and nothing is due
        people = self._people()
        self._waits_for_people_alone = self._timing.waits_for_people_alone(people)
        self._tell_presence(people)
        self._pulse.plan(people)

    def _tell_presence(self, people: set[int]) -> None:
        watching = self._watching()
        presence = self._timing.presence_key(people, watching)
        if presence != self._told_presence:
            self._told_presence = presence
            told = self._timing.presence(people, watching)
            self.tell(encode({"t": "presence", "presence": told}))

    def close(self) -> None:
        self._pulse.stop()
        super().close()

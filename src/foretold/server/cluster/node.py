"""This process as one node of a site: its lease, its tables, and what it passes on."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

import msgspec
from sqlalchemy.engine import Connection as Database
from sqlalchemy.engine import Engine

import foretold
from foretold.server.cluster.bus import Bus, BusError
from foretold.server.cluster.links import Links
from foretold.server.cluster.messages import (
    NOT_HERE,
    UNKNOWN,
    Answered,
    Frame,
    Item,
    Join,
    Leave,
    MoveSeat,
    Prepare,
    Request,
    encode,
    read_answer,
    read_batch,
    read_request,
)
from foretold.server.cluster.passing import Guests, Passing, Places, RemoteRoom
from foretold.server.cluster.subjects import Subjects, node_name
from foretold.server.net.handing import Sibling
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import asked_by
from foretold.server.rooms.awake import ElsewhereError
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.live import LiveRoom
from foretold.server.rooms.rooms import Rooms
from foretold.server.settings import ServerSettings
from foretold.server.storage import owners
from foretold.server.storage.failures import is_outage, refused_by
from foretold.server.storage.lots import Lots
from foretold.server.storage.owners import LEASE_SECONDS, Owned, Peer
from foretold.table.refusals import Refused

Answer = TypeVar("Answer")

RENEW_SECONDS: Final = 1.0
AUDIT_SECONDS: Final = 10.0
"""How often a node asks whether its tables are still its own, even while its lease seems valid."""
CLAIM_AT_ONCE: Final = 100
FIND_SECONDS: Final = 6.0
"""How long to look for the owner of a table: longer than a dead one keeps it."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two attempts."""
ANSWER_SECONDS: Final = 2.0
PREPARE_SECONDS: Final = 5.0
AWAY_AT_ONCE: Final = 10
AWAY_SECONDS: Final = 0.01
"""Sockets that a leaving node closes at a time, and the pause after them."""


class Node:
    """Owns tables, and finds those that others own."""

    def __init__(
        self, settings: ServerSettings, engine: Engine, bus: Bus, rooms: Rooms, places: Places
    ) -> None:
        # The name may come back while others still know its last process.
        self.id = f"{node_name(settings)}-{secrets.token_hex(4)}"
        self.bus = bus
        self.subjects = Subjects.of(settings.bus)
        self.peers: list[Peer] = []
        self.is_leaving = False
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._rooms = rooms
        self._places = places
        self._epochs: dict[str, int] = {}
        """The epochs of the tables in memory, by code."""
        self._claims = Lots(self._claim_many, CLAIM_AT_ONCE)
        self._releases = Lots(self._release_many, CLAIM_AT_ONCE)
        # A thread of its own, because a lease must not wait.
        self._renewer = ThreadPoolExecutor(1, thread_name_prefix="lease")
        self._claimer = ThreadPoolExecutor(1, thread_name_prefix="claims")
        self._renewed_at = time.monotonic()
        self._audited_at = -math.inf
        """When the database last told which tables are still ours."""
        self._lapses = 0
        """How often the lease has run out: an earlier claim may be void."""
        self._heard_at = time.monotonic()
        """When the bus was last connected."""
        self._links = Links(
            bus, self.id, self.subjects.link, self._hear, self._lose, self._has_guests
        )
        self._passing = Passing(self._links.send)
        self._guests = Guests(places, self._links.send, settings.backlog)
        self._living: asyncio.Task[None] | None = None
        self._successors: deque[str] = deque()
        """The nodes that prepare tables while this one leaves; those that cannot are removed."""
        self.others_save: Callable[[], bool] = lambda: False
        """Whether other nodes can write to the database."""
        self.sibling: Sibling | None = None
        """This process among others at the same port."""

    async def start(self) -> None:
        """Take a lease, and listen."""
        await self._renew()
        await self.bus.subscribe(
            self.subjects.link(self.id), lambda data: self._links.heard(read_batch(data))
        )
        await self.bus.answer(self.subjects.ask(self.id), self._answer)
        for rooms in self._places.values():
            rooms.claims = self
        self._living = asyncio.create_task(self._live_on())

    @property
    def is_well(self) -> bool:
        """Whether clients should connect here."""
        return not self.is_leaving and self.has_lease and self.bus.is_connected

    @property
    def has_lease(self) -> bool:
        return time.monotonic() - self._renewed_at < LEASE_SECONDS

    def answered_at(self) -> float:
        """When the question was asked that the database answered last, by the monotonic clock."""
        return self._renewed_at

    # The database

    async def _ask(self, thread: ThreadPoolExecutor, ask: Callable[[Database], Answer]) -> Answer:
        """Ask the database; raises `Refused` if it does not answer."""

        def asked() -> Answer:
            with self._engine.connect() as connection:
                return ask(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(thread, asked)
        except Exception as error:
            if is_outage(error):
                raise Refused("unavailable") from None
            raise

    async def _renew(self) -> None:
        def renew(connection: Database) -> tuple[bool, list[Peer]]:
            lapsed = owners.renew(
                connection,
                self.id,
                foretold.__version__,
                leaving=self.is_leaving,
                hears=self.bus.is_connected,
            )
            return lapsed, owners.peers(connection)

        sent_at = time.monotonic()
        lapsed, self.peers = await self._ask(self._renewer, renew)
        # If the answer to an earlier renewal was lost, the database does not tell of a lapse before
        # that one; our clock does.
        if lapsed or not self.has_lease:
            self._lapses += 1
            self._audited_at = -math.inf
        self._renewed_at = sent_at
        if sent_at - self._audited_at > AUDIT_SECONDS:
            await self._audit()

    async def _audit(self) -> None:
        """Give up the tables that others have claimed: people here would wait for ever for news.

        If the database does not answer, the next renewal tries again.
        """
        held, lapses, asked_at = dict(self._epochs), self._lapses, time.monotonic()
        gone: list[str] = []
        if held:
            gone = await self._ask(
                self._renewer, lambda connection: owners.lost(connection, self.id, held)
            )
        if lapses == self._lapses:
            self._audited_at = asked_at
        gone = [code for code in gone if self._epochs.get(code) == held[code]]
        if gone:
            logger().warning("tables are at other nodes by now", tables=len(held), lost=len(gone))
            self._give_up(gone)

    async def _live_on(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._renew()
            except Refused:
                pass  # the writer logs it
            except Exception:
                logger().exception("the lease cannot be renewed")
            now = time.monotonic()
            if self.bus.is_connected:
                self._heard_at = now
            # A node cut off from the database asks over the bus whether others can still write, and
            # one cut off from the bus asks the database whether others still hear. If they do,
            # clients are better off there; if all are cut off, clients may as well stay.
            if (not self.has_lease and self.others_save()) or (
                now - self._heard_at > LEASE_SECONDS
                and any(one.hears for one in self.peers if one.id != self.id)
            ):
                await self._go_away()

    async def _go_away(self) -> None:
        codes = list(self._epochs)
        if codes:
            logger().error("this node is cut off, and gives up its tables", tables=len(codes))
        epochs = [self._epochs[code] for code in codes]
        self._give_up(codes)
        if self.has_lease:
            await asyncio.gather(*map(self.release, codes, epochs))

    def _give_up(self, codes: Sequence[str]) -> None:
        for code in codes:
            for rooms in self._places.values():
                rooms.renew(code)
            self.drop(code)

    # Claims

    async def claim(self, code: str) -> int | None:
        if self.is_leaving:
            raise Refused("restarting")
        while True:
            lapses = self._lapses
            owned = await self._claims.ask(code)
            if owned is None:
                return None
            if owned.node != self.id:
                raise ElsewhereError(owned.node)
            if lapses == self._lapses:  # or somebody else may have claimed it since
                break
        self._epochs[code] = owned.epoch
        if self.sibling is not None:
            self.sibling.owns(code)
        return owned.epoch

    async def _claim_many(self, codes: Sequence[str]) -> Mapping[str, Owned | None]:
        distinct = sorted(set(codes))
        found = await self._ask(
            self._claimer, lambda connection: owners.claim(connection, self.id, distinct)
        )
        return {code: found.get(code) for code in codes}

    def drop(self, code: str) -> None:
        self._epochs.pop(code, None)
        if self.sibling is not None:
            self.sibling.disowns(code)

    async def release(self, code: str, epoch: int) -> None:
        with suppress(Refused):  # it will be free when the lease runs out
            await self._releases.ask((code, epoch))

    async def _release_many(
        self, epochs: Sequence[tuple[str, int]]
    ) -> Mapping[tuple[str, int], None]:
        await self._ask(self._claimer, lambda one: owners.release(one, self.id, epochs))
        return dict.fromkeys(epochs)

    # Sockets

    async def enter(
        self, place: str, code: str, connection: Connection, since: int | None
    ) -> LiveRoom | RemoteRoom:
        """Join a table or sheet, wherever it is; raises `Refused`."""

        async def come(node: str | None) -> LiveRoom | RemoteRoom:
            if node is None:
                room: LiveRoom = await self._places[place].join(code, connection, since)
                return room
            return await self._passing.join(node, place, code, connection, since)

        return await self._at_owner(come)

    async def _at_owner(self, do: Callable[[str | None], Awaitable[Answer]]) -> Answer:
        """Do something here (None) or, if another node owns the table, there."""
        deadline = time.monotonic() + FIND_SECONDS
        while True:
            try:
                try:
                    return await do(None)
                except ElsewhereError as elsewhere:
                    return await do(elsewhere.node)
            except ElsewhereError:
                if time.monotonic() > deadline:
                    raise Refused("busy") from None
            await asyncio.sleep(LOOK_SECONDS)

    def _hear(self, node: str, item: Item) -> None:
        if isinstance(item, Join | Frame | Leave):
            self._guests.hear(node, item)
        else:
            self._passing.hear(node, item)

    def _lose(self, node: str) -> None:
        for side in (self._passing, self._guests):
            side.lose(lambda one: one == node)

    def _has_guests(self, node: str) -> bool:
        return self._passing.has(node) or self._guests.has(node)

    # Requests

    async def move_seat(self, code: str, before: str, player: str, name: str) -> None:
        """Move a player's seat to another browser; raises `Refused`."""
        request = encode(MoveSeat(code, before, player, name, asked_by.get()))

        async def move(node: str | None) -> None:
            if node is None:
                await self._rooms.move_seat(code, before, player, name)
                return
            try:
                data = await self.bus.request(self.subjects.ask(node), request, ANSWER_SECONDS)
            except BusError:
                raise ElsewhereError(node) from None
            answer = read_answer(data)
            if answer.code == NOT_HERE:
                raise ElsewhereError(node)
            if answer.code:
                raise Refused(answer.code, **answer.params)

        await self._at_owner(move)

    async def prepare(self, code: str) -> bool:
        request = encode(Prepare(code))
        while self._successors:
            node = self._successors[0]
            self._successors.rotate(-1)
            with suppress(BusError):
                data = await self.bus.request(self.subjects.ask(node), request, PREPARE_SECONDS)
                answer = read_answer(data)
                if answer.code not in (UNKNOWN, "restarting"):
                    return not answer.code
            if node in self._successors:
                self._successors.remove(node)
        return False

    async def _answer(self, data: bytes) -> bytes:
        try:
            asked: Request = read_request(data)
        except msgspec.DecodeError:
            return encode(Answered(UNKNOWN))
        try:
            if isinstance(asked, Prepare):
                await self._rooms.prepare(asked.code)
            else:
                asked_by.set(asked.source)
                await self._rooms.move_seat(asked.code, asked.before, asked.player, asked.name)
        except ElsewhereError:
            return encode(Answered(NOT_HERE))
        except Exception as error:
            refused = refused_by(error)
            if refused is not error:
                logger().error("a request of another node failed", exc_info=error)
            return encode(Answered(refused.code, refused.params))
        return encode(Answered())

    # The end

    async def leave(self) -> None:
        """Take no more tables; from now on this node is not ready."""
        self.is_leaving = True
        if self.has_lease:
            with suppress(Refused):
                await self._renew()
        self._successors.extend(
            one.id for one in self.peers if one.hears and not one.is_leaving and one.id != self.id
        )

    async def send_away(self) -> None:
        """Close the sockets here whose rooms are elsewhere, a few at a time."""
        while self._passing.lose(lambda _: True, AWAY_AT_ONCE):
            await asyncio.sleep(AWAY_SECONDS)

    async def close(self) -> None:
        """End the lease; all tables must have been given up."""
        if self._living is not None:
            self._living.cancel()
        self._links.close()
        if self.has_lease:  # or the database is silent
            with suppress(Refused):  # it will run out
                await self._ask(self._renewer, lambda one: owners.leave(one, self.id))
        await self.bus.close()
        for thread in (self._renewer, self._claimer):
            thread.shutdown(wait=False, cancel_futures=True)

"""Score sheets that are looked at now, and what lists and statistics say of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from foretold.server.connection import Connection
from foretold.server.live import PONG, LiveRoom, LiveRooms, done, encode
from foretold.server.logs import logger
from foretold.server.names import clean_name
from foretold.server.store import ConflictError, now_ms
from foretold.table.creation import new_code
from foretold.table.messages import Ping, Sync
from foretold.table.refusals import Refused
from foretold.table.sheets import (
    Rename,
    SheetAudience,
    SheetMessage,
    SheetRequest,
    Write,
    answer_sheet,
    read_sheet_message,
)
from foretold.tablet.entries import Opened, Written
from foretold.tablet.tablet import Tablet
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
        """Those in whose lists the sheet is."""

    async def join(self, connection: Connection, since: int | None) -> bool:
        async with self._lock:
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

    async def answer(self, connection: Connection, message: SheetMessage) -> None:
        if isinstance(message, Ping):
            connection.send(PONG)
            return
        async with self._lock:
            if isinstance(message, Sync):
                self._welcome(connection, message.since)
            elif connection.player is None or connection.name is None:
                raise Refused("no_name")
            elif self.is_open:
                await self._grant(connection, connection.player, connection.name, message)

    async def _grant(
        self, connection: Connection, player: str, name: str, request: SheetRequest
    ) -> None:
        """Do what is asked, once. The lock is held."""
        n = self.tablet.done(player, request.id)
        if n is not None:
            connection.send(done(request.id, n))
            return
        entry = answer_sheet(self.tablet, player, name, _cleaned(request))
        written = Written(self.tablet.n + 1, now_ms(), entry)
        try:
            newcomer = None if player in self._known else player
            await self._keeper.store.append_sheet(self.code, written, newcomer)
            told = self._audience.advance(written, {one.player for one in self._connections})
        except BaseException:
            self.give_up()
            raise
        self._known.add(player)
        self._updated = written.at
        await self.summarise()  # so that whoever asks next for a list finds it there
        connection.send(done(request.id, written.n))
        for one in self._connections:
            one.send(told[one.player])
        self._keeper.metrics.entries.labels(type(entry).__name__).inc()

    def _welcome(self, connection: Connection, since: int | None) -> None:
        presence = {"watching": len(self._connections)}
        connection.send(self._audience.welcome(connection.player, connection.name, since, presence))

    def _tell_presence(self) -> None:
        self.tell(encode({"t": "presence", "presence": {"watching": len(self._connections)}}))

    async def summarise(self) -> None:
        summary = summary_of(self.code, self.tablet, self._created, self._updated)
        try:
            await self._keeper.store.summarise_sheet(self.code, summary, self.tablet.n)
        except Exception:
            logger().exception("no summary", sheet=self.code)


def _cleaned(request: SheetRequest) -> SheetRequest:
    """With texts that can be shown anywhere; raises `Refused`."""
    if isinstance(request, Rename):
        return msgspec.structs.replace(request, name=clean_name(request.name))
    if isinstance(request, Write) and isinstance(request.note, str):
        return msgspec.structs.replace(request, note=printable(" ".join(request.note.split())))
    return request


class Sheets(LiveRooms[SheetRoom]):
    """The sheets by code."""

    async def open_sheet(self, opened: Opened) -> str:
        """Make a new sheet; answers its code."""
        for _ in range(TRIES):
            code = new_code()
            written = Written(1, now_ms(), opened)
            summary = summary_of(code, Tablet(opened), written.at, written.at)
            try:
                await self.store.add_sheet(code, written, summary, opened.host)
            except ConflictError:
                continue
            return code
        raise Refused("too_many")

    async def wake(self, code: str) -> SheetRoom:
        log = await self.log_of(code)
        audience = await self.store.run(lambda: SheetAudience.replayed(code, log))
        return SheetRoom(self, code, audience, log)

    async def log_of(self, code: str) -> Sequence[Written]:
        log = await self.store.sheet_log_of(code)
        if not log:
            raise Refused("no_sheet")
        return log

    async def tablet(self, code: str) -> Tablet:
        log = await self.log_of(code)
        return await self.store.run(lambda: Tablet.replayed(log))

    async def summaries_of(self, player: str) -> list[dict[str, Any]]:
        return await self.store.sheets_of(player)


def summary_of(code: str, tablet: Tablet, created: int, updated: int) -> dict[str, Any]:
    """A sheet in a few words, as lists have it."""
    current = tablet.current
    state = "deleted" if tablet.is_deleted else "playing" if current is not None else "over"
    rounds = [
        {"bids": line.scored_bids, "taken": list(line.taken)}
        for line in tablet.lines
        if line.is_finished
    ]
    return {
        "code": code,
        "state": state,
        "names": list(tablet.names),
        "rules": tablet.rules.to_options(),
        "round": len(tablet.lines) if current is None else current.number,
        "rounds": len(tablet.lines),
        "totals": tablet.totals,
        "met": [
            sum(line["bids"][seat] == line["taken"][seat] for line in rounds)
            for seat in range(tablet.rules.players)
        ],
        "created": created,
        "updated": updated,
    }


def statistics(summaries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What finished sheets say of everyone who is on them, by name."""
    players: dict[str, dict[str, Any]] = {}
    for summary in summaries:
        if summary["state"] != "over":
            continue
        best = max(summary["totals"])
        for seat, name in enumerate(summary["names"]):
            total = summary["totals"][seat]
            one = players.setdefault(
                name.casefold(),
                {"name": name, "games": 0, "wins": 0, "points": 0, "best": total, "rounds": 0}
                | {"exact": 0},
            )
            one["games"] += 1
            one["wins"] += total == best
            one["points"] += total
            one["best"] = max(one["best"], total)
            one["rounds"] += summary["rounds"]
            one["exact"] += summary["met"][seat]
    return sorted(players.values(), key=lambda one: (-one["games"], one["name"]))

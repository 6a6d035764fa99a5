"""A client written from docs/protocol.md alone."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, ClassVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Origin

from wire import check_answer, check_frame

Data = dict[str, Any]


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run a story of people and tables."""

    async def told() -> None:
        try:
            await story()
        finally:
            for person in Person.everybody:
                await person.http.aclose()
            Person.everybody.clear()

    asyncio.run(told())


class RefusedError(Exception):
    """The server said no."""

    def __init__(self, data: Data) -> None:
        super().__init__(f"{data['code']}: {data['reason']}")
        self.code: str = data["code"]
        self.params: Data = data["params"]
        self.reason: str = data["reason"]
        self.id: str = data.get("id", "")
        """Of the request."""


class Person:
    """Somebody with a name, and the cookie for it."""

    everybody: ClassVar[list[Person]] = []

    def __init__(self, url: str, source: str = "127.0.0.1") -> None:
        """`source` is the address they come from."""
        self.url = url
        self.source = source
        self.keys: dict[str, str] = {}
        """The keys of the invitations they have opened, by code."""
        # Servers close idle connections after five seconds; a request sent at that moment is lost.
        limits = httpx.Limits(keepalive_expiry=2.0)
        way = httpx.AsyncHTTPTransport(local_address=source, limits=limits)
        self.http = httpx.AsyncClient(base_url=url, timeout=20, transport=way)
        self.everybody.append(self)

    @classmethod
    async def named(cls, url: str, name: str, source: str = "127.0.0.1") -> Person:
        person = cls(url, source)
        await person.call("PUT", "/api/me", {"name": name})
        return person

    async def call(self, method: str, path: str, body: object = None) -> Data:
        answer = await self.ask(method, path, body)
        data: Data = answer.json()
        if answer.status_code != 200:
            raise RefusedError(data)
        return data

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        shown = [key for code, key in self.keys.items() if f"/{code}" in path.upper()]
        cookies = [self.cookie, *(f"foretold-key={key}" for key in shown)]
        cookie = "; ".join(filter(None, cookies))
        answer = await self.http.request(method, path, json=body, headers={"cookie": cookie})
        if answer.headers.get("content-type") == "application/json":
            check_answer(method, path, answer.status_code, answer.content)
        return answer

    async def key_of(self, code: str) -> str:
        """The key of a table, if they may pass it on."""
        return str((await self.call("GET", f"/api/tables/{code}"))["key"])

    async def new_table(
        self, *, rules: Data | None = None, bots: list[str | None] | None = None, **settings: Any
    ) -> str:
        body = {"rules": rules or {}, "settings": {"pace": 0, **settings}, "bots": bots or []}
        return str((await self.call("POST", "/api/tables", body))["code"])

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())


class Client:
    """Somebody at a table, or at a score sheet (`place` is then ``sheets``).

    It reconnects by itself, and repeats what was not answered.
    """

    def __init__(self, person: Person, code: str, place: str = "tables") -> None:
        self.person = person
        self.code = code
        self.place = place
        self.n: int | None = None
        self.you: Data = {}
        self.table: Data = {}
        self.view: Data | None = None
        self.sheet: Data = {}
        self.presence: Data = {}
        self.events: list[Data] = []
        """All events received, in order."""
        self.missed: list[Data] = []
        self.heard: list[Data] = []
        self.said: list[Data] = []
        self.knocks: list[Data] = []
        """People asking this host to be let in."""
        self.saves = True
        """Whether the server can save what happens."""
        self.byes = 0
        self.welcomes = 0
        self.longest_gap = 0.0
        """Seconds from losing a connection to the next welcome."""
        self.comes_back = True
        self._answers: dict[str, asyncio.Future[int]] = {}
        self._unanswered: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._ids = (f"{id(self):x}-{number}" for number in itertools.count())
        self.refusal: Data | None = None

    async def __aenter__(self) -> Client:
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(lambda _: self._changed.set())
        await self.until(lambda: self.welcomes > 0 or self.refusal is not None)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.leave()

    async def leave(self) -> None:
        """Close the connection, and stay away."""
        self.comes_back = False
        if self._socket is not None:
            await self._socket.close()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def drop(self) -> None:
        """Lose the connection, as in a tunnel."""
        if self._socket is not None:
            self._socket.transport.abort()

    # Requests

    async def ask(self, kind: str, **fields: Any) -> int:
        """Ask until it is answered; returns the number under which it was saved."""
        return await self.ask_as(next(self._ids), kind, **fields)

    async def ask_as(self, ask_id: str, kind: str, **fields: Any) -> int:
        frame = json.dumps({"t": kind, "id": ask_id, **fields})
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._answers[ask_id] = answer
        self._unanswered[ask_id] = frame
        await self.send_raw(frame)
        return await answer

    async def act(self, action: str) -> int:
        assert self.view is not None
        return await self.ask("act", turn=self.view["turn"], action=action)

    async def say(self, phrase: str) -> None:
        await self.send_raw(json.dumps({"t": "say", "id": next(self._ids), "phrase": phrase}))

    async def send_raw(self, frame: str | bytes) -> None:
        if self._socket is not None:
            with suppress(WebSocketException):
                await self._socket.send(frame)

    # State

    @property
    def transport(self) -> asyncio.Transport | None:
        return None if self._socket is None else self._socket.transport

    @property
    def seat(self) -> int | None:
        seat: int | None = self.you["seat"]
        return seat

    @property
    def is_over(self) -> bool:
        return bool(self.table.get("state") == "over")

    @property
    def legal(self) -> list[str]:
        return [] if self.view is None else list(self.view["legal"])

    @property
    def turn(self) -> int | None:
        return None if self.view is None else int(self.view["turn"])

    async def until(self, holds: Callable[[], bool], seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                if self._task is not None and self._task.done():
                    self._task.result()  # such as a frame that is not as the protocol says
                self._changed.clear()
                await self._changed.wait()

    async def play_on(
        self, choose: Callable[[list[str]], str] = lambda legal: legal[0], seconds: float = 60.0
    ) -> None:
        """Play until the game is over."""
        async with asyncio.timeout(seconds):
            while not self.is_over:
                if self.legal:
                    turn = self.turn
                    try:
                        await self.act(choose(self.legal))
                    except RefusedError as refused:
                        # After an absence, a bot may have acted for us.
                        if refused.code not in ("stale", "not_on_turn", "already_decided"):
                            raise
                    await self.until(partial(self._has_moved_on, turn), seconds)
                else:
                    await self.until(lambda: bool(self.legal) or self.is_over, seconds)

    def _has_moved_on(self, turn: int | None) -> bool:
        return not self.legal or self.turn != turn

    # The connection

    async def _run(self) -> None:
        lost = time.monotonic()
        while True:
            with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await self._visit(lost)
            if self._socket is not None:
                lost = time.monotonic()
            self._socket = None
            if not self.comes_back:
                return
            await asyncio.sleep(0.02)

    async def _visit(self, lost: float) -> None:
        since = "" if self.n is None else f"?since={self.n}"
        key = self.person.keys.get(self.code)
        cookies = [self.person.cookie, "" if key is None else f"foretold-key={key}"]
        address = self.person.url.replace("http", "ws", 1)
        async with connect(
            f"{address}/api/{self.place}/{self.code}/socket{since}",
            origin=Origin(self.person.url),
            additional_headers={"cookie": "; ".join(filter(None, cookies))},
            compression=None,
            ping_interval=None,
            open_timeout=5,
            local_addr=(self.person.source, 0),
        ) as connection:
            async for frame in connection:
                check_frame(frame, place=self.place, hidden=self._may_not_watch)
                message = json.loads(frame)
                if message["t"] == "welcome" and self._socket is None:
                    self._socket = connection
                    if self.welcomes:
                        self.longest_gap = max(self.longest_gap, time.monotonic() - lost)
                    self._hear(message)
                    for unanswered in list(self._unanswered.values()):
                        await connection.send(unanswered)
                elif self._hear(message) == "gap":
                    await connection.send(json.dumps({"t": "sync", "id": "sync", "since": self.n}))

    @property
    def _may_not_watch(self) -> bool:
        """Without a seat, if spectators are not allowed, before the game is over."""
        known = self.table.get("settings", {"spectators": True})
        return self.you.get("seat") is None and not known["spectators"] and not self.is_over

    def _hear(self, message: Data) -> str | None:
        self.heard.append(message)
        self._changed.set()
        match message["t"]:
            case "welcome":
                self.n = message["n"]
                self.you = message["you"]
                self.table, self.view = message.get("table", {}), message.get("view")
                self.sheet = message.get("sheet", {})
                self.presence = message["presence"]
                self.missed = message["missed"]
                self.events += message["missed"]
                self.welcomes += 1
                self.knocks = []  # or they are sent next
                self.saves = True  # or it is sent next
            case "event":
                assert self.n is not None
                if message["n"] <= self.n:
                    return None
                if message["n"] > self.n + 1:
                    return "gap"
                self.n = message["n"]
                self.events.append(message["event"])
                self.table.update(message.get("table", {}))
                self.sheet.update(message.get("sheet", {}))
                if "view" in message:
                    self.view = {**(self.view or {}), **message["view"]}
            case "done":
                self._unanswered.pop(message["id"], None)
                if message["id"] in self._answers and not self._answers[message["id"]].done():
                    self._answers[message["id"]].set_result(message["n"])
            case "refused":
                self._unanswered.pop(message["id"], None)
                answer = self._answers.get(message["id"])
                if answer is not None and not answer.done():
                    answer.set_exception(RefusedError(message))
                else:
                    self.refusal = message
            case "presence":
                self.presence = message["presence"]
            case "knocks":
                self.knocks = message["knocks"]
            case "saving":
                self.saves = message["works"]
            case "said":
                self.said.append(message)
            case "bye":
                self.byes += 1
            case "pong":
                pass
            case other:
                raise AssertionError(f"unknown message {other}")
        return None

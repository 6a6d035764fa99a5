"""Messages are dropped, doubled and reordered on their way, and connections break. In the end every
client has the same state as the table, and every decision was taken once.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from foretold.protocol.requests import Sync
from foretold.rules import Rules
from foretold.table import Refused
from foretold.table.answers import answer
from foretold.table.entries import Acted, Logged
from foretold.table.messages import read_message
from foretold.table.snapshots import replayed
from tables import CODE, NAMES, LiveTable, Message, started

RULES = (
    Rules(players=3, rounds="1-2"),
    Rules(players=3, rounds="2", bidding="hidden"),
    Rules(players=3, rounds="3", bidding="secret", specials=("JU", "CL", "BO")),
    Rules(mode="two_player", rounds="2,3"),
)


class Client:
    """A client as docs/protocol.md asks for one."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.n: int | None = None
        self.table: Message = {}
        self.view: Message | None = None
        self.waiting: dict[str, Message] = {}
        """Requests not yet answered."""
        self.done: dict[str, int] = {}
        self.refused: set[str] = set()
        self.needs_sync = True
        self._ids = itertools.count()

    def take(self, message: Message) -> None:
        match message["t"]:
            case "welcome":
                if self.n is None or message["n"] >= self.n:
                    self.n, self.table, self.view = message["n"], message["table"], message["view"]
                    self.needs_sync = False
            case "event":
                self._happened(message)
            case "done":
                self.waiting.pop(message["id"], None)
                self.done[message["id"]] = message["n"]
            case "refused":
                self.waiting.pop(message["id"], None)
                self.refused.add(message["id"])

    def _happened(self, message: Message) -> None:
        if self.n is None or message["n"] > self.n + 1:
            self.needs_sync = True
        elif message["n"] == self.n + 1:
            self.n = message["n"]
            self.table = {**self.table, **message.get("table", {})}
            if "view" in message:
                self.view = {**(self.view or {}), **message["view"]}

    def ask(self, **message: Any) -> Message:
        asked = {"id": f"{self.seat}-{next(self._ids)}", **message}
        if asked["t"] == "act":
            self.waiting[asked["id"]] = asked
        return asked


class Server:
    """The table as a server keeps it: save first, then tell."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live

    def take(self, seat: int, message: Message) -> list[tuple[int, Message]]:
        """What to send to whom in answer to a message."""
        request = read_message(msgspec.json.encode(message))
        if isinstance(request, Sync):
            return [(seat, self.live.welcome(seat, request.since))]
        table = self.live.table
        done = table.done(f"p{seat}", request.id)
        if done is not None:
            return [(seat, {"t": "done", "id": request.id, "n": done})]
        try:
            entry = answer(table, f"p{seat}", NAMES[seat], request)  # type: ignore[arg-type]
        except Refused as refusal:
            return [(seat, {"t": "refused", "id": request.id, **refusal.to_data()})]
        told = {} if entry is None else self.live.write(entry)
        events = [(viewer, one) for viewer, one in told.items() if viewer is not None]
        return [(seat, {"t": "done", "id": request.id, "n": table.n}), *events]

    def crash(self) -> None:
        """Forget everything but the log."""
        self.live.audience = replayed(CODE, self.live.log)
        self.live.table = self.live.audience.table


class BadNetwork(RuleBasedStateMachine):
    @initialize(rules=st.sampled_from(RULES), seed=st.integers(0, 99))
    def start(self, rules: Rules, seed: int) -> None:
        self.server = Server(started(rules, seed))
        self.clients = [Client(seat) for seat in range(rules.players)]
        self.to_server: list[tuple[int, Message]] = []
        self.to_clients: list[tuple[int, Message]] = []
        self.chance = Random(seed)

    def send(self, seat: int, message: Message) -> None:
        self.to_server.append((seat, message))

    @rule(which=st.integers(0, 5))
    def some_client_decides(self, which: int) -> None:
        client = self.clients[which % len(self.clients)]
        if client.view and client.view["legal"] and not client.waiting:
            action = self.chance.choice(client.view["legal"])
            self.send(client.seat, client.ask(t="act", turn=client.view["turn"], action=action))

    @rule(which=st.integers(0, 5))
    def some_client_repeats_itself(self, which: int) -> None:
        client = self.clients[which % len(self.clients)]
        for message in client.waiting.values():
            self.send(client.seat, message)

    @rule(which=st.integers(0, 5))
    def some_client_syncs(self, which: int) -> None:
        client = self.clients[which % len(self.clients)]
        if client.needs_sync:
            self.send(client.seat, client.ask(t="sync", since=client.n))

    @precondition(lambda self: self.to_server)
    @rule(which=st.integers(0), again=st.booleans())
    def the_server_gets_one(self, which: int, again: bool) -> None:
        index = which % len(self.to_server)
        seat, message = self.to_server[index] if again else self.to_server.pop(index)
        self.to_clients += self.server.take(seat, message)

    @precondition(lambda self: self.to_clients)
    @rule(which=st.integers(0, 3), again=st.booleans())
    def a_client_gets_one(self, which: int, again: bool) -> None:
        index = min(which, len(self.to_clients) - 1)
        seat, message = self.to_clients[index] if again else self.to_clients.pop(index)
        self.clients[seat].take(message)

    @rule(towards_server=st.booleans(), which=st.integers(0))
    def one_is_lost(self, towards_server: bool, which: int) -> None:
        way = self.to_server if towards_server else self.to_clients
        if way:
            way.pop(which % len(way))

    @rule()
    def the_server_crashes(self) -> None:
        self.server.crash()
        self.to_clients.clear()

    def teardown(self) -> None:
        if not hasattr(self, "server"):
            return
        for seat, message in self.to_server:
            self.to_clients += self.server.take(seat, message)
        for client in self.clients:
            for message in tuple(client.waiting.values()):
                self.to_clients += self.server.take(client.seat, message)
            self.to_clients += self.server.take(client.seat, client.ask(t="sync", since=client.n))
        for seat, message in self.to_clients:
            self.clients[seat].take(message)
        log = self.server.live.log
        for client in self.clients:
            truth = self.server.live.welcome(client.seat)
            assert (client.n, client.table, client.view) == (
                truth["n"],
                truth["table"],
                truth["view"],
            )
            assert not client.waiting
            for asked, n in client.done.items():
                assert _written(log, f"p{client.seat}", asked) == [n]
            for asked in client.refused:
                assert _written(log, f"p{client.seat}", asked) == []
        ids = [(one.entry.asked_by, one.entry.ask_id) for one in log if one.entry.ask_id]
        assert len(ids) == len(set(ids))


def _written(log: list[Logged], player: str, asked: str) -> list[int]:
    return [
        one.n
        for one in log
        if isinstance(one.entry, Acted)
        and (one.entry.asked_by, one.entry.ask_id) == (player, asked)
    ]


BadNetwork.TestCase.settings = settings(
    max_examples=60, stateful_step_count=60, derandomize=True, deadline=None
)
TestBadNetwork = BadNetwork.TestCase

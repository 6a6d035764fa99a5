"""Processes at one port: every socket gets to the process of its table."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import socket
from collections import Counter
from contextlib import AsyncExitStack, suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import uvicorn
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from foretold.server.api.socket import PATH
from foretold.server.net.handing import Sibling
from foretold.server.net.siblings import MOST_AT_ONCE, MOST_BYTES, Handshake, Siblings
from foretold.server.storage.database import open_as_it_is
from server.client import Client, Person, run
from server.process import ServerProcess
from server.test_processes import nodes_of
from system import find_nats

HANDSHAKE = Handshake("GET", b"/?a=1", "http", ("::1", 80), ("::1", 5), [(b"host", b"\xff")])
CODES = [f"T{number}" for number in range(200)]
LONG = 3600.0
"""Seconds that no test takes."""


def test_a_table_without_an_owner_has_one_place_among_those_that_are_well() -> None:
    with Siblings(3) as siblings:
        assert siblings.place("ABC", 0) is None
        for at in range(3):
            siblings.set_well(at, LONG)
        homes = {code: siblings.place(code, 0) for code in CODES}
        assert set(homes.values()) == {0, 1, 2}
        siblings.set_well(1, 0.0)
        for code, home in homes.items():
            now = siblings.place(code, 0)
            assert now in (0, 2)
            assert home == 1 or now == home  # only its tables move


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_tables_without_an_owner_are_spread_evenly(count: int) -> None:
    with Siblings(count) as siblings:
        for at in range(count):
            siblings.set_well(at, LONG)
        codes = ["".join(letters) for letters in product("ABCDEFGHJK", repeat=4)]
        homes = Counter(siblings.place(code, 0) for code in codes)
        assert len(homes) == count
        assert max(homes.values()) < 1.3 * len(codes) / count, homes


def test_a_table_is_with_its_owner_until_that_is_unwell_or_lets_go() -> None:
    with Siblings(2) as siblings:
        for at in range(2):
            siblings.set_well(at, LONG)
        code = next(one for one in CODES if siblings.place(one, 0) == 0)
        siblings.owns(1, code)
        assert siblings.place(code, 0) == 1
        siblings.disowns(0, code)  # late: it is another's by now
        assert siblings.place(code, 0) == 1
        siblings.set_well(1, 0.0)
        assert siblings.place(code, 0) == 0
        assert siblings.place(code, 1) == 1  # it still has it, and need not ask anybody
        siblings.set_well(1, LONG)
        siblings.disowns(1, code)
        assert siblings.place(code, 0) == 0


def test_a_full_process_keeps_its_tables_but_gets_no_sockets() -> None:
    with Siblings(3) as siblings:
        for at in range(3):
            siblings.set_well(at, LONG)
        for code in CODES:
            siblings.owns(0, code)
        siblings.set_full(0, LONG)
        assert {siblings.place(code, 1) for code in CODES} == {1}  # it passes messages on
        assert {siblings.place(code, 0) for code in CODES} == {1, 2}
        siblings.set_full(1, LONG)
        assert {siblings.place(code, 1) for code in CODES} == {2}
        siblings.set_full(2, LONG)
        assert siblings.place(CODES[0], 0) is None
        siblings.set_full(0, 0.0)
        assert {siblings.place(code, 1) for code in CODES} == {0}


def test_a_socket_arrives_with_its_handshake() -> None:
    near, far = socket.socketpair()
    with Siblings(2) as siblings, near:
        assert siblings.send(1, HANDSHAKE, far.fileno())
        far.close()
        assert not list(siblings.received(0))
        [(handshake, given)] = siblings.received(1)
        assert handshake == HANDSHAKE
        assert not given.get_inheritable()
        with given:
            given.sendall(b"hello")
        assert near.recv(10) == b"hello"


def test_a_process_is_given_no_more_than_its_queue_holds() -> None:
    """What it cannot take stays where it is, and nobody waits for it."""
    near, far = socket.socketpair()
    large = Handshake("GET", bytes(MOST_BYTES - 1000), "http", None, None, [])
    with Siblings(2) as siblings, near, far:
        given = 0
        while siblings.send(1, large, far.fileno()):
            given += 1
            assert given < 1000
        assert given > 2
        for _, one in siblings.received(1):
            one.close()
        assert siblings.send(1, large, far.fileno())


def test_what_a_dead_process_was_given_is_closed() -> None:
    near, far = socket.socketpair()
    with Siblings(1) as siblings, near:
        siblings.set_well(0, LONG)
        siblings.send(0, HANDSHAKE, far.fileno())
        far.close()
        siblings.drop_stranded()
        near.setblocking(False)
        with pytest.raises(BlockingIOError):
            near.recv(1)  # it is well, and will take it
        siblings.set_well(0, 0.0)
        siblings.drop_stranded()
        assert near.recv(1) == b""


def test_a_received_socket_is_never_inheritable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even for the moment until it could be made so."""
    monkeypatch.setattr(os, "set_inheritable", lambda *_: None)
    near, far = socket.socketpair()
    with Siblings(1) as siblings, near, far:
        siblings.send(0, HANDSHAKE, far.fileno())
        [(_, given)] = siblings.received(0)
        with given:
            assert not given.get_inheritable()


def test_a_process_that_may_open_no_more_files_takes_no_sockets_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("foretold.server.net.siblings.PAUSE_SECONDS", LONG)
    near, far = socket.socketpair()
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Siblings(2) as siblings, near, capture_logs() as logged:
        for at in range(2):
            siblings.set_well(at, LONG)
        siblings.owns(0, "ABC")
        siblings.send(0, HANDSHAKE, far.fileno())
        far.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, allowed[1]))
        try:
            assert not list(siblings.received(0))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, allowed)
        assert siblings.place("ABC", 1) == 1
        assert [line["log_level"] for line in logged] == ["warning"]


def test_what_cannot_be_read_does_not_stop_the_parent() -> None:
    near, far = socket.socketpair()
    with Siblings(1) as siblings, near:
        socket.send_fds(siblings._ends[0][1], [b"?"], [far.fileno()])
        far.close()
        siblings.drop_stranded()
        assert near.recv(1) == b""


def test_sockets_are_taken_some_at_a_time() -> None:
    near, far = socket.socketpair()
    with Siblings(1) as siblings, near, far:
        for _ in range(MOST_AT_ONCE + 1):
            assert siblings.send(0, HANDSHAKE, far.fileno())
        for count in (MOST_AT_ONCE, 1, 0):
            given = [given for _, given in siblings.received(0)]
            assert len(given) == count
            for one in given:
                one.close()


@pytest.mark.parametrize("failure", [OSError, asyncio.CancelledError])
def test_a_socket_that_cannot_be_taken_is_closed(failure: type[BaseException]) -> None:
    near, far = socket.socketpair()
    tried: list[socket.socket] = []  # or the garbage collector would close it

    async def fail(_: object, given: socket.socket) -> None:
        tried.append(given)
        raise failure

    async def story() -> None:
        loop: Any = asyncio.get_running_loop()
        loop.connect_accepted_socket = fail
        sibling = Sibling(siblings, 0, PATH)
        config = uvicorn.Config(lambda: None, log_config=None, lifespan="off")
        sibling.start(config, ServerState(), {}, lambda: LONG)
        async with asyncio.timeout(20):
            assert await loop.sock_recv(near, 1) == b""
        sibling.stop()

    with Siblings(1) as siblings, near:
        near.setblocking(False)
        siblings.send(0, HANDSHAKE, far.fileno())
        far.close()
        asyncio.run(story())
    assert tried


class _Wire(asyncio.Transport):
    """A connection with so many bytes still to send."""

    def __init__(self, file: socket.socket, unsent: int = 0) -> None:
        super().__init__({"socket": file})
        self._unsent = unsent

    def get_write_buffer_size(self) -> int:
        return self._unsent


def test_what_becomes_of_sockets_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = HANDSHAKE.scope({})
    near, far = socket.socketpair()
    counts: Counter[str] = Counter()
    with Siblings(2) as siblings, near, far:
        sibling = Sibling(siblings, 0, PATH)
        sibling.count = lambda outcome: counts.update([outcome])

        def hands_over(code: str = "ABCDEF", unsent: int = 0) -> bool:
            url = f"/api/tables/{code}/socket?since=1".encode()
            return sibling.hands_over(_Wire(far, unsent), scope, url)

        assert not hands_over()
        siblings.set_well(1, LONG)
        assert not hands_over(unsent=1)
        assert hands_over()
        monkeypatch.setattr(siblings, "send", lambda *_: False)
        assert not hands_over()
        siblings.owns(0, "ABCDEF")
        assert not hands_over()  # it is where it should be
        assert counts == dict.fromkeys(
            ("kept_none_takes", "kept_unsent", "handed", "kept_queue_full"), 1
        )
        assert siblings.drop_stranded() == 0
        siblings.set_well(1, 0.0)
        assert siblings.drop_stranded() == 1


def holders(server: ServerProcess, client: Client) -> set[int]:
    """The processes that have a client's connection open: two while it is being handed over."""
    assert client.transport is not None
    port = client.transport.get_extra_info("sockname")[1]
    ends = f":{server.port:04X} ", f":{port:04X} "
    lines = Path("/proc/net/tcp").read_text().splitlines()
    [inode] = [line.split()[9] for line in lines if ends[0] in line[:22] and ends[1] in line[20:36]]
    found = set()
    for pid in nodes_of(server.process.pid):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed since it was listed
                if os.readlink(file) == f"socket:[{inode}]":
                    found.add(pid)
    return found


async def holder(server: ServerProcess, client: Client) -> int:
    """The one process that has a client's connection open."""
    async with asyncio.timeout(20):
        while len(found := holders(server, client)) != 1:
            await asyncio.sleep(0.01)
    return found.pop()


async def come_back(client: Client) -> None:
    """Lose the connection, and get another."""
    lost = client.transport
    await client.drop()
    await client.until(lambda: client.transport not in (None, lost))


def owners(url: str) -> dict[str, int]:
    """The number of each table's process."""
    with open_as_it_is(url) as connection:
        rows = connection.execute(sa.text("SELECT code, node FROM owners WHERE node <> ''"))
        return {row.code: int(row.node.split("-")[-2]) for row in rows}


def server_pair(data: Path, database: str, **settings: object) -> ServerProcess:
    if find_nats() is None:
        pytest.skip("no NATS here: install nats-server")
    return ServerProcess(data, database=database, processes=2, **settings)


@pytest.fixture
def pair(tmp_path: Path, empty_postgres: str) -> ServerProcess:
    return server_pair(tmp_path, empty_postgres)


def test_sockets_are_at_the_process_of_their_table(
    pair: ServerProcess, empty_postgres: str
) -> None:
    async def story() -> None:
        pids = nodes_of(pair.process.pid)
        async with AsyncExitStack() as stack:
            clients = []
            for number in range(6):
                people = [await Person.named(pair.url, f"P{number}{at}") for at in range(4)]
                code = await people[0].new_table()
                clients += [await stack.enter_async_context(Client(one, code)) for one in people]
            owned = owners(empty_postgres)

            async def at_home() -> int:
                where = [await holder(pair, client) for client in clients]
                return sum(
                    pid == pids[owned[client.code]]
                    for pid, client in zip(where, clients, strict=True)
                )

            # A process that stands still for a while counts as unwell, so a few may be elsewhere;
            # without handing over half of them would be.
            assert await at_home() >= 0.8 * len(clients)
            await asyncio.gather(*map(come_back, clients))
            assert await at_home() >= 0.8 * len(clients)
            page = (await clients[0].person.http.get("/metrics")).text
            assert re.search(
                r'^foretold_handed_sockets_total{outcome="(handed|taken)"}', page, re.M
            )

    with pair:
        run(story)
        assert pair.stop() == 0
    assert '"level": "error"' not in pair.log, pair.log


def test_sockets_of_a_full_process_go_to_another(tmp_path: Path, empty_postgres: str) -> None:
    async def story() -> None:
        people = [await Person.named(server.url, f"P{at}") for at in range(4)]
        code = await people[0].new_table()
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(one, code)) for one in people]
            assert not any(client.refusal for client in clients)
            counts = Counter([await holder(server, client) for client in clients])
            assert set(counts.values()) == {2}

    with server_pair(tmp_path, empty_postgres, max_connections=2) as server:
        run(story)


def test_sockets_given_to_a_process_that_hangs_or_dies_find_another(
    pair: ServerProcess, empty_postgres: str
) -> None:
    async def story() -> None:
        people = [await Person.named(pair.url, name) for name in ("Ann", "Ben")]
        bots = [None, None, "apprentice", "apprentice"]
        code = await people[0].new_table(rules={"rounds": "1-3"}, bots=bots)
        async with Client(people[0], code) as host, Client(people[1], code) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
            pids = nodes_of(pair.process.pid)
            first = owners(empty_postgres)[code]
            os.kill(pids[first], signal.SIGSTOP)
            try:
                # Given to the one that hangs, then closed; then at the other, once the lease ends.
                await asyncio.gather(come_back(host), come_back(guest))
                for client in (host, guest):
                    assert await holder(pair, client) == pids[1 - first]
            finally:
                os.kill(pids[first], signal.SIGKILL)
            await asyncio.gather(host.play_on(), guest.play_on())

    with pair:
        run(story)
        assert pair.stop() == 0

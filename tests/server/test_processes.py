"""`foretold serve --processes`: several nodes at one port."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from foretold.errors import ServerError
from foretold.server import processes
from foretold.server.cluster.bus import open_bus
from foretold.server.run import serve
from foretold.server.settings import ServerSettings
from ports import free_port
from server.client import Client, Person, run
from server.process import ServerProcess
from system import find_nats


def test_sqlite_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="several processes need PostgreSQL") as told:
        serve(ServerSettings(data=tmp_path, port=free_port(), processes=2))
    assert "\n" not in str(told.value)


def test_without_a_bus_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PROGRAM", "no-such-program")
    settings = ServerSettings(data=tmp_path, processes=2)
    with pytest.raises(ServerError, match="install no-such-program"), processes.bus_for(settings):
        pass


def test_only_the_nodes_can_speak_on_their_own_bus(tmp_path: Path) -> None:
    if find_nats() is None:
        pytest.skip("no NATS here: install nats-server")

    async def reach(url: str) -> None:
        await (await open_bus(url, "test")).close()

    with processes.bus_for(ServerSettings(data=tmp_path, processes=2)) as (settings, [child]):
        asyncio.run(reach(settings.bus))
        token, _, address = settings.bus.removeprefix("nats://").rpartition("@")
        assert token
        assert token not in Path(f"/proc/{child.pid}/cmdline").read_text()
        with pytest.raises(ServerError, match="cannot reach the bus") as told:
            asyncio.run(reach(f"nats://{address}"))
        assert token not in str(told.value)


def nodes_of(pid: int) -> list[int]:
    """The processes that a parent has forked."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in found if "foretold" in Path(f"/proc/{one}/cmdline").read_text()]


def test_a_node_that_dies_is_restarted_and_its_tables_go_on(
    tmp_path: Path, empty_postgres: str
) -> None:
    if find_nats() is None:
        pytest.skip("no NATS here: install nats-server")

    async def story() -> None:
        people = [await Person.named(server.url, name) for name in ("Ann", "Ben")]
        bots = [None, None, "apprentice", "apprentice"]
        code = await people[0].new_table(rules={"rounds": "1-3"}, bots=bots)
        async with Client(people[0], code) as host, Client(people[1], code) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
            before = nodes_of(server.process.pid)
            assert len(before) == 2
            os.kill(before[0], signal.SIGKILL)
            await asyncio.gather(host.play_on(), guest.play_on())
            async with asyncio.timeout(20):
                while len(after := nodes_of(server.process.pid)) < 2:
                    await asyncio.sleep(0.05)
            assert before[1] in after

    server = ServerProcess(tmp_path, database=empty_postgres, processes=2)
    with server:
        run(story)
        nodes = nodes_of(server.process.pid)
        assert server.stop() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in nodes)
    assert re.search("node 0.*a process has ended", server.log)

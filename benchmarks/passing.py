"""What it costs to pass an action on: processor time per entry, with all sockets at the node that
owns the tables, and with all of them at another.

    python benchmarks/passing.py

Everything is on loopback: two nodes, PostgreSQL and NATS, whose times are shown side by side.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from server.client import Client, Person, run
from server.nats import Nats, nats
from server.nodes import site
from server.nursery import NurseryServer
from server.postgres import cluster
from system import find_nats, find_postgres

TABLES = 12
TURNS = 2


def main() -> None:
    home, program = find_postgres(), find_nats()
    if home is None or program is None:
        sys.exit("this needs PostgreSQL and NATS: apt install postgresql nats-server")
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(home) as database,
        nats(program) as bus,
        site(Path(folder), database, bus.url) as nodes,
    ):
        for _ in range(TURNS):
            for at in (0, 1):
                run(lambda at=at: play(nodes, bus, at))  # type: ignore[misc]


async def play(nodes: list[NurseryServer], bus: Nats, at: int) -> None:
    """Four people at each table, all with their sockets at one node; the first owns the tables."""
    clients: list[Client] = []
    for _ in range(TABLES):
        people = [await Person.named(nodes[at].url, f"P{seat}") for seat in range(4)]
        code = await people[0].new_table(rules={"rounds": "1-15"})
        async with Client(await Person.named(nodes[0].url, "Owner"), code):
            seated = [Client(person, code) for person in people]
            for seat, client in enumerate(seated):
                await client.__aenter__()
                if seat:
                    await client.ask("sit", seat=seat)
            await seated[0].ask("start")
        clients += seated
    pids = [nodes[0]._pid, nodes[1]._pid, bus.pid]
    begun, before, entries = time.monotonic(), [spent(pid) for pid in pids], count(clients)
    await asyncio.gather(*(client.play_on(seconds=600) for client in clients))
    entries = count(clients) - entries
    used = [(spent(pid) - one) / entries * 1e6 for pid, one in zip(pids, before, strict=True)]
    for client in clients:
        await client.leave()
    print(
        f"sockets at {'the owner' if at == 0 else 'another node'}: "
        f"{entries / (time.monotonic() - begun):.0f} entries a second; per entry: "
        f"owner {used[0]:.0f} µs, other node {used[1]:.0f} µs, NATS {used[2]:.0f} µs",
        flush=True,
    )


def count(clients: list[Client]) -> int:
    return sum(client.n or 0 for client in clients[::4])


def spent(pid: int | None) -> float:
    """The processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

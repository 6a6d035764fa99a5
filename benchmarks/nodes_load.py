"""What an action costs with one, two and three nodes: `serve_load.py --nodes`.

Nodes are at one port (`--processes`), or each at its own; then sockets are either where a balancer
that hashes table codes would send them, or anywhere. What counts is processor time per action,
since clients, PostgreSQL and NATS share the cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import serve_load
from serve_load import UNLIMITED, cpu_seconds, running

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from ports import free_port
from server.balancers import balanced
from server.nats import nats
from server.postgres import cluster
from system import find_balancer, find_nats, find_postgres

MOST_NODES = 3
HASHED, ANYWHERE, AT_ONE_PORT = "sockets at their tables", "sockets anywhere", "at one port"


@dataclass(frozen=True)
class Site:
    """Nodes, and the processes that their work takes."""

    ports: list[int]
    pids: dict[str, list[int]]
    postmaster: int

    def busy(self) -> dict[str, float]:
        """Processor seconds so far, by part."""
        spent = {part: sum(map(cpu_seconds, pids)) for part, pids in self.pids.items()}
        return {**spent, "PostgreSQL": sum(map(cpu_seconds, children(self.postmaster)))}


def children(pid: int) -> list[int]:
    """Those that are there now: PostgreSQL has one for each connection, and nodes keep theirs."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def site(nodes: int, *, at_one_port: bool = False) -> Iterator[Site]:
    """That many nodes; 0 is one process without a bus."""
    home, program = find_postgres(), find_nats()
    if home is None or program is None:
        sys.exit("this needs PostgreSQL and NATS: apt install postgresql nats-server")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = stack.enter_context(cluster(home, is_safe=True))
        bus = stack.enter_context(nats(program))
        settings = {
            **UNLIMITED,
            "FORETOLD_DATA": folder,
            "FORETOLD_DATABASE": database,
            "FORETOLD_LINGER": "1",
        }
        if nodes:
            settings["FORETOLD_BUS"] = bus.url
        ports = [free_port() for _ in range(1 if at_one_port else max(1, nodes))]
        if at_one_port:
            settings["FORETOLD_PROCESSES"] = str(nodes)
        command = [sys.executable, "-m", "foretold.cli", "serve"]
        servers = [
            stack.enter_context(running([*command, f"--port={port}"], settings)) for port in ports
        ]
        own = [server.pid for server in servers]
        if at_one_port:
            own += children(own[0])
        pids = {"nodes": own, "NATS": [bus.pid]}
        yield Site(ports, pids, postmaster_of(database))


def postmaster_of(database: str) -> int:
    from foretold.server.storage.database import open_as_it_is

    with open_as_it_is(database) as connection:
        folder = str(connection.exec_driver_sql("SHOW data_directory").scalar())
    return int(Path(folder, "postmaster.pid").read_text().splitlines()[0])


def measure_nodes(options: Any) -> None:
    bare_port = free_port()
    groups = [{"bare": True, "path": f"/{n}", "cookies": [""] * 4} for n in range(options.tables)]
    with serve_load.bare_server(bare_port) as bare:
        told = serve_load.Load(bare, bare_port, groups, options).run(period=0.0)
    print(f"bare: {told.rate:,.0f} actions/s, {told.cpu * 1e6:.0f} us each", flush=True)
    costs: dict[tuple[int, str], float] = {}
    for nodes in range(MOST_NODES + 1):
        with site(nodes) as there:
            for port in there.ports:
                serve_load.play_one(port)
            for way in (HASHED, ANYWHERE)[: max(1, nodes)]:
                costs[nodes, way] = run(there, options, nodes, way)
        if nodes > 1:
            with site(nodes, at_one_port=True) as there:
                serve_load.play_one(there.ports[0])
                costs[nodes, AT_ONE_PORT] = run(there, options, nodes, AT_ONE_PORT)
    measure_nginx(options)
    alone = costs[1, HASHED]
    for (nodes, way), cost in costs.items():
        if nodes > 1:
            print(
                f"{nodes} nodes, {way}: {nodes * alone / cost:.2f} times the actions of one, by "
                "the nodes' processor time"
            )


def measure_nginx(options: Any) -> None:
    """Two nodes behind nginx, which hashes table codes."""
    program = find_balancer("nginx")
    if program is None:
        return
    with ExitStack() as stack:
        there = stack.enter_context(site(2))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()), "nginx")
        url, pid = stack.enter_context(balanced("nginx", program, folder, there.ports))
        there.pids["nginx"] = [pid, *children(pid)]
        run(there, options, 2, "behind nginx", through=int(url.rpartition(":")[2]))


def run(there: Site, options: Any, nodes: int, way: str, through: int | None = None) -> float:
    """Play, and return the nodes' processor seconds per action."""
    chance = Random(1)
    plans = serve_load.seat_all(there.ports[0], options.tables)
    time.sleep(3.0)  # until nobody is at the tables, and they sleep
    for at, plan in enumerate(plans):
        home = through or there.ports[at % len(there.ports)]
        seats = [chance.choice(there.ports) if way == ANYWHERE else home for _ in range(4)]
        plan["hosts"] = [f"127.0.0.1:{port}" for port in seats]
    client = subprocess.Popen(
        [sys.executable, Path(__file__).parent / "load_client.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    plan = {
        "host": "",
        "period": 0.0,
        "warm_up": 2.0,
        "seconds": options.seconds,
        "groups": plans,
    }
    serve_load.tell(client, json.dumps(plan))
    assert client.stdout is not None
    assert client.stdout.readline() == "open\n"
    time.sleep(1.0)
    serve_load.tell(client, "go")
    time.sleep(2.0)
    before, start = there.busy(), time.perf_counter()
    time.sleep(options.seconds - 1.0)
    after, passed = there.busy(), time.perf_counter() - start
    answer = json.loads(client.stdout.readline())
    serve_load.tell(client, "end")
    client.wait(timeout=60)
    client.stdout.close()
    rate = float(answer["actions"] / answer["seconds"])
    each = {part: (after[part] - before[part]) / passed / rate for part in after}
    name = f"{nodes} nodes" if nodes else "one process without a bus"
    parts = ", ".join(f"{part} {cost * 1e6:.0f} us" for part, cost in each.items())
    print(
        f"{name}{f', {way}' if nodes > 1 else ''}: {rate:,.0f} actions/s; an action: {parts}",
        flush=True,
    )
    return each["nodes"]

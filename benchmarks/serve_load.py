"""How much load one server process takes, compared with an application that only broadcasts.

250 tables of four scripted clients play on one `foretold serve`. As many groups of four talk to a
bare Starlette application that forwards each message to the four sockets of its group. The two
alternate, so that a machine of varying speed treats both alike. Both run on uvicorn with the same
settings, Python's garbage collector included; the clients have their own processes.

    python benchmarks/serve_load.py
    python benchmarks/serve_load.py --nodes    one, two and three nodes on PostgreSQL
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, quantiles
from typing import IO, Any

import httpx

HERE = Path(__file__).parent
ROUNDS = "8-12,11-8"
UNLIMITED = {
    "FORETOLD_MESSAGES_PER_SECOND": "100000",
    "FORETOLD_REQUESTS_PER_SECOND": "100000",
    "FORETOLD_TABLES_PER_MINUTE": "1000000",
    "FORETOLD_MAX_CONNECTIONS_PER_ADDRESS": "100000",
    "FORETOLD_MESSAGES_PER_ADDRESS": "1000000",
    "FORETOLD_CORE_SHARE_PER_ADDRESS": "1000",
    "FORETOLD_MEGABYTES_PER_DAY": "1000000",
    "FORETOLD_KEEP_DAYS": "0",
    "FORETOLD_WORKERS": "1",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=4.0, help="length of each turn")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rate", type=float, default=500.0, help="steady load, actions a second")
    parser.add_argument("--processes", type=int, default=1, help="number of client processes")
    parser.add_argument("--nodes", action="store_true", help="measure one to three nodes instead")
    parser.add_argument("--bare", type=int, help="run the bare application on this port")
    options = parser.parse_args()
    if options.bare:
        bare_application(options.bare)
        return
    if options.nodes:
        from nodes_load import measure_nodes

        measure_nodes(options)
        return
    port = 27_000 + os.getpid() % 1000
    clients = 4 * options.tables
    with foretold_server(port) as server:
        play_one(port)
        idle = memory(server.pid)
        plans = seat_all(port, options.tables)
        load = Load(server, port, plans, options)
        seated = load.connect(period=options.tables / options.rate)
        connected = memory(server.pid)
        steady = load.measure(seated)
        after = memory(server.pid)
    groups = [{"bare": True, "path": f"/{n}", "cookies": [""] * 4} for n in range(options.tables)]
    with foretold_server(port) as server, bare_server(port + 1000) as other:
        play_one(port)
        turns = []
        for _ in range(options.turns):
            ours = Load(server, port, seat_all(port, options.tables), options)
            theirs = Load(other, port + 1000, groups, options)
            turns.append((theirs.run(period=0.0), ours.run(period=0.0)))
            print(f"turn: {turns[-1][1].rate / turns[-1][0].rate:.0%}", flush=True)
    bare, full = (Result.of([turn[which] for turn in turns]) for which in range(2))
    report(bare, full, steady, options)
    for name, size in (("connected", connected), ("after the steady load", after)):
        print(f"memory, {name}: {(size - idle) / clients / 1024:.1f} KiB per client above idle")
    print(f"idle server: {idle / 2**20:.0f} MiB")


def report(bare: Any, full: Any, steady: Any, options: Any) -> None:
    for name, one in (("bare", bare), ("foretold", full)):
        print(
            f"{name}: {one.rate:,.0f} actions/s; an action takes {one.cpu * 1e6:.0f} us of a core, "
            f"{one.loop_cpu * 1e6:.0f} us of them in the event loop's thread"
        )
    print(f"ratio of actions/s: {full.rate / bare.rate:.0%}")
    print(f"ratio by processor time: {bare.cpu / full.cpu:.0%}")
    print(f"ratio by the event loop's time: {bare.loop_cpu / full.loop_cpu:.0%}")
    print(f"steady {steady.rate:,.0f} actions/s ({steady.cpu * steady.rate:.0%} of a core):")
    for name, values in (("acknowledged", steady.done), ("seen by all four", steady.latencies)):
        cuts = quantiles(values, n=1000)
        print(
            f"  {name}: median {cuts[499] * 1e3:.1f} ms, p99 {cuts[989] * 1e3:.1f} ms, "
            f"p99.9 {cuts[998] * 1e3:.1f} ms"
        )


class Result:
    """The result of a load."""

    def __init__(self, answers: list[dict[str, Any]], busy: float, loop_busy: float) -> None:
        self.rate: float = sum(one["actions"] / one["seconds"] for one in answers)
        self.busy, self.loop_busy = busy, loop_busy
        self.latencies = [value for one in answers for value in one["latencies"]]
        self.done = [value for one in answers for value in one["done"]]

    @property
    def cpu(self) -> float:
        """Processor seconds per action."""
        return self.busy / self.rate

    @property
    def loop_cpu(self) -> float:
        return self.loop_busy / self.rate

    @classmethod
    def of(cls, turns: list[Result]) -> Result:
        """The mean over turns of equal length."""
        mean = cls([], fmean(one.busy for one in turns), fmean(one.loop_busy for one in turns))
        mean.rate = fmean(one.rate for one in turns)
        return mean


class Load:
    """Client processes against a server."""

    def __init__(
        self, server: subprocess.Popen[str], port: int, plans: list[dict[str, Any]], options: Any
    ) -> None:
        self._server = server
        self._port = port
        self._plans = plans
        self._options = options

    def run(self, period: float) -> Result:
        return self.measure(self.connect(period))

    def connect(self, period: float) -> list[subprocess.Popen[str]]:
        count = self._options.processes
        processes = []
        for part in range(count):
            process = subprocess.Popen(
                [sys.executable, HERE / "load_client.py"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            plan = {
                "host": f"127.0.0.1:{self._port}",
                "period": period,
                "warm_up": 2.0,
                "seconds": self._options.seconds,
                "groups": self._plans[part::count],
            }
            tell(process, json.dumps(plan))
            processes.append(process)
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
        time.sleep(1.0)
        return processes

    def measure(self, processes: list[subprocess.Popen[str]]) -> Result:
        for process in processes:
            tell(process, "go")
        time.sleep(2.0)
        pid = self._server.pid
        before, loop_before = cpu_seconds(pid), cpu_seconds(pid, thread=pid)
        start = time.perf_counter()
        time.sleep(self._options.seconds - 1.0)
        used, loop_used = cpu_seconds(pid) - before, cpu_seconds(pid, thread=pid) - loop_before
        passed = time.perf_counter() - start
        answers = []
        for process in processes:
            assert process.stdout is not None
            answers.append(json.loads(process.stdout.readline()))
            tell(process, "end")
            process.wait(timeout=60)
            process.stdout.close()
        return Result(answers, used / passed, loop_used / passed)


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def seat_all(port: int, tables: int) -> list[dict[str, Any]]:
    """Tables with four people each, started."""
    with ThreadPoolExecutor(4) as threads:
        return list(threads.map(lambda _: seat_one(port), range(tables)))


def seat_one(port: int, source: str = "127.0.0.1") -> dict[str, Any]:
    """A table with four people from that address, started."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    url = f"http://127.0.0.1:{port}"
    cookies = []
    code = ""
    for seat in range(4):
        way = httpx.HTTPTransport(local_address=source)
        with httpx.Client(base_url=url, transport=way) as http:
            http.put("/api/me", json={"name": f"P{seat}"}).raise_for_status()
            cookies.append(f"foretold={http.cookies['foretold']}")
            if not code:
                answer = http.post("/api/tables", json={"rules": {"rounds": ROUNDS}})
                code = answer.json()["code"]
    path = f"/api/tables/{code}/socket"
    frames = [f'{{"t":"sit","id":"sit","seat":{seat}}}' for seat in range(1, 4)]
    for cookie, frame in zip(
        (*cookies[1:], cookies[0]), (*frames, '{"t":"start","id":"start"}'), strict=True
    ):
        with connect(
            url.replace("http", "ws") + path,
            origin=Origin(url),
            additional_headers={"cookie": cookie},
            compression=None,
            source_address=(source, 0),
        ) as socket:
            socket.send(frame)
            while '"t":"done"' not in str(socket.recv()):
                pass
    return {"bare": False, "path": path, "cookies": cookies, "source": source}


def play_one(port: int) -> None:
    """Load everything that is loaded once, before memory is measured."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as http:
        for path in ("/api/options", "/api/openapi.json", "/", "/metrics"):
            http.get(path)
    seat_one(port)
    time.sleep(1.0)


@contextmanager
def foretold_server(port: int) -> Iterator[subprocess.Popen[str]]:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "foretold.cli",
            "serve",
            f"--port={port}",
            f"--data={folder}",
        ]
        with running(command, {**UNLIMITED, "FORETOLD_LINGER": "1"}) as server:
            yield server


@contextmanager
def bare_server(port: int) -> Iterator[subprocess.Popen[str]]:
    with running([sys.executable, __file__, f"--bare={port}"], {}) as server:
        yield server


@contextmanager
def running(
    command: list[str], settings: dict[str, str], stderr: IO[str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    server = subprocess.Popen(
        command, env={**os.environ, **settings}, stdout=subprocess.PIPE, stderr=stderr, text=True
    )
    try:
        assert server.stdout is not None
        while "http://" not in (line := server.stdout.readline()):
            assert line, "the server did not start"
        time.sleep(2.0)
        yield server
    finally:
        server.terminate()
        server.wait(timeout=30)


def bare_application(port: int) -> None:
    """Forwards each message to the sockets of its group; nothing else."""
    import gc

    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute
    from starlette.websockets import WebSocket

    groups: dict[str, list[WebSocket]] = {}

    async def endpoint(socket: WebSocket) -> None:
        await socket.accept()
        group = groups.setdefault(socket.path_params["group"], [])
        group.append(socket)
        try:
            async for text in socket.iter_text():
                for other in group:
                    await other.send_text(text)
        finally:
            group.remove(socket)

    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    print(f"http://127.0.0.1:{port}", flush=True)
    uvicorn.run(
        Starlette(routes=[WebSocketRoute("/{group}", endpoint)]),
        host="127.0.0.1",
        port=port,
        ws="websockets-sansio",
        ws_max_size=8192,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
    )


def cpu_seconds(pid: int, thread: int | None = None) -> float:
    """Processor time of a process, or of one of its threads, without its children."""
    stat = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    fields = Path(stat).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """The memory of a process, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


if __name__ == "__main__":
    main()

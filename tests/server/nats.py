"""A NATS server on loopback, for as long as it is needed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ports import free_port, is_listening


class Nats:
    """The server, which can be stopped and started again at the same address."""

    def __init__(self, program: str, *options: str) -> None:
        self.program = program
        self._options = options
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self.program, "--addr", "127.0.0.1", "--port", str(self.port), *self._options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while not is_listening(self.port):
            assert self._process.poll() is None, "NATS has ended"
            assert time.monotonic() < deadline, "NATS does not listen"
            time.sleep(0.01)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def routed(port: int, *routes: int) -> tuple[str, ...]:
    """The options of a server that others join at a port, and that joins others."""
    joined = ",".join(f"nats://127.0.0.1:{one}" for one in routes)
    ways = ("--routes", joined) if routes else ()
    # Clients must not be told of servers that they could reach past their wires.
    own = f"nats://127.0.0.1:{port}"
    return ("--cluster", own, "--cluster_name", "foretold", "--no_advertise", *ways)


@contextmanager
def nats(program: str, *options: str) -> Iterator[Nats]:
    server = Nats(program, *options)
    server.start()
    try:
        yield server
    finally:
        server.stop()

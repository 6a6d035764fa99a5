"""A NATS server on loopback, for as long as it is needed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ports import free_port, is_listening


class Nats:
    """The server, which can be stopped and started again at the same address."""

    def __init__(self, program: str) -> None:
        self._program = program
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "--addr", "127.0.0.1", "--port", str(self.port)],
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


@contextmanager
def nats(program: str) -> Iterator[Nats]:
    server = Nats(program)
    server.start()
    try:
        yield server
    finally:
        server.stop()

"""The server as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from ports import free_port

FAST = {
    "FORETOLD_WORKERS": "1",
    "FORETOLD_MESSAGES_PER_SECOND": "2000",
    "FORETOLD_REQUESTS_PER_SECOND": "2000",
    "FORETOLD_TABLES_PER_MINUTE": "10000",
    "FORETOLD_GUESSES_PER_MINUTE": "10000",
    "FORETOLD_CORE_SHARE_PER_ADDRESS": "1000",
    "FORETOLD_MEGABYTES_PER_DAY": "10000",
}
"""Settings for tests: one bot process, and players who are faster than people."""


class ServerProcess:
    """A real server on loopback, in its own process."""

    def __init__(self, data: Path, **settings: object) -> None:
        self.data = data
        self.host = "127.0.0.1"
        self.port = free_port()
        self.settings = {f"FORETOLD_{name.upper()}": str(one) for name, one in settings.items()}
        self._process: subprocess.Popen[str] | None = None
        self._log = data / "server.log"

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    @property
    def log(self) -> str:
        return self._log.read_text()

    def start(self) -> ServerProcess:
        self.data.mkdir(parents=True, exist_ok=True)
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "foretold.cli", "serve", f"--port={self.port}"],
                env={**os.environ, **FAST, "FORETOLD_DATA": str(self.data), **self.settings},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found is not None, f"the server did not start: {line}{self.log}"
        assert self.port == int(found[1])
        return self

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self._reap()

    def stop(self) -> int:
        """Ask it to stop; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._reap()

    def _reap(self) -> int:
        try:
            return self.process.wait(timeout=20)
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()

    def __enter__(self) -> ServerProcess:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.kill()

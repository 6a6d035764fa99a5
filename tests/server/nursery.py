"""Servers that start at once: forked from a process that has already loaded everything.

A killed child loses everything it knew, like any process; its parent holds only
code, and nothing about any table.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from functools import cache
from pathlib import Path

from server.process import FAST, ServerProcess

Order = dict[str, str]
"""A server's environment, its log file under `LOG`, and `LATER` for one of the next version, whose
client may be in another folder; `NETWORK` is the network namespace to run in, and `SPARE` are more
seconds for the last steps of shutdown."""
BACK, FORTH = signal.SIGUSR1, signal.SIGUSR2
"""What sets a server's clock an hour back or forth."""
LOG, LATER, NETWORK, SPARE = "LOG", "LATER", "NETWORK", "SPARE"


@cache
def _nursery() -> subprocess.Popen[str]:
    """One for all servers of this process."""
    nursery = subprocess.Popen(
        [sys.executable, "-m", "server.nursery"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(_close, nursery)
    return nursery


def _close(nursery: subprocess.Popen[str]) -> None:
    with nursery:  # closes its pipes, and waits for it to end
        assert nursery.stdin is not None
        nursery.stdin.close()


class NurseryServer(ServerProcess):
    """Like `ServerProcess`, but starts in a moment; nobody learns its exit status."""

    def __init__(self, data: Path, **settings: object) -> None:
        assert "weights" not in settings, "those are read when the program is loaded"
        super().__init__(data, **settings)
        self._pid: int | None = None
        self.is_later = False
        """Whether it is of the next version."""
        self.client: Path | None = None
        """The folder of the next version's client, if that is another."""
        self.network: str | None = None
        """The network namespace to run in, if not ours."""
        self.spare = 0.0
        """Seconds that are left at the end of shutdown, beyond those that usually are."""

    def start(self) -> NurseryServer:
        self.data.mkdir(parents=True, exist_ok=True)
        places = {
            "FORETOLD_DATA": str(self.data),
            "FORETOLD_HOST": self.host,
            "FORETOLD_PORT": str(self.port),
        }
        order: Order = {**FAST, **places, **self.settings, LOG: str(self._log)}
        if self.is_later:
            order[LATER] = str(self.client or Path())
        if self.network is not None:
            order[NETWORK] = self.network
        if self.spare:
            order[SPARE] = str(self.spare)
        nursery = _nursery()
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        nursery.stdin.write(json.dumps(order) + "\n")
        nursery.stdin.flush()
        self._pid = int(nursery.stdout.readline())
        line = nursery.stdout.readline()
        assert self.url in line, f"the server did not start: {line}{self.log}"
        return self

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def leave(self) -> None:
        """Stop properly, as in a deploy."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        assert self._pid is not None
        os.kill(self._pid, number)
        deadline = time.monotonic() + 60
        while Path(f"/proc/{self._pid}").exists():
            assert time.monotonic() < deadline, "the server does not die"
            time.sleep(0.001)
        self._pid = None

    def __exit__(self, *_: object) -> None:
        if self._pid is not None:
            self.kill()


def main() -> None:
    from foretold.server.run import warm_up

    warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for killed children
    for line in sys.stdin:
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _serve(json.loads(line))


def _jump(seconds: int) -> None:
    """Set this process's clock, but not the monotonic one, back or forth."""
    clock, clock_ns = time.time, time.time_ns
    time.time = lambda: clock() + seconds
    time.time_ns = lambda: clock_ns() + seconds * 10**9


def _spare(seconds: float) -> None:
    """Leave more time to a process that is told to stop, but none to whatever it waits for."""
    from foretold.server import ending, house

    for module, name in (
        (ending, "SECONDS_TO_END"),
        (house, "SECONDS_TO_CLOSE"),
        (house, "SECONDS_TO_EXIT"),
    ):
        setattr(module, name, getattr(module, name) + seconds)


def _serve(order: Order) -> None:
    from foretold.server.run import serve
    from foretold.server.settings import ServerSettings

    log = os.open(order.pop(LOG), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if network := order.pop(NETWORK, ""):
        from server.networks import enter

        enter(network)
    if client := order.pop(LATER, ""):
        from server.later import become_later

        become_later(None if client == str(Path()) else Path(client))
    _spare(float(order.pop(SPARE, 0)))
    os.environ.update(order)
    for number, seconds in ((BACK, -3600), (FORTH, 3600)):
        signal.signal(number, lambda *_, by=seconds: _jump(by))
    print(os.getpid(), flush=True)
    status = 1
    try:
        serve(ServerSettings.from_environment())
        status = 0
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)  # to whoever waits for its address
        traceback.print_exc()
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()

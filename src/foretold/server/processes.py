"""`foretold serve --processes N`: several nodes on one machine, at one port.

The parent opens the port and loads everything once; each node is forked from it with the same
listening socket. It restarts a node that dies, passes signals on, and closes the sockets that nodes
hand to one that cannot take them. Between nodes there must be a bus; if none is given, the parent
runs NATS on loopback.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from foretold.errors import ServerError
from foretold.server.cluster.subjects import node_name
from foretold.server.ending import SECONDS_TO_END
from foretold.server.net.siblings import Siblings
from foretold.server.observing.logs import logger
from foretold.server.settings import ServerSettings

PROGRAM: Final = "nats-server"
LOOK_SECONDS: Final = 0.05
BUS_SECONDS: Final = 10.0
"""How long the bus may take to start."""
HEALTHY_SECONDS: Final = 10.0
"""A node that lived this long is restarted at once; others after a pause that doubles."""
LONGEST_PAUSE: Final = 10.0
SECONDS_TO_KILL: Final = 2.0
"""How long after it should have ended a node is killed."""


@dataclass
class _Child:
    """A process that must always run."""

    start: Callable[[], int]
    """Returns its process id."""
    name: str
    pid: int | None = None
    started: float = 0.0
    pause: float = 0.0
    due: float = 0.0

    def run(self) -> None:
        self.started = time.monotonic()
        self.pid = self.start()

    def has_ended(self, status: int, *, is_wanted: bool) -> None:
        self.pid = None
        if is_wanted:
            return
        now = time.monotonic()
        lived = now - self.started
        self.pause = 0.0 if lived > HEALTHY_SECONDS else min(LONGEST_PAUSE, 2 * self.pause or 0.1)
        self.due = now + self.pause
        logger().error("a process has ended", name=self.name, status=status, again_in=self.pause)


@contextmanager
def bus_for(settings: ServerSettings) -> Iterator[tuple[ServerSettings, list[_Child]]]:
    """The settings with a bus and, if none was configured, the process that runs it."""
    if settings.bus:
        yield settings, []
        return
    program = shutil.which(PROGRAM) or shutil.which(PROGRAM, path="/usr/sbin:/usr/local/bin")
    if program is None:
        raise ServerError(
            f"several processes need a bus: install {PROGRAM} (apt install {PROGRAM}), "
            "or give the URL of one in FORETOLD_BUS"
        )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Whoever can publish on the bus can pose as any player. On loopback that would be every user of
    # this machine, and a token on the command line would be visible to them.
    token = secrets.token_hex(16)
    with TemporaryDirectory(prefix="bus-") as folder:  # only its owner can look inside
        rules = Path(folder) / "bus.conf"

        def start() -> int:
            # At every start: the system may have deleted old files in temporary folders.
            rules.parent.mkdir(mode=0o700, exist_ok=True)
            rules.write_text(f'authorization {{ token: "{token}" }}\n')
            return _spawned(command)

        command = [program, "--addr", "127.0.0.1", "--port", str(port), "--config", str(rules)]
        child = _Child(start, PROGRAM)
        child.run()
        try:
            deadline = time.monotonic() + BUS_SECONDS
            while not _listens(port):
                if time.monotonic() > deadline:
                    raise ServerError(f"{PROGRAM} does not start: try {' '.join(command[:-2])}")
                time.sleep(LOOK_SECONDS)
            yield replace(settings, bus=f"nats://{token}@127.0.0.1:{port}"), [child]
        finally:
            if child.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGTERM)


def _spawned(command: list[str]) -> int:
    quiet = subprocess.DEVNULL
    # In a session of its own: Ctrl-C is for the nodes, which need the bus to the end.
    process = subprocess.Popen(
        command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, preexec_fn=_bound
    )
    process.returncode = 0  # the parent waits for all its children itself
    return process.pid


def _bound() -> None:
    """End this process when its parent ends, where the system can do that."""
    if sys.platform == "linux":
        import ctypes

        set_signal_at_parents_end = 1
        ctypes.CDLL(None).prctl(set_signal_at_parents_end, signal.SIGTERM)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Parent:
    """Runs nodes, each in a process of its own, until it is told to stop."""

    def __init__(
        self,
        settings: ServerSettings,
        bus: list[_Child],
        siblings: Siblings,
        serve: Callable[[int, ServerSettings, Callable[[], None]], None],
    ) -> None:
        """A node calls `serve` with its number, its settings, and what to call when it is ready."""
        self._settings = settings
        self._bus = bus
        self._siblings = siblings
        self._serve = serve
        self._nodes = [
            _Child(partial(self._fork, at), f"node {at}") for at in range(settings.processes)
        ]
        self._signals: list[int] = []
        self._reports, self._report = os.pipe()
        os.set_blocking(self._reports, False)
        self._lives, self._life = os.pipe()
        """Closed when this process ends, however that happens."""

    def run(self, ready: Callable[[], None]) -> None:
        """Run until told to stop; `ready` is called once all nodes are ready."""
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, lambda number, _: self._signals.append(number))
        unready = len(self._nodes)
        while not self._signals:
            self._reap()
            self._drop_stranded()
            for child in (*self._bus, *self._nodes):
                if child.pid is None and time.monotonic() >= child.due:
                    child.run()
            with suppress(BlockingIOError):
                reports = len(os.read(self._reports, 100))
                if 0 < unready <= reports:
                    ready()
                unready -= reports
            time.sleep(LOOK_SECONDS)
        for child in self._nodes:
            if child.pid is not None:
                os.kill(child.pid, signal.SIGTERM)
        # Nodes end by themselves; one that is suspended, say, cannot.
        deadline = time.monotonic() + self._settings.drain + SECONDS_TO_END + SECONDS_TO_KILL
        while any(child.pid is not None for child in self._nodes):
            self._reap()
            self._drop_stranded()
            if time.monotonic() > deadline:
                for child in self._nodes:
                    if child.pid is not None:
                        os.kill(child.pid, signal.SIGKILL)
            time.sleep(LOOK_SECONDS)

    def _drop_stranded(self) -> None:
        if dropped := self._siblings.drop_stranded():
            logger().warning("sockets were closed, as their process is not there", count=dropped)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                for child in (*self._bus, *self._nodes):
                    if child.pid == ended[0]:
                        child.has_ended(ended[1], is_wanted=bool(self._signals))
                        if child in self._nodes:
                            self._siblings.set_well(self._nodes.index(child), 0.0)

    def _fork(self, at: int) -> int:
        # Otherwise a node told to stop before it handles signals would miss the signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        pid = os.fork()
        if pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
            return pid
        status = 1
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
            os.close(self._life)
            os.setpgid(0, 0)  # Ctrl-C is for the parent
            threading.Thread(target=self._end_with_parent, daemon=True).start()
            count = self._settings.processes
            self._serve(
                at,
                replace(
                    self._settings,
                    node=f"{node_name(self._settings)}-{at}",
                    workers=max(1, self._settings.workers // count),
                ),
                self._say_ready,
            )
            status = 0
        except ServerError as error:
            logger().error("a node cannot start", fault=str(error))
        except BaseException:
            logger().exception("a node failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _say_ready(self) -> None:
        os.write(self._report, b".")

    def _end_with_parent(self) -> None:
        os.read(self._lives, 1)
        os.kill(os.getpid(), signal.SIGTERM)

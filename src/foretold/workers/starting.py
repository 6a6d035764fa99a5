"""Starting a worker, and ending it together with its parent."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 in the environment of workers: they run side by side, one per core."""

LIFELINE: Final = "FORETOLD_LIFELINE"
"""The environment variable that names a pipe whose other end only the parent holds."""

_MAIN: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from foretold.workers.answering import run; run(sys.argv[2])"
)


def all_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def command(module: str, path: Sequence[str] = ()) -> tuple[str, ...]:
    """The command that runs the `main` of a module as a worker.

    Modules are searched for in this process's `sys.path` and in `path`.
    """
    places = [*sys.path, *(place for place in path if place not in sys.path)]
    return (sys.executable, "-c", _MAIN, json.dumps(places), module)


def kill(worker: int) -> None:
    """Kill a worker and its children."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            os.kill(worker, signal.SIGTERM)
        else:
            os.killpg(worker, signal.SIGKILL)


class Lifeline:
    """Ends a worker when this process does, however it ends.

    The operating system kills the worker when the other end of a pipe is closed, so this works even
    if the worker is stuck in code that never releases the GIL. Only Linux can do that; elsewhere
    the worker notices by itself that the pipe is closed.
    """

    def __init__(self) -> None:
        self._end: int | None = None

    @contextmanager
    def options(self, **variables: str) -> Iterator[dict[str, Any]]:
        """The options for starting the worker, including its environment variables."""
        environment = {**dict.fromkeys(ONE_THREAD, "1"), **os.environ, **variables}
        # Its own session: Ctrl-C reaches only the parent.
        options: dict[str, Any] = {"env": environment, "start_new_session": True}
        if sys.platform != "linux":
            yield options
            return
        self.close()
        theirs, self._end = os.pipe()
        environment[LIFELINE] = str(theirs)
        try:
            yield {**options, "pass_fds": (theirs,)}
        finally:
            os.close(theirs)

    def close(self) -> None:
        if self._end is not None:
            os.close(self._end)
            self._end = None


def hold_on() -> None:
    """In the worker: from now on, die when the lifeline is cut."""
    given = os.environ.pop(LIFELINE, None)
    if sys.platform != "linux" or given is None:
        return
    import fcntl
    import select

    end = int(given)
    os.set_inheritable(end, False)
    fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)  # type: ignore[attr-defined,unused-ignore]
    fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
    cut = select.poll()  # unlike `select`, of any number of files
    cut.register(end)
    if cut.poll(0):  # it was cut before the signal was set up
        os._exit(0)

"""`foretold serve`: the site, until it is told to stop."""

from __future__ import annotations

import gc
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from foretold.bots.network import Sage
from foretold.bots.trained import WEIGHTS, is_trained
from foretold.errors import ServerError
from foretold.server.api.socket import PATH
from foretold.server.app import App
from foretold.server.cluster.bus import check_bus, check_database
from foretold.server.ending import Ending
from foretold.server.net.guard import http_protocol
from foretold.server.net.handing import Sibling
from foretold.server.net.protocol import socket_protocol
from foretold.server.net.siblings import Siblings
from foretold.server.observing import tracing
from foretold.server.observing.logs import logger, set_up_logs
from foretold.server.people.keys import Keys, using
from foretold.server.processes import Parent, bus_for
from foretold.server.quotas.budgets import Budgets
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.owners import LEASE_SECONDS
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Entry, Logged, Started
from foretold.table.snapshots import replayed

LARGEST_FRAME: Final = 8 << 10
SECONDS_TO_CLOSE: Final = 2
"""Time for the connections to close after the goodbye."""
OTHER_FILES: Final = 100
"""The database, pipes to bots and the like."""


def _check_weights() -> None:
    """Without their weights, bots would fail silently, each in its own process."""
    if is_trained():
        try:
            Sage.load(WEIGHTS)
        except Exception as error:
            raise ServerError(f"{WEIGHTS} has no weights of the trained player: {error}") from None


def serve(settings: ServerSettings, *, open_browser: bool = False) -> None:
    """Run the server; raises `ServerError` if it cannot start."""
    with _listen(settings) as listening:
        ready = partial(_tell, _address(listening), open_browser)
        set_up_logs()
        if settings.processes == 1:
            _prepare(settings)
            _serve_at(listening, settings, ready)
            return
        check_database(settings)
        with bus_for(settings) as (nodes, bus):
            _prepare(nodes)
            # What is loaded is shared with the nodes: a garbage collection there would copy it, and
            # Python runs one more before it exits.
            gc.collect()
            gc.freeze()
            with Siblings(settings.processes) as siblings:
                Parent(nodes, bus, siblings, partial(_serve_one_of, siblings, listening)).run(ready)


def _serve_one_of(
    siblings: Siblings,
    listening: socket.socket,
    at: int,
    settings: ServerSettings,
    ready: Callable[[], None],
) -> None:
    _serve_at(listening, settings, ready, Sibling(siblings, at, PATH))


def _prepare(settings: ServerSettings) -> None:
    """Do what is needed only once, however many processes there are; starts no threads."""
    check_bus(settings)
    with using(settings.data):
        engine = open_database(settings.database_url)
    try:
        Keys.of(settings, engine)
    finally:
        engine.dispose()
    _check_weights()
    _allow_open_files(settings.max_connections + settings.max_waiting + OTHER_FILES)
    warm_up()


def _serve_at(
    listening: socket.socket,
    settings: ServerSettings,
    ready: Callable[[], None],
    sibling: Sibling | None = None,
) -> None:
    tracing.set_up()
    budgets = Budgets(settings)
    if sibling is not None:
        budgets.places.on_full = sibling.set_full
    ending = Ending()
    app = App(settings, budgets, sibling, ending)
    # What is loaded by now stays, and tables create few reference cycles. With Python's defaults a
    # busy server would spend a tenth of its time looking for them.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    # With the default, the writer thread, and so everyone, would wait up to ten times as long.
    sys.setswitchinterval(0.0005)
    config = uvicorn.Config(
        app,
        http=http_protocol(
            settings.max_waiting, budgets, None if sibling is None else sibling.hands_over
        ),
        ws=socket_protocol(budgets),
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
    )
    server = _Server(config, app, ready, ending, sibling)
    owns_process = threading.current_thread() is threading.main_thread()
    if owns_process:
        # Before uvicorn listens to signals, and after: it re-raises the one that stopped it, and
        # being stopped is not a failure.
        signal.signal(signal.SIGTERM, lambda *_: server.stop_soon())
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not owns_process:  # otherwise Python must still exit, and may wait for threads
        ending.has_ended()
    tracing.end()


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else shown}:{port}"


def _tell(address: str, open_browser: bool) -> None:
    print(f"Foretold is at {address} (Ctrl-C stops it)", flush=True)
    if open_browser:
        page = f"{address}/?play"
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()


class _Server(uvicorn.Server):
    """uvicorn's server, except that the rooms say goodbye before it closes the connections."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: App,
        ready: Callable[[], None],
        ending: Ending,
        sibling: Sibling | None,
    ) -> None:
        super().__init__(config)
        self._app = app
        self._sibling = sibling
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            if self._sibling is not None:
                state = self.lifespan.state
                self._sibling.start(self.config, self.server_state, state, self._well_for)
            self._ready()

    def _well_for(self) -> float:
        """How long this process counts as healthy without reporting again: as long as its lease."""
        return LEASE_SECONDS if self._app.is_well() else 0.0

    def stop_soon(self) -> None:
        self._begin_to_end()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._begin_to_end()
        super().handle_exit(sig, frame)

    def _begin_to_end(self) -> None:
        """From now on the process has a deadline; whatever was acknowledged is on disk anyway."""
        self._ending.begin()
        self._ending.watch()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self._sibling is not None:
            self._sibling.stop()
        # Otherwise a load balancer would keep using its open connections, and be turned away.
        for connection in list(self.server_state.connections):
            if isinstance(connection, HttpToolsProtocol):
                connection.shutdown()
        if self._app.house is not None:
            await self._app.house.stop()
        await super().shutdown(sockets)


def warm_up() -> None:
    """Load or compile the rules before anyone has to wait for it."""
    entries: tuple[Entry, ...] = (new_table("", "", rules={"rounds": "2"}), Started(), Dealt())
    log = [Logged(n, 0, entry) for n, entry in enumerate(entries, start=1)]
    audience = replayed("", log)
    table = audience.table
    while table.game is not None and table.to_act:
        seat = table.to_act[0]
        acted = Acted(seat=seat, action=str(table.game.legal_actions(seat)[0]))
        audience.advance(Logged(table.n + 1, 0, acted), (0, None))


def _allow_open_files(needed: int) -> None:
    """Raise the limit: many systems allow a process 1,024 open files unless it asks for more."""
    if sys.platform == "win32":
        return
    import resource

    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= needed:
        return
    wanted = needed if most == resource.RLIM_INFINITY else min(needed, most)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        allowed = wanted
    if allowed < needed:
        logger().warning("the system allows few open files", allowed=allowed, needed=needed)


def _listen(settings: ServerSettings) -> socket.socket:
    """The listening socket, opened first so that a port in use is reported right away."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError) as error:
        told = getattr(error, "strerror", None) or str(error)
        raise ServerError(
            f"cannot listen at {settings.host} port {settings.port}: {told}; "
            "give another with --port"
        ) from None
    return listening

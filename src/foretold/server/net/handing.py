"""One process among its siblings: which sockets it hands over, and which it takes."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, Final
from urllib.parse import unquote

from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.server import ServerState

from foretold.server.net.guard import open_socket
from foretold.server.net.siblings import BEAT_SECONDS, Handshake, Siblings
from foretold.server.observing.logs import logger

HANDED: Final = "handed"


class Sibling:
    """What this process does with sockets whose tables are at another one."""

    def __init__(self, siblings: Siblings, at: int, codes: re.Pattern[str]) -> None:
        """`codes` matches the path of a socket; its last group is the table's code."""
        self._siblings = siblings
        self._at = at
        self._codes = codes
        self.count: Callable[[str], None] = lambda outcome: None
        """Called with what became of each socket that is not simply at its place."""
        self._takes = False
        self._beat: asyncio.TimerHandle | None = None
        self._beginning: set[asyncio.Task[None]] = set()

    # Who owns what

    def owns(self, code: str) -> None:
        """This process has claimed a table."""
        self._siblings.owns(self._at, code)

    def disowns(self, code: str) -> None:
        self._siblings.disowns(self._at, code)

    # Handing over

    def hands_over(self, transport: asyncio.Transport, scope: Scope, url: bytes) -> bool:
        """Give a socket to the process of its table; False if it should stay here."""
        path = url.partition(b"?")[0].decode("latin-1")
        found = self._codes.fullmatch(unquote(path))
        if found is None:
            return False
        place = self._siblings.place(found[found.lastindex or 0].upper(), self._at)
        if place == self._at:
            return False
        outcome = self._try(place, transport, Handshake.of(scope, url))
        self.count(outcome)
        return outcome == HANDED

    def _try(self, place: int | None, transport: asyncio.Transport, handshake: Handshake) -> str:
        if place is None:
            return "kept_none_takes"
        if transport.get_write_buffer_size():
            return "kept_unsent"
        file = transport.get_extra_info("socket").fileno()
        return HANDED if self._siblings.send(place, handshake, file) else "kept_queue_full"

    # Taking

    def start(
        self,
        config: Config,
        state: ServerState,
        app_state: dict[str, Any],
        well_for: Callable[[], float],
    ) -> None:
        """Take sockets from now on; `well_for` says how many seconds this process is well."""
        loop = asyncio.get_running_loop()
        self._takes = True
        self.set_full(False)  # an earlier process in this place may have been

        def beat() -> None:
            self._siblings.set_well(self._at, well_for())
            self._beat = loop.call_later(BEAT_SECONDS, beat)

        def take() -> None:
            for handshake, given in self._siblings.received(self._at):
                self.count("taken")
                protocol = _Taken(handshake, config, state, app_state)
                task = loop.create_task(self._begin(protocol, given))
                self._beginning.add(task)
                task.add_done_callback(partial(self._has_begun, given))

        loop.add_reader(self._siblings.receiving(self._at), take)
        beat()

    def set_full(self, is_full: bool) -> None:
        """Whether this process has no room for more sockets."""
        self._siblings.set_full(self._at, inf if is_full else 0.0)

    async def _begin(self, protocol: _Taken, given: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, given)

    def _has_begun(self, given: socket.socket, task: asyncio.Task[None]) -> None:
        self._beginning.discard(task)
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or error is not None:
            given.close()
        if error is not None and not isinstance(error, OSError):  # otherwise its peer is gone
            logger().error("a socket cannot be taken", exc_info=error)

    def stop(self) -> None:
        """Take no more; what still comes is closed by the parent."""
        if self._takes:
            self._takes = False
            asyncio.get_running_loop().remove_reader(self._siblings.receiving(self._at))
            if self._beat is not None:
                self._beat.cancel()
            self._siblings.set_well(self._at, 0.0)


class _Taken(asyncio.Protocol):
    """A connection of which another process has read the handshake."""

    def __init__(
        self, handshake: Handshake, config: Config, state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._handshake = handshake
        self._parts = (config, state, app_state)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        _, _, app_state = self._parts
        open_socket(*self._parts, transport, self._handshake.scope(app_state), self._handshake.url)

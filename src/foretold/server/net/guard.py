"""uvicorn's HTTP protocol for the open internet: every byte is counted before it is parsed.

uvicorn reads heads of any size, waits for a request as long as it takes, queues any number of
pipelined requests, and closes a connection only when everything is sent. Here each of these has a
limit; a client that exceeds one gets a few bytes of explanation at most, and is cut off.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from foretold.server.net.protocol import SocketProtocol
from foretold.server.quotas.budgets import BYTE, CONNECTION, HANDSHAKE, READ, Budgets
from foretold.server.quotas.limits import Places

REQUEST_SECONDS: Final = 20.0
"""How long a request may take to arrive, and an answer to be read."""
MOST_ADDRESS: Final = 4 << 10
"""Bytes of a request's path and query."""
MOST_HEAD: Final = 16 << 10
"""Bytes of its first line and headers together."""
MOST_HEADER: Final = 8000
"""Bytes of one header. The parser of WebSocket handshakes rejects lines over 8,192."""
MOST_HEADERS: Final = 64
LARGEST_BODY: Final = 16 << 10
"""Bytes of a body."""
MOST_REQUEST: Final = MOST_HEAD + 4 * LARGEST_BODY
"""Bytes of a whole request, read or not: chunked encoding can add a lot that is not body."""
MOST_PIPELINED: Final = 16
"""Pipelined requests of a connection that may wait for the one before."""
MOST_OF_ONE: Final = 256
"""HTTP connections of one address, unless it is a proxy."""
PIECE: Final = 4 << 10
"""How many bytes are parsed between two checks."""


class TooMuchError(Exception):
    """Raised inside the parser to stop it; the status says what was too much."""


def open_socket(
    config: Config,
    state: ServerState,
    app_state: dict[str, Any],
    transport: asyncio.Transport,
    request: Scope,
    url: bytes,
) -> None:
    """Go on as a socket with a connection on which a handshake has arrived."""
    kind: Any = config.ws_protocol_class
    line: SocketProtocol = kind(config, state, app_state)
    transport.set_protocol(line)
    line.begin(transport, request, url)


def http_protocol(
    most: int,
    budgets: Budgets,
    hands_over: Callable[[asyncio.Transport, Scope, bytes], bool] | None = None,
) -> type[HttpToolsProtocol]:
    """A protocol with a limited number of connections, not counting sockets.

    A new one is always let in; the one that has been idle the longest is cut off. `hands_over` may
    give a socket to another process, and returns whether it did.
    """
    waiting: OrderedDict[HttpProtocol, None] = OrderedDict()
    places = Places(float("inf"), MOST_OF_ONE)

    class HttpProtocol(HttpToolsProtocol):
        _deadline: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _source: str | None = None
        """The address this connection counts against; None for a proxy."""
        _has_place = False
        _is_upgraded = False
        _is_in_head = True
        _size = 0
        """Bytes since the last request ended."""
        _refusal: HTTPStatus | None = None
        _running: RequestResponseCycle | None = None
        """The request being answered."""

        # Connecting and disconnecting

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer = transport.get_extra_info("peername")
            self._source = budgets.source_of_peer(str(peer[0]) if peer else "")
            if self._source is not None:
                self._has_place = budgets.bears(self._source, CONNECTION) and places.enter(
                    self._source
                )
                if not self._has_place:
                    self.transport = transport
                    transport.abort()
                    return
            super().connection_made(transport)
            waiting[self] = None
            self._set_deadline()
            if len(waiting) > most:
                longest, _ = waiting.popitem(last=False)
                longest.cut_off()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            self._tell_running()
            super().connection_lost(exc)

        def cut_off(self) -> None:
            """End the connection at once, after telling the request being answered."""
            self._tell_running()
            self.transport.abort()

        def _tell_running(self) -> None:
            # uvicorn would tell only the last of the waiting requests, and a moment later.
            if self._running is not None and not self._running.response_complete:
                self._running.disconnected = True
                self._running.message_event.set()

        def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
            self._running = cycle
            super()._start_asgi_task(cycle, app)

        def handle_websocket_upgrade(self) -> None:
            if self._running is not None and not self._running.response_complete:
                self.cut_off()  # or its answer would be written among the frames
                return
            self._forget()
            self._is_upgraded = True
            if self._source is not None and not budgets.bears(self._source, HANDSHAKE):
                self.cut_off()
                return
            self.connections.discard(self)
            request = dict(self.scope)
            if (
                hands_over is not None
                and (self.cycle is None or self.cycle.response_complete)
                and hands_over(self.transport, request, self.url)
            ):
                self.transport.abort()  # another process has the connection open
                return
            open_socket(
                self.config, self.server_state, self.app_state, self.transport, request, self.url
            )

        def _forget(self) -> None:
            waiting.pop(self, None)
            self._lift_deadline()
            self._has_been_read()
            if self._has_place:
                assert self._source is not None
                places.leave(self._source)
                self._has_place = False

        # Incoming data

        def data_received(self, data: bytes) -> None:
            if self._source is not None and not budgets.bears(
                self._source, READ + len(data) * BYTE
            ):
                self.cut_off()
                return
            for at in range(0, len(data), PIECE):
                if self._is_upgraded or self.transport.is_closing():
                    return
                piece = data[at : at + PIECE]
                self._size += len(piece)
                if self._size > (MOST_HEAD + PIECE if self._is_in_head else MOST_REQUEST):
                    head = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                    self._refuse(head if self._is_in_head else None)
                    return
                super().data_received(piece)

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._is_in_head = True
            self._size = 0
            self._set_deadline()

        def on_url(self, url: bytes) -> None:
            super().on_url(url)
            if len(self.url) > MOST_ADDRESS:
                self._too_much(HTTPStatus.REQUEST_URI_TOO_LONG)

        def on_header(self, name: bytes, value: bytes) -> None:
            super().on_header(name, value)
            if len(self.headers) > MOST_HEADERS or len(name) + len(value) > MOST_HEADER:
                self._too_much(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

        def on_headers_complete(self) -> None:
            if len(self.pipeline) >= MOST_PIPELINED:
                self._too_much(HTTPStatus.TOO_MANY_REQUESTS)
            if sum(name == b"host" for name, _ in self.headers) > 1:
                self._too_much(HTTPStatus.BAD_REQUEST)  # a proxy may go by the other
            super().on_headers_complete()
            self._is_in_head = False

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self._is_in_head = True
            self._size = 0
            self._lift_deadline()
            if self in waiting:
                waiting.move_to_end(self)

        def _too_much(self, status: HTTPStatus) -> None:
            self._refusal = status
            raise TooMuchError

        def send_400_response(self, msg: str) -> None:
            self._refuse(self._refusal or HTTPStatus.BAD_REQUEST)

        def _refuse(self, status: HTTPStatus | None) -> None:
            """Answer with the error, if an answer is still due, and cut the connection."""
            if status is None or (self.cycle is not None and not self.cycle.response_complete):
                self.cut_off()
                return
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\n"
                "content-length: 0\r\nconnection: close\r\n\r\n".encode()
            )
            self.transport.close()

        def _set_deadline(self) -> None:
            if self._deadline is None:
                self._deadline = self.loop.call_later(REQUEST_SECONDS, self.cut_off)

        def _lift_deadline(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        # Outgoing data

        def pause_writing(self) -> None:
            super().pause_writing()
            if self._unread is None:
                self._unread = self.loop.call_later(REQUEST_SECONDS, self.cut_off)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._has_been_read()

        def _has_been_read(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

    return HttpProtocol

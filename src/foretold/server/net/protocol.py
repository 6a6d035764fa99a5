"""uvicorn's socket protocol with a direct path in and out.

The HTTP protocol has parsed the handshake; it is answered here, not written out and parsed again.
Messages go straight from the client to the room and back, without ASGI's steps in between: no queue
of messages and no task to wake. Messages sent at the same moment are written together, because each
write wakes the reader and one write is cheaper than many. They are written straight to the system
while nothing waits in the transport, which would take a third longer. Short messages that arrive
complete, as nearly all do, are read here; the library handles everything else. A peer that does not
read can be cut off; closing the usual way would wait until everything is sent.

Frames of every kind are counted before they are parsed, with their bytes and the pieces they arrive
in. A client that exceeds the connection's budget, or that of its address, is cut off.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, Final
from urllib.parse import unquote

import uvicorn
from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame
from websockets.protocol import SERVER, Protocol

from foretold.server.net.frames import FrameCounter, framed, short_text
from foretold.server.net.handshake import HandshakeError, accepting, key_of, refusing
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import FRAME, READ, Budgets
from foretold.server.quotas.limits import Bucket

LINE: Final = "foretold.line"
"""The extension of the ASGI scope that holds the protocol itself."""

BYTES_OF_A_FRAME: Final = 256
"""This many bytes count as one frame, and so do eight pieces of a frame."""
PIECE: Final = 1 / 8
MOST_FRAGMENTS: Final = 64
"""Frames per message."""
CLOSE_SECONDS: Final = 2.0
MOST_AFTER_CLOSE: Final = 4 << 10
"""How long, and for how many bytes, to wait for the peer's answer to a close."""

MOST_UNSENT: Final = 16
"""How many messages of one connection are held back to be written together."""


class Outbox:
    """The connections with something to send: one callback of the loop writes to all of them."""

    __slots__ = ("frame", "full", "text")

    def __init__(self) -> None:
        self.full: list[SocketProtocol] = []
        self.text = self.frame = b""
        """The last message, and its frame: most messages go to several connections in a row."""

    def flush(self) -> None:
        full, self.full = self.full, []
        for line in full:
            line.flush()


def socket_protocol(budgets: Budgets) -> type[SocketProtocol]:
    """The protocol of one server, whose connections share an outbox."""

    class OfOneServer(SocketProtocol):
        __slots__ = ()
        outbox = Outbox()

    OfOneServer.budgets = budgets
    return OfOneServer


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, with `on_text` beside ASGI's `receive` and `write` beside its `send`."""

    # What every message needs, and enough else that the rest is few names: beyond thirty, Python
    # gives every instance a dictionary with keys of its own, which is slower and larger.
    __slots__ = (
        "_after_close",
        "_budget",
        "_file",
        "_frames",
        "_key",
        "_unsent",
        "close_sent",
        "close_timer",
        "conn",
        "disconnected",
        "frames",
        "has_room",
        "loop",
        "on_text",
        "on_writable",
        "ping_timer",
        "pong_timer",
        "queue",
        "read_paused",
        "scope",
        "source",
        "transport",
    )

    on_text: Callable[[str], None] | None
    """Called with every text message from now on, instead of `receive`."""
    on_writable: Callable[[], None] | None
    """Called when there is room in the buffer again."""
    has_room: bool
    """Whether the peer reads fast enough."""
    source: str | None
    """The address this connection counts against, once it is known."""
    budgets: ClassVar[Budgets]
    conn: Protocol  # type: ignore[assignment]
    scope: dict[str, Any]  # type: ignore[assignment]
    _key: bytes
    """The key of the handshake."""
    _frames: FrameCounter
    """Counts the frames after the handshake."""
    _budget: Bucket
    _after_close: int
    """Bytes received after the close was sent."""
    _file: int | None
    """The number of the socket's file, if the system can be given messages directly."""
    outbox: ClassVar[Outbox]
    """Holds this connection while it has something unsent."""
    _unsent: list[bytes] | None
    """Frames to write at the end of this round of the event loop."""

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self.on_text = self.on_writable = self.source = self._unsent = self._file = None
        self.has_room, self._after_close = True, 0
        super().__init__(config, server_state, app_state)

    # Coming

    def begin(self, transport: asyncio.Transport, request: Scope, url: bytes) -> None:
        """Take over a connection on which a handshake has arrived."""
        self.transport = transport
        self._file = file_of(transport)
        self.connections.add(self)
        self.server, self.client = request["server"], request["client"]
        self.scheme = "wss" if request["scheme"] == "https" else "ws"
        self.close_timeout = CLOSE_SECONDS
        self._frames = FrameCounter()
        self._budget = self.budgets.frames()
        try:
            self._key = key_of(request["method"], request["headers"])
        except HandshakeError as error:
            self.refuse(error.status)
            return
        # Replaces the library's handshake parser by its frame parser.
        self.conn = Protocol(SERVER, max_size=self.config.ws_max_size, logger=self.logger)
        path, _, query = url.partition(b"?")
        self.scope = {
            "type": "websocket",
            "asgi": request["asgi"],
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "headers": request["headers"],
            "subprotocols": [],
            "state": request["state"],
            "extensions": {LINE: self},
        }
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def accept(self) -> bool:
        """Answer the handshake; False if nobody is waiting for it any more."""
        self.handshake_complete = True
        if self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(accepting(self._key, self.default_headers))
        self.start_keepalive()
        return True

    def refuse(self, status: HTTPStatus) -> None:
        """Answer it with a status, and close the connection."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(refusing(status))
        self.transport.close()

    def send_500_response(self) -> None:
        if not self.handshake_complete:
            self.refuse(HTTPStatus.INTERNAL_SERVER_ERROR)

    # Outgoing data

    def write(self, text: bytes) -> None:
        """Send a text message; does nothing if the connection is closing."""
        unsent, outbox = self._unsent, self.outbox
        if text is outbox.text:
            frame = outbox.frame
        else:
            outbox.text, outbox.frame = text, frame = text, framed(text)
        if unsent is None:
            self._unsent = [frame]
            if not outbox.full:
                self.loop.call_soon(outbox.flush)
            outbox.full.append(self)
        else:
            unsent.append(frame)
            if len(unsent) >= MOST_UNSENT:
                self.flush()  # or a sender of many messages would not notice a full buffer

    def flush(self) -> None:
        """Send what is unsent now; a failure ends this connection and affects no other."""
        unsent, self._unsent, transport = self._unsent, None, self.transport
        if unsent and not (self.close_sent or self.disconnected or transport.is_closing()):
            data, sent = unsent[0] if len(unsent) == 1 else b"".join(unsent), 0
            try:
                if self._file is not None and not transport.get_write_buffer_size():
                    try:  # noqa: SIM105 (four times for every action)
                        sent = os.write(self._file, data)
                    except OSError:
                        pass  # it is full, or broken: the transport handles both
                if sent < len(data):
                    transport.write(data[sent:])
            except Exception as error:
                logger().warning("a connection is lost", fault=type(error).__name__)
                self.abort()

    def hang_up(self, code: int) -> None:
        """Close the connection as ASGI's `websocket.close` does; the application is notified."""
        self.flush()
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            if self.read_paused:  # by a message that the application has not received yet
                self.read_paused = False
                self.transport.resume_reading()
            # Not `close`, which would wait as long as the peer does not read.
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def abort(self) -> None:
        """End the connection at once, after telling anything still waiting to send."""
        self.disconnected = True
        self.transport.abort()

    # Incoming data

    def data_received(self, data: bytes) -> None:
        counter = self._frames
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > MOST_AFTER_CLOSE:
                self.abort()
                return
        else:
            if self.on_text is not None and counter.is_between and not self.frames:
                text = short_text(data)
                if text is not None:
                    if self._budget.take(1 + len(data) / BYTES_OF_A_FRAME):
                        self.on_text(text)  # which charges the address itself
                    else:
                        self.abort()
                    return
            if not self._bears(counter.count(data, int(self._budget.brim)), len(data)):
                self.abort()
                return
        super().data_received(data)

    def _bears(self, frames: int, size: int) -> bool:
        """Whether this fits the budgets of the connection and of its address."""
        if not self._budget.take(max(frames, PIECE) + size / BYTES_OF_A_FRAME):
            return False
        return self.source is None or self.budgets.bears(self.source, READ + frames * FRAME)

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MOST_FRAGMENTS:
            self.abort()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        if self.on_text is not None:
            self.on_text(text)
        else:
            self.frames = [data]
            super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        if self.has_room:
            super().handle_ping()
        else:
            self.abort()  # answers would pile up for a peer that sends without reading

    def pause_writing(self) -> None:
        super().pause_writing()
        self.has_room = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.has_room = True
        if self.on_writable is not None:
            self.on_writable()


def file_of(transport: asyncio.Transport) -> int | None:
    """The number of a plain socket's file, which stays the same until the transport closes."""
    if sys.platform == "win32" or transport.get_extra_info("sslcontext") is not None:
        return None
    return int(transport.get_extra_info("socket").fileno())

"""uvicorn's socket protocol with a straight way in and out.

What a client says is heard, and what a table tells goes out, on the path that ASGI would take in
the end, without the steps between: no queue of messages and no task to be woken. What tables tell
at the same time goes out together: to write is to wake whoever reads, and costs less in one go.
Short messages that come whole, as nearly all do, are read here; whatever else comes is left to the
library. And a peer that does not read can be cut off; to close a connection in the usual way waits
until all is sent.

Frames of every kind are counted before they are parsed, with their bytes and the pieces they come
in, and whoever sends more than a budget is cut off: by this connection's own, and by that of its
address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from foretold.server.net.frames import FrameCounter, framed, short_text
from foretold.server.observing.logs import logger
from foretold.server.quotas.budgets import FRAME, READ, Budgets
from foretold.server.quotas.limits import Bucket

LINE: Final = "foretold.line"
"""The extension of the ASGI scope that holds the protocol itself."""

BYTES_OF_A_FRAME: Final = 256
"""So many bytes weigh as much as a frame does, and eight pieces of a frame too."""
PIECE: Final = 1 / 8
MOST_FRAGMENTS: Final = 64
"""Frames that one message may come in."""
CLOSE_SECONDS: Final = 2.0
MOST_AFTER_CLOSE: Final = 4 << 10
"""How long, and for how many bytes, the answer to the end of a connection is awaited."""

MOST_UNSENT: Final = 16
"""How many messages are put off until the others of the same moment, for one connection."""


class Outbox:
    """Connections with something to send: all are written to by one callback of the loop."""

    def __init__(self) -> None:
        self._full: list[SocketProtocol] = []

    def add(self, line: SocketProtocol) -> None:
        if not self._full:
            line.loop.call_soon(self._flush)
        self._full.append(line)

    def _flush(self) -> None:
        full, self._full = self._full, []
        for line in full:
            line.flush()


def socket_protocol(budgets: Budgets) -> type[SocketProtocol]:
    """The protocol of one server, whose connections share an outbox."""

    class OfOneServer(SocketProtocol):
        outbox = Outbox()

    OfOneServer.budgets = budgets
    return OfOneServer


class SocketProtocol(WebSocketsSansIOProtocol):
    """As uvicorn has it, with `on_text` beside ASGI's `receive` and `write` beside its `send`."""

    on_text: Callable[[str], None] | None = None
    """Called with every text message from now on, in place of `receive`."""
    on_writable: Callable[[], None] | None = None
    """Called when there is room again."""
    has_room = True
    """Whether the peer reads as fast as it is written to."""
    source: str | None = None
    """Whom this connection counts to, as soon as that is known."""
    budgets: ClassVar[Budgets]
    _frames: FrameCounter | None = None
    """Counts what comes after the handshake."""
    _budget: Bucket
    _after_close = 0
    """Bytes that came after the end was told."""
    outbox: ClassVar[Outbox]
    """Where this connection is while it has something unsent."""
    _unsent: list[bytes] | None = None
    """Frames that go out when all that is ready to happen now has happened."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.close_timeout = CLOSE_SECONDS

    def write(self, text: bytes) -> None:
        """Send a text message; nothing if the connection is closing."""
        if self._unsent is None:
            self._unsent = [framed(text)]
            self.outbox.add(self)
        else:
            self._unsent.append(framed(text))
            if len(self._unsent) >= MOST_UNSENT:
                self.flush()  # or whoever has much to send would not notice that there is no room

    def flush(self) -> None:
        """Send now what is unsent; a connection that fails is none, and nobody else's concern."""
        unsent, self._unsent = self._unsent, None
        if unsent and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            try:
                self.transport.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))
            except Exception as error:
                logger().warning("a connection is lost", fault=type(error).__name__)
                self.abort()

    def hang_up(self, code: int) -> None:
        """Close the connection as ASGI's `websocket.close` does; the application hears of it."""
        self.flush()
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            if self.read_paused:  # by a message that the application has not taken yet
                self.read_paused = False
                self.transport.resume_reading()
            # Not `close`, which would wait for as long as the peer does not read.
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def abort(self) -> None:
        """End the connection at once; whoever still wants to send hears of it first."""
        self.disconnected = True
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        counter = self._frames
        if counter is None:  # the handshake, which the HTTP protocol has read and passed on
            self._frames = FrameCounter()
            self._budget = self.budgets.frames()
        elif self.close_sent:
            self._after_close += len(data)
            if self._after_close > MOST_AFTER_CLOSE:
                self.abort()
                return
        else:
            if self.on_text is not None and counter.is_between and not self.frames:
                text = short_text(data)
                if text is not None:
                    if self._budget.take(1 + len(data) / BYTES_OF_A_FRAME):
                        self.on_text(text)  # which is paid for by its address there
                    else:
                        self.abort()
                    return
            if not self._bears(counter.count(data, int(self._budget.brim)), len(data)):
                self.abort()
                return
        super().data_received(data)

    def _bears(self, frames: int, size: int) -> bool:
        """Whether so much is within the budgets of the connection and of its address."""
        if not self._budget.take(max(frames, PIECE) + size / BYTES_OF_A_FRAME):
            return False
        return self.source is None or self.budgets.bears(self.source, READ + frames * FRAME)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[LINE] = self

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
            self.abort()  # who asks on without reading would have answers pile up

    def pause_writing(self) -> None:
        super().pause_writing()
        self.has_room = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.has_room = True
        if self.on_writable is not None:
            self.on_writable()

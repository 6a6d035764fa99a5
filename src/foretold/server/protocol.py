"""uvicorn's socket protocol with a straight way in and out.

What a client says is heard, and what a table tells goes out, on the path that ASGI would take in
the end, without the steps between: no queue of messages and no task to be woken. What tables tell
at the same time goes out together: to write is to wake whoever reads, and costs less in one go.
Short messages that come whole, as nearly all do, are read here; whatever else comes is left to the
library. And a peer that does not read can be cut off; to close a connection in the usual way waits
until all is sent.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from foretold.server.logs import logger

LINE: Final = "foretold.line"
"""The extension of the ASGI scope that holds the protocol itself."""

END_OF_HANDSHAKE: Final = b"\r\n\r\n"
WHOLE_TEXT: Final = 0x81  # the last, and only, frame of a message that is text
MASKED: Final = 0x80
_SHORT, _LONG = 126, 1 << 16

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


def socket_protocol() -> type[SocketProtocol]:
    """The protocol of one server, whose connections share an outbox."""

    class OfOneServer(SocketProtocol):
        outbox = Outbox()

    return OfOneServer


class SocketProtocol(WebSocketsSansIOProtocol):
    """As uvicorn has it, with `on_text` beside ASGI's `receive` and `write` beside its `send`."""

    on_text: Callable[[str], None] | None = None
    """Called with every text message from now on, in place of `receive`."""
    on_writable: Callable[[], None] | None = None
    """Called when there is room again."""
    has_room = True
    """Whether the peer reads as fast as it is written to."""
    _between_frames = False
    """Whether all that has come so far were whole frames: the next byte begins one."""
    outbox: ClassVar[Outbox]
    """Where this connection is while it has something unsent."""
    _unsent: list[bytes] | None = None
    """Frames that go out when all that is ready to happen now has happened."""

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
        """End the connection at once."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._between_frames:
            if self.on_text is not None and not self.frames and not self.close_sent:
                text = short_text(data)
                if text is not None:
                    self.on_text(text)
                    return
            self._between_frames = are_whole_frames(data)
        elif self.conn.state is State.CONNECTING:
            self._between_frames = data.endswith(END_OF_HANDSHAKE)
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[LINE] = self

    def send_receive_event_to_app(self) -> None:
        if self.on_text is None or self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # closes the connection
            return
        self.frames = []
        self.on_text(text)

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


def short_text(data: bytes) -> str | None:
    """The text, if this is one whole frame of a short text message, and nothing else."""
    if len(data) < 6 or data[0] != WHOLE_TEXT:
        return None
    size = data[1] - MASKED
    if not 0 <= size < _SHORT or len(data) != 6 + size:
        return None
    mask = data[2:6] * (size // 4 + 1)
    unmasked = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask[:size], "big")
    try:
        return unmasked.to_bytes(size, "big").decode()
    except UnicodeDecodeError:
        return None


def are_whole_frames(data: bytes) -> bool:
    """Whether frames, the first of which begins here, end with the last byte (RFC 6455, 5.2)."""
    at, end = 0, len(data)
    while at < end:
        if end - at < 2:
            return False
        second = data[at + 1]
        size, at = second & 0x7F, at + 2
        if size >= _SHORT:
            width = 2 if size == _SHORT else 8
            size, at = int.from_bytes(data[at : at + width], "big"), at + width
        at += size + (4 if second & MASKED else 0)
    return at == end


def framed(text: bytes) -> bytes:
    """A whole text message as one frame, which a server sends without a mask (RFC 6455, 5.2)."""
    size = len(text)
    if size < _SHORT:
        return bytes((WHOLE_TEXT, size)) + text
    if size < _LONG:
        return struct.pack("!BBH", WHOLE_TEXT, 126, size) + text
    return struct.pack("!BBQ", WHOLE_TEXT, 127, size) + text

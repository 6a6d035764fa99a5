"""uvicorn's socket protocol with a straight way to its transport.

What a table tells goes out on the path that ASGI would take in the end, without the steps between:
no task for each connection, no queue of messages, and no wait where there is room. And a peer that
does not read can be cut off; to close a connection in the usual way waits until all is sent.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

LINE: Final = "foretold.line"
"""The extension of the ASGI scope that holds the protocol itself."""

_SHORT, _LONG = 126, 1 << 16


class SocketProtocol(WebSocketsSansIOProtocol):
    """As uvicorn has it, and `write` beside ASGI's `send`."""

    on_writable: Callable[[], None] | None = None
    """Called when there is room again."""

    @property
    def has_room(self) -> bool:
        """Whether the peer reads as fast as it is written to."""
        return self.writable.is_set()

    def write(self, *texts: bytes) -> None:
        """Send text messages, all at once; nothing if the connection is closing."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(b"".join(map(framed, texts)))

    def hang_up(self, code: int) -> None:
        """Close the connection as ASGI's `websocket.close` does; the application hears of it."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            if self.read_paused:  # by a message that the application has not taken yet
                self.read_paused = False
                self.transport.resume_reading()
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[LINE] = self

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()


def framed(text: bytes) -> bytes:
    """A whole text message as one frame, which a server sends without a mask (RFC 6455, 5.2)."""
    size = len(text)
    if size < _SHORT:
        return bytes((0x81, size)) + text
    if size < _LONG:
        return struct.pack("!BBH", 0x81, 126, size) + text
    return struct.pack("!BBQ", 0x81, 127, size) + text

"""uvicorn's socket protocol, and a way to cut off a peer that does not read."""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

ABORT: Final = "foretold.abort"
"""An extension of the ASGI scope: a function that ends the connection at once.

Closing in the usual way waits until all is sent, so a peer that does not read could hold it."""


class SocketProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[ABORT] = self.transport.abort

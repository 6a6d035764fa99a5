"""uvicorn's HTTP protocol, for peers that connect and then ask for nothing.

uvicorn waits for the first request of a connection as long as it takes, and closes a connection
only when all is sent; so whoever neither asks nor reads could keep as many as the system allows.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS: Final = 20.0
"""How long a request may take to come in whole."""


def http_protocol(most: int) -> type[HttpToolsProtocol]:
    """A protocol of which there are at most so many connections, sockets not counted.

    One more is always let in, and that which has asked for nothing the longest is cut off.
    """
    waiting: OrderedDict[HttpProtocol, None] = OrderedDict()

    class HttpProtocol(HttpToolsProtocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            waiting[self] = None
            self._set_deadline()
            if len(waiting) > most:
                longest, _ = waiting.popitem(last=False)
                longest.transport.abort()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._set_deadline()

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self._lift_deadline()
            if self in waiting:
                waiting.move_to_end(self)

        def handle_websocket_upgrade(self) -> None:
            self._forget()
            super().handle_websocket_upgrade()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _set_deadline(self) -> None:
            if self._deadline is None:
                self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

        def _lift_deadline(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _forget(self) -> None:
            waiting.pop(self, None)
            self._lift_deadline()

    return HttpProtocol

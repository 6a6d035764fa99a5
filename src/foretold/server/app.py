"""The application: HTTP through FastAPI, sockets straight to the rooms."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from foretold.server.api.gate import Gate
from foretold.server.api.http import http_app
from foretold.server.api.socket import serve_socket
from foretold.server.ending import Ending
from foretold.server.house import House
from foretold.server.net.handing import Sibling
from foretold.server.net.headers import SecurityHeaders
from foretold.server.quotas.budgets import Budgets
from foretold.server.settings import ServerSettings


class App:
    """The ASGI application; it starts and stops the `House`."""

    def __init__(
        self,
        settings: ServerSettings,
        budgets: Budgets,
        sibling: Sibling | None = None,
        ending: Ending | None = None,
    ) -> None:
        self._settings = settings
        self._ending = ending
        self._budgets = budgets
        self._sibling = sibling
        self._http = http_app()
        # FastAPI would build its routes at the first request, which takes half a second.
        for route in self._http.routes:
            route.matches({"type": "http", "method": "GET", "path": "/", "root_path": ""})
        self._guarded: ASGIApp | None = None
        self.house: House | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            assert self.house is not None
            await serve_socket(self.house, scope, receive)
        else:
            assert self._guarded is not None
            await self._guarded(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()  # lifespan.startup
        await self.open()
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def open(self) -> None:
        self.house = House(self._settings, self._budgets, self._sibling, self._ending)
        await self.house.start()
        self._http.state.house = self.house
        self._guarded = SecurityHeaders(Gate(self._http, self.house))

    def is_well(self) -> bool:
        """Whether clients should connect here, as far as is known at once."""
        node = None if self.house is None else self.house.node
        return node is not None and node.is_well

    async def close(self) -> None:
        assert self.house is not None
        await self.house.stop()
        await self.house.close()

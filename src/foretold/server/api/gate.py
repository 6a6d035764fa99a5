"""The checks every HTTP request passes first: rate, size and origin."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from foretold.refusals import REASONS
from foretold.server.house import House
from foretold.server.net.cookies import with_our_cookies
from foretold.server.net.guard import LARGEST_BODY
from foretold.server.net.origin import is_own_origin
from foretold.server.observing.timed import Timed
from foretold.server.observing.tracing import describe, span
from foretold.server.quotas.budgets import REQUEST, asked_by
from foretold.server.quotas.limits import source_of
from foretold.table.refusals import Refused

COUNTED: Final = ("/api/", "/metrics")
"""The paths whose request rate is limited; the client's files, many per page, are only charged
for the time they take."""

OPERATOR: Final = "/api/operator/"
OWN_DATA: Final = "/api/me/data"
FREE: Final = (OWN_DATA, "/api/privacy")
"""Open to banned players too: their data belongs to them."""


def refusal(refused: Refused, status: int | None = None) -> Response:
    headers = {"cache-control": "no-store"}
    reason = REASONS[refused.code]
    if reason.retry is not None:
        headers["retry-after"] = str(reason.retry)
    return Response(
        msgspec.json.encode(refused.to_data()),
        status or reason.status,
        headers,
        media_type="application/json",
    )


class Gate:
    """Lets a request through if its rate, size and origin are acceptable."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_answered = False

        async def counted(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                self._house.metrics.requests.labels(str(message["status"])).inc()
            await send(message)

        source = source_of(scope)
        asked_by.set(source)
        try:
            body = await self._admit(scope, receive, source)
        except Refused as refused:
            await refusal(refused)(scope, receive, counted)
            return
        asked = with_our_cookies(scope)
        if scope["method"] == "HEAD":  # answered as GET is; uvicorn leaves the body out
            asked["method"] = "GET"
        timed = Timed(self._app(asked, _Replay(body, receive), counted))
        try:
            with span("request") as current:
                await timed
                # The path's pattern: paths themselves contain codes and links.
                route = getattr(asked.get("route"), "path", "/")
                method = str(scope["method"])
                told = {"http.request.method": method, "http.route": route}
                describe(current, f"{method} {route}", **told)
        except Exception:
            # Starlette re-raises errors it has already answered; uvicorn would log them again and
            # drop the connection under the next request.
            if not is_answered:
                raise
        finally:
            self._house.budgets.pays(source, timed.seconds)

    async def _admit(self, scope: Scope, receive: Receive, source: str) -> bytes:
        """Wait for the request's turn, and read its body; raises `Refused`."""
        budgets, headers = self._house.budgets, Headers(scope=scope)
        if not budgets.pays(source, REQUEST):
            raise Refused("too_fast")
        if scope["path"].startswith(COUNTED) and not budgets.requests.take(source):
            raise Refused("too_fast")
        path: str = scope["path"]
        if path.startswith("/api/") and path not in FREE and not path.startswith(OPERATOR):
            self._house.caretaker.bans.check(source)
        self._house.pace.check(source)
        await self._house.pace.turn(source)
        if scope["method"] in ("GET", "HEAD"):
            return b""
        if is_own_origin(scope, self._house.settings.allowed_origins) is False:
            raise Refused("foreign_origin")
        told = headers.get("content-length", "")
        if told.isdecimal() and int(told[:20]) > LARGEST_BODY:
            raise Refused("too_large")
        body: bytes = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused("bad_message", detail="the body has no end")  # the client has gone
            body += message.get("body", b"")
            if len(body) > LARGEST_BODY:
                raise Refused("too_large")
            if not message.get("more_body", False):
                return body


class _Replay:
    """Replays a body that was already read, then passes on what follows."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

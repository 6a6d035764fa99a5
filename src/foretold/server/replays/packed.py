"""Large answers, cached compressed: sent piece by piece, and only if they have changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from foretold.server.client.static import accepted_encodings, is_known
from foretold.server.quotas.budgets import asked_by
from foretold.server.quotas.pace import Pace
from foretold.server.replays.kept import Packed

PIECE: Final = 32 << 10
"""How much is sent before the client has read what came before."""
PACKED_PIECE: Final = 2 << 10
"""How much is unpacked at once; it becomes about ten times as much."""
GZIP: Final = 16 + zlib.MAX_WBITS


class PackedResponse(Response):
    """Unpacks one piece at a time, so a client that does not read holds only one in memory."""

    def __init__(
        self, packed: Packed, headers: Mapping[str, str], pace: Pace, *, unpack: bool
    ) -> None:
        super().__init__(None, 200, headers, media_type="application/json")
        del self.headers["content-length"]
        self._packed = packed
        self._pace = pace
        self._unpack = unpack
        if not unpack:
            self.headers["content-encoding"] = "gzip"
            self.headers["content-length"] = str(len(packed.body))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        pieces = self._pieces()
        while True:
            await self._pace.turn(asked_by.get())
            piece = next(pieces, b"")
            if not piece:
                break
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _pieces(self) -> Iterator[bytes]:
        body = self._packed.body
        if not self._unpack:
            yield from (body[at : at + PIECE] for at in range(0, len(body), PIECE))
            return
        unpacker = zlib.decompressobj(GZIP)  # it copies any input given too early
        for at in range(0, len(body), PACKED_PIECE):
            left = body[at : at + PACKED_PIECE]
            while left:
                piece = unpacker.decompress(left, PIECE)
                left = unpacker.unconsumed_tail
                if piece:
                    yield piece


def packed_answer(
    request: Request, packed: Packed, pace: Pace, more: Mapping[str, str] | None = None
) -> Response:
    """The text, or 304 if the browser already has it; no shared cache may keep it."""
    tag = f'W/"{packed.tag}"'
    headers = {"cache-control": "private, no-cache", "etag": tag, "vary": "accept-encoding"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    unpack = "gzip" not in accepted_encodings(request)
    return PackedResponse(packed, {**headers, **(more or {})}, pace, unpack=unpack)

"""Whether a request comes from a page of this site."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

SECURE: Final = frozenset(("https", "wss"))


def is_secure(scope: Scope) -> bool:
    """Whether the browser uses HTTPS, to this server or to a proxy in front of it."""
    return scope["scheme"] in SECURE


def is_own_origin(scope: Scope, allowed: Collection[str]) -> bool | None:
    """None if the request names no origin, as programs other than browsers do."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:
        return None
    if origin in allowed:
        return True
    try:
        place = urlsplit(origin)
    except ValueError:
        return False
    scheme = "https" if is_secure(scope) else "http"
    return place.scheme == scheme and place.netloc == headers.get("host")

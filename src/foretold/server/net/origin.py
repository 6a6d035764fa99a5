"""Whether a request comes from a page of this site."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

SECURE: Final = frozenset(("https", "wss"))


def is_secure(scope: Scope) -> bool:
    """Whether the browser came by HTTPS, to here or to the proxy before."""
    return scope["scheme"] in SECURE


def is_own_origin(scope: Scope, allowed: Collection[str]) -> bool | None:
    """None where nothing is said about it, as by programs that are no browsers."""
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

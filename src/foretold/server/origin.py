"""Whether a request comes from a page of this site."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers


def is_own_origin(headers: Headers, allowed: Collection[str]) -> bool | None:
    """None where nothing is said about it, as by programs that are no browsers."""
    origin = headers.get("origin")
    if origin is None:
        return None
    if origin in allowed:
        return True
    try:
        place = urlsplit(origin)
    except ValueError:
        return False
    return place.scheme in ("http", "https") and place.netloc == headers.get("host")

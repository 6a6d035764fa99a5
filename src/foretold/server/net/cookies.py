"""The cookie that says who somebody is, as safe as browsers can keep it.

Over HTTPS its name begins with ``__Host-``: browsers accept such a cookie only from this very host,
so no neighbour under the same domain can replace it.
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from foretold.server.net.origin import is_secure

COOKIE: Final = "foretold"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
COOKIE_SECONDS: Final = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""
LONGEST: Final = 300


def cookies_of(scope: Scope) -> dict[str, str]:
    """All cookies of a request, as they are.

    Nothing is unquoted, since no cookie of ours needs it: Python's own parser takes a time for it
    that grows with the square of the length, 0.1 s for 8 KB (CVE-2024-7592).
    """
    pairs = (one.partition("=") for one in Headers(scope=scope).get("cookie", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def cookie_of(scope: Scope) -> str | None:
    """The cookie of a request; over HTTPS, one set over HTTP is valid until it is replaced."""
    found = cookies_of(scope)
    for name in (SECURE_COOKIE, COOKIE) if is_secure(scope) else (COOKIE,):
        if name in found and len(found[name]) <= LONGEST:
            return found[name]
    return None


def is_outdated(scope: Scope) -> bool:
    """Whether the cookie came over HTTPS under its HTTP name."""
    return is_secure(scope) and SECURE_COOKIE not in Headers(scope=scope).get("cookie", "")


def forget_cookie(answer: Response, scope: Scope) -> Response:
    """Make the browser forget who it was."""
    secure = is_secure(scope)
    for name in (SECURE_COOKIE, COOKIE) if secure else (COOKIE,):
        answer.delete_cookie(name, httponly=True, samesite="lax", secure=secure)
    return answer


def set_cookie(answer: Response, scope: Scope, value: str) -> Response:
    secure = is_secure(scope)
    answer.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        value,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=secure,
    )
    if secure and COOKIE in Headers(scope=scope).get("cookie", ""):
        answer.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=True)
    return answer

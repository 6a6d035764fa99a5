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
KEY_COOKIE: Final = "foretold-key"
"""The key of an invitation. Set by its page, only for the paths of that table or sheet, so that the
key is in no URL that a server or proxy would log."""
LONGEST: Final = 300


def cookies_of(scope: Scope) -> dict[str, str]:
    """Our cookies among those of a request, as they are.

    Nothing is unquoted, since none of them needs it: Python takes a time for that which grows with
    the square of the length, 0.1 s for 8 KB (CVE-2024-7592).
    """
    pairs = (one.partition("=") for one in Headers(scope=scope).get("cookie", "").split(";"))
    found = {name.strip(): value.strip() for name, _, value in pairs}
    ours = (COOKIE, SECURE_COOKIE, KEY_COOKIE)
    return {name: found[name] for name in ours if name in found and len(found[name]) <= LONGEST}


def with_our_cookies(scope: Scope) -> Scope:
    """The request without any cookies but ours: FastAPI would unquote them all."""
    kept = [one for one in scope["headers"] if one[0] != b"cookie"]
    if len(kept) < len(scope["headers"]):
        ours = "; ".join(f"{name}={value}" for name, value in cookies_of(scope).items())
        kept.append((b"cookie", ours.encode("latin-1")))
    return {**scope, "headers": kept}


def cookie_of(scope: Scope) -> str | None:
    """The cookie of a request; over HTTPS, one set over HTTP is valid until it is replaced."""
    found = cookies_of(scope)
    names = (SECURE_COOKIE, COOKIE) if is_secure(scope) else (COOKIE,)
    return next((found[name] for name in names if name in found), None)


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

"""Cookies are read in one pass, whatever is in them."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.types import Scope

from foretold.server.net.cookies import cookie_of, cookies_of, with_our_cookies
from foretold.server.people.doors import shown_key


def scope(cookie: str, scheme: str = "http") -> Scope:
    return {"type": "http", "scheme": scheme, "headers": [(b"cookie", cookie.encode("latin-1"))]}


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("foretold=a.b-c_d", "a.b-c_d"),
        ("theme=dark; foretold=abc ;x", "abc"),
        ("foretold=a=b", "a=b"),
        ("foretold=", ""),
        ("xforetold=abc", None),
        ("foretold=" + "a" * 301, None),
        ("", None),
        # Unquoting is what takes Python's own parser a time that grows with the square.
        (r'foretold="a\\\101b"', r'"a\\\101b"'),
        ('foretold="' + "\\" * 7900 + '"', None),
    ],
)
def test_a_cookie_is_read_as_it_is(header: str, found: str | None) -> None:
    assert cookie_of(scope(header)) == found


def test_a_secure_cookie_counts_only_over_https() -> None:
    header = "foretold=old; __Host-foretold=new; foretold-key=key"
    assert cookie_of(scope(header)) == "old"
    assert cookie_of(scope(header, "https")) == "new"
    assert shown_key(scope(header)) == "key"
    assert shown_key(scope("foretold=old")) is None


def test_cookies_that_are_not_ours_are_not_read() -> None:
    assert cookies_of(scope("é; =; ;;; a=b; foretold=c")) == {"foretold": "c"}


def test_the_application_sees_no_other_cookies() -> None:
    """FastAPI reads all that are left, and unquotes them in quadratic time."""
    hostile = 'x="' + "\\" * 3000 + '"; foretold=me; foretold-key="' + "\\" * 3000 + '"'
    asked = Request(with_our_cookies(scope(hostile)))
    assert asked.headers["cookie"] == "foretold=me"
    assert asked.cookies == {"foretold": "me"}
    assert with_our_cookies({**scope(""), "headers": []})["headers"] == []

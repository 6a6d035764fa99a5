"""Cookies are read in one pass, whatever is in them."""

from __future__ import annotations

import pytest
from starlette.types import Scope

from foretold.server.net.cookies import cookie_of, cookies_of
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


def test_a_cookie_that_nobody_set_does_no_harm() -> None:
    assert cookies_of(scope("é; =; ;;; a")) == {"é": "", "": "", "a": ""}

"""Handshakes of sockets: accepted as RFC 6455 says, and nothing else is."""

from __future__ import annotations

import socket

import pytest

from foretold.server.net.handshake import HandshakeError, accepting, key_of
from server.process import ServerProcess

KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
GOOD = ((b"sec-websocket-key", KEY), (b"sec-websocket-version", b"13"))


def test_the_example_of_the_rfc() -> None:
    assert key_of("GET", GOOD) == KEY
    answer = accepting(KEY, [(b"date", b"now")])
    assert b"sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in answer
    assert answer.endswith(b"\r\ndate: now\r\n\r\n")


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", GOOD, 400),
        ("GET", GOOD[1:], 400),
        ("GET", GOOD[:1], 400),
        ("GET", (*GOOD, GOOD[0]), 400),
        ("GET", ((b"sec-websocket-key", b"c2hvcnQ="), GOOD[1]), 400),
        ("GET", ((b"sec-websocket-key", b"\xff" * 24), GOOD[1]), 400),
        ("GET", (GOOD[0], (b"sec-websocket-version", b"8")), 426),
    ],
)
def test_what_is_no_handshake(
    method: str, headers: tuple[tuple[bytes, bytes], ...], status: int
) -> None:
    with pytest.raises(HandshakeError) as refused:
        key_of(method, headers)
    assert refused.value.status == status


@pytest.mark.parametrize(
    ("origin", "version", "status"),
    [("own", "13", b"101"), ("own", "8", b"426"), ("http://elsewhere", "13", b"403")],
)
def test_the_status_is_told(
    server: ServerProcess, origin: str, version: str, status: bytes
) -> None:
    told = server.url if origin == "own" else origin
    request = (
        f"GET /api/tables/BBBBBB/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: {told}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: {version}\r\nSec-WebSocket-Key: {KEY.decode()}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), 10) as line:
        line.sendall(request.encode())
        assert line.recv(1 << 12).startswith(b"HTTP/1.1 " + status)

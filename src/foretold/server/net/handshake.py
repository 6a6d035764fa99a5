"""The handshake of a WebSocket (RFC 6455, 4.2), from a request that has been parsed already."""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final

Headers = Sequence[tuple[bytes, bytes]]

_MARK: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_VERSION: Final = b"13"
_KEY_BYTES: Final = 16


class HandshakeError(Exception):
    """A request that opens no WebSocket, and the status it is answered with."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


def key_of(method: str, headers: Headers) -> bytes:
    """The key of a handshake; raises `HandshakeError` if it is not one."""
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    versions = [value for name, value in headers if name == b"sec-websocket-version"]
    if method != "GET" or len(keys) != 1 or len(versions) != 1:
        raise HandshakeError(HTTPStatus.BAD_REQUEST)
    if versions[0] != _VERSION:
        raise HandshakeError(HTTPStatus.UPGRADE_REQUIRED)
    try:
        is_key = len(b64decode(keys[0], validate=True)) == _KEY_BYTES
    except binascii.Error:
        is_key = False
    if not is_key:
        raise HandshakeError(HTTPStatus.BAD_REQUEST)
    return keys[0]


def accepting(key: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The answer to a handshake, with further headers."""
    digest = hashlib.sha1(key + _MARK, usedforsecurity=False).digest()
    lines = [
        b"HTTP/1.1 101 Switching Protocols",
        b"upgrade: websocket",
        b"connection: Upgrade",
        b"sec-websocket-accept: " + b64encode(digest),
        *(name + b": " + value for name, value in headers),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def refusing(status: HTTPStatus) -> bytes:
    """The answer to one that is refused, after which the connection is closed."""
    more = "sec-websocket-version: 13\r\n" if status is HTTPStatus.UPGRADE_REQUIRED else ""
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\n"
        f"{more}content-length: 0\r\nconnection: close\r\n\r\n"
    ).encode()

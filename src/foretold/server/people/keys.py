"""The keys that cookies, invitations and links are signed with: one signs, all of them verify.

By default there is one, in a file of the data folder. It moves to the database when it is first
replaced, or when there are several nodes, which have to share it. `FORETOLD_KEYS` takes precedence
over both.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from foretold.errors import ServerError
from foretold.server.net.cookies import COOKIE_SECONDS
from foretold.server.settings import ServerSettings
from foretold.server.storage.schema import keys

KEY_FILE: Final = "server.key"
"""In the data folder."""
KEY_BYTES: Final = 32
SETTLE_MS: Final = 60_000
"""A new key verifies at once, and signs after this long, when every node knows it."""
KEPT_MS: Final = COOKIE_SECONDS * 1000
"""How long a key verifies after it was replaced: no browser keeps a cookie for longer, and whoever
visits gets a new one."""

_FIRST: Final = "first"
"""The id of the first key in the database, which several nodes may try to add."""


class Key(NamedTuple):
    created: int
    """In milliseconds since 1970."""
    secret: bytes


class Keys:
    """All keys of a site."""

    def __init__(self, found: Sequence[Key], *, are_fixed: bool = False) -> None:
        self._found = sorted(found, reverse=True)
        self._are_fixed = are_fixed

    @classmethod
    def of(cls, settings: ServerSettings, engine: Engine) -> Keys:
        """Find the keys, or make the first one; raises `ServerError`."""
        given = given_keys(settings.keys)
        if given:
            return cls([Key(-number, key) for number, key in enumerate(given)], are_fixed=True)
        with engine.connect() as connection:
            found = read_keys(connection)
        if not found and settings.bus:
            _share(engine, server_key(settings.data))
            with engine.connect() as connection:
                found = read_keys(connection)
        return cls(found) if found else cls.in_folder(settings.data)

    @classmethod
    def in_folder(cls, folder: Path) -> Keys:
        """Only the key in the data folder."""
        return cls([Key(0, server_key(folder))])

    def replace(self, found: Sequence[Key]) -> None:
        """The database has these now."""
        if found and not self._are_fixed:
            self._found = sorted(found, reverse=True)

    @property
    def in_order(self) -> tuple[bytes, ...]:
        """The one that signs, then the others that verify."""
        settled = time.time() * 1000 - SETTLE_MS
        signs = next((one for one in self._found if one.created <= settled), self._found[-1])
        return (signs.secret, *(one.secret for one in self._found if one is not signs))


def given_keys(text: str) -> list[bytes]:
    """The keys in a setting."""
    try:
        found = [bytes.fromhex(one) for one in text.split(",") if one.strip()]
    except ValueError:
        found = [b""]
    if any(len(one) < KEY_BYTES for one in found):
        raise ServerError(
            f"FORETOLD_KEYS must be keys of {2 * KEY_BYTES} hexadecimal digits or more, separated "
            f"by commas, such as openssl rand -hex {KEY_BYTES} prints"
        )
    return found


def read_keys(connection: Connection) -> list[Key]:
    """Those in the database."""
    rows = connection.execute(sa.select(keys.c.created, keys.c.secret))
    return [Key(created, bytes(secret)) for created, secret in rows]


def rotate(connection: Connection, now: int, in_file: bytes | None) -> int:
    """Add a key that will sign instead of the others; returns how many others there are."""
    older = read_keys(connection)
    if not older and in_file is not None:
        connection.execute(_added(_FIRST, 0, in_file))
        older = [Key(0, in_file)]
    connection.execute(_added(secrets.token_hex(4), now, secrets.token_bytes(KEY_BYTES)))
    return len(older)


def expire_keys(connection: Connection, now: int) -> None:
    """Delete the keys that were replaced too long ago to matter."""
    for one, successor in pairwise(sorted(read_keys(connection))):
        if successor.created < now - KEPT_MS:
            connection.execute(sa.delete(keys).where(keys.c.created == one.created))


def _share(engine: Engine, key: bytes) -> None:
    """Put a first key into the database, unless another node is faster."""
    with suppress(IntegrityError), engine.begin() as connection:
        connection.execute(_added(_FIRST, 0, key))


def _added(key: str, created: int, secret: bytes) -> sa.Insert:
    return sa.insert(keys).values(id=key, created=created, secret=secret)


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Make a folder if there is none; raises `ServerError` if it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ServerError(f"cannot use the folder {folder}: {error.strerror}") from None


def server_key(folder: Path) -> bytes:
    """The key in the data folder: created once, readable only by the server."""
    path = folder / KEY_FILE
    with using(folder):
        if not path.exists():
            _write_once(path)
        key = path.read_bytes()
    if len(key) < KEY_BYTES:
        raise ServerError(f"{path} is not a key: remove it, and a new one will be made")
    return key


def _write_once(path: Path) -> None:
    """Write a complete key, unless another server has written one in the meantime."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        if not path.exists():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)

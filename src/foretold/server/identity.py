"""Who somebody is: a player's id, signed so that it cannot be made up."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from foretold.errors import ServerError

KEY_FILE: Final = "server.key"
"""In the data folder."""
LINK_MINUTES: Final = 15


def new_player_id() -> str:
    return secrets.token_hex(16)


class Identity:
    """Signs and reads cookies, and the links that carry a player to another device."""

    def __init__(self, key: bytes) -> None:
        self._cookies = URLSafeSerializer(key, salt="player")
        self._links = URLSafeTimedSerializer(key, salt="device")

    def cookie(self, player: str) -> str:
        return str(self._cookies.dumps(player))

    def player(self, cookie: str | None) -> str | None:
        if not cookie:
            return None
        try:
            found = self._cookies.loads(cookie)
        except BadSignature:
            return None
        return found if isinstance(found, str) else None

    def link(self, player: str) -> str:
        return str(self._links.dumps(player))

    def linked(self, token: str) -> str | None:
        """The player whose link it is, if it is still good."""
        try:
            found = self._links.loads(token, max_age=LINK_MINUTES * 60)
        except BadSignature:
            return None
        return found if isinstance(found, str) else None


def server_key(folder: Path) -> bytes:
    """The key that cookies are signed with: made once, readable for the server alone."""
    path = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path)
        key = path.read_bytes()
    except OSError as error:
        raise ServerError(f"cannot use the folder {folder}: {error.strerror}") from None
    if len(key) < 32:
        raise ServerError(f"{path} is no key: remove it, and a new one is made")
    return key


def _write_once(path: Path) -> None:
    """Write the key whole, and leave one that another server has written meanwhile."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        if not path.exists():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)

"""Who somebody is, and what they were given: all of it signed, so that it cannot be made up."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from foretold.errors import ServerError

KEY_FILE: Final = "server.key"
"""In the data folder."""
LINK_MINUTES: Final = 15
SEAT_DAYS: Final = 30
"""How long a personal link leads back to a seat, if its game lasts so long."""
INVITATION_BYTES: Final = 12
"""Of the key in an invitation: 16 letters, which nobody guesses."""


def new_player_id() -> str:
    return secrets.token_hex(16)


class Identity:
    """Signs and reads cookies, invitations, and the links that carry a player to another device."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._cookies = URLSafeSerializer(key, salt="player")
        # Used links are remembered in memory alone: so those from before a restart are no good.
        self._links = URLSafeTimedSerializer(key, salt=f"device {secrets.token_hex(8)}")
        self._used: dict[str, float] = {}
        """Until when each would have been good."""
        self._seats = URLSafeTimedSerializer(key, salt="seat")

    def invitation(self, code: str) -> str:
        """The key that opens a table or sheet whatever its state: it follows from the code."""
        digest = hmac.digest(self._key, f"invitation {code}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:INVITATION_BYTES]).decode()

    def opens(self, code: str, key: str | None) -> bool:
        """Whether a key is that of this table or sheet."""
        return key is not None and hmac.compare_digest(
            self.invitation(code).encode(), key.encode("utf-8", "replace")
        )

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
        return str(self._links.dumps([player, secrets.token_hex(8)]))

    @contextmanager
    def linked(self, token: str) -> Iterator[str | None]:
        """The player whose link it is, if it is still good.

        It is good once, and still is if what is done with it fails.
        """
        once = self._once(token)
        player = None
        if once is not None:
            player, mark = once
            self._used[mark] = time.monotonic() + LINK_MINUTES * 60
        try:
            yield player
        except BaseException:
            if once is not None:
                self._used.pop(once[1], None)
            raise

    def _once(self, token: str) -> tuple[str, str] | None:
        """The player of a link, and what marks it as used; None if it is no good."""
        now = time.monotonic()
        while self._used and next(iter(self._used.values())) < now:
            del self._used[next(iter(self._used))]
        try:
            player, once = self._links.loads(token, max_age=LINK_MINUTES * 60)
        except (BadSignature, TypeError, ValueError):
            return None
        return None if once in self._used else (str(player), str(once))

    def seat_link(self, code: str, player: str) -> str:
        """For a link that leads back to a seat. It is good until another browser has taken it:
        then the seat is no longer that player's."""
        return str(self._seats.dumps([code, player]))

    def seat_linked(self, token: str) -> tuple[str, str] | None:
        """The table and the player of such a link."""
        try:
            code, player = self._seats.loads(token, max_age=SEAT_DAYS * 24 * 3600)
        except (BadSignature, TypeError, ValueError):
            return None
        return str(code), str(player)


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

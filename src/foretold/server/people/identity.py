"""Cookies, keys and links that say who somebody is: all signed, so that they cannot be forged."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from foretold.server.people.keys import Keys

LINK_MINUTES: Final = 15
SEAT_DAYS: Final = 30
"""How long a personal link leads back to a seat, if its game lasts that long."""
INVITATION_BYTES: Final = 12
"""The size of an invitation's key: 16 letters, which nobody guesses."""


def new_player_id() -> str:
    return secrets.token_hex(16)


class Identity:
    """Signs and reads cookies, invitations, and the links that carry a player to another device."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    @property
    def _cookies(self) -> URLSafeSerializer:
        return _cookie_signer(self._keys.in_order)

    @property
    def _links(self) -> URLSafeTimedSerializer:
        return _timed_signer(self._keys.in_order, "device")

    @property
    def _seats(self) -> URLSafeTimedSerializer:
        return _timed_signer(self._keys.in_order, "seat")

    def invitation(self, code: str) -> str:
        """The key that opens a table or sheet in any state; derived from the code."""
        return _invitation(self._keys.in_order[0], code)

    def opens(self, code: str, key: str | None) -> bool:
        """Whether this key opens that table or sheet."""
        if key is None:
            return False
        shown = key.encode("utf-8", "replace")
        return any(
            hmac.compare_digest(_invitation(one, code).encode(), shown)
            for one in self._keys.in_order
        )

    def is_old(self, cookie: str) -> bool:
        """Whether a valid cookie was signed with a key that has been replaced."""
        return not _cookie_signer(self._keys.in_order[:1]).loads_unsafe(cookie)[0]

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
        """The token of a link that signs a player in on another device, once."""
        return str(self._links.dumps([player, secrets.token_hex(8)]))

    def linked(self, token: str) -> tuple[str, str] | None:
        """The player of such a link, and what marks it as used; None if it is invalid."""
        try:
            player, mark = self._links.loads(token, max_age=LINK_MINUTES * 60)
        except (BadSignature, TypeError, ValueError):
            return None
        return str(player), str(mark)

    def seat_link(self, code: str, player: str) -> str:
        """The token of a link back to a seat. It is valid until another browser uses it: then the
        seat is no longer that player's."""
        return str(self._seats.dumps([code, player]))

    def seat_linked(self, token: str) -> tuple[str, str] | None:
        """The table and the player of such a link."""
        try:
            code, player = self._seats.loads(token, max_age=SEAT_DAYS * 24 * 3600)
        except (BadSignature, TypeError, ValueError):
            return None
        return str(code), str(player)


# Made once for each set of keys; they sign with the last of the list.


@lru_cache(maxsize=8)
def _cookie_signer(keys: tuple[bytes, ...]) -> URLSafeSerializer:
    return URLSafeSerializer(list(reversed(keys)), salt="player")


@lru_cache(maxsize=8)
def _timed_signer(keys: tuple[bytes, ...], salt: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(reversed(keys)), salt=salt)


def _invitation(key: bytes, code: str) -> str:
    digest = hmac.new(key, f"invitation {code}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:INVITATION_BYTES]).decode()

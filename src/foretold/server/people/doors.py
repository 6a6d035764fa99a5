"""Who may come in: by the key of an invitation, by having been there, or by a short code alone.

A short code is easily said and typed, and can be guessed; so it opens only what waits for players,
and codes that open nothing are counted.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from foretold.protocol.settings import TableSettings
from foretold.server.people.identity import Identity
from foretold.server.quotas.budgets import Budgets
from foretold.table.refusals import Refused

CODE: Final = "[A-Za-z]{6}"
"""What a code looks like in a path, as a regular expression; capitals or not."""
KEY_COOKIE: Final = "foretold-key"
"""Which the page of an invitation sets for the paths of that table or sheet alone: so the key is in
no address that a server or proxy would log."""


class Visitor(NamedTuple):
    """Somebody at the door."""

    player: str | None
    key: str | None
    """That they show."""
    source: str
    """The address that limits count them to; nothing for the server itself."""


def shown_key(scope: Scope) -> str | None:
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return None
    return found[KEY_COOKIE].value if KEY_COOKIE in found else None


def opens_by_code(state: str, settings: TableSettings) -> bool:
    """Whether the short code is enough: the table waits for players, or is for everyone."""
    return state == "lobby" or settings.public


class Doors:
    """Lets people in, or says why not."""

    def __init__(self, identity: Identity, budgets: Budgets) -> None:
        self.key_of = identity.invitation
        self._opens = identity.opens
        self._guesses = budgets.guesses
        self._knocks = budgets.knocks

    def has_key(self, code: str, visitor: Visitor) -> bool:
        return self._opens(code, visitor.key)

    def check(self, code: str, visitor: Visitor, *, knows: bool, opens_by_code: bool) -> None:
        """Raise `Refused` unless the table or sheet knows them, or they have a way in."""
        if knows or self.has_key(code, visitor):
            return
        if not opens_by_code:
            raise self.missed(visitor.source, Refused("need_key"))
        if visitor.source and self._guesses.spend(visitor.source, 0.0) < 1:
            raise Refused("too_many_guesses")

    def check_knock(self, source: str) -> None:
        """Raise `Refused` if somebody has asked hosts too often."""
        if not self._knocks.take(source):
            raise Refused("too_fast")

    def missed(self, source: str, why: Refused) -> Refused:
        """What to tell somebody whose code opens nothing; who guesses on is told no more."""
        if not source or self._guesses.take(source):
            return why
        return Refused("too_many_guesses")

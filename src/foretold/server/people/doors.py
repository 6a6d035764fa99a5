"""Who may come in: with an invitation key, by having been there, or with a short code alone.

A short code is easy to say and type, but also to guess. So it only opens tables that are waiting
for players, and wrong codes are counted.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from starlette.types import Scope

from foretold.protocol.settings import TableSettings
from foretold.server.net.cookies import KEY_COOKIE, cookies_of
from foretold.server.people.identity import Identity
from foretold.server.quotas.budgets import Budgets
from foretold.table.refusals import Refused

CODE: Final = "[A-Za-z]{6}"
"""A code in a path, as a regular expression; in upper or lower case."""


class Visitor(NamedTuple):
    """Somebody at the door."""

    player: str | None
    key: str | None
    """The key they present."""
    source: str
    """The address that limits count them against; empty for the server itself."""


def shown_key(scope: Scope) -> str | None:
    return cookies_of(scope).get(KEY_COOKIE)


def opens_by_code(state: str, settings: TableSettings) -> bool:
    """Whether the short code is enough: the table is waiting for players, or is public."""
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
        """Raise `Refused` unless the table or sheet knows them, or their key or code opens it."""
        if knows or self.has_key(code, visitor):
            return
        if not opens_by_code:
            raise self.missed(visitor.source, Refused("need_key"))
        if visitor.source and self._guesses.spend(visitor.source, 0.0) < 1:
            raise Refused("too_many_guesses")

    def check_knock(self, source: str) -> None:
        """Raise `Refused` if the source has asked hosts too often."""
        if not self._knocks.take(source):
            raise Refused("too_fast")

    def missed(self, source: str, why: Refused) -> Refused:
        """The refusal for a wrong code; after too many guesses it hides the reason."""
        if not source or self._guesses.take(source):
            return why
        return Refused("too_many_guesses")

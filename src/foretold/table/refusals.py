"""A refused request, and why; `foretold.refusals` says what each code means."""

from __future__ import annotations

from typing import Any

from foretold.cards import Card, Suit
from foretold.errors import IllegalActionError
from foretold.game import Game
from foretold.refusals import REASONS, to_player


class Refused(Exception):  # noqa: N818  # it is an answer, not an error
    """A request was refused; `code` and `params` are for programs, `reason` for people."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        self.reason = to_player(code, params)
        super().__init__(self.reason)

    @classmethod
    def by_rules(cls, error: IllegalActionError, game: Game) -> Refused:
        """The refusal of an illegal action; only for the player who tried it."""
        known = {**error.params, "phase": game.phase.name.lower()}
        refused = cls(error.code, **known)
        refused.params = {name: plain(known[name]) for name in REASONS[error.code].params}
        return refused

    def to_data(self) -> dict[str, Any]:
        return {"code": self.code, "params": self.params, "reason": self.reason}


def plain(value: object) -> object:
    """A parameter of a refusal, as clients get it."""
    if isinstance(value, Card):
        return value.code
    return value.letter if isinstance(value, Suit) else value

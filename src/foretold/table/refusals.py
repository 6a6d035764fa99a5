"""A request that a table does not grant, and why."""

from __future__ import annotations

from typing import Any, Final

from foretold.cards import Card, Suit
from foretold.errors import IllegalActionError
from foretold.game import Game

REASONS: Final = {
    "bad_message": "this is no message of the protocol: {detail}",
    "unknown_action": "there is no such action: {detail}",
    "stale": "the game has gone on since",
    "no_name": "give your name first",
    "bad_name": "a name has 1 to {most} characters that can be seen",
    "no_table": "there is no table of that code",
    "no_sheet": "there is no score sheet of that code",
    "need_key": "this table has begun: only its invitation link opens it now",
    "no_seat": "there are seats 0 to {last}",
    "not_seated": "you have no seat at this table",
    "already_seated": "you have a seat at this table already",
    "seat_taken": "somebody has that seat",
    "seat_seen": "you had another seat in this game: take that one again",
    "removed": "the host has removed you from this table",
    "not_let_in": "the host decides who joins now: ask for it",
    "turned_down": "the host has turned you down",
    "no_knock": "whoever asked for that has gone",
    "not_away": "that player is there: a seat can be freed while a bot plays for its player",
    "not_removed": "nobody of that name was removed",
    "full": "so much was changed here that nothing more can be: open a new one",
    "not_host": "only the host may do that",
    "not_in_lobby": "the game has begun",
    "not_playing": "no game is being played",
    "not_over": "the game is not over",
    "seats_empty": "there are empty seats: invite somebody, or let bots play",
    "unknown_level": "there are the levels {levels}",
    "unknown_phrase": "there is no such phrase",
    "bad_rules": "these rules do not go together",
    "bad_setting": "{detail}",
    "bad_commitment": "a commitment is a SHA-256 in hexadecimal, given once",
    "bad_reveal": "these bytes do not belong to your commitment, or it is not the time for them",
    "not_standing_in": "nobody plays for you",
    "not_yours": "whoever sits there enters that bid on the own phone",
    "cell_taken": "{name} has meanwhile written {value} there",
    "no_hints": "hints are only for one person against bots",
    "no_choice": "there is nothing for you to choose now",
    "closed": "this table is closed",
    "banned": "you cannot use this site until {until}",
    "too_fast": "that was too much at once: wait a moment",
    "too_many": "there are too many of those now: come back later",
    "used_up": "so much was written from your network today that no more can be: come back later",
    "unavailable": "the database does not answer right now; nothing is lost: try again in a moment",
    "too_large": "that is too large",
    "bad_link": "this link is no longer good",
    "not_available": "there is nothing here",
    "internal": "something went wrong on our side; nothing is lost",
}
"""Why the table refuses; the reasons of the rules are in `foretold.errors`."""

RETRY_AFTER: Final = {
    "too_fast": 5,
    "too_many": 5,
    "unavailable": 5,
    "internal": 30,
    "used_up": 3600,
}
"""The refusals that pass by themselves, and after how many seconds it is worth to try again. With
any other the same request will be refused again."""


class Refused(Exception):  # noqa: N818  # it is an answer, not an error
    """What was asked is not granted; `code` and `params` are for programs, `reason` for people."""

    def __init__(self, code: str, reason: str | None = None, **params: Any) -> None:
        self.code = code
        self.params = params
        self.reason = REASONS[code].format_map(params) if reason is None else reason
        super().__init__(self.reason)

    @classmethod
    def by_rules(cls, error: IllegalActionError, game: Game) -> Refused:
        """As the rules refuse an action; only for the player whose action it is."""
        params = {name: plain(value) for name, value in error.params.items()}
        if error.code == "wrong_phase":
            params = {"phase": game.phase.name.lower()}
        elif error.code == "already_decided":
            params = {}
        return cls(error.code, error.reason, **params)

    def to_data(self) -> dict[str, Any]:
        return {"code": self.code, "params": self.params, "reason": self.reason}


def plain(value: object) -> object:
    """A parameter of a reason as clients get it."""
    if isinstance(value, Card):
        return value.code
    return value.letter if isinstance(value, Suit) else value

"""Every reason for a refusal, defined once.

A code has one meaning. It comes with its parameters, the reason in English, an HTTP status and, if
the refusal is temporary, the seconds after which it is worth trying again. The client's list of
codes and the tables in docs/protocol.md are generated from this; the site has a sentence for each
code in all its languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

NUMBER: Final = "number"
TEXT: Final = "text"
CARD: Final = "card"
SUIT: Final = "suit"
NAME: Final = "name"
SETTING: Final = "setting"
MOMENT: Final = "moment"
"""The kinds of parameters. A name is empty if its player was erased; a moment is in milliseconds
since 1970."""


@dataclass(frozen=True)
class Reason:
    """What a code means."""

    english: str
    """In brackets, the wording for the player, then for a log: ``[you hold|it holds]``."""
    params: Mapping[str, str]
    """The parameters clients get, with their kinds."""
    told: tuple[str, ...]
    """The parameters used in the site's sentence."""
    status: int
    retry: int | None


CONFLICT: Final = 409
"""The HTTP status of a refusal that depends on the current state, as most do."""


def _reason(
    english: str,
    *,
    told: str | None = None,
    status: int = CONFLICT,
    retry: int | None = None,
    **params: str,
) -> Reason:
    """`told` names the parameters in the site's sentence if it does not use all."""
    named = tuple(params) if told is None else tuple(told.split())
    return Reason(english, params, named, status, retry)


OF_RULES: Final = {
    "no_seat": _reason("there are seats 0 to {last}", last=NUMBER, told="", status=422),
    "game_over": _reason("the game is over"),
    "deal_awaited": _reason("the next round has not been dealt yet"),
    "not_on_turn": _reason("it is seat {turn}'s turn", turn=NUMBER, told=""),
    "already_decided": _reason("[you have|it has] already {done}"),
    "wrong_phase": _reason("now is the time to {expected}", phase=TEXT, told=""),
    "not_held": _reason("[you do|it does] not hold {card}", card=CARD, told=""),
    "must_follow": _reason(
        "[you hold|it holds] {held} and must follow {suit}", held=CARD, suit=SUIT, told="suit"
    ),
    "bid_range": _reason("a bid in this round is 0 to {size}", size=NUMBER),
    "bid_forbidden": _reason("the bids of this round may not add up to {size}", size=NUMBER),
    "trump_required": _reason("only the holder of the Werewolf may name no trump"),
    "cloud_range": _reason("a bid in this round stays within 0 to {size}", size=NUMBER),
}
"""A decision that the rules do not allow. Placeholders that are not parameters (`done`, `expected`)
are filled in by the game."""

OF_OPTIONS: Final = {
    "bad_rules": _reason("{detail}", option=TEXT, other=TEXT, detail=TEXT, told="", status=422),
    "bad_option": _reason("{detail}", detail=TEXT, told="", status=422),
    "bad_rounds": _reason('write the rounds as "all", "1-10", "1,3,5" or "1-15,14-1"', status=422),
    "too_many_rounds": _reason(
        "these are {rounds} rounds: a game here has at most {most}",
        rounds=NUMBER,
        most=NUMBER,
        status=422,
    ),
    "bad_setting": _reason(
        "{setting} is {low} to {high}", setting=SETTING, low=NUMBER, high=NUMBER, status=422
    ),
}
"""Impossible rules and settings."""

OF_SEATS: Final = {
    "not_seated": _reason("you have no seat at this table"),
    "already_seated": _reason("you already have a seat at this table"),
    "seat_taken": _reason("somebody has that seat"),
    "no_free_seat": _reason("every seat is taken"),
    "seat_seen": _reason("you had another seat in this game: take that one again"),
    "seat_lost": _reason("somebody else has the seat you had in this game"),
    "removed": _reason("the host has removed you from this table"),
    "not_let_in": _reason("the host decides who joins now: ask to be let in"),
    "turned_down": _reason("the host has turned you down"),
    "too_many_knocks": _reason("too many people are asking to be let in: try again in a while"),
    "no_knock": _reason("whoever asked for that is no longer waiting"),
    "cannot_sit": _reason("there is no seat left that they may take"),
    "nobody_there": _reason("no player has that seat"),
    "host_stays": _reason("the host's seat cannot be cleared"),
    "not_away": _reason(
        "that player is there: a seat can be freed while a bot plays for its player"
    ),
    "not_awaited": _reason("nobody is waiting for that player, or not for long enough"),
    "taken_back": _reason(
        "decisions of this round were taken back: you can sit down in the next one"
    ),
    "not_removed": _reason("nobody with that name was removed"),
    "too_many_seated": _reason(
        "more people have sat down than the {players} of these rules", players=NUMBER
    ),
    "seats_empty": _reason("there are empty seats: invite somebody, or let bots play"),
    "not_host": _reason("only the host may do that"),
    "deputy_host": _reason(
        "you are standing in for the host; only they can make somebody else the host"
    ),
}
"""Who sits where, and who decides about it."""

OF_GAMES: Final = {
    "unknown_action": _reason("there is no such action: {detail}", detail=TEXT, told=""),
    "stale": _reason("the game has gone on since", turn=NUMBER, told=""),
    "not_in_lobby": _reason("the game has begun"),
    "dealing": _reason("the cards are being dealt: try again in a moment"),
    "not_playing": _reason("the game has not begun"),
    "not_over": _reason("the game is not over"),
    "not_standing_in": _reason("nobody plays for you"),
    "bad_commitment": _reason("a commitment is a SHA-256 in hexadecimal", status=422),
    "already_committed": _reason("you have already given a commitment"),
    "reveal_not_due": _reason("no contribution is expected from you now"),
    "bad_reveal": _reason("these bytes do not belong to your commitment"),
    "unknown_phrase": _reason("there is no such phrase"),
    "no_hints": _reason("hints are only for one person against bots"),
    "no_hints_in_lessons": _reason("there are no hints in lessons"),
    "no_claim": _reason("it is not certain that you take all remaining tricks"),
    "no_take_back": _reason("decisions can only be taken back by one person against bots"),
    "nothing_to_take_back": _reason(
        "you have no decision to take back: finished rounds stand, and so does everything before "
        "cards were passed"
    ),
    "no_choice": _reason("there is nothing for you to choose now"),
    "no_trained_player": _reason("there is no trained player here to ask", status=404),
    "no_spectators": _reason("this game is not open to spectators until it is over", status=404),
    "closed": _reason("this table is closed", status=410),
    "full": _reason("too many changes have been made here: open a new one"),
}
"""A game at a table, from its first deal to its replay."""

OF_SHEETS: Final = {
    "no_round": _reason("rounds are 1 to {last}", last=NUMBER, told=""),
    "tricks_range": _reason("this round has {size} tricks: expected 0 to {size}", size=NUMBER),
    "tricks_total": _reason(
        "the tricks add up to {sum}, but this round has {size}", sum=NUMBER, size=NUMBER
    ),
    "bomb_asked": _reason("one trick is missing: was it set aside by the Bomb?"),
    "no_bomb": _reason("there is no Bomb in this game"),
    "no_cloud": _reason("there is no Cloud in this game"),
    "cloud_step": _reason("the Cloud changes a bid by 1, up or down"),
    "cloud_early": _reason("the Cloud can be written once the bids of the round are shown"),
    "bids_first": _reason("write down all bids of this round first"),
    "too_early": _reason("finish round {round} first", round=NUMBER),
    "note_long": _reason("a note has at most {most} characters", most=NUMBER),
    "nothing_to_undo": _reason("there is nothing to undo"),
    "written_since": _reason("something else was written since"),
    "not_yours": _reason("whoever sits there enters that bid on their own phone"),
    "cell_taken": _reason("{name} has meanwhile written {value} there", name=NAME, value=NUMBER),
    "cell_cleared": _reason("{name} has meanwhile cleared that cell", name=NAME),
    "cell_sealed": _reason("{name} has meanwhile sealed that bid", name=NAME),
    "not_a_writer": _reason("the host decides who may write here: ask to be let in"),
    "sheet_deleted": _reason("this score sheet was deleted", status=410),
}
"""What cannot be written on a score sheet."""

OF_SITE: Final = {
    "bad_message": _reason(
        "this is no message of the protocol: {detail}", detail=TEXT, told="", status=422
    ),
    "no_name": _reason("give your name first", status=401),
    "bad_name": _reason(
        "a name has 1 to {most} characters that can be seen", most=NUMBER, status=422
    ),
    "no_table": _reason("there is no table of that code", status=404),
    "no_sheet": _reason("there is no score sheet of that code", status=404),
    "no_lesson": _reason("there is no such lesson", status=404),
    "need_key": _reason("this table has begun: only its invitation link opens it now", status=403),
    "bad_link": _reason("this link is no longer valid", status=403),
    "banned": _reason("you cannot use this site until {until}", until=MOMENT, status=403),
    "foreign_origin": _reason("the origin is not this site", status=403),
    "not_available": _reason("there is nothing here", status=404),
    "too_large": _reason("that is too large", status=413),
    "too_fast": _reason("that was too much at once: wait a moment", status=429, retry=5),
    "too_many_guesses": _reason(
        "too many wrong codes came from your network: wait a while, or use the invitation link",
        status=429,
        retry=5,
    ),
    "used_up": _reason(
        "your network has written all it may for today: come back later",
        status=429,
        retry=3600,
    ),
    "too_many": _reason("the server is full or busy: come back later", status=503, retry=5),
    "too_many_open": _reason(
        "too many tables are open from your network: close one", status=503, retry=5
    ),
    "restarting": _reason("the server is restarting: come back in a moment", status=503, retry=5),
    "busy": _reason(
        "that could not be done just now; nothing is lost: try again in a moment",
        status=503,
        retry=5,
    ),
    "unavailable": _reason(
        "the database does not answer right now; nothing is lost: try again in a moment",
        status=503,
        retry=5,
    ),
    "internal": _reason("something went wrong on our side; nothing is lost", status=500, retry=30),
}
"""The site as a whole: what anybody may ask of it, and how much."""

OF_OPERATORS: Final = {
    "need_token": _reason("this needs the operator's token", status=404),
    "no_player": _reason("there is no such player", status=404),
    "no_ban": _reason("there is no such ban", status=404),
    "bad_subject": _reason(
        "a ban is for a player's id or an address, such as 203.0.113.7 or 2001:db8::1", status=422
    ),
}
"""The operator's requests."""

FAMILIES: Final[Mapping[str, Mapping[str, Reason]]] = {
    "the rules": OF_RULES,
    "rules and settings": OF_OPTIONS,
    "seats": OF_SEATS,
    "the game": OF_GAMES,
    "score sheets": OF_SHEETS,
    "the site": OF_SITE,
    "operators": OF_OPERATORS,
}

REASONS: Final[Mapping[str, Reason]] = {
    code: reason for family in FAMILIES.values() for code, reason in family.items()
}
"""Every code."""

RETRY_AFTER: Final[Mapping[str, int]] = {
    code: reason.retry for code, reason in REASONS.items() if reason.retry is not None
}
"""The temporary refusals, and after how many seconds it is worth trying again. After any other, the
same request would be refused again."""


def to_player(code: str, params: Mapping[str, object]) -> str:
    """The reason in English, worded for the player."""
    return _worded(code, 0, tuple(params.items()))


def to_log(code: str, params: Mapping[str, object]) -> str:
    """The same about a seat, worded for a log or replay."""
    return _worded(code, 1, tuple(params.items()))


@lru_cache(maxsize=1024)  # needed for every card that the player on turn may not play
def _worded(code: str, side: int, params: tuple[tuple[str, object], ...]) -> str:
    reason = REASONS[code]
    text = reason.english.format_map(dict(_shown(reason, params)))
    return re.sub(r"\[(.*?)\]", lambda match: match[1].split("|")[side], text)


def _shown(reason: Reason, params: tuple[tuple[str, object], ...]) -> Iterator[tuple[str, object]]:
    for name, value in params:
        if reason.params.get(name) == MOMENT:
            assert isinstance(value, int)
            yield name, f"{datetime.fromtimestamp(value / 1000, UTC):%Y-%m-%d %H:%M} UTC"
        else:
            yield name, value

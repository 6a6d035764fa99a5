"""New tables: from what a host asks for, and for a rematch."""

from __future__ import annotations

import secrets as system_random
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from foretold.bots import LEVELS
from foretold.errors import RulesError, TooManyRoundsError
from foretold.fair import SECRET_BYTES
from foretold.protocol.settings import LIMITS, TableSettings
from foretold.rules import Rules
from foretold.table.entries import (
    FORMER,
    BotSeat,
    Created,
    Dealt,
    Empty,
    Entry,
    PlayerSeat,
    Seat,
    Started,
)
from foretold.table.names import BOT_NAMES
from foretold.table.refusals import Refused
from foretold.table.secrets import secrets_of
from foretold.table.stand_ins import LEFT
from foretold.table.table import Table

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no code is a word; no I or O, so that none is misread."""
CODE_LENGTH: Final = 6

COMMITMENT_DIGITS: Final = 64
MOST_ROUNDS: Final = 60
"""More than anyone plays; every viewer is sent every round."""


def new_code() -> str:
    return "".join(system_random.choice(LETTERS) for _ in range(CODE_LENGTH))


def new_table(
    player: str,
    name: str,
    *,
    rules: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    bots: Sequence[str | None] = (),
    commitment: str = "",
) -> Created:
    """A table with its host in seat 0, and bots where the host wants them."""
    options = dict(rules or {})
    chosen = rules_of(options)
    if len(bots) > chosen.players:
        raise Refused("no_seat", last=chosen.players - 1)
    seats: list[Seat] = [PlayerSeat(player, name)]
    names = iter([free for free in BOT_NAMES if free != name])
    for level in [*bots[1:], *[None] * chosen.players][: chosen.players - 1]:
        seats.append(Empty() if level is None else BotSeat(next(names), level_named(level)))
    return Created(
        seats=tuple(seats),
        rules=chosen.to_options(),
        edition=options.get("edition"),
        settings=changed(TableSettings(), settings or {}),
        secrets=new_secrets(chosen),
        commitments=(checked_commitment(commitment), *[""] * (chosen.players - 1)),
        host=player,
    )


def rematch_of(table: Table, player: str, commitment: str = "") -> Created:
    """A new table for the same people, with the same rules."""
    seat = table.seat_of(player)
    given = checked_commitment(commitment)
    seats = [_at_rematch(one) for one in table.seats]
    return Created(
        seats=tuple(seats),
        rules=table.rules.to_options(),
        edition=table.edition,
        settings=table.settings,
        secrets=new_secrets(table.rules),
        commitments=tuple(
            given if seat == one and isinstance(seats[one], PlayerSeat) else ""
            for one in range(table.rules.players)
        ),
        host=player,
    )


def started_at_once(created: Created) -> tuple[Entry, ...]:
    """What starts a new table, if nobody else has to agree to it."""
    people = sum(isinstance(one, PlayerSeat) for one in created.seats)
    if people != 1 or any(isinstance(one, Empty) for one in created.seats):
        return ()
    return (Started(),) if any(created.commitments) else (Started(), Dealt())


def _at_rematch(seat: Seat) -> Seat:
    """Don't wait for players who have left or were erased."""
    if not isinstance(seat, PlayerSeat):
        return seat
    is_gone = seat.stand_in == LEFT or seat.name == FORMER
    return Empty() if is_gone else PlayerSeat(seat.player, seat.name, face=seat.face)


def rules_of(options: Mapping[str, Any]) -> Rules:
    try:
        rules = Rules.from_options(options)
    except RulesError as error:
        raise refused_rules(error) from None
    if len(rules.sizes) > MOST_ROUNDS:
        raise Refused("too_many_rounds", rounds=len(rules.sizes), most=MOST_ROUNDS)
    return rules


def refused_rules(error: RulesError) -> Refused:
    """Why these rules are impossible, with the options that cause it."""
    if isinstance(error, TooManyRoundsError):
        return Refused("too_many_rounds", rounds=error.rounds, most=MOST_ROUNDS)
    match error.options:
        case ("rounds", "rounds"):
            return Refused("bad_rounds")
        case (option, other):
            return Refused("bad_rules", option=option, other=other, detail=str(error))
        case _:
            return Refused("bad_option", detail=str(error))


def level_named(level: str) -> str:
    if level not in LEVELS:
        raise Refused("bad_message", detail=f"the levels are {', '.join(LEVELS)}")
    return level


def changed(settings: TableSettings, changes: Mapping[str, Any]) -> TableSettings:
    """The settings with some of them changed."""
    try:
        found = msgspec.convert({**msgspec.to_builtins(settings), **changes}, TableSettings)
    except msgspec.ValidationError as error:
        raise Refused("bad_message", detail=str(error)) from None
    for setting, (low, high) in LIMITS.items():
        value = getattr(found, setting)
        if value is not None and not low <= value <= high:
            raise Refused("bad_setting", setting=setting, low=low, high=high)
    return found


def checked_commitment(text: str) -> str:
    if text and len(text) != COMMITMENT_DIGITS:
        raise Refused("bad_commitment")
    try:
        bytes.fromhex(text)
    except ValueError:
        raise Refused("bad_commitment") from None
    return text.lower()


def new_secrets(rules: Rules, known: int = 0) -> tuple[str, ...]:
    """The secrets a game still needs if it already has `known`."""
    return tuple(system_random.token_hex(SECRET_BYTES) for _ in range(known, secrets_of(rules)))

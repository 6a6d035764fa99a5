"""Who may do what: turns a player's request into a log entry, or refuses it."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from foretold.actions import Action
from foretold.claim import may_claim
from foretold.errors import UnreadableError
from foretold.fair import MIN_CONTRIBUTION_BYTES
from foretold.protocol.requests import (
    Act,
    Back,
    Change,
    ChooseFace,
    ClaimRest,
    Clear,
    Close,
    Commit,
    Host,
    Leave,
    LetBot,
    LetIn,
    Readmit,
    Rematch,
    Request,
    Reveal,
    SeatBot,
    Sit,
    Start,
    TakeBack,
)
from foretold.table.changes import BOUNDED, check_bounds
from foretold.table.creation import (
    changed,
    checked_commitment,
    level_named,
    new_secrets,
    rules_of,
)
from foretold.table.entries import (
    Acted,
    BotCame,
    BotSeat,
    CameBack,
    Changed,
    Claimed,
    Cleared,
    Closed,
    Committed,
    Empty,
    Entry,
    Faced,
    Hosted,
    Left,
    PlayerSeat,
    Readmitted,
    Revealed,
    Sat,
    Started,
    StoodIn,
    TookBack,
)
from foretold.table.refusals import Refused
from foretold.table.seating import at, check_open, check_seat, seat_for
from foretold.table.stand_ins import ABSENT, LEFT, STAND_IN_LEVEL
from foretold.table.table import Table


def answer(table: Table, player: str, name: str, request: Request) -> Entry | None:
    """The entry that grants a request, or None if there is nothing to change; raises `Refused`.

    A rematch needs a new table first, so the caller that can make one handles it.
    """
    if table.state == "closed":
        raise Refused("closed")
    if isinstance(request, Act):  # as nearly always
        return _act(table, player, request)
    entry = _entry(table, player, name, request)
    # A player replaced by a bot can come back and be replaced again: this must not go on forever.
    if type(entry) in BOUNDED or isinstance(request, LetBot):
        check_bounds(table, player)
    return entry


def _entry(table: Table, player: str, name: str, request: Request) -> Entry | None:
    asked = {"asked_by": player, "ask_id": request.id}
    match request:
        case ClaimRest():
            return _claim(table, seated(table, player), request, asked)
        case TakeBack():
            return _take_back(table, seated(table, player), request, asked)
        case Sit():
            return _sit(table, player, name, request, asked)
        case Leave():
            return _leave(table, seated(table, player), asked)
        case SeatBot():
            return _seat_bot(table, player, request, asked)
        case Clear():
            return _clear(table, player, request, asked)
        case Readmit():
            _as_host(table, player)
            players = tuple(one for one, name in table.removed.items() if name == request.name)
            if not players:
                raise Refused("not_removed")
            return Readmitted(players=players, name=request.name, **asked)
        case Host():
            return _hand_on(table, player, request, asked)
        case Change():
            return _change(table, player, request, asked)
        case Commit():
            return _commit(table, seated(table, player), request, asked)
        case ChooseFace():
            return _choose_face(table, seated(table, player), request, asked)
        case Start():
            _in_lobby(table, player)
            if any(isinstance(one, Empty) for one in table.seats):
                raise Refused("seats_empty")
            return Started(**asked)
        case Reveal():
            return _reveal(table, seated(table, player), request, asked)
        case Back():
            seat = seated(table, player)
            if table.level_of(seat) is None:
                _check_playing(table)
                raise Refused("not_standing_in")
            return CameBack(seat=seat, **asked)
        case LetBot():
            seated(table, player)
            _check_playing(table)
            at(table, request.seat)
            entry = stands_in(table, request.seat, ABSENT)
            return entry and msgspec.structs.replace(entry, **asked)
        case Close():
            _in_lobby(table, player)
            return Closed(**asked)
        case Act() | Rematch():
            raise AssertionError("decisions and rematches are granted elsewhere")


def leaves(table: Table, player: str) -> Entry | None:
    """A player has gone for good without leaving; None if that changes nothing."""
    seat = table.seat_of(player)
    if seat is None or table.state in ("over", "closed"):
        return None
    return _leave(table, seat, {})


def let_in(
    table: Table, host: str, request: LetIn, player: str, name: str, wanted: int | None
) -> Sat:
    """Give a seat to a player who asked the host for one."""
    _as_host(table, host)
    check_bounds(table, host)
    check_open(table)
    try:
        seat = seat_for(table, player, wanted)
    except Refused as refused:
        # The player heard the reason when they asked; the host only learns that it is impossible.
        is_hosts = refused.code in ("dealing", "no_free_seat")
        raise refused if is_hosts else Refused("cannot_sit") from None
    return Sat(seat=seat, player=player, name=name, asked_by=host, ask_id=request.id)


def check_rematch(table: Table, player: str) -> None:
    """Raise `Refused` unless the player may ask for a rematch."""
    seated(table, player)
    if table.state != "over":
        raise Refused("closed" if table.state == "closed" else "not_over")


def stands_in(table: Table, seat: int, reason: str) -> StoodIn | None:
    """Have a bot play for a seat; None if one already does."""
    one = table.seats[seat]
    if not isinstance(one, PlayerSeat) or one.stand_in or table.state != "playing":
        return None
    return StoodIn(seat=seat, reason=reason)


def bot_acts(table: Table, seat: int, turn: int, action: Action) -> Acted | None:
    """What a bot decided for a seat; None if the decision is no longer due."""
    if seat not in table.to_act or turn != table.turn or table.level_of(seat) is None:
        return None
    assert table.game is not None
    if action not in table.game.legal_actions(seat):
        return None
    by = "bot" if isinstance(table.seats[seat], BotSeat) else "stand_in"
    return Acted(seat=seat, action=str(action), by=by)


def _act(table: Table, player: str, request: Act) -> Acted:
    seat, game = seated(table, player), table.game
    if game is None:
        raise Refused("not_playing")
    try:
        action = Action(request.action)
    except UnreadableError as error:
        raise Refused("unknown_action", detail=str(error)) from None
    if request.turn != table.turn and table.state == "playing":
        raise Refused("stale", turn=table.turn)
    refusal = game.refusal(action, seat)
    if refusal is not None:
        raise Refused.by_rules(refusal, game)
    return Acted(seat=seat, action=request.action, asked_by=player, ask_id=request.id)


def _claim(table: Table, seat: int, request: ClaimRest, asked: dict[str, Any]) -> Claimed | None:
    _check_turn(table, request.turn)
    assert table.game is not None
    if table.claimed:
        return None
    if not may_claim(table.game.position, seat):
        raise Refused("no_claim")
    return Claimed(seat=seat, **asked)


def claim_acts(table: Table) -> Acted | None:
    """The next card of a round whose tricks are claimed; any legal card gives the same outcome."""
    if not table.claimed or table.game is None or not table.to_act:
        return None
    seat = table.to_act[0]
    return Acted(seat=seat, action=str(table.game.legal_actions(seat)[0]), by="claim")


def _take_back(table: Table, seat: int, request: TakeBack, asked: dict[str, Any]) -> TookBack:
    if not table.takes_back:
        raise Refused("no_take_back")
    _check_turn(table, request.turn)
    if table.past is None or not table.past.decided:
        raise Refused("nothing_to_take_back")
    return TookBack(seat=seat, to=table.past.decided[-1], **asked)


def _check_turn(table: Table, turn: int) -> None:
    """Raise `Refused` unless the game is under way, and still where the player saw it."""
    check_open(table)
    if table.state != "playing":
        raise Refused("not_playing")
    if turn != table.turn:
        raise Refused("stale", turn=table.turn)


def _sit(table: Table, player: str, name: str, request: Sit, asked: dict[str, Any]) -> Sat:
    check_seat(table, player, request.seat)
    may_join = table.settings.open or table.had_seat(player, request.seat)
    if table.state == "playing" and not may_join:
        raise Refused("not_let_in")
    commitment = checked_commitment(request.commitment) if table.state == "lobby" else ""
    return Sat(seat=request.seat, player=player, name=name, commitment=commitment, **asked)


def _seat_bot(table: Table, player: str, request: SeatBot, asked: dict[str, Any]) -> BotCame | None:
    _in_lobby(table, player)
    there, level = at(table, request.seat), level_named(request.level)
    if isinstance(there, PlayerSeat):
        raise Refused("seat_taken")
    if isinstance(there, BotSeat) and there.level == level:
        return None
    return BotCame(seat=request.seat, bot=table.new_bot(level), **asked)


def _leave(table: Table, seat: int, asked: dict[str, Any]) -> Left | StoodIn | None:
    """During a game, a player who leaves keeps the seat until somebody else takes it."""
    check_open(table)
    if table.state == "lobby":
        return Left(seat=seat, **asked)
    there = table.seats[seat]
    if isinstance(there, PlayerSeat) and there.stand_in == LEFT:
        return None
    return StoodIn(seat=seat, reason=LEFT, **asked)


def _clear(
    table: Table, player: str, request: Clear, asked: dict[str, Any]
) -> Cleared | Left | StoodIn | None:
    """Remove a player for good, or only free the seat for them or anyone else."""
    _as_host(table, player)
    there = at(table, request.seat)
    check_open(table)
    is_player = isinstance(there, PlayerSeat)
    if not is_player and (isinstance(there, Empty) or table.state != "lobby"):
        raise Refused("nobody_there")
    if request.seat == table.host or table.is_founders(request.seat):
        raise Refused("host_stays")
    if table.state == "lobby":
        kind = Left if request.may_return and is_player else Cleared
        return kind(seat=request.seat, **asked)
    assert isinstance(there, PlayerSeat)
    if not request.may_return:
        return Cleared(seat=request.seat, bot=table.new_bot(STAND_IN_LEVEL), **asked)
    if there.stand_in is None:
        raise Refused("not_away")
    return None if there.stand_in == LEFT else StoodIn(seat=request.seat, reason=LEFT, **asked)


def _hand_on(table: Table, player: str, request: Host, asked: dict[str, Any]) -> Hosted | None:
    _as_host(table, player)
    if not table.is_host_for_good(player):
        raise Refused("deputy_host")
    there = at(table, request.seat)
    if not isinstance(there, PlayerSeat) or there.stand_in == LEFT:
        raise Refused("nobody_there")
    return None if there.player == player else Hosted(seat=request.seat, **asked)


def _change(table: Table, player: str, request: Change, asked: dict[str, Any]) -> Changed | None:
    settings = changed(table.settings, msgspec.to_builtins(request.settings) or {})
    if request.rules is None:
        _as_host(table, player)
    else:
        _in_lobby(table, player)
    rules, edition = table.rules, table.edition
    if request.rules is not None:
        rules, named = rules_of(request.rules), request.rules.get("edition")
        edition = named if isinstance(named, str) else None
    if (rules, edition) == (table.rules, table.edition):
        return Changed(settings=settings, **asked) if settings != table.settings else None
    if any(isinstance(one, PlayerSeat) for one in table.seats[rules.players :]):
        raise Refused("too_many_seated", players=rules.players)
    return Changed(
        settings=settings,
        rules=rules.to_options(),
        edition=edition,
        # Nobody has seen a secret yet, so the existing ones work for the new rules too.
        more_secrets=new_secrets(rules, len(table.secrets)),
        **asked,
    )


def _choose_face(
    table: Table, seat: int, request: ChooseFace, asked: dict[str, Any]
) -> Faced | None:
    check_open(table)
    there = table.seats[seat]
    is_new = isinstance(there, PlayerSeat) and there.face != request.face
    return Faced(seat=seat, face=request.face, **asked) if is_new else None


def _commit(table: Table, seat: int, request: Commit, asked: dict[str, Any]) -> Committed:
    _check_lobby(table)
    if table.commitments[seat]:
        raise Refused("already_committed")
    commitment = checked_commitment(request.commitment)
    if not commitment:
        raise Refused("bad_commitment")
    return Committed(seat=seat, commitment=commitment, **asked)


def _reveal(table: Table, seat: int, request: Reveal, asked: dict[str, Any]) -> Revealed:
    if seat not in table.awaits_reveal:
        raise Refused("reveal_not_due")
    added = bytes.fromhex(request.bytes)
    fits = hashlib.sha256(added).hexdigest() == table.commitments[seat]
    if not fits or len(added) < MIN_CONTRIBUTION_BYTES:
        raise Refused("bad_reveal")
    return Revealed(seat=seat, contribution=request.bytes, **asked)


def seated(table: Table, player: str) -> int:
    """A player's seat; raises `Refused` without one."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    return seat


def _as_host(table: Table, player: str) -> None:
    if not table.is_host(player):
        raise Refused("not_host")


def _in_lobby(table: Table, player: str) -> None:
    """Raise `Refused` unless the player is the host of a table that has not begun."""
    _as_host(table, player)
    _check_lobby(table)


def _check_lobby(table: Table) -> None:
    """Raise `Refused` if the game has begun."""
    check_open(table)
    if table.state != "lobby":
        raise Refused("not_in_lobby")


def _check_playing(table: Table) -> None:
    """Raise `Refused` unless the game is under way."""
    check_open(table)
    if table.state == "lobby":
        raise Refused("not_playing")

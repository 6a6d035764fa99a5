"""What viewers are told of a played card, as JSON, written by compiled code.

Nine in ten events at a table are played cards, and in Python, writing the message about one takes
longer than everything else that has to be done for it. `plays` calls this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTIONS, MAX_BID
from foretold.cards import CARDS, Suit
from foretold.kernel.bits import how_many, lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    ANY_SUIT,
    BEST,
    HAND,
    JESTER,
    KINDS,
    LAST_POSITION,
    LEADER,
    LED_CARDS,
    NOTHING,
    PLAYED,
    PLAYERS,
    POSITIONS,
    SIZE,
    TAKEN,
    TRICK,
    TRICKS,
    TURN,
    VALUES,
    WIZARD,
)
from foretold.kernel.plays import ANNOUNCED
from foretold.kernel.state import State
from foretold.kernel.tricks import legal_plays

Text: TypeAlias = NDArray[np.uint8]
"""Bytes; in a table of texts, each row begins with its length."""


def _text(one: bytes) -> Text:
    return np.frombuffer(one, dtype=np.uint8)


def texts(them: Iterable[bytes]) -> Text:
    """A table of texts, each at most 255 bytes long."""
    rows = [bytes([len(one)]) + one for one in them]
    width = max(map(len, rows))
    return np.array([list(row.ljust(width, b"\0")) for row in rows], dtype=np.uint8)


_ACTIONS: Final = texts(b'"%b"' % str(action).encode() for action in ACTIONS)
_OBJECTS: Final = texts(b'"%b"' % action.object.encode() for action in ACTIONS)
_CODES: Final = texts(b'"%b"' % card.code.encode() for card in CARDS)
_LETTERS: Final = texts(b'"%b"' % suit.letter.encode() for suit in Suit)

ACTORS: Final = ("player", "bot", "stand_in", "claim")
_ACTORS: Final = texts(b'"%b"' % one.encode() for one in ACTORS)

_HEAD: Final = _text(b'{"t":"event","n":')
_EVENT: Final = _text(b',"event":')
_ACT: Final = _text(b'{"e":"act","n":')
_AT: Final = _text(b',"at":')
_SEAT: Final = _text(b',"seat":')
_BY: Final = _text(b',"by":')
_ACTION: Final = _text(b',"action":')
_EVENT_TRICK: Final = _text(b',"trick":')
_VIEW: Final = _text(b',"view":{')
_TURN_IS: Final = _text(b'"turn":')
_TO_ACT: Final = _text(b',"to_act":[')
_HELD: Final = _text(b',"held":[')
_TRICK_IS: Final = _text(b',"trick":{"leader":')
_PLAYS: Final = _text(b',"plays":[')
_WINNING: Final = _text(b'],"winning":')
_FOLLOW: Final = _text(b',"follow":')
_TAKEN_ARE: Final = _text(b',"taken":[')
_FINISHED: Final = _text(b',"finished":')
_LAST_TRICK: Final = _text(b',"last_trick":')
_LEADER: Final = _text(b'{"leader":')
_WINNER: Final = _text(b'],"winner":')
_NEXT_LEADER: Final = _text(b',"next_leader":')
_HAND_IS: Final = _text(b',"hand":[')
_LEGAL: Final = _text(b',"legal":[')
_WHY: Final = _text(b',"why":{')
_CLAIM: Final = _text(b',"claim":true')
_NO_CLAIM: Final = _text(b',"claim":false')
_NULL: Final = _text(b"null")
_COMMA, _COLON, _BRACKET, _BRACE, _ZERO = b",:]}0"


@compiled
def write_card(
    before: State,
    now: State,
    n: int,
    when: int,
    by: int,
    action: int,
    turn: int,
    facts: int,
    reasons: Text,
    out: Text,
) -> tuple[int, int, int, int, int]:
    """Write the message about a card, without the braces that close it; returns where parts end.

    They are its head, the event, what is new in everyone's view, and what else is new for the seat
    that played the card and for the seat that acts next. `by` is an index into ACTORS, `facts` are
    the bits below, and `reasons` say why a card is not legal, by the card held of the suit to
    follow.
    """
    actor, following = before[TURN], now[TURN]
    ends_trick = now[TRICKS] != before[TRICKS]
    head = _put(out, _put_number(out, _put(out, 0, _HEAD), n), _EVENT)
    at = _put_number(out, _put(out, head, _ACT), n)
    at = _put_number(out, _put(out, at, _AT), when)
    at = _put_number(out, _put(out, at, _SEAT), actor)
    at = _put_row(out, _put(out, at, _BY), _ACTORS, by)
    at = _put_row(out, _put(out, at, _ACTION), _ACTIONS, action)
    if ends_trick:
        at = _put_finished(out, _put(out, at, _EVENT_TRICK), before, now, action)
    event = _put_byte(out, at, _BRACE)
    at = _put(out, event, _VIEW)
    at = _put_number(out, _put(out, at, _TURN_IS), turn)
    if actor != following:
        at = _put_byte(out, _put_number(out, _put(out, at, _TO_ACT), following), _BRACKET)
    at = _put_held(out, at, now)
    at = _put_number(out, _put(out, at, _TRICK_IS), now[LEADER])
    at = _put(out, at, _PLAYS)
    for index in range(now[PLAYED]):
        at = _put_comma(out, at, index)
        at = _put_row(out, at, _OBJECTS, now[TRICK + index])
    at = _put(out, at, _WINNING)
    if now[PLAYED] == 0:
        at = _put(out, at, _NULL)
    else:
        ahead = LAST_POSITION - now[BEST] % POSITIONS
        at = _put_number(out, at, (now[LEADER] + ahead) % now[PLAYERS])
    at = _put_byte(out, at, _BRACE)
    suit = _follow(now)
    if suit != _follow(before):
        at = _put(out, at, _FOLLOW)
        at = _put(out, at, _NULL) if suit == NOTHING else _put_row(out, at, _LETTERS, suit)
    if ends_trick:
        at = _put_tricks(out, at, before, now)
        if facts & NEW_TRICK != 0:
            at = _put_finished(out, _put(out, at, _LAST_TRICK), before, now, action)
    common = at
    at = _put_hand(out, at, now[HAND + actor])
    own = at
    for told in range(1 if actor == following else 2):
        acted = told == 0
        seat = actor if acted else following
        acts = seat == following
        could_claim = acted and facts & COULD_CLAIM != 0
        may_claim = acts and facts & MAY_CLAIM != 0
        at = _put_offer(out, at, before, now, seat, acted, acts, reasons)
        if could_claim != may_claim:
            at = _put(out, at, _CLAIM) if may_claim else _put(out, at, _NO_CLAIM)
        if acted:
            own = at
    return head, event, common, own, at


def longest(reasons: Text) -> int:
    """More bytes than `write_card` ever writes: it tells two seats what they may play."""
    plays_of_a_hand = 2 * (MAX_BID + 1)  # of which special cards can be played in several ways
    return 2048 + 2 * plays_of_a_hand * int(2 * _ACTIONS.shape[1] + reasons.shape[1])


# Facts
COULD_CLAIM: Final = 1  # the seat that played the card could have claimed the rest
MAY_CLAIM: Final = 2  # the seat that acts next may claim it
NEW_TRICK: Final = 4  # the trick just finished differs from the one before it


@compiled
def _follow(state: State) -> int:
    """The suit to follow, or NOTHING."""
    led = state[LED_CARDS]
    return NOTHING if state[ANY_SUIT] != 0 or led == 0 else lowest(led) // VALUES


@compiled
def _put_held(out: Text, at: int, now: State) -> int:
    """How many cards are in every hand."""
    at = _put(out, at, _HELD)
    players, left = now[PLAYERS], now[SIZE] - now[TRICKS]
    for seat in range(players):
        at = _put_comma(out, at, seat)
        has_played = (seat - now[LEADER]) % players < now[PLAYED]
        at = _put_number(out, at, left - (1 if has_played else 0))
    return _put_byte(out, at, _BRACKET)


@compiled
def _put_tricks(out: Text, at: int, before: State, now: State) -> int:
    """How many tricks are taken and finished, after one more."""
    if now[TAKEN + now[LEADER]] != before[TAKEN + now[LEADER]]:
        at = _put(out, at, _TAKEN_ARE)
        for seat in range(now[PLAYERS]):
            at = _put_comma(out, at, seat)
            at = _put_number(out, at, now[TAKEN + seat])
        at = _put_byte(out, at, _BRACKET)
    return _put_number(out, _put(out, at, _FINISHED), now[TRICKS])


@compiled
def _put_finished(out: Text, at: int, before: State, now: State, action: int) -> int:
    """The trick that this action has finished."""
    at = _put_number(out, _put(out, at, _LEADER), before[LEADER])
    at = _put(out, at, _PLAYS)
    for index in range(before[PLAYED]):
        at = _put_row(out, at, _OBJECTS, before[TRICK + index])
        at = _put_byte(out, at, _COMMA)
    at = _put_row(out, at, _OBJECTS, action)
    at = _put_number(out, _put(out, at, _WINNER), now[LEADER])
    at = _put_number(out, _put(out, at, _NEXT_LEADER), now[LEADER])
    return _put_byte(out, at, _BRACE)


@compiled
def _put_hand(out: Text, at: int, hand: int) -> int:
    at = _put(out, at, _HAND_IS)
    kinds, count = hand & KINDS, 0
    while kinds != 0:
        card = lowest(kinds)
        kinds &= kinds - 1
        for _ in range(how_many(hand, card) if card in (WIZARD, JESTER) else 1):
            at = _put_comma(out, at, count)
            at = _put_row(out, at, _CODES, card)
            count += 1
    return _put_byte(out, at, _BRACKET)


@compiled
def _put_offer(
    out: Text, at: int, before: State, now: State, seat: int, acted: bool, acts: bool, reasons: Text
) -> int:
    """What a seat may do, and why not the rest, as far as that is new.

    `acted` and `acts` say whether it was to act before, and is now.
    """
    then = legal_plays(before, seat) if acted else (0, 0, 0)
    legal = legal_plays(now, seat) if acts else (0, 0, 0)
    if then != legal:
        at, count = _put(out, at, _LEGAL), 0
        for word in range(3):
            bits = legal[word]
            while bits != 0:
                at = _put_comma(out, at, count)
                at = _put_row(out, at, _ACTIONS, 64 * word + lowest(bits))
                bits &= bits - 1
                count += 1
        at = _put_byte(out, at, _BRACKET)
    was_barred = _barred(before, seat, then[0]) if acted else 0
    barred = _barred(now, seat, legal[0]) if acts else 0
    if was_barred != barred or (barred != 0 and _reason(before, seat) != _reason(now, seat)):
        at, count = _put(out, at, _WHY), 0
        reason = _reason(now, seat)
        while barred != 0:
            at = _put_comma(out, at, count)
            at = _put_row(out, at, _ACTIONS, lowest(barred))
            at = _put_byte(out, at, _COLON)
            at = _put_row(out, at, reasons, reason)
            barred &= barred - 1
            count += 1
        at = _put_byte(out, at, _BRACE)
    return at


@compiled
def _barred(state: State, seat: int, legal: int) -> int:
    """The cards in a hand that may not be played now; each action has the number of its card."""
    hand: int = state[HAND + seat]
    return hand & KINDS & ~ANNOUNCED & ~legal


@compiled
def _reason(state: State, seat: int) -> int:
    """The lowest card held of the suit to follow; 0 if there is none: then nothing is barred."""
    held = state[HAND + seat] & state[LED_CARDS]
    return 0 if held == 0 else lowest(held)


# Each of these returns where the next byte belongs.


@compiled
def _put_byte(out: Text, at: int, byte: int) -> int:
    out[at] = byte
    return at + 1


@compiled
def _put_comma(out: Text, at: int, count: int) -> int:
    """A comma, unless this is the first of a list."""
    if count == 0:
        return at
    out[at] = _COMMA
    return at + 1


@compiled
def _put(out: Text, at: int, text: Text) -> int:
    for index in range(len(text)):
        out[at + index] = text[index]
    return at + len(text)


@compiled
def _put_row(out: Text, at: int, table: Text, row: int) -> int:
    size = int(table[row, 0])
    for index in range(size):
        out[at + index] = table[row, 1 + index]
    return at + size


@compiled
def _put_number(out: Text, at: int, number: int) -> int:
    """A number from 0."""
    digits, rest = 1, number // 10
    while rest != 0:
        digits += 1
        rest //= 10
    for index in range(digits):
        out[at + digits - 1 - index] = _ZERO + number % 10
        number //= 10
    return at + digits

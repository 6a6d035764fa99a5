"""What is new in the views when a card is played, written as bytes at once.

Nine of ten things that happen at a table are cards. `views` finds what is new by building views
and comparing them; here the fields that a card changes are written directly. A test requires the
same bytes of both, for every card of random games of every mode.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from foretold.actions import ACTIONS
from foretold.cards import CARDS
from foretold.claim import may_claim
from foretold.illegal import barred_of
from foretold.position import Position
from foretold.table.events import Viewer
from foretold.table.wire import LETTERS, reason_data, set_aside_data
from foretold.view import Look, same_tricks

encode = msgspec.json.Encoder().encode

_TEXTS: Final = tuple(b'"%b"' % str(action).encode() for action in ACTIONS)
_OBJECTS: Final = tuple(b'"%b"' % action.object.encode() for action in ACTIONS)
_CODES: Final = tuple(b'"%b"' % card.code.encode() for card in CARDS)
_LETTERS: Final = tuple(letter.encode() for letter in LETTERS)


class Offer(NamedTuple):
    """What a seat may do in a position, and why not the rest."""

    legal: int
    why: bytes
    claim: bool


_NONE: Final = Offer(0, b"", False)


class Plays:
    """The cards played at one table, as its viewers are told of them."""

    __slots__ = ("_at", "_offer")

    def __init__(self) -> None:
        self._at: Position | None = None
        self._offer = _NONE
        """To the seat to act in that position."""

    def news(
        self, before: Position, now: Position, turn: int, viewers: Collection[Viewer]
    ) -> tuple[bytes, dict[Viewer, bytes]]:
        """What is new (see `views.News`) if a card was played and nothing else happened."""
        common = _common_news(before, now, turn)
        actor, following = before.to_act[0], now.to_act[0]
        then = self._offer if before is self._at else _offer(before, actor)
        offer = self._offer = _offer(now, following)
        self._at = now
        own: dict[Viewer, bytes] = {}
        if actor in viewers:
            hand = b",".join([_CODES[card] for card in now.hand(actor)])
            after = offer if actor == following else _NONE
            own[actor] = b'%b,"hand":[%b]%b' % (common, hand, _changed(then, after))
        if following in viewers and following != actor:
            own[following] = common + _changed(_NONE, offer)
        return common, own


def _common_news(before: Position, now: Position, turn: int) -> bytes:
    trick = now.trick
    assert trick is not None
    leader, plays = trick.leader, trick.plays
    news = b'"turn":%d' % turn
    if before.to_act != now.to_act:
        news += b',"to_act":[%d]' % now.to_act[0]
    left = now.size - len(now.tricks)
    news += b',"held":%b,"trick":{"leader":%d,"plays":[%b],"winning":%b}' % (
        _held(now.rules.players, left, leader, len(plays)),
        leader,
        b",".join([_OBJECTS[play] for play in plays]),
        _seat(now.winning),
    )
    follow = now.follow
    if follow is not before.follow:
        news += b',"follow":null' if follow is None else b',"follow":"%b"' % _LETTERS[follow]
    return news if same_tricks(before, now) else news + _trick_news(before, now)


def _trick_news(before: Position, now: Position) -> bytes:
    """What is new besides if the card ended a trick."""
    news, trick = b"", now.tricks[-1]
    if before.taken != now.taken:
        news += b',"taken":%b' % encode(now.taken)
    news += b',"finished":%d' % len(now.tricks)
    if trick != Look(before, None).last_trick:
        news += b',"last_trick":{"leader":%d,"plays":[%b],"winner":%b,"next_leader":%b}' % (
            trick.leader,
            b",".join([_OBJECTS[play] for play in trick.plays]),
            _seat(trick.winner),
            _seat(trick.next_leader),
        )
    if trick.is_set_aside:
        news += b',"set_aside":%b' % encode(set_aside_data(Look(now, None)))
    return news


def _seat(seat: int | None) -> bytes:
    return b"null" if seat is None else b"%d" % seat


def _offer(position: Position, seat: int) -> Offer:
    legal = position.legal_actions(seat).mask
    if position.leads:
        return Offer(legal, b"", may_claim(position, seat))
    barred, error = barred_of(position, seat)
    if error is None:
        return Offer(legal, b"", False)
    reason = b":" + _reason(error.code, tuple(error.params.items()))
    return Offer(legal, (reason + b",").join(_picked(barred)) + reason, False)


def _changed(before: Offer, after: Offer) -> bytes:
    news = b""
    if before.legal != after.legal:
        news += b',"legal":[%b]' % b",".join(_picked(after.legal))
    if before.why != after.why:
        news += b',"why":{%b}' % after.why
    if before.claim is not after.claim:
        news += b',"claim":true' if after.claim else b',"claim":false'
    return news


def _picked(mask: int) -> list[bytes]:
    """The actions whose bits are set, in order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(_TEXTS[lowest.bit_length() - 1])
        mask ^= lowest
    return found


@lru_cache(maxsize=4096)
def _held(players: int, left: int, leader: int, played: int) -> bytes:
    """The number of cards in every hand, of which some have played one of their last `left`."""
    held = [left] * players
    for index in range(played):
        held[(leader + index) % players] -= 1
    return encode(held)


@lru_cache(maxsize=1024)
def _reason(code: str, params: tuple[tuple[str, object], ...]) -> bytes:
    return encode(reason_data(code, params))

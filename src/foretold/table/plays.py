"""What viewers are told of a played card or an open bid, written directly as bytes.

Nearly everything that happens at a table is one of these. `audience` and `views` describe anything
that happens, and find what is new in the views by comparing them; here the same bytes are written
directly, for a card by `card_news`. A test requires identical bytes for every card and bid of
random games of every mode.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from foretold.actions import Action
from foretold.cards import CARDS, SUIT_CARDS
from foretold.claim import may_claim
from foretold.kernel import Phase
from foretold.position import Position
from foretold.results import off_by_tricks
from foretold.table.card_news import (
    ACTORS,
    COULD_CLAIM,
    MAY_CLAIM,
    NEW_TRICK,
    longest,
    texts,
    write_card,
)
from foretold.table.entries import Acted, Logged
from foretold.table.events import Kept, Viewer
from foretold.table.wire import action_texts, reason_data, why_not
from foretold.view import Look, has_only_bid, has_only_played, same_tricks

encode = msgspec.json.Encoder().encode

_BY: Final = {name: index for index, name in enumerate(ACTORS)}
_REASONS: Final = texts(
    msgspec.json.encode(reason_data("must_follow", (("held", card), ("suit", card.suit))))
    for card in CARDS[:SUIT_CARDS]
)
"""Why a card may not be played, by the card held of the suit to follow."""
_LONGEST: Final = longest(_REASONS)


class Step(NamedTuple):
    """A decision, and the positions before and after it."""

    logged: Logged
    entry: Acted
    before: Position
    now: Position
    turn: int
    """The turn after it."""


class Told(NamedTuple):
    """A card or a bid as viewers are told of it."""

    kept: Kept
    """For those who reconnect."""
    common: bytes
    """The message for everyone who is sent nothing else."""
    own: dict[Viewer, bytes]


Teller: TypeAlias = Callable[[Step, Collection[Viewer]], Told]
"""What these viewers are told of a step."""


def direct_teller(step: Step) -> Teller | None:
    """The function that writes the news of a step directly; None if its effect is unusual."""
    if step.entry.by not in _BY:
        return None
    before, now = step.before, step.now
    if has_only_played(before, now):
        is_usual = same_tricks(before, now) or not now.tricks[-1].is_set_aside
        return told_of_card if is_usual else None
    return told_of_bid if has_only_bid(before, now) else None


def told_of_card(step: Step, viewers: Collection[Viewer]) -> Told:
    """A `Teller` for a card."""
    logged, entry, before, now, turn = step
    (actor,), (following,) = before.to_act, now.to_act
    facts = COULD_CLAIM if before.leads and may_claim(before, actor) else 0
    if not same_tricks(before, now):
        if may_claim(now, following):
            facts |= MAY_CLAIM
        if now.tricks[-1] != Look(before, None).last_trick:
            facts |= NEW_TRICK
    n, by, action = logged.n, _BY[entry.by], int(Action(entry.action))
    out = np.empty(_LONGEST, dtype=np.uint8)
    head, event, view, for_actor, end = write_card(
        before.state, now.state, n, logged.at, by, action, turn, facts, _REASONS, out
    )
    written = out[:end].tobytes()
    own: dict[Viewer, bytes] = {}
    if actor in viewers:
        own[actor] = written[:for_actor] + b"}}"
    if following in viewers and following != actor:
        own[following] = b"%b%b}}" % (written[:view], written[for_actor:])
    kept = Kept(n, msgspec.Raw(written[head:event]), None)
    return Told(kept, written[:view] + b"}}", own)


def told_of_bid(step: Step, viewers: Collection[Viewer]) -> Told:
    """A `Teller` for an open bid."""
    logged, entry, before, now, turn = step
    actor, following, size = before.turn, now.turn, now.size
    bids, bid = now.bids, now.bids[actor]
    is_last = now.phase is Phase.PLAY
    shown = encode(bids)
    event = b'{"e":"act","n":%d,"at":%d,"seat":%d,"by":"%b","action":"%b"%b}' % (
        logged.n,
        logged.at,
        actor,
        entry.by.encode(),
        entry.action.encode(),
        b',"bids":%b' % shown if is_last else b"",
    )
    foretold = sum(one for one in bids if one is not None)
    first_lead = b',"trick":{"leader":%d,"plays":[],"winning":null}' % following
    common = b'{"t":"event","n":%d,"event":%b,"view":{"turn":%d%b,"to_act":[%d]%b,"bids":%b%b' % (
        logged.n,
        event,
        turn,
        b',"phase":"play"' if is_last else b"",
        following,
        first_lead if is_last else b"",
        shown,
        b',"foretold":%d' % foretold if bid else b"",
    )
    over = b',"over":%d' % (foretold - size) if is_last else b""
    off = b",".join([_off(one, size) for one in bids])
    common = b'%b%b,"off":[%b]' % (common, over, off)
    own: dict[Viewer, bytes] = {}
    if actor in viewers:
        no_reasons = b',"why":{}' if before.barred(actor) else b""
        own[actor] = b'%b,"legal":[]%b}}' % (common, no_reasons)
    if following in viewers:
        why = b',"why":%b' % encode(why_not(now, following)) if now.barred(following) else b""
        claim = b',"claim":true' if may_claim(now, following) else b""
        legal = _legal(now.legal_actions(following).mask)
        own[following] = b'%b,"legal":%b%b%b}}' % (common, legal, why, claim)
    return Told(Kept(logged.n, msgspec.Raw(event), None), common + b"}}", own)


@lru_cache(maxsize=1024)
def _off(bid: int | None, size: int) -> bytes:
    return b"null" if bid is None else encode(off_by_tricks(bid, size))


@lru_cache(maxsize=1024)
def _legal(mask: int) -> bytes:
    return encode(action_texts(mask))

"""What viewers are told of a played card, written as bytes at once.

Nine of ten things that happen at a table are cards. `audience` and `views` describe anything that
happens, and find what is new in the views by comparing them; here `card_news` writes the same bytes
for a card. A test requires it of every card of random games of every mode.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import msgspec
import numpy as np

from foretold.actions import Action
from foretold.cards import CARDS, SUIT_CARDS
from foretold.claim import may_claim
from foretold.position import Position
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
from foretold.table.wire import reason_data
from foretold.view import Look, has_only_played, same_tricks

_BY: Final = {name: index for index, name in enumerate(ACTORS)}
_REASONS: Final = texts(
    msgspec.json.encode(reason_data("must_follow", (("held", card), ("suit", card.suit))))
    for card in CARDS[:SUIT_CARDS]
)
"""Why a card may not be played, by the card held of the suit to follow."""
_LONGEST: Final = longest(_REASONS)


def is_only_a_card(entry: Acted, before: Position, now: Position) -> bool:
    """Whether a card was played, with nothing unusual in what followed from it."""
    return (
        entry.by in _BY
        and has_only_played(before, now)
        and (same_tricks(before, now) or not now.tricks[-1].is_set_aside)
    )


class Told(NamedTuple):
    """A card as viewers are told of it."""

    kept: Kept
    """For those who reconnect."""
    common: bytes
    """The message for everyone who is sent nothing else."""
    own: dict[Viewer, bytes]


def told_of_card(
    logged: Logged,
    entry: Acted,
    before: Position,
    now: Position,
    turn: int,
    viewers: Collection[Viewer],
) -> Told:
    """What these viewers are told of an entry, if it `is_only_a_card`."""
    actor, following = before.turn, now.turn
    facts = COULD_CLAIM * may_claim(before, actor) | MAY_CLAIM * may_claim(now, following)
    if not same_tricks(before, now) and now.tricks[-1] != Look(before, None).last_trick:
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

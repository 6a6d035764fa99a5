"""What is new in the views when a card is played, written as bytes at once.

Nine of ten things that happen at a table are cards. `views` finds what is new by building views
and comparing them; here `card_news` writes the fields that a card changes. A test requires the same
bytes of both, for every card of random games of every mode.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec
import numpy as np

from foretold.cards import CARDS, SUIT_CARDS
from foretold.claim import may_claim
from foretold.position import Position
from foretold.table.card_news import (
    COULD_CLAIM,
    LONGEST,
    MAY_CLAIM,
    NEW_TRICK,
    texts,
    write_news,
)
from foretold.table.events import Viewer
from foretold.table.wire import reason_data
from foretold.view import Look, has_only_played, same_tricks

_REASONS: Final = texts(
    msgspec.json.encode(reason_data("must_follow", (("held", card), ("suit", card.suit))))
    for card in CARDS[:SUIT_CARDS]
)
"""Why a card may not be played, by the card held of the suit to follow."""


def is_only_a_card(before: Position, now: Position) -> bool:
    """Whether a card was played, with nothing unusual in what followed from it."""
    return has_only_played(before, now) and (
        same_tricks(before, now) or not now.tricks[-1].is_set_aside
    )


class Plays:
    """The cards played at one table, as its viewers are told of them."""

    __slots__ = ("_at", "_may_claim")

    def __init__(self) -> None:
        self._at: Position | None = None
        self._may_claim = False
        """Whether the seat to act in that position may claim the rest."""

    def news(
        self, before: Position, now: Position, turn: int, viewers: Collection[Viewer]
    ) -> tuple[bytes, dict[Viewer, bytes]]:
        """What is new (see `views.News`) if `is_only_a_card`."""
        actor, following = before.turn, now.turn
        could = self._may_claim if before is self._at else may_claim(before, actor)
        may = self._may_claim = now.leads and may_claim(now, following)
        self._at = now
        facts = COULD_CLAIM * could | MAY_CLAIM * may
        action = 0
        if not same_tricks(before, now):
            trick = now.tricks[-1]
            action = int(trick.plays[-1])
            if trick != Look(before, None).last_trick:
                facts |= NEW_TRICK
        out = np.empty(LONGEST, dtype=np.uint8)
        for_all, for_actor, end = write_news(
            before.state, now.state, turn, facts, action, _REASONS, out
        )
        written = out[:end].tobytes()
        common = written[:for_all]
        own: dict[Viewer, bytes] = {}
        if actor in viewers:
            own[actor] = written[:for_actor]
        if following in viewers and following != actor:
            own[following] = common + written[for_actor:]
        return common, own

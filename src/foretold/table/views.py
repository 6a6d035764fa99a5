"""The views of a live game: who has been sent one, and what is new in it.

`wire` builds views in groups of fields. If a group can have changed between two positions, which
`view` tells, it is built from both, and the fields that differ are sent. Most of what happens is
that a card is played: `plays` writes those messages faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from foretold.position import Position
from foretold.table.entries import Acted, Logged
from foretold.table.events import Viewer
from foretold.table.plays import Plays, Told
from foretold.table.wire import (
    Data,
    bids_data,
    changes,
    hand_data,
    own_data,
    settled_data,
    tricks_data,
    turn_data,
    view_data,
)
from foretold.view import (
    Look,
    same_bids,
    same_round,
    same_secrets,
    same_tricks,
)

encode = msgspec.json.Encoder().encode

News: TypeAlias = tuple[bytes, dict[Viewer, bytes]]
"""What is new for everyone; and all that is new for viewers who are sent more than that.

As fields of a JSON object, without its braces.
"""


class Views:
    def __init__(self, position: Position, turn: int) -> None:
        self._seen = position
        self._turn = turn
        self._viewers: set[Viewer] = set()
        """Those who have been sent all of their view in this position."""
        self._plays = Plays()

    def whole(self, viewer: Viewer) -> Data:
        """A complete view, for a viewer who has none yet."""
        self._viewers.add(viewer)
        return view_data(self._seen, Look(self._seen, viewer), self._turn)

    def are_known_to(self, viewers: set[Viewer]) -> bool:
        """Whether all of these have been sent their view."""
        return viewers <= self._viewers

    def go_on_by_card(
        self, logged: Logged, entry: Acted, position: Position, turn: int, viewers: set[Viewer]
    ) -> Told:
        """Update the views of these viewers, who know theirs, if it `is_only_a_card`."""
        before, self._seen, self._turn = self._seen, position, turn
        if len(viewers) < len(self._viewers):
            self._viewers &= viewers
        return self._plays.told(logged, entry, before, position, turn, viewers)

    def go_on(self, position: Position, turn: int, viewers: set[Viewer]) -> News:
        """Update the views of these viewers."""
        before, self._seen = self._seen, position
        last_turn, self._turn = self._turn, turn
        known = self._viewers
        known &= viewers
        if position is before:
            news: News = (b"", {})
        else:
            news = compared(before, position, last_turn, turn, known)
        for viewer in viewers - known:
            news[1][viewer] = _fields(self.whole(viewer))
        return news


def compared(
    before: Position, now: Position, last_turn: int, turn: int, viewers: set[Viewer]
) -> News:
    """What is new for each of these viewers, whatever has happened."""
    common = _fields(_common_news(before, now, last_turn, turn))
    own: dict[Viewer, bytes] = {}
    for viewer, news in _own_news(before, now, viewers).items():
        if news:
            own[viewer] = b"%b,%b" % (common, _fields(news)) if common else _fields(news)
    return common, own


def _common_news(before: Position, now: Position, last_turn: int, turn: int) -> Data:
    then, look = Look(before, None), Look(now, None)
    news = changes(turn_data(then, last_turn), turn_data(look, turn))
    if not same_bids(before, now) and not now.rules.seals_bids:
        news |= changes(bids_data(before, then), bids_data(now, look))
    if not same_tricks(before, now):
        news |= changes(tricks_data(then), tricks_data(look))
    if not same_round(before, now):
        news |= changes(settled_data(then), settled_data(look))
    return news


def _own_news(before: Position, now: Position, viewers: set[Viewer]) -> dict[Viewer, Data]:
    build: Callable[[Position, Look], Data] = own_data
    if same_secrets(before, now):
        build, viewers = hand_data, viewers & {*before.to_act, *now.to_act}
    return {
        viewer: changes(build(before, Look(before, viewer)), build(now, Look(now, viewer)))
        for viewer in viewers
    }


def _fields(data: Data) -> bytes:
    return encode(data)[1:-1]

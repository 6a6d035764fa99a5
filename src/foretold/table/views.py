"""The views of a live game: who has been sent one, and what is new in it.

`wire` builds views in groups of fields. If a group can have changed between two positions, as
`view` can tell, it is built from both, and the fields that differ are sent. Most of what happens
is that a card is played or a bid made: `plays` writes those messages faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from foretold.position import Position
from foretold.table.events import Viewer
from foretold.table.plays import Step, Teller, Told
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
    same_but_hands,
    same_round,
    same_secrets,
    same_tricks,
)

encode = msgspec.json.Encoder().encode

News: TypeAlias = tuple[bytes, dict[Viewer, bytes]]
"""What is new for everyone; and all that is new for viewers who are sent more than that.

As fields of a JSON object, without its braces.
"""


class Seen:
    """A position as its viewers see it; each group of fields is built once.

    The groups built for one position are compared with those of the next.
    """

    __slots__ = ("_groups", "position", "turn")

    def __init__(self, position: Position, turn: int) -> None:
        self.position = position
        self.turn = turn
        self._groups: dict[tuple[Group, Viewer], Data] = {}

    def group(self, build: Group, viewer: Viewer) -> Data:
        key = build, viewer
        found = self._groups.get(key)
        if found is None:
            found = self._groups[key] = build(self, Look(self.position, viewer))
        return found


Group: TypeAlias = Callable[[Seen, Look], Data]


class Views:
    def __init__(self, position: Position, turn: int) -> None:
        self._seen = position
        self._turn = turn
        self._built: Seen | None = None
        """That position with the groups built for it; None if the last news was written
        directly."""
        self._viewers: set[Viewer] = set()
        """Those who have been sent all of their view in this position."""

    def whole(self, viewer: Viewer) -> Data:
        """A complete view, for a viewer who has none yet."""
        self._viewers.add(viewer)
        return view_data(self._seen, Look(self._seen, viewer), self._turn)

    def are_known_to(self, viewers: set[Viewer]) -> bool:
        """Whether all of these have been sent their view."""
        return viewers <= self._viewers

    def go_on_directly(
        self,
        tell: Teller,
        step: Step,
        viewers: set[Viewer],
    ) -> Told:
        """Update the views of these viewers, who have theirs, with news written directly."""
        self._seen, self._turn, self._built = step.now, step.turn, None
        if len(viewers) < len(self._viewers):
            self._viewers &= viewers
        return tell(step, viewers)

    def go_on(self, position: Position, turn: int, viewers: set[Viewer]) -> News:
        """Update the views of these viewers."""
        before = self._built or Seen(self._seen, self._turn)
        self._seen, self._turn, self._built = position, turn, Seen(position, turn)
        known = self._viewers
        known &= viewers
        news: News = (b"", {})
        if position is not before.position:
            news = compared(before, self._built, known)
        for viewer in viewers - known:
            news[1][viewer] = _fields(self.whole(viewer))
        return news


def compared(before: Seen, now: Seen, viewers: set[Viewer]) -> News:
    """What is new for each of these viewers, whatever has happened."""
    common = _fields(_common_news(before, now))
    own: dict[Viewer, bytes] = {}
    for viewer, news in _own_news(before, now, viewers).items():
        if news:
            own[viewer] = b"%b,%b" % (common, _fields(news)) if common else _fields(news)
    return common, own


def _common_news(before: Seen, now: Seen) -> Data:
    then, position = before.position, now.position
    groups: list[Group] = [_turn]
    if not same_bids(then, position) and not position.rules.seals_bids:
        groups.append(_bids)
    if not same_tricks(then, position):
        groups.append(_tricks)
    if not same_round(then, position):
        groups.append(_settled)
    news: Data = {}
    for group in groups:
        news |= changes(before.group(group, None), now.group(group, None))
    return news


def _own_news(before: Seen, now: Seen, viewers: set[Viewer]) -> dict[Viewer, Data]:
    group: Group = _own
    if same_secrets(before.position, now.position):
        group, viewers = _hand, viewers & {*before.position.to_act, *now.position.to_act}
    elif same_but_hands(before.position, now.position):
        group = _hand
    return {
        viewer: changes(before.group(group, viewer), now.group(group, viewer)) for viewer in viewers
    }


def _fields(data: Data) -> bytes:
    return encode(data)[1:-1]


# The groups of fields


def _turn(seen: Seen, look: Look) -> Data:
    return turn_data(look, seen.turn)


def _bids(seen: Seen, look: Look) -> Data:
    return bids_data(seen.position, look)


def _tricks(_: Seen, look: Look) -> Data:
    return tricks_data(look)


def _settled(_: Seen, look: Look) -> Data:
    return settled_data(look)


def _hand(seen: Seen, look: Look) -> Data:
    return hand_data(seen.position, look)


def _own(seen: Seen, look: Look) -> Data:
    return own_data(seen.position, look)

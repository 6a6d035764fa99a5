"""The views of a game that is watched: what each viewer has been sent, and what is new.

All is built by `wire`, in groups of fields. A group is built again when it can have changed, which
`view` tells from the two positions, and of a group only what did change is sent.
"""

from __future__ import annotations

from foretold.game import Game
from foretold.position import Position
from foretold.table.events import Viewer
from foretold.table.wire import (
    Data,
    bids_data,
    changes,
    common_data,
    hand_data,
    has_open_bids,
    own_data,
    settled_data,
    tricks_data,
    turn_data,
)
from foretold.view import Look, same_bids, same_round, same_secrets, same_tricks


class Views:
    def __init__(self, game: Game, turn: int) -> None:
        self._game = game
        self._seen = game.position
        self._common = common_data(game, Look(self._seen, None), turn)
        self._own: dict[Viewer, Data] = {}
        """What each was sent last, of that which differs from view to view."""

    def whole(self, viewer: Viewer) -> Data:
        """All of a view, for somebody who has nothing of it."""
        own = self._own[viewer] = own_data(self._game, Look(self._seen, viewer))
        return {**self._common, **own}

    def go_on(self, turn: int, viewers: set[Viewer]) -> tuple[Data, dict[Viewer, Data]]:
        """Look at the game again, with these viewers.

        What is new to all, and what is new besides to some.
        """
        has_changed = self._own.keys() != viewers
        if has_changed:
            for gone in self._own.keys() - viewers:
                del self._own[gone]
        before, self._seen = self._seen, self._game.position
        if self._seen is before:
            common, own = {}, {}
        else:
            common, own = self._common_news(before, turn), self._own_news(before)
        if has_changed:
            own.update((viewer, self.whole(viewer)) for viewer in viewers - self._own.keys())
        return common, own

    def _common_news(self, before: Position, turn: int) -> Data:
        now, look = self._seen, Look(self._seen, None)
        common = turn_data(look, turn)
        if not same_bids(before, now) and has_open_bids(self._game):
            common |= bids_data(self._game, look)
        if not same_tricks(before, now):
            common |= tricks_data(look)
        if not same_round(before, now):
            common |= settled_data(look)
        news = changes(self._common, common)
        self._common |= news
        return news

    def _own_news(self, before: Position) -> dict[Viewer, Data]:
        now, game = self._seen, self._game
        if same_secrets(before, now):
            build = hand_data
            viewers = self._own.keys() & {*before.to_act, *now.to_act}
        else:
            build, viewers = own_data, set(self._own)
        news = {}
        for viewer in viewers:
            has = self._own[viewer]
            news[viewer] = new = changes(has, build(game, Look(now, viewer)))
            has |= new
        return news

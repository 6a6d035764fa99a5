"""A replay of a game, step by step: as a seat saw it, or with all hands open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foretold.bots.trained import is_trained
from foretold.game import Game
from foretold.table.audience import happened
from foretold.table.entries import Acted, Dealt, Logged, PlayerSeat, TookBack
from foretold.table.events import Event, Viewer
from foretold.table.table import Table
from foretold.table.wire import Data, changes, dealt_data, told_bids_data, view_data
from foretold.verify import verify
from foretold.view import between_rounds


def replay_data(code: str, log: Iterable[Logged], viewer: Viewer) -> Data | None:
    """The finished rounds of a table's game; None before the first is dealt.

    The viewer is a seat, or None to see all hands.
    """
    entries = iter(log)
    table = Table(code, next(entries))
    frames = _frames(table, entries, viewer)
    if table.game is None:
        return None
    if table.state != "over":
        # Leave out the round under way.
        while frames and frames[-1].round > len(table.game.sheet):
            frames.pop()
    views = [frame.view for frame in frames]
    return {
        "code": code,
        "names": table.names,
        "faces": [seat.face if isinstance(seat, PlayerSeat) else None for seat in table.seats],
        "rules": table.rules.to_options(),
        "sizes": table.rules.sizes,
        "fair": table.game.fair,
        "verdicts": [
            {"round": one.round, "answer": one.answer, "reason": one.reason}
            for one in verify(_shown(table))
        ],
        "complete": table.state == "over",
        "taken_back": table.taken_back,
        "review": table.state == "over" and is_trained(),
        "first": views[0] if views else None,
        "steps": [
            {"event": frame.event, "view": changes(before, frame.view)}
            for before, frame in zip(views, frames[1:], strict=False)
        ],
    }


class _Frame:
    __slots__ = ("event", "round", "view")

    def __init__(self, event: Data, number: int, view: Data) -> None:
        self.event = event
        self.round = number
        self.view = view


def _frames(table: Table, entries: Iterator[Logged], viewer: Viewer) -> list[_Frame]:
    rounds = 0
    frames: list[_Frame] = []
    for logged in entries:
        before = None if table.game is None else table.game.position.log
        event = happened(table, logged)
        game = table.game
        if isinstance(logged.entry, TookBack):
            assert before is not None
            del frames[len(frames) - (len(before.actions) - logged.entry.to) :]
        if game is None or not isinstance(logged.entry, Acted | Dealt):
            continue
        if "round" in event.common:
            rounds += 1
            seen = {name: value for name, value in event.common.items() if name != "next"}
            frames.append(_Frame(seen, rounds, _view(table, game, viewer, True)))
        if isinstance(logged.entry, Dealt) or "next" in event.common:
            dealt = {"e": "deal", "n": event.n, "at": event.common["at"], **dealt_data(game)}
            frames.append(_Frame(dealt, rounds + 1, _view(table, game, viewer, False)))
        elif "round" not in event.common:
            seen = _open(event, logged) if viewer is None else event.seen_by(viewer)
            frames.append(_Frame(seen, rounds + 1, _view(table, game, viewer, False)))
    return frames


def _view(table: Table, game: Game, viewer: Viewer, ended: bool) -> Data:
    view = between_rounds(game.view(viewer)) if ended else game.view(viewer)
    data = {**view_data(game.position, view, table.turn), "legal": [], "why": {}, "claim": False}
    if viewer is None and not ended:
        position = game.position
        hands = [position.hand(seat) for seat in range(game.rules.players)]
        data["hands"] = [[card.code for card in hand] for hand in hands]
        data |= told_bids_data(position.bids, [False] * game.rules.players, position.size)
    elif viewer is None:
        data["hands"] = [[]] * game.rules.players
    return data


def _open(event: Event, logged: Logged) -> Data:
    assert isinstance(logged.entry, Acted)
    return {**event.common, "action": logged.entry.action}


def _shown(table: Table) -> Game:
    """The part of the game that everyone may know by now."""
    record = table.record()
    assert record is not None
    return Game.from_record(record)

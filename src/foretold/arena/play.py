"""The games of one deal set, whatever the bots do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields
from typing import Final

import numpy as np

from foretold.actions import Action
from foretold.arena.match import Barred, Job, Settings, derived
from foretold.arena.results import GameResult, SeatResult, SetResult
from foretold.bots import Player, SimpleBot, make_bot
from foretold.errors import BotError
from foretold.game import Game
from foretold.rules import Rules
from foretold.view import View

MAKING_LIMIT: Final = 120.0
"""Seconds that creating a bot may take: it may have to load libraries."""

Watch = Callable[[int, int | None, float], None]
"""Called before and after each bot's turn: rotation, seat (None for nobody), seconds allowed."""

_TAMPERED: Final = "it changed the view that it was shown"
_VIEW_FIELDS: Final = tuple(field.name for field in fields(View))


class TamperedError(Exception):
    """A bot has modified its view."""


def play_set(settings: Settings, job: Job, watch: Watch) -> SetResult:
    """Play a deal set: the same deals, once for every rotation of the table."""
    return SetResult(
        job.index,
        tuple(
            _play_game(settings, job, rotation, watch)
            for rotation in range(settings.rules["players"])
        ),
    )


def _play_game(settings: Settings, job: Job, rotation: int, watch: Watch) -> GameResult:
    barred = {one.seat: one for one in job.barred if one.rotation == rotation}
    while True:
        table = _Table(settings, job, rotation, barred, watch)
        try:
            return table.play()
        except TamperedError as error:
            if table.acting in barred:
                raise
            # It may have changed the game itself: start again without it.
            barred[table.acting] = Barred(rotation, table.acting, str(error))


class _Seat:
    """A bot in its seat, with its statistics."""

    def __init__(self, bot: int, player: Player, barred: str | None) -> None:
        self.bot = bot
        self.player = player
        self.barred = barred
        self.points: list[int] = []
        self.off: list[int] = []
        self.decisions = 0
        self.seconds = 0.0
        self.slowest = 0.0
        self.faults = 0
        self.first_fault: str | None = None

    def decide(self, view: View) -> Action:
        decision = self.player.decide(view)
        if self.barred is None:
            self.decisions += 1
            self.seconds += decision.seconds
            self.slowest = max(self.slowest, decision.seconds)
        fault = self.barred or decision.fault
        if fault is not None:
            self.faults += 1
            self.first_fault = self.first_fault or fault
        return decision.action

    def result(self) -> SeatResult:
        return SeatResult(
            self.bot,
            tuple(self.points),
            tuple(self.off),
            self.decisions,
            round(self.seconds, 6),
            round(self.slowest, 6),
            self.faults,
            self.first_fault,
        )


class _Table:
    """One game of a deal set."""

    def __init__(
        self,
        settings: Settings,
        job: Job,
        rotation: int,
        barred: dict[int, Barred],
        watch: Watch,
    ) -> None:
        self.rules = Rules.from_options(settings.rules)
        self.acting = 0
        self._settings = settings
        self._job = job
        self._rotation = rotation
        self._watch = watch
        game_seed = derived(settings.seed, "game", job.index, rotation)
        # Bots that use the process's global generators become reproducible too.
        random.seed(game_seed)
        np.random.seed(game_seed)
        self._seats = [
            self._seat(seat, bot, barred.get(seat)) for seat, bot in enumerate(job.seated(rotation))
        ]

    def _seat(self, seat: int, bot: int, barred: Barred | None) -> _Seat:
        if barred is not None:
            return _Seat(bot, Player(SimpleBot()), barred.reason)
        seed = derived(self._settings.seed, "bot", self._job.index, self._rotation, seat)
        self._watch(self._rotation, seat, MAKING_LIMIT)
        try:
            made = make_bot(self._settings.bots[bot], seed)
        except BotError as error:
            return _Seat(bot, Player(SimpleBot()), str(error))
        finally:
            self._watch(self._rotation, None, 0)
        return _Seat(bot, Player(made, self._settings.limit), None)

    def play(self) -> GameResult:
        settings, watch, rotation = self._settings, self._watch, self._rotation
        # The game gets its own copy of the rules, which a bot could corrupt; `self.rules` is safe.
        rules = Rules.from_options(settings.rules)
        game = Game(rules, seed=derived(settings.seed, "deal", self._job.index, bits=63))
        while game.to_act:
            self.acting = seat = game.to_act[0]
            view = game.view(seat)
            shown = [getattr(view, name) for name in _VIEW_FIELDS]
            watch(rotation, seat, settings.limit)
            try:
                action = self._seats[seat].decide(view)
            except Exception as error:  # of the simple bot in its place, because of a modified view
                raise TamperedError(_TAMPERED) from error
            watch(rotation, None, 0)
            same = all(
                getattr(view, name) is value
                for name, value in zip(_VIEW_FIELDS, shown, strict=True)
            )
            if not same or rules != self.rules:
                raise TamperedError(_TAMPERED)
            rounds = len(game.sheet)
            game.push(action, seat)
            if len(game.sheet) > rounds:
                self._note(game)
        return GameResult(tuple(seat.result() for seat in self._seats))

    def _note(self, game: Game) -> None:
        """Count a round as soon as it is over, before any bot has seen its line."""
        line = game.sheet[-1]
        for number, seat in enumerate(self._seats):
            seat.points.append(line.points[number])
            seat.off.append(line.taken[number] - line.scored_bids[number])

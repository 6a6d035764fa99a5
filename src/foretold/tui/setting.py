"""The set-up of a game in the terminal: rules, bots, seed, and where the record goes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from foretold.bots import Player, make_bot
from foretold.bots.player import LIMIT
from foretold.errors import BotError
from foretold.game import Game
from foretold.record import write_record
from foretold.rules import Rules
from foretold.tui.telling import NAMES, YOU
from foretold.words import counted


@dataclass
class Setting:
    """Creates one game after another, and saves all their records."""

    rules: Rules
    bots: Sequence[str] = ("simple",)
    """The bots, starting on the player's left; repeated if there are more seats."""
    seed: int | None = None
    write: Callable[[bytes], None] | None = None
    """Receives the records of all games so far, one per line."""
    _written: bytes = field(default=b"", init=False)
    _games: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if len(self.bots) > self.rules.players - 1:
            opponents = counted(self.rules.players - 1, "opponent")
            raise BotError(f"{counted(len(self.bots), 'bot')} for {opponents}: name fewer bots")

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.rules.players]

    def bot_of(self, seat: int) -> str:
        return self.bots[(seat - 1) % len(self.bots)]

    def players(self) -> dict[int, Player]:
        """The bots by seat."""
        seed = secrets.randbits(32) if self.seed is None else self.seed + self._games
        return {
            seat: Player(make_bot(self.bot_of(seat), seed * self.rules.players + seat), limit=LIMIT)
            for seat in range(self.rules.players)
            if seat != YOU
        }

    def new_game(self) -> tuple[Game, Callable[[], None]]:
        """The next game, and a function that saves its record."""
        seed = None if self.seed is None else self.seed + self._games
        game = Game(self.rules, seed=seed, names=self.names)
        self._games += 1
        before = self._written

        def keep() -> None:
            if self.write is not None:
                self._written = before + write_record(game.to_record())
                self.write(self._written)

        return game, keep

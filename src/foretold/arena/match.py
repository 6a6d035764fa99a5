"""What a match is: who plays which deals in which seats, all derived from one seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import msgspec

from foretold.errors import ForetoldError
from foretold.rules import Rules
from foretold.words import counted

FORMAT: Final = "foretold-arena/1"
LARGEST_TABLE: Final = 6
DEFAULT_LIMIT: Final = 60.0


class ArenaError(ForetoldError):
    """A match that cannot be played as requested."""


class Settings(msgspec.Struct, frozen=True):
    """Everything that determines the outcome of a deal set; the number of sets does not."""

    format: str
    bots: tuple[str, ...]
    rules: dict[str, Any]
    seed: int
    limit: float


class Barred(msgspec.Struct, frozen=True):
    """A bot barred from one game of a deal set; the simple bot plays for it."""

    rotation: int
    seat: int
    reason: str


class Job(msgspec.Struct, frozen=True):
    """A deal set to play: the same deals once for every rotation of a table."""

    index: int
    table: tuple[int, ...]
    """Who plays, in order round the table, as indices of the match's bots."""
    barred: tuple[Barred, ...] = ()

    def seated(self, rotation: int) -> tuple[int, ...]:
        """Who sits where, by seat, in one game of the set."""
        return (*self.table[rotation:], *self.table[:rotation])


@dataclass(frozen=True)
class Match:
    """A match: as many bots as seats, or more; every deal set then draws a table of them.

    >>> Match(("simple", "random", "random"), Rules(players=3), games=7).sets
    3
    """

    bots: tuple[str, ...]
    rules: Rules
    games: int
    seed: int = 0
    limit: float = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        seats = self.rules.players
        if len(self.bots) < seats:
            filled = (*self.bots, *(self.bots[-1:] or ("simple",)) * seats)[:seats]
            raise ArenaError(
                f"{counted(len(self.bots), 'bot')} for {seats} seats: "
                f"name a bot for each seat, such as {' '.join(filled)}"
            )
        if self.games < 1:
            raise ArenaError(f"{self.games} games are no match: expected at least 1")
        if not self.limit > 0:
            raise ArenaError(f"a limit of {self.limit:g} seconds is none: expected more than 0")

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct bots, in the order first named."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def sets(self) -> int:
        """The number of deal sets; each has a game for every rotation of the table."""
        return -(-self.games // self.rules.players)

    @property
    def settings(self) -> Settings:
        return Settings(FORMAT, self.bots, self.rules.to_options(), self.seed, float(self.limit))

    def jobs(self) -> Iterator[Job]:
        """The deal sets; a longer match begins with those of a shorter one."""
        tables = draw_tables(len(self.bots), self.rules.players, self.seed)
        for index, table in enumerate(islice(tables, self.sets)):
            yield Job(index, table)


def seats_for(bots: Iterable[str]) -> int | None:
    """The default number of players for that many bots: one table for all."""
    count = len(tuple(bots))
    return count if 3 <= count <= LARGEST_TABLE else None


def derived(*parts: object, bits: int = 31) -> int:
    """A seed derived from others; 31 bits, which every generator accepts."""
    text = " ".join(map(str, ("foretold arena", *parts)))
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - bits)


def draw_tables(bots: int, seats: int, seed: int) -> Iterator[tuple[int, ...]]:
    """An endless series of tables: all bots play equally often, and meet each other as evenly as
    possible. The order round the table is random too, so that neighbours vary.
    """
    chance = random.Random(derived(seed, "tables"))
    met = [[0] * bots for _ in range(bots)]  # on the diagonal, how often each has played
    while True:
        table: list[int] = []
        while len(table) < seats:
            _, _, _, chosen = min(
                (met[bot][bot], sum(met[bot][other] for other in table), chance.random(), bot)
                for bot in range(bots)
                if bot not in table
            )
            table.append(chosen)
        for bot in table:
            for other in table:
                met[bot][other] += 1
        chance.shuffle(table)
        yield tuple(table)

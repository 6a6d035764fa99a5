"""Parties: people who play one short game after another, each by other rules at a new table."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

import httpx

from play import SPECIALS
from server.client import Person, RefusedError
from server.killing import Player
from server.nodes import Roamer

Answer = TypeVar("Answer")

KINDS: Final[tuple[dict[str, Any], ...]] = (
    {"players": 3, "rounds": "1-3"},
    {"players": 4, "rounds": "1-2"},
    {"players": 4, "rounds": "1-5"},
    {"players": 4, "rounds": "3", "specials": SPECIALS},
    {"players": 5, "rounds": "2", "bid_rule": "leader_uneven"},
    {"players": 6, "rounds": "1-2", "bidding": "hidden"},
    {"players": 3, "rounds": "2-3", "bidding": "secret", "specials": SPECIALS},
    {"players": 3, "rounds": "1-2", "clairvoyance": "every_round"},
    {"mode": "monocolour", "players": 3, "rounds": "1,3"},
    {"mode": "two_player", "rounds": "2"},
)
MOST_PEOPLE: Final = 3
THOUGHT: Final = 0.3
"""Seconds before an action, at most."""
CLOCK: Final = 5
DREAM: Final = 7.0
"""The first thought of somebody who lets the clock run out, so that a bot decides."""
TRIES_FOR: Final = 30.0
"""Seconds in which somebody gets a table."""
TRY_AGAIN: Final = {"unavailable"}
"""Why they may be refused one meanwhile."""


@dataclass(frozen=True)
class Mark:
    """How far a party was at some moment."""

    games: int
    heard: dict[Roamer, int]


@dataclass
class Party:
    """People who play together, through nodes chosen at random."""

    people: list[Person]
    urls: list[str]
    """Of the nodes, as a balancer knows it."""
    chance: random.Random
    finished: list[Player] = field(default_factory=list)
    """Everybody in all games that are over."""
    games: int = 0
    """That have begun."""
    goes_home: bool = False
    """Whether they end the game as fast as they can, and begin no other."""
    clients: list[Roamer] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    _longest: float = 0.0

    @classmethod
    async def of(cls, name: str, urls: list[str], chance: random.Random, source: str) -> Party:
        count = chance.randint(1, MOST_PEOPLE)
        people = [
            await Person.named(chance.choice(urls), f"{name}{at}", source) for at in range(count)
        ]
        return cls(people, urls, chance)

    async def play(self) -> None:
        while not self.goes_home:
            self.games += 1
            await self._sit_down()
            await asyncio.gather(*(player.play() for player in self.players))
            self._longest = self.longest_wait
            self.finished += self.players
            for client in self.clients:
                await client.leave()
            self.clients, self.players = [], []

    async def _sit_down(self) -> None:
        chance = self.chance
        rules = chance.choice(KINDS)
        seats = rules.get("players", 2)
        here = self.people[:seats]
        bots = [None] * len(here) + chance.choices(("novice", "apprentice"), k=seats - len(here))
        clock = CLOCK if chance.random() < 0.1 else None
        code = await self._timed(self._new_table(rules, bots, clock))
        for seat, person in enumerate(here):
            client = Roamer(person, code, self.urls, chance)
            self.clients.append(client)
            await self._timed(client.__aenter__())
            if seat:
                await self._timed(client.ask("sit", seat=seat))
        await self._timed(self.clients[0].ask("start"))
        for client in self.clients:
            player = Player(client, chance)
            player.longest_thought = 0 if self.goes_home else THOUGHT
            self.players.append(player)
        if clock and not self.goes_home:
            dreamer = self.players[0]
            dreamer.longest_thought = DREAM
            wake = partial(setattr, dreamer, "longest_thought", THOUGHT)
            asyncio.get_running_loop().call_later(CLOCK, wake)

    async def _timed(self, waiting: Awaitable[Answer]) -> Answer:
        begun = time.monotonic()
        answer = await waiting
        self._longest = max(self._longest, time.monotonic() - begun)
        return answer

    async def _new_table(
        self, rules: dict[str, Any], bots: list[str | None], clock: int | None
    ) -> str:
        """A table at whatever node can make one."""
        host = self.people[0]
        deadline = time.monotonic() + TRIES_FOR
        while True:
            host.http.base_url = self.chance.choice(self.urls)
            try:
                return await host.new_table(rules=rules, bots=bots, clock=clock)
            except (httpx.TransportError, RefusedError) as error:
                is_fault = isinstance(error, RefusedError) and error.code not in TRY_AGAIN
                if is_fault or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(0.1)

    def go_home(self) -> None:
        self.goes_home = True
        for player in self.players:
            player.longest_thought = 0

    # How they fare

    @property
    def longest_wait(self) -> float:
        """The most seconds that somebody waited for a connection, an answer or a table."""
        waits = (max(one.client.longest_gap, one.longest_wait) for one in self.players)
        return max(self._longest, *waits, 0.0)

    def forget_waits(self) -> None:
        self._longest = 0.0
        for player in self.players:
            player.client.longest_gap = player.longest_wait = 0.0

    def mark(self) -> Mark:
        return Mark(self.games, {client: client.n or 0 for client in self.clients})

    def is_stuck(self, since: Mark) -> bool:
        """Whether somebody has heard of nothing new, and the game is the same."""
        if self.games != since.games:
            return False
        return not self.clients or any(
            (one.n or 0) <= since.heard.get(one, 0) and not one.is_over for one in self.clients
        )

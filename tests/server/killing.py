"""People play while the server is killed at random moments; then what is left is checked."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from foretold import Game
from foretold.server.storage.database import open_as_it_is
from foretold.table.entries import Acted, Entry, Logged, decode_entry
from foretold.table.table import Table
from foretold.verify import Answer, verify
from server.client import Client, Person, RefusedError, run
from server.nursery import NurseryServer

RESUME_WITHIN = 5.0
"""Seconds from the server listening again until all clients have their welcome."""
ROUNDS = "1-15"
TOO_LATE = {"stale", "already_decided", "game_over"}
"""Why an action is refused after a stand-in has acted."""


class Player:
    """Somebody who plays on whatever happens, and remembers what was acknowledged."""

    def __init__(self, client: Client, chance: random.Random) -> None:
        self.client = client
        self.chance = chance
        self.longest_thought = 0.004
        """Seconds before an action, at most."""
        self.may_act = asyncio.Event()
        self.may_act.set()
        self.longest_wait = 0.0
        """Seconds from an action to its acknowledgement, at most."""
        self.acknowledged: dict[int, str] = {}
        """The actions acknowledged as saved, by number."""
        self.refused: dict[str, int] = {}
        """The turns of those that came too late, by id."""

    async def play(self) -> None:
        client = self.client
        while not client.is_over:
            if not client.legal:
                await client.until(lambda: bool(client.legal) or client.is_over, seconds=600)
                continue
            if self.longest_thought:
                await asyncio.sleep(self.chance.uniform(0, self.longest_thought))
            await self.may_act.wait()
            if not client.legal:  # a stand-in has acted
                continue
            turn, action = client.turn, self.chance.choice(client.legal)
            assert turn is not None
            begun = time.monotonic()
            try:
                n = await client.act(action)
                self.longest_wait = max(self.longest_wait, time.monotonic() - begun)
                assert n not in self.acknowledged
                self.acknowledged[n] = action
            except RefusedError as refused:
                if refused.code not in TOO_LATE:
                    raise
                self.refused[refused.id] = turn
            await client.until(
                lambda turn=turn: not client.legal or client.turn != turn or client.is_over,  # type: ignore[misc]
                seconds=600,
            )


def written(database: str, code: str) -> dict[int, Entry]:
    """The log of a table, as stored in a database."""
    query = sa.text("SELECT n, entry FROM log WHERE code = :code ORDER BY n")
    with open_as_it_is(database) as connection:
        return {n: decode_entry(entry) for n, entry in connection.execute(query, {"code": code})}


@dataclass(frozen=True)
class Survived:
    """The result of some kills."""

    acknowledged: int
    """How many actions were acknowledged; all of them are saved."""
    longest: float
    """The most seconds from the server listening again until everyone had a welcome."""


def survive(data: Path, kills: int, seed: int, database: str = "") -> Survived:
    """Kill a server that often during the games of three tables, and check what is left.

    Its database is SQLite in the folder, unless another is given.
    """
    database = database or f"sqlite:///{data / 'foretold.db'}"
    chance = random.Random(seed)
    survived: list[Survived] = []

    async def story() -> None:
        players: list[Player] = []
        resumed: list[float] = []
        for names in (("Ana", "Ben", "Cleo", "Dov"), ("Eva", "Fritz", "Gil", "Hana"), ("Ida",)):
            people = [await Person.named(server.url, name) for name in names]
            bots = [*[None] * len(names), *["apprentice"] * (4 - len(names))]
            code = await people[0].new_table(rules={"rounds": ROUNDS}, bots=bots)
            clients = [Client(person, code) for person in people]
            for seat, client in enumerate(clients):
                await client.__aenter__()
                if seat:
                    await client.ask("sit", seat=seat)
            await clients[0].ask("start")
            players += [Player(client, chance) for client in clients]
        playing = [asyncio.create_task(player.play()) for player in players]
        for _ in range(kills):
            welcomes = [player.client.welcomes for player in players]
            await asyncio.sleep(chance.uniform(0, 0.3))
            server.kill()
            await asyncio.to_thread(server.start)
            listening = time.monotonic()
            for player, before in zip(players, welcomes, strict=True):
                client = player.client
                await client.until(lambda c=client, b=before: c.welcomes > b)  # type: ignore[misc]
            resumed.append(time.monotonic() - listening)
        for player in players:
            player.longest_thought = 0
        await asyncio.gather(*playing)
        for player in players:
            await player.client.leave()
        assert max(resumed) < RESUME_WITHIN
        await check_all(database, players)
        acknowledged = sum(len(player.acknowledged) for player in players)
        survived.append(Survived(acknowledged, max(resumed)))

    with NurseryServer(data, database=database) as server:
        run(story)
    return survived[0]


async def check_all(database: str, players: list[Player]) -> int:
    """Everything acknowledged is saved once and in order, and every game is complete.

    Returns the number of games.
    """
    codes = {player.client.code for player in players}
    for code in codes:
        log = written(database, code)
        assert list(log) == list(range(1, len(log) + 1))
        asked = Counter((one.asked_by, one.ask_id) for one in log.values() if one.ask_id)
        assert set(asked.values()) == {1}
        for player in players:
            if player.client.code == code:
                check(player, log)
        person = next(one.client.person for one in players if one.client.code == code)
        record = await person.call("GET", f"/api/tables/{code}/record")
        game = Game.from_record(record)
        assert game.outcome() is not None
        assert {verdict.answer for verdict in verify(game)} == {Answer.VERIFIED}
    return len(codes)


def turns_of_stand_ins(log: dict[int, Entry]) -> Iterator[tuple[int, int]]:
    """When a stand-in acted, and for which seat."""
    first, *others = (Logged(n, 0, entry) for n, entry in log.items())
    table = Table("", first)
    for logged in others:
        if isinstance(logged.entry, Acted) and logged.entry.by == "stand_in":
            yield table.turn, logged.entry.seat
        table.apply(logged)


def check(player: Player, log: dict[int, Entry]) -> None:
    """What a player was told is what was saved."""
    client = player.client
    for n, action in player.acknowledged.items():
        entry = log[n]
        assert isinstance(entry, Acted)
        assert (entry.seat, entry.action, entry.by) == (client.seat, action, "player")
    assert not player.refused.keys() & {one.ask_id for one in log.values()}
    if player.refused:
        stood_in = {turn for turn, seat in turns_of_stand_ins(log) if seat == client.seat}
        assert set(player.refused.values()) <= stood_in
    seen = {event["n"]: event for event in client.events}
    assert len(seen) == len(client.events)
    for n, event in seen.items():
        entry = log[n]
        if isinstance(entry, Acted):
            assert (event["seat"], event["by"]) == (entry.seat, entry.by)
            is_hidden = event["action"] in ("bid", "pass") and entry.seat != client.seat
            told = entry.action.partition(" ")[0] if is_hidden else entry.action
            assert event["action"] == told

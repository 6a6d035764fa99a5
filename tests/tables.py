"""A table within one process: its log in a list, and what every seat was sent."""

from __future__ import annotations

import itertools
from collections import defaultdict
from random import Random
from typing import Any

import msgspec

from foretold.fair import FairDeals
from foretold.protocol.requests import Act, Request, Sit, Start
from foretold.rules import Rules
from foretold.table import Audience, Logged, Table
from foretold.table.answers import answer
from foretold.table.creation import new_table
from foretold.table.entries import Dealt, Entry, decode_entry, encode_entry, named
from wire import check_frame

CODE = "KQXMRP"
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fay")
BY_PLAYER = {f"p{number}": name for number, name in enumerate(NAMES)}
Message = dict[str, Any]
PRESENCE: Message = {"here": [], "watching": 0, "clock": None, "away": []}


def names_of(players: set[str]) -> dict[str, str]:
    """What a database would answer."""
    return {one: name for one, name in BY_PLAYER.items() if one in players}


class LiveTable:
    """A table with its log; players are ``p0``, ``p1`` … and sit in the seats of that number."""

    def __init__(self, seed: int = 1, **asked: Any) -> None:
        created = new_table("p0", NAMES[0], **asked)
        deals = FairDeals.from_seed(Rules.from_options(created.rules), seed)
        secrets = tuple(secret.hex() for secret in deals.secrets)
        self.log = [Logged(1, 1000, msgspec.structs.replace(created, secrets=secrets))]
        self.table = Table(CODE, self.log[0])
        self.audience = Audience(self.table, self.log[:1])
        self.sent: dict[int | None, list[bytes]] = defaultdict(list)
        self._ids = itertools.count()

    def write(self, entry: Entry) -> dict[int | None, Message]:
        """Write an entry and tell everyone; returns what each was told."""
        logged = Logged(self.table.n + 1, 1000 + self.table.n, self._read_back(entry))
        self.log.append(logged)
        viewers: list[int | None] = [None, *range(self.table.rules.players)]
        told = self.audience.advance(logged, viewers)
        for viewer, message in told.items():
            self.sent[viewer].append(message)
            check_frame(message, hidden=viewer is None and self._is_hidden)
        return {viewer: msgspec.json.decode(message) for viewer, message in told.items()}

    def _read_back(self, entry: Entry) -> Entry:
        """The entry as it comes back from the database, where names are kept elsewhere."""
        return named(decode_entry(encode_entry(entry)), BY_PLAYER)

    def ask(self, player: int, kind: type[Request], **fields: Any) -> dict[int | None, Message]:
        """A player's request; raises `Refused`. If it changes nothing, nobody is told."""
        fields.setdefault("id", self.new_id())
        name = NAMES[player % len(NAMES)]
        entry = answer(self.table, f"p{player}", name, kind(**fields))
        return {} if entry is None else self.write(entry)

    def act(self, seat: int, action: str) -> dict[int | None, Message]:
        return self.ask(seat, Act, turn=self.table.turn, action=action)

    def welcome(self, player: int | None, since: int | None = None) -> Message:
        name = None if player is None else NAMES[player]
        told = self.audience.welcome(f"p{player}", name, since, PRESENCE)
        check_frame(told)
        welcome: Message = msgspec.json.decode(told)
        return welcome

    @property
    def _is_hidden(self) -> bool:
        return not self.table.settings.spectators and self.table.state != "over"

    def new_id(self) -> str:
        return f"id {next(self._ids)}"


def started(rules: Rules | None = None, seed: int = 1, **settings: Any) -> LiveTable:
    """A table full of people, its first round dealt."""
    options = (rules or Rules(rounds="1-3")).to_options()
    live = LiveTable(seed, rules=options, settings=settings)
    for seat in range(1, live.table.rules.players):
        live.ask(seat, Sit, seat=seat)
    live.ask(0, Start)
    live.write(Dealt())
    return live


def alone(seed: int = 1, **rules: Any) -> LiveTable:
    """A table of one person and bots, its first round dealt."""
    options = Rules(**rules).to_options()
    live = LiveTable(seed, rules=options, bots=[None, *["novice"] * (options["players"] - 1)])
    live.ask(0, Start)
    live.write(Dealt())
    return live


def random_action(live: LiveTable, chance: Random) -> tuple[int, str]:
    """Some decision that is due."""
    game = live.table.game
    assert game is not None
    seat = chance.choice(live.table.to_act)
    return seat, str(chance.choice(tuple(game.legal_actions(seat))))


def play_on(live: LiveTable, chance: Random, decisions: int) -> None:
    """Play that many decisions at random, or to the end."""
    for _ in range(decisions):
        if live.table.state != "playing":
            return
        live.act(*random_action(live, chance))

"""Nothing is lost when the server is killed at random moments while people play."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, cast

import pytest

from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Entry, Logged, Started, StoodIn
from foretold.table.stand_ins import ABSENT
from foretold.table.table import Table
from server.client import Client
from server.killing import Player, check, survive


def test_nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    """Ten times here; `make soak` does it a thousand times."""
    assert survive(tmp_path, kills=10, seed=3).acknowledged > 1000


def test_a_stand_in_excuses_only_the_refusal_of_what_it_did_itself() -> None:
    """The check after kills and faults: a bot has bid for seat 0, which has then played a card."""
    log: dict[int, Entry] = {1: new_table("ana", "Ana", bots=[None, *["novice"] * 3])}
    table = Table("", Logged(1, 0, log[1]))
    turns: list[int] = []

    def happens(entry: Entry) -> None:
        n = len(log) + 1
        log[n] = entry
        table.apply(Logged(n, 0, entry))

    for entry in (Started(), Dealt(), StoodIn(seat=0, reason=ABSENT)):
        happens(entry)
    assert table.game is not None
    while len(turns) < 2:
        (seat,) = table.to_act
        by = "bot"
        if seat == 0:
            by = "player" if turns else "stand_in"
            turns.append(table.turn)
        happens(Acted(seat=seat, action=str(table.game.legal_actions(seat)[0]), by=by))
    player = Player(Client(cast("Any", None), ""), random.Random(0))
    player.client.you = {"seat": 0}
    player.refused = {"too late": turns[0]}
    check(player, log)
    player.refused = {"for no reason": turns[1]}
    with pytest.raises(AssertionError):
        check(player, log)

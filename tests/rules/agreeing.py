"""The engine and the oracle on random games: they must report, allow and refuse the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import oracle
from foretold.errors import ForetoldError
from foretold.game import Game
from foretold.record import RecordData
from foretold.replay import summary

COUNT = 60
"""Games per chunk."""


def records(kind: str, chunk: int, count: int = COUNT, **options: Any) -> list[RecordData]:
    chance = Random(f"{kind} {chunk}")
    return [oracle.random_record(chance, **options) for _ in range(count)]


def refusal(record: RecordData) -> str:
    with pytest.raises(ForetoldError) as caught:
        Game.from_record(record)
    return str(caught.value)


def tell_alike(chunk: int) -> None:
    for record in records("told", chunk):
        assert summary(Game.from_record(record)) == oracle.replay(record)


def allow_the_same(chunk: int) -> None:
    for record in records("legal", chunk, stop_early=1.0):
        game = Game.from_record(record)
        expected = oracle.legal_actions(record)
        assert set(game.to_act) == set(expected)
        for seat, texts in expected.items():
            assert set(map(str, game.legal_actions(seat))) == set(texts)


def refuse_at_the_same_place(chunk: int) -> None:
    chance = Random(f"broken {chunk}")
    for record in records("sound", chunk):
        broken, place = oracle.break_record(chance, record)
        message = refusal(broken)
        assert oracle.location_of(message) == place, (message, broken)

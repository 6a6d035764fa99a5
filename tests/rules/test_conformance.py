"""The engine against the oracle: two readings of the same rules must tell the same games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import oracle
from foretold.errors import ForetoldError
from foretold.game import Game
from foretold.record import RecordData
from foretold.replay import summary

CHUNKS = range(10)
RECORDS = 60
CUT_RECORDS = 60
BROKEN_RECORDS = 60
MANY_SPECIALS = {"players": 3, "specials": oracle.SPECIALS, "rounds": "4,5"}


def records(kind: str, chunk: int, count: int, **options: Any) -> list[RecordData]:
    chance = Random(f"{kind} {chunk}")
    return [oracle.random_record(chance, **options) for _ in range(count)]


def refusal(record: RecordData) -> str:
    with pytest.raises(ForetoldError) as caught:
        Game.from_record(record)
    return str(caught.value)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_a_game_is_told_alike(chunk: int) -> None:
    for record in records("told", chunk, RECORDS):
        assert summary(Game.from_record(record)) == oracle.replay(record)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_the_same_actions_are_legal(chunk: int) -> None:
    for record in records("legal", chunk, CUT_RECORDS, stop_early=1.0):
        game = Game.from_record(record)
        expected = oracle.legal_actions(record)
        assert set(game.to_act) == set(expected)
        for seat, texts in expected.items():
            assert set(map(str, game.legal_actions(seat))) == set(texts)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_a_broken_record_is_refused_at_the_same_place(chunk: int) -> None:
    chance = Random(f"broken {chunk}")
    for record in records("sound", chunk, BROKEN_RECORDS):
        broken, place = oracle.break_record(chance, record)
        message = refusal(broken)
        assert oracle.location_of(message) == place, (message, broken)


@pytest.mark.parametrize("breaker", oracle.BREAKERS, ids=lambda breaker: breaker.__name__)
def test_every_way_to_break_a_record_is_refused(breaker: oracle.Breaker) -> None:
    chance = Random(breaker.__name__)
    found = 0
    for attempt in range(200):
        record = oracle.random_record(chance, MANY_SPECIALS if attempt % 2 else None)
        try:
            broken, place = oracle.break_record(chance, record, breaker)
        except ValueError:
            continue  # this record cannot be broken that way
        found += 1
        message = refusal(broken)
        assert oracle.location_of(message) == place, (message, broken)
        if found == 3:
            return
    assert found


@pytest.mark.parametrize("chunk", CHUNKS)
def test_a_fault_before_any_round_is_refused_without_a_place(chunk: int) -> None:
    chance = Random(f"set-up {chunk}")
    for record in records("set-up", chunk, 20):
        message = refusal(oracle.break_setup(chance, record))
        assert oracle.location_of(message) == "", message

"""The engine against the oracle: two implementations of the same rules must agree on every game."""

from __future__ import annotations

from random import Random

import pytest

import oracle
from rules.agreeing import allow_the_same, records, refusal, refuse_at_the_same_place, tell_alike

CHUNKS = range(4)
"""Chunks of sixty games each; `make soak` goes on to 100,000."""
MANY_SPECIALS = {"players": 3, "specials": oracle.SPECIALS, "rounds": "4,5"}


@pytest.mark.parametrize("chunk", CHUNKS)
def test_a_game_is_told_alike(chunk: int) -> None:
    tell_alike(chunk)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_the_same_actions_are_legal(chunk: int) -> None:
    allow_the_same(chunk)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_a_broken_record_is_refused_at_the_same_place(chunk: int) -> None:
    refuse_at_the_same_place(chunk)


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

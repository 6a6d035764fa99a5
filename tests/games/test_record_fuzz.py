"""Whatever comes in, a record or one clear line comes out."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretold.errors import ForetoldError, UnreadableError
from foretold.game import Game
from foretold.record import (
    RecordData,
    write_record,
)
from foretold.replay import summary
from foretold.rules import Rules
from games.records import LINE, RECORD, one_line, read
from strategies import new_game, play_out, thorough

# Fuzz: whatever comes in, a record or one clear line comes out


def finished(rules: Rules, seed: int) -> RecordData:
    return play_out(new_game(rules, Random(seed)), Random(seed)).to_record()


SOUND: list[RecordData] = [
    finished(Rules(players=3, rounds="1,2"), 1),
    finished(Rules(players=4, specials=["JU", "CL", "WE", "SH"], rounds="3"), 2),
    finished(Rules(mode="monocolour", players=3, rounds="2"), 3),
    finished(Rules(mode="two_player", rounds="2,1"), 4),
    play_out(Game(Rules(players=3, rounds="1"), seed=5), Random(5)).to_record(),
]

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["W", "R4", "bid 0", "play W", "all", "standard", 0, 1, 2, 3]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)


def reads_or_refuses(record: RecordData | bytes) -> None:
    try:
        game = Game.from_record(record)
    except ForetoldError as error:
        one_line(error)
    else:
        summary(game)
        again = Game.from_record(game.to_record())
        assert again.to_record() == game.to_record()


@thorough(300)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for found in read(data):
        if isinstance(found, UnreadableError):
            one_line(found)
        else:
            reads_or_refuses(found)


@thorough(200)
@given(st.lists(st.binary(max_size=5) | st.sampled_from([b"\n", b"\r", LINE, b"{", b"}", b"\0"])))
def test_any_pieces_of_files(pieces: list[bytes]) -> None:
    for found in read(b"".join(pieces)):
        if isinstance(found, UnreadableError):
            one_line(found)


@thorough(200)
@given(JSON_VALUES)
def test_any_json(value: Any) -> None:
    text = json.dumps(value).encode()
    reads_or_refuses(text)
    reads_or_refuses(value)


@thorough(200)
@given(st.dictionaries(st.sampled_from([*RECORD, "edition", "suits", "names"]), JSON_VALUES))
def test_any_fields_of_a_record(fields: dict[str, Any]) -> None:
    reads_or_refuses({"format": "foretold/1", **fields})


@thorough(200)
@given(st.dictionaries(st.sampled_from([*RECORD["rules"], "edition"]), JSON_VALUES))
def test_any_rules(rules: dict[str, Any]) -> None:
    reads_or_refuses({"format": "foretold/1", "rules": rules, "first_dealer": 0})


@st.composite
def mutated_records(draw: st.DrawFn) -> RecordData:
    """A valid record with the values at a few places replaced, doubled, dropped or swapped."""
    record: RecordData = json.loads(json.dumps(draw(st.sampled_from(SOUND))))
    for _ in range(draw(st.integers(1, 3))):
        holder: Any = record
        while True:
            keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = holder[key]
            if isinstance(inner, dict | list) and inner and draw(st.integers(0, 9)):
                holder = inner
                continue
            change = draw(st.integers(0, 3))
            if change == 0:
                del holder[key]
            elif change == 1 and isinstance(holder, list):
                holder.insert(key, inner)
            elif change == 2 and isinstance(holder, list):
                other = draw(st.sampled_from(keys))
                holder[key], holder[other] = holder[other], holder[key]
            else:
                holder[key] = draw(JSON_VALUES)
            break
    return record


@thorough(600)
@given(mutated_records())
def test_any_mutation_of_a_record(record: RecordData) -> None:
    reads_or_refuses(record)


@thorough(200)
@given(st.sampled_from(SOUND), st.data())
def test_any_damage_to_the_text_of_a_record(record: RecordData, data: st.DataObject) -> None:
    text = bytearray(write_record(record))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    for found in read(bytes(text)):
        if isinstance(found, UnreadableError):
            one_line(found)
        else:
            reads_or_refuses(found)


@pytest.mark.parametrize("value", [0, "x", [], {"scheme": "dice"}, ["B", "B", "B"]], ids=str)
@pytest.mark.parametrize("field", ["fair", "suits"])
def test_fields_beyond_the_format_are_kept_whatever_they_hold(field: str, value: Any) -> None:
    """Another program may use these names for something else."""
    record = {**Game(Rules(players=3, mode="monocolour"), seed=1).to_record(), field: value}
    assert Game.from_record(record).to_record()[field] == value

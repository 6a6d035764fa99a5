"""Everything that leaves a table matches the protocol's types: nothing more, nothing less."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from foretold.protocol.describing import members_of, tag_of
from foretold.protocol.events import TableEvent
from foretold.protocol.requests import (
    Back,
    Change,
    ChooseFace,
    Clear,
    Commit,
    Host,
    Leave,
    Readmit,
    Reveal,
    SeatBot,
    Sit,
    Start,
)
from foretold.protocol.settings import TableSettings
from foretold.protocol.study import Grade, ReplayData
from foretold.rules import Rules
from foretold.study import advice
from foretold.table.entries import Claimed, Closed, Dealt, Entry, Rematched, StoodIn
from foretold.table.replay import replay_data
from foretold.table.wire import view_data
from play import start
from tables import CODE, LiveTable, play_on
from variants import VARIANTS
from wire import check_frame

ADDED = bytes(range(32))
"""What a player adds to the shuffle."""


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("spectators", [True, False])
def test_a_game_of_every_kind_is_told_by_the_types(name: str, spectators: bool) -> None:
    """`LiveTable` decodes every frame strictly; here everything that can happen does."""
    rules = Rules(**VARIANTS[name])
    chance = Random(name)
    live = LiveTable(rules=rules.to_options(), settings={"spectators": spectators, "open": True})
    live.ask(0, Commit, commitment=hashlib.sha256(ADDED).hexdigest())
    live.ask(0, SeatBot, seat=1, level="novice")
    live.ask(1, Sit, seat=1)
    live.ask(0, Clear, seat=1)
    live.ask(0, Readmit, name="Ben")
    for seat in range(1, rules.players):
        live.ask(seat, Sit, seat=seat)
    live.ask(1, Leave)
    live.ask(1, Sit, seat=1)
    live.ask(0, Change, settings={"clock": 30})
    live.ask(1, ChooseFace, face="owl")
    live.ask(0, Start)
    live.ask(0, Reveal, bytes=ADDED.hex())
    live.write(Dealt())
    live.ask(0, Host, seat=1)
    play_on(live, chance, 7)
    live.write(StoodIn(seat=0, reason="idle"))
    live.ask(0, Back)
    live.write(Claimed(seat=0))
    play_on(live, chance, 10_000)
    live.write(Rematched(code=CODE))
    for viewer in (None, *range(rules.players)):
        live.welcome(viewer, since=1)
        replay = replay_data(CODE, live.log, viewer)
        msgspec.json.decode(msgspec.json.encode(replay), type=ReplayData)
    told = {json.loads(frame)["event"]["e"] for frame in live.sent[0]}
    known = {tag[1] for kind in members_of(TableEvent) if (tag := tag_of(kind))}
    assert known - told == {"created", "closed", "took_back"}


def test_sums_come_from_the_server() -> None:
    """What was bid in all, and the tricks that are over: the client adds up nothing."""

    def sums() -> list[Any]:
        data = view_data(game.position, game.view(0), 0)
        return [data[name] for name in ("foretold", "over", "finished")]

    game = start("R1 R2", "BO R3", "R4 R5")
    assert sums() == [0, None, 0]
    for bid in ("bid 2", "bid 1", "bid 0"):
        game.push(bid)
    assert sums() == [3, 1, 0]
    for card in ("R1", "BO", "R4"):
        game.push(f"play {card}")
    assert sums() == [3, 1, 1], "a trick that a Bomb set aside is over too"
    game = start("R1", "R2", "R3", bidding="hidden")
    game.push("bid 1", 1)
    assert sums() == [None, None, 0], "a sealed bid says nothing, not even in a sum"


def test_a_closed_table_is_told_by_the_types() -> None:
    live = LiveTable()
    assert live.write(Closed())[0]["event"]["e"] == "closed"


def test_every_entry_of_the_log_is_an_event() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(Entry)}
    assert kinds == {tag[1] for kind in members_of(TableEvent) if (tag := tag_of(kind))}


def test_grades_are_those_of_reviews() -> None:
    [literal, *_] = get_args(Grade)
    assert get_args(literal) == tuple(map(str, advice.Grade))


def test_settings_are_always_told_in_full() -> None:
    told = LiveTable().welcome(0)["table"]["settings"]
    assert set(told) == {field.name for field in msgspec.structs.fields(TableSettings)}


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(more=1),
        lambda told: told["table"].update(more=1),
        lambda told: told["table"].pop("hints"),
        lambda told: told["table"]["seats"][0].pop("stand_in"),
        lambda told: told["you"].update(seat="0"),
        lambda told: told.update(t="hello"),
    ],
)
def test_what_is_not_as_the_types_say_is_noticed(change: Any) -> None:
    told = LiveTable().welcome(0)
    check_frame(json.dumps(told))
    change(told)
    with pytest.raises(msgspec.ValidationError):
        check_frame(json.dumps(told))

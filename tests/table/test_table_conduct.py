"""People who misbehave: broken promises, endless changes, removed guests."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import pytest

from foretold import Game
from foretold.protocol.requests import (
    Back,
    Change,
    Clear,
    Close,
    Leave,
    Readmit,
    Request,
    Reveal,
    SeatBot,
    Sit,
    Start,
)
from foretold.table import Refused
from foretold.table.changes import MOST_BY_ALL, MOST_CHANGES
from foretold.table.creation import MOST_ROUNDS
from foretold.table.entries import Dealt, encode_entry
from foretold.table.seating import moved_seat
from foretold.table.table import Table
from foretold.verify import Answer, verify
from tables import LiveTable, play_on, started


def refusal(live: LiveTable, player: int, kind: type[Request], **fields: Any) -> str:
    n = live.table.n
    with pytest.raises(Refused) as caught:
        live.ask(player, kind, **fields)
    assert live.table.n == n
    return caught.value.code


def test_a_player_who_does_not_reveal_is_told_of_at_the_table_and_in_the_record() -> None:
    added = bytes(range(32))
    promised = [hashlib.sha256(one).hexdigest() for one in (added, bytes(32))]
    live = LiveTable(rules={"players": 3, "rounds": "1"}, commitment=promised[0])
    live.ask(1, Sit, seat=1, commitment=promised[1])
    live.ask(2, Sit, seat=2)
    live.ask(0, Start)
    live.ask(0, Reveal, bytes=added.hex())
    live.write(Dealt())
    fair = live.welcome(2)["table"]["fair"]
    assert fair["contribution_commitments"] == [*promised, ""]
    assert fair["contributions"] == [added.hex(), "", ""]
    play_on(live, Random(1), 100)
    record = live.table.record()
    assert record is not None
    assert record["fair"]["contribution_commitments"] == [*promised, ""]
    for verdict in verify(Game.from_record(record)):
        assert verdict.answer is Answer.VERIFIED
        assert verdict.reason.endswith("bytes of seat 0; seat 1 withheld the promised bytes")


def test_a_change_that_changes_nothing_is_not_written_down() -> None:
    live = LiveTable(
        rules={"edition": "anniversary"}, bots=[None, "novice"], settings={"pace": 100}
    )
    rules = {"edition": "anniversary"}
    secrets = live.table.deals
    n = live.table.n
    live.ask(0, Change, settings={"pace": 100})
    live.ask(0, Change, settings={"public": False, "clock": None})
    live.ask(0, Change, settings={})
    live.ask(0, Change)
    live.ask(0, Change, rules=rules)
    live.ask(0, Change, rules=live.table.rules.to_options() | rules, settings={"pace": 100})
    live.ask(0, SeatBot, seat=1, level="novice")
    assert live.table.n == n
    assert live.table.deals is secrets
    live.ask(0, Change, rules=rules, settings={"pace": 200})
    live.ask(0, SeatBot, seat=1, level="adept")
    live.ask(0, Change, rules=live.table.rules.to_options())  # no longer an edition's
    assert live.table.n == n + 3


def test_who_asks_for_nothing_new_is_still_told_who_may_ask() -> None:
    live = LiveTable(bots=[None, "novice"])
    live.ask(1, Sit, seat=2)
    assert refusal(live, 1, Change, settings={"pace": live.table.settings.pace}) == "not_host"
    assert refusal(live, 1, SeatBot, seat=1, level="novice") == "not_host"


def test_who_has_left_a_game_cannot_leave_it_again_and_again() -> None:
    live = started()
    live.ask(1, Leave)
    n = live.table.n
    live.ask(1, Leave)
    assert live.table.n == n


def lobby_bytes(live: LiveTable) -> int:
    """The size of a table's log so far."""
    return sum(len(encode_entry(logged.entry)) for logged in live.log)


def is_full(live: LiveTable, player: int, kind: type[Request], **fields: Any) -> bool:
    """Make a request; returns whether it is refused because the table is full."""
    try:
        live.ask(player, kind, **fields)
    except Refused as refused:
        return refused.code == "full"
    return False


def change_until_full(live: LiveTable, seat: int) -> int:
    """Change the rules, with as many rounds as possible, until refused; returns how often."""
    longest = {"players": 3, "rounds": ",".join(["20"] * MOST_ROUNDS)}
    for number in range(10_000):
        rules = {**longest, "bidding": ("hidden", "open")[number % 2]}
        if is_full(live, seat, Change, rules=rules):
            return number
    raise AssertionError("there is no end to it")


def test_changes_come_to_an_end_and_the_game_does_not() -> None:
    live = LiveTable(rules={"players": 3})
    assert change_until_full(live, 0) > 100
    assert lobby_bytes(live) < MOST_CHANGES + 20_000
    live.ask(1, Sit, seat=1)
    live.ask(0, Close)

    live = started(pace=0)
    live.table.changes.update(dict.fromkeys(live.table.changes, MOST_CHANGES))
    live.ask(1, Leave)
    assert refusal(live, 1, Back) == "full"
    assert refusal(live, 0, Change, settings={"pace": 5}) == "full"
    play_on(live, Random(1), 1000)  # acting means being back
    assert live.table.state == "over"


def test_a_chain_of_hosts_comes_to_an_end_too() -> None:
    live = LiveTable(rules={"players": 3})
    for host in range(50):
        change_until_full(live, host)
        if is_full(live, host + 1, Sit, seat=(host + 1) % 3):
            break
        live.ask(host, Leave)
    assert lobby_bytes(live) < MOST_BY_ALL + 2 * MOST_CHANGES


@pytest.mark.parametrize("counts", [(15, 4, 15), (4, 15, 4), (1, 60, 20)])
def test_secrets_are_drawn_once_however_often_the_rules_change(counts: tuple[int, ...]) -> None:
    live = LiveTable(rules={"players": 3, "rounds": "2"})
    commitments = live.table.deals.commitments
    for count in counts:
        live.ask(0, Change, rules={"players": 3, "rounds": ",".join(["2"] * count)})
        now = live.table.deals.commitments
        assert len(now) == count + 1
        shared = min(len(now), len(commitments))
        assert now[:shared] == commitments[:shared]
        commitments = max(now, commitments, key=len)
    assert len(set(commitments)) == len(commitments)
    assert Table.replayed(live.table.code, live.log).deals == live.table.deals


def test_a_seat_is_not_handed_to_and_fro_for_ever() -> None:
    live = LiveTable(rules={"players": 3})
    live.ask(1, Sit, seat=1)
    live.table.changes["p1"] = MOST_CHANGES - 100
    for number in range(5):
        before, after = ("p1", "p2") if number % 2 == 0 else ("p2", "p1")
        moved = moved_seat(live.table, before, after, "Ben")
        assert moved is not None
        live.write(moved)
    with pytest.raises(Refused) as refused:
        moved_seat(live.table, "p2", "p1", "Ben")
    assert refused.value.code == "full"


def test_guests_who_change_too_much_do_not_tie_the_hosts_hands() -> None:
    live = LiveTable(rules={"players": 3})
    while live.table.changes["p1"] < MOST_CHANGES:
        live.ask(1, Sit, seat=1)
        live.ask(1, Leave)
    assert refusal(live, 1, Sit, seat=1) == "full"
    live.ask(2, Sit, seat=1)
    live.table.changes["others"] = MOST_BY_ALL
    assert refusal(live, 3, Sit, seat=2) == "full"
    live.ask(0, Clear, seat=1)
    live.ask(0, SeatBot, seat=1, level="novice")


def test_whoever_the_host_removed_cannot_sit_down_again_unless_let_back_in() -> None:
    live = LiveTable(rules={"players": 3}, bots=[None, "novice"])
    live.ask(1, Sit, seat=2)
    told = live.ask(0, Clear, seat=2)[None]
    assert told["table"]["removed"] == ["Ben"]
    assert refusal(live, 1, Sit, seat=2) == "removed"
    assert refusal(live, 1, Sit, seat=1) == "removed"
    live.ask(2, Sit, seat=2)
    assert refusal(live, 2, Readmit, name="Ben") == "not_host"
    assert refusal(live, 0, Readmit, name="Cleo") == "not_removed"
    told = live.ask(0, Readmit, name="Ben")[None]
    assert told["event"]["name"] == "Ben"
    assert told["table"]["removed"] == []
    live.ask(1, Sit, seat=1)
    assert live.table.names == ("Ana", "Ben", "Cleo")


def test_the_removed_stay_away_from_the_game_too_and_bots_are_not_held_against() -> None:
    rules = {"players": 3, "rounds": "2"}
    live = LiveTable(rules=rules, settings={"open": True}, bots=[None, "novice", "novice"])
    live.ask(0, Clear, seat=1)
    live.ask(1, Sit, seat=1)
    assert live.table.removed == {}
    live.ask(0, Clear, seat=1)
    live.ask(0, SeatBot, seat=1, level="novice")
    live.ask(0, Start)
    live.write(Dealt())
    assert refusal(live, 1, Sit, seat=1) == "removed"
    live.ask(0, Readmit, name="Ben")
    live.ask(1, Sit, seat=1)

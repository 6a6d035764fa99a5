"""What one person among bots takes back, and what stays as it is."""

from __future__ import annotations

from random import Random
from typing import Any

from foretold.protocol.requests import Change, Sit, TakeBack
from foretold.table import Table
from foretold.table.creation import rematch_of, started_at_once
from foretold.table.entries import Acted, Dealt, Started, TookBack
from foretold.table.replay import replay_data
from foretold.table.snapshots import read_snapshot, restored, snapshot_of
from table.refusals import refused
from tables import BY_PLAYER, CODE, LiveTable, alone, random_action, started

RULES: dict[str, Any] = {"rounds": "3,2", "dealer_by": "seat"}


def until_asked(live: LiveTable, chance: Random) -> None:
    """The bots decide until it is the person's turn, or the game is over."""
    while live.table.to_act and live.table.to_act[0] != 0:
        seat, action = random_action(live, chance)
        live.write(Acted(seat=seat, action=action, by="bot"))


def decide(live: LiveTable, chance: Random) -> None:
    live.act(*random_action(live, chance))
    until_asked(live, chance)


def take_back(live: LiveTable) -> None:
    live.ask(0, TakeBack, turn=live.table.turn)


def test_a_decision_and_what_followed_it_are_taken_back() -> None:
    live, chance = alone(**RULES), Random(1)
    until_asked(live, chance)
    before = live.welcome(0)["view"]
    decide(live, chance)
    decide(live, chance)
    take_back(live)
    take_back(live)
    after = live.welcome(0)["view"]
    assert after.pop("turn") > before.pop("turn")
    assert after == before
    assert refused(take_back, live) == "nothing_to_take_back"
    assert live.welcome(0)["table"]["taken_back"] == 2


def test_what_is_told_lies_over_what_a_client_has() -> None:
    live, chance = alone(**RULES), Random(2)
    until_asked(live, chance)
    decide(live, chance)
    told = live.write(live_entry(live))
    assert told[0]["event"]["e"] == "took_back"
    assert told[0]["view"] == live.welcome(0)["view"]


def live_entry(live: LiveTable) -> TookBack:
    assert live.table.past is not None
    return TookBack(seat=0, to=live.table.past.decided[-1])


def test_a_log_with_decisions_taken_back_replays_to_the_final_line() -> None:
    live, chance = alone(**RULES), Random(3)
    until_asked(live, chance)
    while live.table.state == "playing":
        decide(live, chance)
        if live.table.past is not None and live.table.past.decided and chance.random() < 0.4:
            take_back(live)
            again = Table.replayed(CODE, live.log)
            assert again.record() == live.table.record()
            woken = restored(
                read_snapshot(snapshot_of(live.audience).data), live.log[-1:], BY_PLAYER
            )
            assert woken.welcome("p0", "Ana", None, {}) == live.audience.welcome(
                "p0", "Ana", None, {}
            )
    record = live.table.record()
    assert record is not None
    assert record["taken_back"] == live.table.taken_back > 0
    replay = replay_data(CODE, live.log, None)
    assert replay is not None
    acts = [one["event"] for one in replay["steps"] if one["event"]["e"] == "act"]
    played = [action for line in record["rounds"] for action in line["actions"]]
    assert [[one["seat"], one["action"]] for one in acts] == played
    assert replay["taken_back"] == live.table.taken_back


def test_a_finished_round_and_a_pass_stand() -> None:
    live, chance = alone(**{**RULES, "rounds": "1,2"}), Random(4)
    until_asked(live, chance)
    while len(live.table.game.sheet if live.table.game else ()) == 0:
        decide(live, chance)
    if live.table.past is not None and live.table.past.decided:
        take_back(live)  # a bid of the new round
    assert refused(take_back, live) == "nothing_to_take_back"


def test_nothing_is_taken_back_among_people() -> None:
    assert refused(take_back, started()) == "no_take_back"
    live, chance = alone(**RULES), Random(5)
    live.ask(0, Change, settings={"open": True})
    until_asked(live, chance)
    decide(live, chance)
    live.ask(1, Sit, seat=1)
    assert refused(take_back, live) == "no_take_back"
    assert not live.welcome(0)["table"]["take_backs"]


def test_nobody_sits_down_in_a_round_that_was_tried_out() -> None:
    """Whoever takes decisions back has seen cards of others."""
    live, chance = alone(**RULES), Random(5)
    live.ask(0, Change, settings={"open": True})
    until_asked(live, chance)
    decide(live, chance)
    take_back(live)
    assert refused(live.ask, 1, Sit, seat=1) == "taken_back"
    while live.table.game is not None and not live.table.game.sheet:
        decide(live, chance)
    live.ask(1, Sit, seat=1)


def test_a_rematch_is_shuffled_with_what_its_player_promised() -> None:
    live, chance = alone(**RULES), Random(3)
    until_asked(live, chance)
    while live.table.state == "playing":
        decide(live, chance)
    promised = rematch_of(live.table, "p0", "ab" * 32)
    assert promised.commitments == ("ab" * 32, *[""] * (live.table.rules.players - 1))
    # The deal waits for the player's bytes, if there are any.
    assert started_at_once(promised) == (Started(),)
    assert started_at_once(rematch_of(live.table, "p0")) == (Started(), Dealt())
    assert refused(rematch_of, live.table, "p0", "nonsense") == "bad_commitment"

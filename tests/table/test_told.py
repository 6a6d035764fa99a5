"""What everyone at a table is sent, live and in a replay."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from foretold import Game
from foretold.protocol.requests import ChooseFace, Sit, Start
from foretold.replay import summary
from foretold.rules import Rules
from foretold.table import Table
from foretold.table.entries import Dealt
from foretold.table.replay import replay_data
from strategies import chances, rules, thorough
from tables import CODE, LiveTable, play_on, random_action, started

# What everyone is told


@thorough(60)
@given(rules=rules(), chance=chances())
def test_a_log_replays_to_the_same_table_and_record(rules: Rules, chance: Random) -> None:
    live = started(rules, chance.randrange(2**32))
    play_on(live, chance, chance.randrange(200))
    again = Table.replayed(CODE, live.log)
    record = live.table.record()
    assert again.record() == record
    assert again.turn == live.table.turn
    assert again.to_act == live.table.to_act
    assert record is not None
    game = live.table.game
    assert game is not None
    assert summary(Game.from_record(record))["rounds"] == summary(game)["rounds"][: len(game.sheet)]


def test_those_who_come_back_are_told_what_they_missed() -> None:
    live = started()
    seen = live.table.n
    for _ in range(3):
        live.act(*random_action(live, Random(4)))
    missed = live.welcome(2, since=seen)["missed"]
    assert [event["n"] for event in missed] == [seen + 1, seen + 2, seen + 3]
    assert live.welcome(2)["missed"] == []
    assert live.welcome(2, since=live.table.n)["missed"] == []


def test_earlier_tricks_lie_face_down_for_those_who_come_back() -> None:
    """Whatever number they say they have seen."""
    live = started(Rules(players=3, rounds="4-5"))
    last: list[str] = []
    present: list[str] = []
    others: list[str] = []
    for seed in range(30):  # into the second round
        seat, action = random_action(live, Random(seed))
        event = live.act(seat, action)[seat]["event"]
        (present if str(action).startswith("play ") else others).append(str(action))
        if "trick" in event:
            last, present = present, []
        missed = live.welcome(1, since=0)["missed"]
        acts = [one["action"] for one in missed if one["e"] == "act"]
        assert [one for one in acts if one.startswith("play ")] == [*last, *present]
        assert [one for one in acts if not one.startswith("play ")] == others
    assert len(last) == 3


def test_where_spectators_are_not_welcome_they_see_the_seats_only() -> None:
    live = started(Rules(rounds="1"), spectators=False)
    told = live.act(*random_action(live, Random(1)))
    assert set(told[None]) == {"t", "n", "event"}
    assert set(told[None]["event"]) == {"e", "n", "at"}
    welcome = live.welcome(None, since=1)
    assert welcome["view"] is None
    assert welcome["missed"] == []
    play_on(live, Random(1), 100)
    assert live.welcome(None)["view"]["phase"] == "over"


# Replay


@thorough(40)
@given(rules=rules(), chance=chances(), open_hands=st.booleans())
def test_a_replay_has_every_step_of_the_finished_rounds(
    rules: Rules, chance: Random, open_hands: bool
) -> None:
    live = started(rules, chance.randrange(2**32))
    play_on(live, chance, chance.randrange(120))
    viewer = None if open_hands else chance.randrange(rules.players)
    replay = replay_data(CODE, live.log, viewer)
    game = live.table.game
    assert replay is not None
    assert game is not None
    done = len(game.sheet)
    if not done:
        assert replay["first"] is None
        assert replay["steps"] == []
        return
    logs = game.position.logs[:done]
    assert len(replay["steps"]) == sum(len(log.actions) + 1 for log in logs) - 1
    view = replay["first"]
    views = [view]
    taken = []
    for step in replay["steps"]:
        view = {**view, **step["view"]}
        views.append(view)
        if step["event"]["e"] == "act":
            taken.append(step["event"]["action"])
    assert view["phase"] == ("over" if replay["complete"] else "deal")
    assert len(view["sheet"]) == done
    assert view["totals"] == game.totals
    if open_hands:
        assert all(one["sealed"] == [False] * rules.players for one in views)
        assert taken == [str(action) for log in logs for _, action in log.actions]
    assert {str(one["answer"]) for one in replay["verdicts"]} == {"verified"}


def test_a_replay_shows_nothing_of_the_round_under_way() -> None:
    live = started(Rules(rounds="1,5", dealer_by="seat"))
    game = live.table.game
    assert game is not None
    while not game.sheet:
        live.act(*random_action(live, Random(1)))
    for viewer in (None, 0):
        replay = replay_data(CODE, live.log, viewer)
        assert replay is not None
        last = replay["first"]
        for step in replay["steps"]:
            last = {**last, **step["view"]}
        assert (last["round"], last["size"], last["phase"]) == (1, 1, "deal")
        assert last.get("hands", [[]] * 4) == [[]] * 4
        assert "next" not in replay["steps"][-1]["event"]


def test_a_replay_with_open_hands_adds_up_the_bids_that_the_table_could_not_see() -> None:
    live = started(Rules(players=3, bidding="secret", rounds="2", dealer_by="seat"))
    play_on(live, Random(4), 100)
    replay = replay_data(CODE, live.log, None)
    assert replay is not None
    view, bids = replay["first"], dict[int, int]()
    assert (view["order"], view["over"], view["off"]) == ((1, 2, 0), None, [None] * 3)
    for step in replay["steps"][:3]:
        view = {**view, **step["view"]}
        bids[step["event"]["seat"]] = int(step["event"]["action"].removeprefix("bid "))
        assert view["foretold"] == sum(bids.values())
    assert view["over"] == sum(bids.values()) - 2
    assert view["off"] == [(-bids[seat], 1 - bids[seat], 2 - bids[seat]) for seat in range(3)]


@thorough(20)
@given(rules=rules(), chance=chances())
def test_what_is_off_a_bid_is_what_the_points_are_for(rules: Rules, chance: Random) -> None:
    """RULES 7: a bid met exactly scores 20 and 10 a trick; otherwise each trick off costs 10."""
    live = started(rules, chance.randrange(2**32))
    play_on(live, chance, 150)
    assert live.table.game is not None
    for line in live.table.game.sheet:
        for off, taken, points in zip(line.off, line.taken, line.points, strict=True):
            assert points == (20 + 10 * taken if off == 0 else -10 * abs(off))


def test_a_replay_has_the_faces_that_were_at_the_table() -> None:
    live = LiveTable(bots=[None, None, None, "novice"], settings={"open": True})
    for seat in (1, 2):
        live.ask(seat, Sit, seat=seat)
    live.ask(1, ChooseFace, face="fox")
    live.ask(0, Start)
    live.write(Dealt())
    live.ask(1, ChooseFace, face="owl")
    replay = replay_data(CODE, live.log, None)
    assert replay is not None
    assert replay["faces"] == [None, "owl", None, None]


def test_there_is_no_replay_before_the_first_deal() -> None:
    assert replay_data(CODE, LiveTable().log, None) is None

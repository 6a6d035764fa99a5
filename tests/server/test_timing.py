"""When bots stand in for people, by a clock that the tests move."""

from __future__ import annotations

from pathlib import Path

import pytest

from foretold.server.rooms import timing
from foretold.server.rooms.timing import Timing
from foretold.server.settings import ServerSettings
from foretold.table.entries import Acted, StoodIn
from foretold.table.refusals import Refused
from server.test_limits import Clock
from tables import LiveTable, started

GRACE = 600.0
CLOCK = 30


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timing, "time", clock)
    return clock


def write(live: LiveTable, timed: Timing, entry: Acted | StoodIn) -> None:
    live.write(entry)
    timed.goes_on(entry)


def test_a_clock_runs_out_once_for_an_absent_player(clock: Clock) -> None:
    """Or everyone would wait for the whole clock at each of their decisions."""
    live = started(clock=CLOCK)
    timed = Timing(live.table, ServerSettings(data=Path(), grace=GRACE))
    (absent,) = live.table.to_act
    others = set(range(live.table.rules.players)) - {absent}
    timed.leaves(absent)
    clock.now += CLOCK - 1
    assert timed.late(others) == []
    clock.now += 1
    assert timed.late(others) == [(absent, "absent")]
    write(live, timed, StoodIn(seat=absent, reason="absent"))
    for _ in range(2 * live.table.rules.players):
        seat = live.table.to_act[0]
        assert live.table.game is not None
        action = str(live.table.game.legal_actions(seat)[0])
        by = "stand_in" if seat == absent else "player"
        write(live, timed, Acted(seat=seat, action=action, by=by))
        assert live.table.level_of(absent) is not None
        assert absent not in dict(timed.late(others))
        if live.table.to_act == (absent,):
            clock.now += 10 * CLOCK
            assert timed.late(others) == []  # a bot plays at once: nobody is waited for


def test_a_clock_costs_a_present_player_that_one_decision(clock: Clock) -> None:
    live = started(clock=CLOCK)
    timed = Timing(live.table, ServerSettings(data=Path(), grace=GRACE))
    (slow,) = live.table.to_act
    everyone = range(live.table.rules.players)
    clock.now += CLOCK
    assert timed.late(everyone) == [(slow, "clock")]
    write(live, timed, StoodIn(seat=slow, reason="clock"))
    assert live.table.game is not None
    action = str(live.table.game.legal_actions(slow)[0])
    write(live, timed, Acted(seat=slow, action=action, by="stand_in"))
    assert live.table.level_of(slow) is None


def test_the_others_may_let_a_bot_play_only_after_a_sixth_of_the_grace(clock: Clock) -> None:
    live = started()
    timed = Timing(live.table, ServerSettings(data=Path(), grace=GRACE))
    (absent,) = live.table.to_act
    others = set(range(live.table.rules.players)) - {absent}
    timed.leaves(absent)
    clock.now += GRACE / 6 - 1
    assert timed.presence(others, 0)["away"] == [
        {"seat": absent, "left": round(GRACE * 5 / 6 + 1) * 1000, "bot_in": 1000}
    ]
    with pytest.raises(Refused) as refused:
        timed.lets_bot(absent, others)
    assert refused.value.code == "not_awaited"
    clock.now += 1
    timed.lets_bot(absent, others)

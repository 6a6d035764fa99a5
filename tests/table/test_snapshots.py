"""Snapshots: a table woken from one equals the table replayed from its whole log."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from foretold.rules import Rules
from foretold.table.audience import Audience
from foretold.table.entries import Acted, Closed, Left, Logged, Rematched, StoodIn
from foretold.table.snapshots import Snapshot, read_snapshot, replayed, restored, snapshot_of
from strategies import rules, thorough
from tables import CODE, LiveTable, names_of, play_on, random_action, started


def told(audience: Audience) -> list[bytes]:
    """Everything that anyone coming to a table could be sent, and its whole record."""
    table = audience.table
    viewers = [None, *(f"p{seat}" for seat in range(table.rules.players))]
    welcomes = [
        audience.welcome(viewer, None, since, {})
        for viewer in viewers
        for since in (None, 0, table.n - 3)
    ]
    return [*welcomes, repr(table.record()).encode(), repr(table.game).encode()]


def wake(snapshot: Snapshot, log: list[Logged]) -> Audience:
    stored = read_snapshot(snapshot.data)
    return restored(stored, log, names_of(stored.players))


@given(rules(), st.integers(0, 9), st.integers(0, 60), st.integers(0, 60))
@thorough(40)
def test_a_snapshot_and_the_rest_of_the_log_are_the_whole_log(
    chosen: Rules, seed: int, before: int, after: int
) -> None:
    chance = Random(seed)
    live = started(chosen, seed)
    live.write(StoodIn(seat=1, reason="clock"))
    play_on(live, chance, before)
    snapshot = snapshot_of(live.audience)
    assert snapshot.n == live.table.n
    end_of_log = len(live.log) - 1
    play_on(live, chance, after)
    live.write(Rematched(code="BBBBBB", asked_by="p0", ask_id="again"))

    whole = replayed(CODE, live.log)
    woken = wake(snapshot, live.log[end_of_log:])
    assert told(woken) == told(whole) == told(live.audience)
    assert snapshot_of(woken) == snapshot_of(whole) == snapshot_of(live.audience)
    assert woken.table.done("p0", "again") == live.table.n
    # And the game continues in the same way.
    if live.table.to_act:
        seat, action = random_action(live, chance)
        entry = Logged(live.table.n + 1, 0, Acted(seat=seat, action=action))
        assert woken.advance(entry, (0, None)) == whole.advance(entry, (0, None))
        assert told(woken) == told(whole)


def test_a_table_in_its_lobby_has_snapshots_too() -> None:
    live = LiveTable()
    live.write(Left(seat=0))
    live.write(Closed())
    woken = wake(snapshot_of(live.audience), live.log[-1:])
    assert told(woken) == told(replayed(CODE, live.log))

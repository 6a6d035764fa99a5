"""People who do not play along: promises not kept, changes without end, guests sent away."""

from __future__ import annotations

import hashlib
from random import Random

from foretold import Game
from foretold.table.entries import Dealt
from foretold.table.messages import Reveal, Sit, Start
from foretold.verify import Answer, verify
from tables import LiveTable, play_on


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

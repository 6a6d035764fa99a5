"""A card or a bid is told in the same bytes, written directly or found by comparing.

`test_views` compares what is sent with views that are built anew from the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from foretold.rules import Clairvoyance, Rules
from foretold.table import Audience, Logged, Table, audience
from foretold.table.entries import Acted, Dealt, Started
from foretold.table.plays import Teller, direct_teller, told_of_bid, told_of_card
from table.test_views import EVERY_MODE
from tables import CODE, LiveTable


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_cards_and_bids_are_told_in_the_same_bytes_as_by_comparing(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: Counter[Teller | None] = Counter()

    def counted(*happened: Any) -> Teller | None:
        tell = direct_teller(*happened)
        used[tell] += 1
        return tell

    monkeypatch.setattr(audience, "direct_teller", counted)
    for seed in range(4):
        log = game_log(EVERY_MODE[mode], seed)
        direct = told(log, Random(seed))
        with monkeypatch.context() as compared:
            compared.setattr(audience, "direct_teller", lambda *_: None)
            assert told(log, Random(seed)) == direct
    assert used[told_of_card] > 10
    rules = EVERY_MODE[mode]
    if not (rules.seals_bids or rules.clairvoyance is not Clairvoyance.OFF):
        assert used[told_of_bid] > 10


def game_log(rules: Rules, seed: int) -> list[Logged]:
    """A whole game played at random, by a person and in all other ways."""
    chance = Random(seed)
    bots = [None, *["apprentice"] * (rules.players - 1)]
    live = LiveTable(seed, rules=rules.to_options(), bots=bots)
    live.write(Started())
    live.write(Dealt())
    while live.table.to_act:
        assert live.table.game is not None
        seat = chance.choice(live.table.to_act)
        action = str(chance.choice(tuple(live.table.game.legal_actions(seat))))
        by = chance.choice(("player", "bot", "stand_in", "claim"))
        live.write(Acted(seat=seat, action=action, by=by))
    return live.log


def told(log: Sequence[Logged], chance: Random) -> list[object]:
    """Everything that viewers, who come and go, are sent of a game; and what is kept of it."""
    watched = Audience(Table(CODE, log[0]), log[:1])
    viewers = (None, *range(len(watched.table.seats)))
    sent: list[object] = []
    for logged in log[1:]:
        some = {viewer for viewer in viewers if chance.random() < 0.97}
        sent.append(watched.advance(logged, some))
    return [*sent, *watched.events]

"""Who may claim the rest takes it, wherever the hidden cards are and whatever the others play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from foretold import Game
from foretold.claim import may_claim
from foretold.deal import Deal
from foretold.kernel.claims import takes_the_rest
from foretold.position import Position
from foretold.rules import Rules


def on_lead(own: list[str], *others: list[str], turned: str = "R1", **options: Any) -> Position:
    """Seat 1 has these cards and leads; then come the others."""
    deal = Deal.of([others[-1], own, *others[:-1]], turned)
    size = len(own)
    rules = Rules(players=len(others) + 1, rounds=str(size), dealer_by="seat", **options)
    game = Game(rules, deals=[deal])
    while game.position.trick is None:
        game.push(game.legal_actions()[0])
    return game.position


FEW = (["B1", "B2"], ["G1", "G2"])


@pytest.mark.parametrize(
    ("own", "options", "certain"),
    [
        (["W", "W"], {}, True),
        (["W", "W"], {"dark_wizard": True}, False),
        (["W", "R13"], {}, False),  # a Wizard is left
        (["W", "B13"], {}, False),
        (["W", "J"], {}, False),
        (["W", "W"], {"specials": ("BO",)}, False),  # nobody would take its trick
    ],
)
def test_what_is_certain(own: list[str], options: dict[str, Any], certain: bool) -> None:
    assert may_claim(on_lead(own, *FEW, **options), 1) is certain


def test_nothing_is_claimed_out_of_turn_or_for_one_card() -> None:
    position = on_lead(["W", "W"], *FEW)
    assert not may_claim(position, 0)
    assert not may_claim(on_lead(["W"], ["B1"], ["G1"]), 1)


def test_a_claim_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging takes longer if no other hand can win: asking often would measure that."""
    position, judged = on_lead(["W", "R13"], *FEW), []

    def judge(*args: Any) -> bool:
        judged.append(args)
        return takes_the_rest(*args)

    monkeypatch.setattr("foretold.claim.takes_the_rest", judge)
    assert not may_claim(position, 1)
    assert len(judged) == 2
    assert not may_claim(position, 1)
    assert not may_claim(position, 0)
    assert len(judged) == 2


@pytest.mark.parametrize("players", [3, 6])
def test_a_claim_always_holds(players: int) -> None:
    claims = 0
    for seed in range(60):
        chance = Random(seed)
        game = Game(Rules(players=players, rounds=str(60 // players)), seed=seed)
        while not game.outcome():
            [seat] = game.to_act
            if game.position.trick is not None and may_claim(game.position, seat):
                claims += 1
                left = game.position.size - len(game.position.tricks)
                taken = game.position.taken[seat]
                for _ in range(5):
                    again = game.copy()
                    while not again.outcome():
                        again.push(chance.choice(tuple(again.legal_actions())))
                    assert again.sheet[-1].taken[seat] == taken + left
            game.push(chance.choice(tuple(game.legal_actions())))
    assert claims > 10

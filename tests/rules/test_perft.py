"""Perft: the number of sequences of legal actions, counted by the oracle (`perft/make.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foretold import Action, Game, Phase
from foretold.kernel.perft import perft
from foretold.rules import Bidding, BidRule, Mode, SuitAfterWizard

POSITIONS: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "perft").glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
each_position = pytest.mark.parametrize("position", POSITIONS, ids=[p["name"] for p in POSITIONS])


@each_position
def test_the_number_of_sequences(position: dict[str, Any]) -> None:
    state = Game.from_record(position["record"]).position.state
    depths = range(len(position["counts"]) + 1)
    assert [perft(state, depth) for depth in depths] == [1, *position["counts"]]


@each_position
def test_the_order_of_the_legal_actions(position: dict[str, Any]) -> None:
    """Ascending action numbers, which are part of the public interface."""
    legal = Game.from_record(position["record"]).legal_actions()
    assert [str(action) for action in legal] == position["actions"]
    assert list(legal) == sorted(Action(text) for text in position["actions"])
    assert len(legal) == legal.count() == position["counts"][0]


@each_position
def test_sequences_pushed_one_by_one(position: dict[str, Any]) -> None:
    """`Game` agrees with the kernel, up to a thousand sequences deep, and `pop` undoes it all."""
    game = Game.from_record(position["record"])
    before = game.to_record()
    deep = max(depth for depth, count in enumerate([1, *position["counts"]]) if count <= 1000)
    assert count_by_pushing(game, deep) == [1, *position["counts"]][deep]
    assert game.to_record() == before


def count_by_pushing(game: Game, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for action in game.legal_actions():
        game.push(action)
        count += count_by_pushing(game, depth - 1)
        game.pop()
    return count


def test_every_phase_and_option_has_a_position() -> None:
    games = [Game.from_record(position["record"]) for position in POSITIONS]
    assert {game.phase for game in games} == set(Phase) - {Phase.DEAL, Phase.OVER}
    for option, values in {
        "mode": Mode,
        "bidding": Bidding,
        "bid_rule": BidRule,
        "suit_after_wizard": SuitAfterWizard,
    }.items():
        assert {getattr(game.rules, option) for game in games} == set(values)
    assert {game.rules.dark_wizard for game in games} == {False, True}


def test_names_are_unique() -> None:
    assert len({position["name"] for position in POSITIONS}) == len(POSITIONS)

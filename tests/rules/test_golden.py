"""Golden games: every edition, mode and value of an option has one, and replays as it must.

The oracle computed what is expected (`golden/make.py`), never the engine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import oracle
from foretold import EDITIONS, Game, Rules
from foretold.cards import SPECIALS
from foretold.replay import summary
from foretold.rules import OPTIONS

GAMES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "games.jsonl").read_text("utf-8").splitlines()
]
RULES = [Rules.from_options(game["record"]["rules"]) for game in GAMES]


@pytest.mark.parametrize("golden", GAMES, ids=[game["name"] for game in GAMES])
def test_a_golden_game_replays_as_it_must(golden: dict[str, Any]) -> None:
    found, expected = summary(Game.from_record(golden["record"])), golden["replay"]
    for number, (one, other) in enumerate(zip(found["rounds"], expected["rounds"], strict=True), 1):
        assert one == other, f"round {number}"
    assert found == expected
    assert found["status"] == "finished"


@pytest.mark.parametrize("golden", GAMES, ids=[game["name"] for game in GAMES])
def test_a_golden_game_is_as_the_oracle_has_it(golden: dict[str, Any]) -> None:
    assert oracle.replay(golden["record"]) == golden["replay"]


@pytest.mark.parametrize("golden", GAMES, ids=[game["name"] for game in GAMES])
def test_a_golden_game_is_written_as_it_was_read(golden: dict[str, Any]) -> None:
    written = Game.from_record(golden["record"]).to_record()
    assert written["rounds"] == golden["record"]["rounds"]
    assert summary(Game.from_record(written)) == golden["replay"]


def test_names_are_unique() -> None:
    assert len({game["name"] for game in GAMES}) == len(GAMES)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_has_a_golden_game(name: str) -> None:
    """... of full length, with no options of its own except the number of players."""
    assert any(
        golden["record"]["rules"].keys() <= {"edition", "players"}
        and golden["record"]["rules"].get("edition") == name
        for golden in GAMES
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [(one.name, variant.options) for one in EDITIONS.values() for variant in one.variants],
)
def test_every_variant_of_an_edition_has_a_golden_game(name: str, options: dict[str, Any]) -> None:
    assert any(
        {"edition": name, **options}.items() <= golden["record"]["rules"].items()
        for golden in GAMES
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (option, value)
        for option, known in OPTIONS.items()
        if option not in ("specials", "rounds")  # their values cannot be listed
        for value in known.values
    ],
)
def test_every_value_of_an_option_has_a_golden_game(option: str, value: str) -> None:
    assert any(str(rules.to_options()[option]).lower() == value for rules in RULES)


@pytest.mark.parametrize("card", SPECIALS, ids=str)
def test_every_special_card_is_played_in_a_golden_game(card: object) -> None:
    """The Werewolf is dealt instead."""
    for golden, rules in zip(GAMES, RULES, strict=True):
        if card in rules.specials:
            rounds = golden["record"]["rounds"]
            dealt = {code for one in rounds for hand in one["hands"] for code in hand}
            played = {text for one in rounds for _, text in one["actions"]}
            code = str(card)
            if code in dealt and (code == "WE" or any(f"play {code}" in text for text in played)):
                return
    pytest.fail(f"no golden game has {card}")


@pytest.mark.parametrize("card", [*map(str, SPECIALS), "W", "J", None])
def test_every_special_card_is_turned_up_in_a_golden_game(card: str | None) -> None:
    """... and a Wizard, a Jester, and no card at all."""
    assert any(one["turned"] == card for golden in GAMES for one in golden["record"]["rounds"])


@pytest.mark.parametrize("verb", ["trump none", "trump", "pass", "cloud +1", "cloud -1"])
def test_every_kind_of_decision_is_in_a_golden_game(verb: str) -> None:
    assert any(
        text.startswith(verb)
        for golden in GAMES
        for one in golden["record"]["rounds"]
        for _, text in one["actions"]
    )

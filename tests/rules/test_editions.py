"""The editions, what each offers (RULES 9), and the rounds of a game (RULES 2)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from foretold import EDITIONS, Game, Rules, RulesError
from foretold.editions import edition
from foretold.rules import Mode
from play import SPECIALS, finish

# Editions

RULES_9: dict[str, list[dict[str, Any]]] = {
    "amigo": [
        {"bid_rule": "plus_minus_one"},
        {"bidding": "hidden"},
        {"bidding": "secret"},
        {"clairvoyance": "first_round"},
    ],
    "piatnik-hu": [
        {"bid_rule": "plus_minus_one"},
        {"bidding": "hidden"},
        {"bidding": "secret"},
        {"clairvoyance": "every_round"},
        {"mode": "monocolour"},
    ],
    "piatnik-pl": [
        {"bid_rule": "plus_minus_one"},
        {"bidding": "secret"},
        {"clairvoyance": "every_round"},
        {"mode": "monocolour"},
    ],
    **{
        name: [
            {"bid_rule": "plus_minus_one"},
            {"bidding": "hidden"},
            {"bidding": "secret"},
            {"clairvoyance": "first_round"},
            {"mode": "monocolour"},
        ]
        for name in ("piatnik-cs", "piatnik-sk")
    },
    "gigamic": [{"bid_rule": "plus_minus_one"}],
    "fisher": [
        {"bidding": "hidden"},
        {"bidding": "secret"},
        {"dark_wizard": True},
        {"mode": "two_player"},
        {"bid_rule": "leader_uneven"},
        {"clairvoyance": "every_round"},
        {"mode": "monocolour"},
    ],
    "anniversary": [
        {"specials": ["SH"]},
        {"specials": []},
        {"bid_rule": "plus_minus_one"},
        {"bidding": "hidden"},
        {"bidding": "secret"},
        {"clairvoyance": "first_round", "specials": []},
        {"mode": "monocolour", "specials": []},
    ],
}
VARIANTS = [(name, options) for name, variants in RULES_9.items() for options in variants]


def test_the_editions_are_those_of_rules_9() -> None:
    assert list(EDITIONS) == list(RULES_9)


@pytest.mark.parametrize("name", RULES_9)
def test_an_edition_offers_the_variants_of_its_booklet(name: str) -> None:
    """RULES 9: the table of presets."""
    assert [dict(variant.options) for variant in EDITIONS[name].variants] == RULES_9[name]


@pytest.mark.parametrize("name", RULES_9)
def test_an_edition_is_the_base_game(name: str) -> None:
    """RULES 9: anniversary with all special cards, fisher with the dealer by high card."""
    own: dict[str, dict[str, Any]] = {
        "anniversary": {"specials": [*SPECIALS]},
        "fisher": {"dealer_by": "high_card"},
    }
    assert EDITIONS[name].rules().to_options() == {**Rules().to_options(), **own.get(name, {})}
    assert Game(name, seed=1).rules == EDITIONS[name].rules()


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=[f"{n} {o}" for n, o in VARIANTS])
def test_a_variant_of_an_edition_can_be_played(name: str, options: dict[str, Any]) -> None:
    rules = EDITIONS[name].rules(**options)
    for option, value in options.items():
        assert rules.to_options()[option] == value
    if rules.mode is Mode.STANDARD:
        rules = rules.replace(rounds="1-3")
    assert finish(Game(rules, seed=1)).outcome()


def test_single_rules_override_an_edition() -> None:
    """RECORD: options given beside an edition override it."""
    rules = Rules.from_options({"edition": "anniversary", "specials": ["CL"], "players": 6})
    assert rules == Rules(specials=["CL"], players=6)


def test_an_edition_keeps_to_its_mode() -> None:
    """RULES 8: the two-player mode implies its players in an edition too."""
    rules = EDITIONS["fisher"].rules(mode="two_player")
    assert rules == Rules(mode="two_player", dealer_by="high_card")


@pytest.mark.parametrize("name", ["", "Amigo", "amigo ", "nobody", None, 3, ["amigo"], "x" * 5000])
def test_an_unknown_edition(name: object) -> None:
    with pytest.raises(RulesError, match="unknown edition") as refused:
        edition(name)
    assert len(str(refused.value)) < 200


# Rounds


@pytest.mark.parametrize(
    ("rounds", "sizes"),
    [
        ("1", (1,)),
        ("15", (15,)),
        ("1-3", (1, 2, 3)),
        ("3-1", (3, 2, 1)),
        ("2-2", (2,)),
        ("1,1,1", (1, 1, 1)),
        ("1-3,2-1", (1, 2, 3, 2, 1)),
        ("1, 3, 5", (1, 3, 5)),
    ],
)
def test_rounds(rounds: str, sizes: tuple[int, ...]) -> None:
    """RULES 2: sizes and ranges in order."""
    rules = Rules(rounds=rounds)
    assert rules.sizes == sizes
    assert Rules(**rules.to_options()).sizes == sizes


@pytest.mark.parametrize(
    "rounds",
    [
        *("", " ", "0", "-1", "1-", "-", ",", "1,", ",1", "1,,2", "1-2-3", "0-3", "3-0", "01"),
        *("1.5", "one", "All", "1;2", "1..3", "+1", "1e1", "٣", "1\n", "1-3\n", "16", "100"),
    ],
)
def test_rounds_that_cannot_be(rounds: str) -> None:
    with pytest.raises(RulesError, match=r"^rounds"):
        Rules(rounds=rounds)


@pytest.mark.parametrize(
    "rounds",
    [
        "1-999999999",
        "1-" + "9" * 5000,
        "9" * 1_000_000,
        ",".join(["1-15"] * 200_000),
        ",".join(["1"] * 1001),
        ",".join(["1-99"] * 999),
        "1" + ",1" * 5_000_000,
        "1-" * 1_000_000,
    ],
    ids=["range", "digits", "number", "ranges", "1001 rounds", "99 each", "commas", "dashes"],
)
def test_huge_rounds_are_refused_fast(rounds: str) -> None:
    begin = time.thread_time()
    with pytest.raises(RulesError) as refused:
        Rules(rounds=rounds)
    assert time.thread_time() - begin < 1
    assert len(str(refused.value)) < 300


def test_a_thousand_rounds_are_possible() -> None:
    assert len(Rules(rounds=",".join(["1"] * 1000)).sizes) == 1000

"""The options of a game, and which of them go together (RULES 2, 4, 6, 8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from foretold import EDITIONS, Card, Game, Rules, RulesError
from foretold.rules import (
    EXCLUSIONS,
    OPTIONS,
    Bidding,
    BidRule,
    Clairvoyance,
    DealerBy,
    Mode,
    SuitAfterWizard,
)
from play import SPECIALS
from strategies import rules as some_rules
from strategies import thorough

DEFAULTS = {
    "players": 4,
    "mode": "standard",
    "specials": [],
    "bidding": "open",
    "bid_rule": "free",
    "clairvoyance": "off",
    "dark_wizard": False,
    "suit_after_wizard": "free",
    "rounds": "all",
    "dealer_by": "random",
}

# Defaults


def test_defaults() -> None:
    """RECORD: every rule left out has its default."""
    assert Rules().to_options() == DEFAULTS
    assert tuple(DEFAULTS) == tuple(OPTIONS)


def test_every_option_is_part_of_the_random_rules() -> None:
    """Or the properties of games would be tested without it."""
    drawn: dict[str, set[str]] = {name: set() for name in OPTIONS}

    @thorough(200)
    @given(some_rules())
    def draw(rules: Rules) -> None:
        for name, value in rules.to_options().items():
            drawn[name].add(str(value))

    draw()
    assert [name for name, values in drawn.items() if len(values) < 2] == []


def test_a_record_without_rules_has_the_defaults() -> None:
    assert Rules.from_options({}) == Rules()


def test_two_player_implies_players_and_bidding() -> None:
    """RULES 8: the mode implies `players` 2 and `bidding` secret."""
    rules = Rules(mode="two_player")
    assert (rules.players, rules.bidding) == (2, Bidding.SECRET)
    assert rules.to_options() == {
        **Rules().to_options(),
        "mode": "two_player",
        "players": 2,
        "bidding": "secret",
    }


def test_two_player_may_say_what_it_implies() -> None:
    assert Rules(mode="two_player", players=2, bidding="secret") == Rules(mode="two_player")


def test_monocolour_has_four_players_unless_told() -> None:
    assert Rules(mode="monocolour").players == 4


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("mode", Mode),
        ("bidding", Bidding),
        ("bid_rule", BidRule),
        ("clairvoyance", Clairvoyance),
        ("suit_after_wizard", SuitAfterWizard),
        ("dealer_by", DealerBy),
    ],
)
def test_every_value_of_an_option_can_be_given(option: str, values: Any) -> None:
    for value in values:
        assert getattr(Rules(**{option: value.value}), option) is value
        assert getattr(Rules(**{option: value}), option) is value


# Conflicts: the options, those the message must name, and how to fix it

EXCLUDED: dict[str, tuple[dict[str, Any], tuple[str, str], str]] = {
    "2 players, standard": (
        {"players": 2},
        ("players 2", "mode standard"),
        "take 3 to 6 players, or mode two_player",
    ),
    "5 players, monocolour": (
        {"players": 5, "mode": "monocolour"},
        ("players 5", "mode monocolour"),
        "take 3 or 4 players, or mode standard",
    ),
    "2 players, monocolour": (
        {"players": 2, "mode": "monocolour"},
        ("players 2", "mode monocolour"),
        "take 3 or 4 players, or mode standard",
    ),
    "3 players, two_player": (
        {"players": 3, "mode": "two_player"},
        ("players 3", "mode two_player"),
        "take 2 players, or mode standard",
    ),
    "open bids, two_player": (
        {"bidding": "open", "mode": "two_player"},
        ("bidding open", "mode two_player"),
        "take bidding secret, or mode standard",
    ),
    "hidden bids, two_player": (
        {"bidding": "hidden", "mode": "two_player"},
        ("bidding hidden", "mode two_player"),
        "take bidding secret, or mode standard",
    ),
    "specials, monocolour": (
        {"specials": ["SH"], "mode": "monocolour"},
        ("specials SH", "mode monocolour"),
        "leave out the special cards, or take mode standard",
    ),
    "specials, two_player": (
        {"specials": ["BO", "SH"], "mode": "two_player"},
        ("specials BO SH", "mode two_player"),
        "leave out the special cards, or take mode standard",
    ),
    "Dragon without Fairy": (
        {"specials": ["DR"]},
        ("specials DR", "Dragon and Fairy"),
        "add the other of DR and FA, or leave both out",
    ),
    "Fairy without Dragon": (
        {"specials": ["FA", "SH"]},
        ("specials FA SH", "Dragon and Fairy"),
        "add the other of DR and FA, or leave both out",
    ),
    "specials, clairvoyance in the first round": (
        {"specials": ["SH"], "clairvoyance": "first_round"},
        ("specials SH", "clairvoyance first_round"),
        "leave out the special cards, or take clairvoyance off",
    ),
    "specials, clairvoyance in every round": (
        {"specials": ["SH"], "clairvoyance": "every_round"},
        ("specials SH", "clairvoyance every_round"),
        "leave out the special cards, or take clairvoyance off",
    ),
    "clairvoyance, monocolour": (
        {"clairvoyance": "first_round", "mode": "monocolour"},
        ("clairvoyance first_round", "mode monocolour"),
        "take clairvoyance off, or mode standard",
    ),
    "clairvoyance, two_player": (
        {"clairvoyance": "every_round", "mode": "two_player"},
        ("clairvoyance every_round", "mode two_player"),
        "take clairvoyance off, or mode standard",
    ),
    "plus_minus_one, hidden": (
        {"bid_rule": "plus_minus_one", "bidding": "hidden"},
        ("bid_rule plus_minus_one", "bidding hidden"),
        "take bidding open, or bid_rule free",
    ),
    "leader_uneven, secret": (
        {"bid_rule": "leader_uneven", "bidding": "secret"},
        ("bid_rule leader_uneven", "bidding secret"),
        "take bidding open, or bid_rule free",
    ),
    "plus_minus_one, two_player": (
        {"bid_rule": "plus_minus_one", "mode": "two_player"},
        ("bid_rule plus_minus_one", "bidding secret"),
        "take bidding open, or bid_rule free",
    ),
    "rounds, players": (
        {"rounds": "1-16", "players": 4},
        ("rounds 1-16", "players 4"),
        "take smaller rounds (60 divided by the players), or fewer players",
    ),
    "rounds, monocolour": (
        {"rounds": "4-16", "mode": "monocolour"},
        ("rounds 4-16", "mode monocolour"),
        "take rounds of 1 to 15 cards, or mode standard",
    ),
    "rounds, two_player": (
        {"rounds": "2-8", "mode": "two_player"},
        ("rounds 2-8", "mode two_player"),
        "take fewer or smaller rounds",
    ),
}


@pytest.mark.parametrize(("options", "named", "mend"), EXCLUDED.values(), ids=EXCLUDED)
def test_excluded(options: dict[str, Any], named: tuple[str, str], mend: str) -> None:
    """RULES 9: refused at set-up with a message that names both options, and how to fix it."""
    with pytest.raises(RulesError) as refused:
        Rules(**options)
    message = str(refused.value)
    assert all(one in message for one in named)
    assert message.endswith(mend)
    assert "\n" not in message


def test_every_exclusion_is_tested() -> None:
    messages = set()
    for options, _, _ in EXCLUDED.values():
        with pytest.raises(RulesError) as refused:
            Rules(**options)
        messages.add(str(refused.value))
    for exclusion in EXCLUSIONS:
        assert any(exclusion.why in message for message in messages), exclusion.why


HIDDEN_AND_UNEVEN: dict[str, Any] = {"bid_rule": "plus_minus_one", "bidding": "hidden"}


@pytest.mark.parametrize(
    "make",
    [
        lambda: Rules.from_options(HIDDEN_AND_UNEVEN),
        lambda: Rules().replace(**HIDDEN_AND_UNEVEN),
        lambda: EDITIONS["amigo"].rules(**HIDDEN_AND_UNEVEN),
        lambda: Game("amigo", **HIDDEN_AND_UNEVEN),
        lambda: Game(Rules(), **HIDDEN_AND_UNEVEN),
    ],
    ids=["record", "replace", "edition", "game of an edition", "game"],
)
def test_an_exclusion_holds_wherever_rules_are_made(make: Callable[[], object]) -> None:
    with pytest.raises(RulesError, match="bid_rule plus_minus_one does not go with bidding hidden"):
        make()


# Wrong types and values


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("players", value) for value in (0, 1, 7, -4, 10**30, "4", 4.0, True, [4], float("nan"))),
        *(("mode", value) for value in ("", "Standard", "duel", 1, None, ["standard"])),
        *(("bidding", value) for value in ("closed", 0, True, ["open"])),
        *(("bid_rule", value) for value in ("plus", 1, None)),
        *(("clairvoyance", value) for value in ("on", True, None)),
        *(("dark_wizard", value) for value in (1, 0, "true", None)),
        *(("suit_after_wizard", value) for value in ("strict", False, None)),
        *(("rounds", value) for value in (5, None, [1, 2], True, b"1")),
        *(("dealer_by", value) for value in ("age", 2, None)),
        *(("specials", value) for value in ("SH", 5, None, True)),
    ],
)
def test_a_wrong_value_is_refused(option: str, value: object) -> None:
    with pytest.raises(RulesError, match=rf"^{option} is "):
        Rules.from_options({option: value})


@pytest.mark.parametrize("card", ["XX", "W", "J", "R4", "", "sh", None, 57, ["SH"], 1.5])
def test_what_is_no_special_card_is_refused(card: object) -> None:
    with pytest.raises(RulesError, match="is not a special card: expected a list of DR"):
        Rules.from_options({"specials": [card]})


def test_a_special_card_is_there_once() -> None:
    with pytest.raises(RulesError, match="SH is among the specials twice"):
        Rules(specials=["SH", "BO", "SH"])


@pytest.mark.parametrize("option", ["players", "bidding"])
def test_null_is_not_a_default(option: str) -> None:
    """In a record a rule is left out for its default, not null."""
    with pytest.raises(RulesError, match=f"{option} must not be null"):
        Rules.from_options({option: None})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(RulesError, match="unknown rule 'colour': there are edition, players"):
        Rules.from_options({"colour": "red"})


# As text and data

EXAMPLES: list[dict[str, Any]] = [
    {},
    {"players": 6, "specials": ["SH", "DR", "FA"], "bid_rule": "leader_uneven"},
    {"mode": "two_player"},
    {"mode": "two_player", "rounds": "29", "dealer_by": "high_card"},
    {"mode": "monocolour", "players": 3, "bidding": "hidden", "dark_wizard": True},
    {"clairvoyance": "every_round", "suit_after_wizard": "binding", "rounds": "1-10"},
]


@pytest.mark.parametrize("options", EXAMPLES)
def test_repr_rebuilds(options: dict[str, Any]) -> None:
    rules = Rules(**options)
    assert eval(repr(rules), {"Rules": Rules}) == rules


def test_repr_tells_what_differs() -> None:
    assert repr(Rules()) == "Rules()"
    assert repr(Rules(mode="two_player")) == "Rules(mode='two_player')"
    assert repr(Rules(players=3, bidding="hidden")) == "Rules(players=3, bidding='hidden')"


@pytest.mark.parametrize("options", EXAMPLES)
def test_options_there_and_back(options: dict[str, Any]) -> None:
    rules = Rules(**options)
    assert Rules.from_options(rules.to_options()) == rules
    assert hash(Rules.from_options(rules.to_options())) == hash(rules)


def test_options_are_plain_data() -> None:
    """As in JSON: no enums, no cards."""
    values = Rules(specials=SPECIALS).to_options()
    assert {type(value) for value in values.values()} == {int, str, list, bool}
    assert {type(card) for card in values["specials"]} == {str}


def test_the_order_of_special_cards_does_not_matter() -> None:
    assert Rules(specials=["SH", "BO"]) == Rules(specials=[Card("BO"), Card("SH")])


def test_replace_changes_what_is_named() -> None:
    rules = Rules(players=5, specials=["SH"], bidding="hidden")
    changed = rules.replace(bidding="secret")
    assert changed.to_options() == {**rules.to_options(), "bidding": "secret"}
    assert rules.bidding is Bidding.HIDDEN


def test_replace_is_checked() -> None:
    with pytest.raises(RulesError, match="specials SH does not go with clairvoyance first_round"):
        Rules(specials=["SH"]).replace(clairvoyance="first_round")


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Rules().players = 5


def test_replace_keeps_defaults_as_defaults() -> None:
    """What nobody chose follows the mode: two players have 2 seats and secret bids."""
    assert Rules().replace(mode="two_player") == Rules(mode="two_player")
    assert Rules(mode="two_player").replace(mode="standard") == Rules()
    with pytest.raises(RulesError, match="players 5 does not go with mode two_player"):
        Rules(players=5).replace(mode="two_player")

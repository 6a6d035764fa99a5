"""The site's texts about the rules agree with the engine: paragraphs, examples, lessons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foretold import Phase, Trump
from foretold.cards import SPECIALS, Card
from foretold.figures import Turned
from foretold.kernel.after import points
from foretold.rules import OPTIONS
from foretold.table import Logged, Table
from foretold.table.entries import Dealt, Started
from foretold.table.lessons import LESSONS, lesson_table
from play import play, round_of, start, turned_for

WEB = Path(__file__).parents[2] / "web"
EXAMPLES: dict[str, Any] = json.loads((WEB / "src/lib/rules/examples.json").read_text("utf-8"))
FIGURES: list[dict[str, Any]] = json.loads((WEB / "src/lib/cards/figures.json").read_text("utf-8"))
RULES = (WEB.parent / "docs/rules.md").read_text("utf-8")
MESSAGES: dict[str, str] = json.loads((WEB / "messages/en.json").read_text("utf-8"))

VALUES = [
    (option, value)
    for option, known in OPTIONS.items()
    for value in known.values
    # The numbers of players and rounds are part of their own texts.
    if option not in ("players", "rounds")
]


@pytest.mark.parametrize(("option", "value"), VALUES)
def test_every_value_of_every_option_has_its_paragraph(option: str, value: str) -> None:
    text = MESSAGES.get(f"rule_{option}_{value}".lower(), "")
    assert len(text) > 20, f"rule_{option}_{value} says nothing"


@pytest.mark.parametrize("key", ["rule_players", "rule_rounds_all", "rule_rounds_own"])
def test_numbers_are_told_too(key: str) -> None:
    assert "{" in MESSAGES[key]


@pytest.mark.parametrize("example", EXAMPLES["tricks"], ids=lambda one: str(one["id"]))
def test_a_worked_trick_is_won_as_the_site_says(example: dict[str, Any]) -> None:
    plays, options = example["plays"], dict(example["rules"])
    options.pop("specials", None)
    assert f"rule_example_{example['id']}" in MESSAGES
    hands = [card.partition("=")[0] for card in plays]
    own_decks = options.get("mode") == "monocolour"
    turned = None if own_decks else turned_for(example["trump"], hands)
    game = play(round_of(*hands, turned=turned, **options), " ".join(plays))
    (trick,) = game.view(None).tricks
    assert trick.winner == example["winner"]
    if "next" in example:
        assert trick.next_leader == example["next"]


@pytest.mark.parametrize("entry", FIGURES, ids=lambda entry: str(entry["code"]))
def test_a_turned_up_card_does_what_the_site_says(entry: dict[str, Any]) -> None:
    card = entry["code"]
    specials = [card] if len(card) == 2 else []
    pair = ["DR", "FA"] if card in ("DR", "FA") else specials
    game = start("B1", "B2", "B3", turned=card, specials=pair)
    if entry["turned"] == "none":
        assert (game.phase, game.view(None).trump) == (Phase.BID, Trump.NONE)
    else:
        assert (game.phase, game.to_act) == (Phase.TRUMP, (2,))
        assert not any("none" in str(action) for action in game.legal_actions())


@pytest.mark.parametrize("card", SPECIALS, ids=str)
def test_the_rules_page_says_what_a_special_card_is_when_turned_up(card: Card) -> None:
    (row,) = [line for line in RULES.splitlines() if line.startswith(f"| {card.name} |")]
    assert card.figure is not None
    turned = {Turned.NO_TRUMP: "no trump", Turned.DEALER_NAMES: "dealer chooses"}
    assert row.endswith(f"| {turned[card.figure.turned]} |")
    assert f"`{card}` {card.name}" in RULES


@pytest.mark.parametrize("score", EXAMPLES["scores"] + EXAMPLES["cloud_scores"])
def test_an_example_of_the_score_is_right(score: dict[str, int]) -> None:
    assert points(score["bid"] + score.get("change", 0), score["taken"]) == score["points"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_words_for_its_name_and_its_purpose(lesson: str) -> None:
    for key in (f"lesson_{lesson}", f"lesson_{lesson}_hint", f"lesson_{lesson}_learned"):
        assert MESSAGES.get(key)


@pytest.mark.parametrize(
    ("lesson", "hand", "turned"),
    [
        ("tricks", "B2 B12 Y1", "J"),
        ("trump", "G8 R9 R11", "G1"),
        ("wizards", "R6 Y4 W J", "R11"),
        ("foretelling", "B4 B5 B12 Y5", "B13"),
        ("first_game", "B12", "B4"),
        ("shapeshifter", "G7 Y1 J SH", "R5"),
        ("dragon", "G12 G13 Y3 DR", "B10"),
        ("fairy", "B4 Y6 J FA", "B3"),
        ("bomb", "G7 Y1 J BO", "R5"),
        ("werewolf", "G7 Y1 J WE", "R5"),
        ("juggler", "G7 Y1 J JU", "R5"),
        ("cloud", "G7 Y1 J CL", "R5"),
        ("plus_minus_one", "B5 B12 Y5", "R11"),
        ("hidden", "B5 G12 W", "Y1"),
        ("secret", "B5 G12 W", "Y1"),
        ("clairvoyance", "R4", "R12"),
        ("monocolour", "B1 B6 W J", None),
        ("two_players", "R11 R12", "B3"),
        ("dark_wizard", "R10 R11 Y8 W", "R6"),
    ],
)
def test_the_coach_speaks_of_the_cards_that_are_dealt(
    lesson: str, hand: str, turned: str | None
) -> None:
    log = [Logged(1, 0, lesson_table("p0", "Ana", lesson)), Logged(2, 0, Started())]
    game = Table.replayed("KQXMRP", [*log, Logged(3, 0, Dealt())]).game
    assert game is not None
    deal = game.position.logs[0].deal
    assert sorted(card.code for card in deal.hands[0]) == sorted(hand.split())
    assert deal.turned == (None if turned is None else Card(turned))

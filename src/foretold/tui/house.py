"""The rules of a table and the keys, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from foretold.rules import Bidding, Rules
from foretold.words import counted

HELP: Final = (
    (
        "",
        "Foretell how many tricks you will take: 20 points plus 10 per trick if you are right, 10 "
        "off for each trick over or under. You must follow the suit led; Wizards, Jesters and "
        "special cards may always be played.",
    ),
    ("", ""),
    ("← →", "choose a card, bid or suit (or click, and click again to play)"),
    ("0 … 9", "choose a bid"),
    ("Enter", "play the card, make the bid, continue"),
    ("Esc", "undo a choice; close a page"),
    ("T", "Tablet of Truth: every round, and the scores as a chart"),
    ("L", "the last trick"),
    ("H", "a hint: what a good bot would do"),
    ("R", "the rules of this table"),
    ("+ -", "the bots' pace"),
    ("Space", "skip ahead to your turn"),
    ("D", "dark or light"),
    ("Q", "leave the game"),
    ("", ""),
    ("", "B▼ blue, Humans  G♠ green, Elves  R┳ red, Dwarves  Y▲ yellow, Giants"),
    ("", "● trick taken  ○ trick wanted  ▶ on turn  ◆ dealer  ▲ best card so far"),
)
"""The help: the keys and what they do."""


def rules_in_words(rules: Rules) -> Iterator[tuple[str, str]]:
    """The options of a game: the name of each, and its value here in words."""
    sizes = rules.sizes
    yield "Game", f"{Rules.mode.words[rules.mode]}, {counted(rules.players, 'player')}"
    yield "Rounds", f"{len(sizes)}: {_sizes(sizes)} cards"
    yield "Bids", Rules.bidding.words[rules.bidding]
    if rules.bidding is Bidding.OPEN:
        yield "", Rules.bid_rule.words[rules.bid_rule]
    if words := Rules.clairvoyance.words.get(rules.clairvoyance):
        yield "Clairvoyance", words
    yield "Wizards", Rules.dark_wizard.words[rules.dark_wizard]
    if words := Rules.suit_after_wizard.words.get(rules.suit_after_wizard):
        yield "", words
    for index, card in enumerate(rules.specials):
        if card.figure is not None:
            told = f"{card} {card.name}: {card.figure.meaning}"
            yield "Special" if index == 0 else "", told


def _sizes(sizes: tuple[int, ...]) -> str:
    if len(sizes) > 3 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]} to {sizes[-1]}"
    listed = ", ".join(map(str, sizes[:16]))
    return listed if len(sizes) <= 16 else f"{listed} …"

"""What can be looked up during a game: the keys, and the rules of this table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from foretold.rules import OPTIONS, Bidding, Rules
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


_TITLES: Final = {
    "bidding": "Bids",
    "bid_rule": "",
    "dark_wizard": "Wizards",
    "suit_after_wizard": "",
}
"""Titles that differ from the name of the option; an empty one continues the title above."""


def rules_in_words(rules: Rules) -> Iterator[tuple[str, str]]:
    """The options of a game: the title of each, and its value here in words."""
    sizes = rules.sizes
    yield "Game", f"{Rules.mode.words[rules.mode]}, {counted(rules.players, 'player')}"
    yield "Rounds", f"{len(sizes)}: {_sizes(sizes)} cards"
    for name, option in OPTIONS.items():
        words = option.words.get(getattr(rules, name))
        if option is Rules.mode or words is None:
            continue
        if option is not Rules.bid_rule or rules.bidding is Bidding.OPEN:
            yield _TITLES.get(name, name.replace("_", " ").capitalize()), words
    for index, card in enumerate(rules.specials):
        if card.figure is not None:
            told = f"{card} {card.name}: {card.figure.meaning}"
            yield "Special" if index == 0 else "", told


def _sizes(sizes: tuple[int, ...]) -> str:
    if len(sizes) > 3 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]} to {sizes[-1]}"
    listed = ", ".join(map(str, sizes[:16]))
    return listed if len(sizes) <= 16 else f"{listed} …"

"""The rules of a table and the keys, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from foretold.cards import Card
from foretold.rules import Bidding, BidRule, Clairvoyance, Mode, Rules, SuitAfterWizard
from foretold.words import counted

HELP: Final = (
    (
        "",
        "Foretell how many tricks you will take: 20 points and 10 a trick if you are right, 10 "
        "less for each trick over or under. The suit that is led must be followed; Wizards, "
        "Jesters and special cards may always be played.",
    ),
    ("", ""),
    ("← →", "choose a card, bid or suit (or click, and click again to play)"),
    ("0 … 9", "choose a bid"),
    ("Enter", "play the card, make the bid, go on"),
    ("Esc", "take a choice back; close a page"),
    ("T", "Tablet of Truth: every round, and the scores as a chart"),
    ("L", "the last trick"),
    ("H", "a hint: what a good bot would do"),
    ("R", "the rules of this table"),
    ("+ -", "the pace of the bots"),
    ("Space", "hurry them on to your turn"),
    ("D", "dark or light"),
    ("Q", "leave the game"),
    ("", ""),
    ("", "B▼ blue, Humans  G♠ green, Elves  R┳ red, Dwarves  Y▲ yellow, Giants"),
    ("", "● trick taken  ○ trick wanted  ▶ on turn  ◆ dealer  ▲ best card so far"),
)
"""The help: keys and what they do."""

_MODES: Final = {
    Mode.STANDARD: "the standard game",
    Mode.MONOCOLOUR: "everyone has a suit, a Wizard and a Jester; no trump, the highest card wins",
    Mode.TWO_PLAYER: "cards used stay out until the game ends",
}
_BIDDING: Final = {
    Bidding.OPEN: "one after another, seen by all",
    Bidding.HIDDEN: "all at once, shown before the first card",
    Bidding.SECRET: "all at once, shown when the round is over",
}
_BID_RULES: Final = {
    BidRule.FREE: "any total of the bids is fine",
    BidRule.PLUS_MINUS_ONE: "the bids may not add up to the tricks",
    BidRule.LEADER_UNEVEN: "a last bidder who leads alone may not make them add up to the tricks",
}
_CLAIRVOYANCE: Final = {
    Clairvoyance.FIRST_ROUND: "in the one-card round you see all hands but your own when bidding",
    Clairvoyance.EVERY_ROUND: "in every round you see all hands but your own when bidding",
}
SPECIALS: Final = {
    "DR": "beats everything but the Fairy",
    "FA": "loses to everything but beats the Dragon",
    "BO": "nobody takes the trick",
    "SH": "a Wizard or a Jester, as you announce",
    "JU": "7½ of a suit you announce; then everyone passes a card to the left",
    "CL": "9¾ of a suit you announce; who takes it changes the own bid by one",
    "WE": "swapped for the turned-up card; its holder names trump, or none",
}


def rules_in_words(rules: Rules) -> Iterator[tuple[str, str]]:
    """The options of a game: what each is about, and how it is here."""
    sizes = rules.sizes
    yield "Game", f"{_MODES[rules.mode]}, {counted(rules.players, 'player')}"
    yield "Rounds", f"{len(sizes)}: {_sizes(sizes)} cards"
    yield "Bids", _BIDDING[rules.bidding]
    if rules.bidding is Bidding.OPEN:
        yield "", _BID_RULES[rules.bid_rule]
    if rules.clairvoyance in _CLAIRVOYANCE:
        yield "Clairvoyance", _CLAIRVOYANCE[rules.clairvoyance]
    yield "Wizards", "the last one in a trick wins" if rules.dark_wizard else "the first one wins"
    if rules.suit_after_wizard is SuitAfterWizard.BINDING:
        yield "", "after a leading Wizard the first suit must still be followed"
    for index, card in enumerate(rules.specials):
        yield "Special" if index == 0 else "", f"{card} {_described(card)}"


def _described(card: Card) -> str:
    return f"{card.name}: {SPECIALS[card.code]}"


def _sizes(sizes: tuple[int, ...]) -> str:
    if len(sizes) > 3 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]} to {sizes[-1]}"
    listed = ", ".join(map(str, sizes[:16]))
    return listed if len(sizes) <= 16 else f"{listed} …"

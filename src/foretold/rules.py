"""The options of a game, which of them go together, and the printed editions (RULES 2, 4, 8, 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, TypeVar

from foretold.cards import DRAGON, FAIRY, SPECIALS, Card, full_deck
from foretold.errors import ForetoldError, RulesError
from foretold.words import shown


class Mode(StrEnum):
    STANDARD = "standard"
    MONOCOLOUR = "monocolour"
    TWO_PLAYER = "two_player"


class Bidding(StrEnum):
    OPEN = "open"
    HIDDEN = "hidden"
    SECRET = "secret"


class BidRule(StrEnum):
    FREE = "free"
    PLUS_MINUS_ONE = "plus_minus_one"
    LEADER_UNEVEN = "leader_uneven"


class Clairvoyance(StrEnum):
    OFF = "off"
    FIRST_ROUND = "first_round"
    EVERY_ROUND = "every_round"


class SuitAfterWizard(StrEnum):
    FREE = "free"
    BINDING = "binding"


class DealerBy(StrEnum):
    SEAT = "seat"
    RANDOM = "random"
    HIGH_CARD = "high_card"


Choice = TypeVar("Choice", bound=StrEnum)

BASE_CARDS: Final = 60
MAX_ROUNDS: Final = 1000


@dataclass(frozen=True, init=False, repr=False)
class Rules:
    """Every option of a game; a combination that the rules exclude is refused.

    >>> Rules(players=3, bidding="hidden").sizes[-1]
    20

    Left out, `players` and `bidding` are 4 and open, in the two-player mode 2 and secret.
    """

    players: int
    mode: Mode
    specials: tuple[Card, ...]
    bidding: Bidding
    bid_rule: BidRule
    clairvoyance: Clairvoyance
    dark_wizard: bool
    suit_after_wizard: SuitAfterWizard
    rounds: str
    dealer_by: DealerBy

    def __init__(
        self,
        *,
        players: int | None = None,
        mode: str = Mode.STANDARD,
        specials: Iterable[str | Card] = (),
        bidding: str | None = None,
        bid_rule: str = BidRule.FREE,
        clairvoyance: str = Clairvoyance.OFF,
        dark_wizard: bool = False,
        suit_after_wizard: str = SuitAfterWizard.FREE,
        rounds: str = "all",
        dealer_by: str = DealerBy.RANDOM,
    ) -> None:
        kind = _choice(Mode, "mode", mode)
        two = kind is Mode.TWO_PLAYER
        if players is None:
            players = 2 if two else 4
        if bidding is None:
            bidding = Bidding.SECRET if two else Bidding.OPEN
        for name, value in (
            ("players", _number("players", players, 2, 6)),
            ("mode", kind),
            ("specials", _specials(specials)),
            ("bidding", _choice(Bidding, "bidding", bidding)),
            ("bid_rule", _choice(BidRule, "bid_rule", bid_rule)),
            ("clairvoyance", _choice(Clairvoyance, "clairvoyance", clairvoyance)),
            ("dark_wizard", _flag("dark_wizard", dark_wizard)),
            (
                "suit_after_wizard",
                _choice(SuitAfterWizard, "suit_after_wizard", suit_after_wizard),
            ),
            ("rounds", _rounds(rounds)),
            ("dealer_by", _choice(DealerBy, "dealer_by", dealer_by)),
        ):
            object.__setattr__(self, name, value)
        for exclusion in EXCLUSIONS:
            if exclusion.applies(self):
                raise RulesError(exclusion.message(self), exclusion.first, exclusion.second)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """From a mapping as records have it; `edition` names a preset that the others override."""
        unknown = sorted(str(name) for name in options if name not in OPTIONS and name != "edition")
        if unknown:
            raise RulesError(
                f"unknown rule {shown(unknown[0])}: there are edition, {', '.join(OPTIONS)}"
            )
        given = {name: options[name] for name in OPTIONS if name in options}
        if "edition" in options:
            given = {**edition(options["edition"]).options, **given}
        for name in ("players", "bidding"):
            if name in given and given[name] is None:
                raise RulesError(f"{name} must not be null: leave it out for its default")
        return cls(**given)

    def to_options(self) -> dict[str, Any]:
        """Every option as records have it."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {
            name: [card.code for card in value] if name == "specials" else _plain(value)
            for name, value in values.items()
        }

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some options changed; what was left at its default stays so."""
        return Rules.from_options({**self._given(), **changes})

    def _given(self) -> dict[str, Any]:
        """The options that are not the default of the mode."""
        defaults = Rules(mode=self.mode).to_options()
        return {
            name: value
            for name, value in self.to_options().items()
            if value != defaults[name] or (name == "mode" and value != Mode.STANDARD)
        }

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of cards each player is dealt, round by round."""
        if self.rounds != "all":
            return tuple(_expand(self.rounds))
        if self.mode is Mode.STANDARD:
            return tuple(range(1, self.largest_size + 1))
        return tuple(range(4, 16)) if self.mode is Mode.MONOCOLOUR else tuple(range(2, 8))

    @property
    def largest_size(self) -> int:
        """The largest round that the cards allow."""
        if self.mode is Mode.MONOCOLOUR:
            return 15
        return (BASE_CARDS - (self.mode is Mode.TWO_PLAYER)) // self.players

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """All cards of the game but those of the monocolour game, where each has an own deck."""
        return full_deck(self.specials)

    def turns_card(self, size: int) -> bool:
        """Whether a card is left to be turned up in a round of this size."""
        return self.mode is not Mode.MONOCOLOUR and len(self.deck) > self.players * size

    def is_clairvoyant(self, size: int) -> bool:
        """Whether a round of this size is bid with the own hand unseen."""
        return self.clairvoyance is Clairvoyance.EVERY_ROUND or (
            self.clairvoyance is Clairvoyance.FIRST_ROUND and size == 1
        )

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"


OPTIONS: Final = tuple(field.name for field in fields(Rules))
"""The names of all options, in the order of the record."""


@dataclass(frozen=True)
class Exclusion:
    """Two options that do not go together, why, and how to mend it."""

    first: str
    second: str
    applies: Callable[[Rules], bool]
    why: str
    mend: str

    def message(self, rules: Rules) -> str:
        if self.first == self.second:
            return f"{self.describe(rules, self.first)}: {self.why}; {self.mend}"
        return (
            f"{self.describe(rules, self.first)} does not go with "
            f"{self.describe(rules, self.second)}: {self.why}; {self.mend}"
        )

    @staticmethod
    def describe(rules: Rules, option: str) -> str:
        value = rules.to_options()[option]
        return f"{option} {' '.join(value) if isinstance(value, list) else value}"


def _too_large(rules: Rules) -> bool:
    if rules.mode is Mode.TWO_PLAYER:
        return 2 * sum(rules.sizes) + len(rules.sizes) > BASE_CARDS
    return max(rules.sizes) > rules.largest_size


EXCLUSIONS: Final = (
    Exclusion(
        "players",
        "mode",
        lambda r: r.mode is Mode.STANDARD and r.players < 3,
        "the standard game is for 3 to 6 players",
        "take 3 to 6 players, or mode two_player",
    ),
    Exclusion(
        "players",
        "mode",
        lambda r: r.mode is Mode.MONOCOLOUR and not 3 <= r.players <= 4,
        "the monocolour game is for 3 or 4 players",
        "take 3 or 4 players, or mode standard",
    ),
    Exclusion(
        "players",
        "mode",
        lambda r: r.mode is Mode.TWO_PLAYER and r.players != 2,
        "the two-player game is for 2 players",
        "take 2 players, or mode standard",
    ),
    Exclusion(
        "bidding",
        "mode",
        lambda r: r.mode is Mode.TWO_PLAYER and r.bidding is not Bidding.SECRET,
        "two players bid secretly",
        "take bidding secret, or mode standard",
    ),
    Exclusion(
        "specials",
        "mode",
        lambda r: bool(r.specials) and r.mode is not Mode.STANDARD,
        "special cards are for the standard game",
        "leave out the special cards, or take mode standard",
    ),
    Exclusion(
        "specials",
        "specials",
        lambda r: (DRAGON in r.specials) != (FAIRY in r.specials),
        "Dragon and Fairy are used only together",
        "add the other of DR and FA, or leave both out",
    ),
    Exclusion(
        "specials",
        "clairvoyance",
        lambda r: bool(r.specials) and r.clairvoyance is not Clairvoyance.OFF,
        "clairvoyance is played without special cards",
        "leave out the special cards, or take clairvoyance off",
    ),
    Exclusion(
        "clairvoyance",
        "mode",
        lambda r: r.clairvoyance is not Clairvoyance.OFF and r.mode is not Mode.STANDARD,
        "clairvoyance needs the standard game",
        "take clairvoyance off, or mode standard",
    ),
    Exclusion(
        "bid_rule",
        "bidding",
        lambda r: r.bid_rule is not BidRule.FREE and r.bidding is not Bidding.OPEN,
        "without open bids there is no last bidder",
        "take bidding open, or bid_rule free",
    ),
    Exclusion(
        "rounds",
        "players",
        lambda r: r.mode is Mode.STANDARD and _too_large(r),
        "a round may have at most 60 cards in all",
        "take smaller rounds (60 divided by the players), or fewer players",
    ),
    Exclusion(
        "rounds",
        "mode",
        lambda r: r.mode is Mode.MONOCOLOUR and _too_large(r),
        "each player has 15 cards",
        "take rounds of 1 to 15 cards, or mode standard",
    ),
    Exclusion(
        "rounds",
        "mode",
        lambda r: r.mode is Mode.TWO_PLAYER and _too_large(r),
        "cards used stay out, and the 60 cards must last for both hands and a trump card a round",
        "take fewer or smaller rounds",
    ),
)
"""Everything that RULES.md excludes; the first that applies is the one a player is told."""


@dataclass(frozen=True)
class Variant:
    """A variant that a printed edition offers, as the options that give it."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Edition:
    """A printed edition: its defaults, and the variants it offers first."""

    name: str
    title: str
    options: Mapping[str, Any]
    variants: tuple[Variant, ...]

    def rules(self, **options: Any) -> Rules:
        return Rules.from_options({"edition": self.name, **options})


_UNEVEN: Final = Variant("plus/minus one", {"bid_rule": "plus_minus_one"})
_HIDDEN: Final = Variant("hidden bids", {"bidding": "hidden"})
_SECRET: Final = Variant("secret bids", {"bidding": "secret"})
_FIRST: Final = Variant("clairvoyance in the first round", {"clairvoyance": "first_round"})
_EVERY: Final = Variant("clairvoyance in every round", {"clairvoyance": "every_round"})
_MONO: Final = Variant("monocolour", {"mode": "monocolour"})
_WITHOUT: Final[Mapping[str, Any]] = {"specials": []}

EDITIONS: Final = {
    one.name: one
    for one in (
        Edition("amigo", "Amigo, German", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST)),
        Edition("piatnik-hu", "Piatnik, Hungarian", {}, (_UNEVEN, _HIDDEN, _SECRET, _EVERY, _MONO)),
        Edition("piatnik-pl", "Piatnik, Polish", {}, (_UNEVEN, _SECRET, _EVERY, _MONO)),
        Edition("piatnik-cs", "Piatnik, Czech", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST, _MONO)),
        Edition("piatnik-sk", "Piatnik, Slovak", {}, (_UNEVEN, _HIDDEN, _SECRET, _FIRST, _MONO)),
        Edition("gigamic", "Gigamic, French", {}, (_UNEVEN,)),
        Edition(
            "fisher",
            "after Ken Fisher, Italian",
            {"dealer_by": "high_card"},
            (
                _HIDDEN,
                _SECRET,
                Variant("dark wizard", {"dark_wizard": True}),
                Variant("two players", {"mode": "two_player"}),
                Variant("leader uneven", {"bid_rule": "leader_uneven"}),
                _EVERY,
                _MONO,
            ),
        ),
        Edition(
            "anniversary",
            "25-year edition, Portuguese",
            {"specials": [card.code for card in SPECIALS]},
            (
                Variant("for newcomers: the Shapeshifter alone", {"specials": ["SH"]}),
                Variant("without special cards", _WITHOUT),
                _UNEVEN,
                _HIDDEN,
                _SECRET,
                Variant(_FIRST.name, {**_FIRST.options, **_WITHOUT}),
                Variant(_MONO.name, {**_MONO.options, **_WITHOUT}),
            ),
        ),
    )
}
"""The printed editions by name."""


def edition(name: object) -> Edition:
    """The edition of that name."""
    if not isinstance(name, str) or name not in EDITIONS:
        raise RulesError(f"unknown edition {shown(name)}: there are {', '.join(EDITIONS)}")
    return EDITIONS[name]


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, StrEnum) else value


def _choice(kind: type[Choice], name: str, value: object) -> Choice:
    if isinstance(value, str):
        for member in kind:
            if member.value == value:
                return member
    raise RulesError(f"{name} is {shown(value)}: expected {_alternatives(kind)}")


def _alternatives(kind: type[StrEnum]) -> str:
    *most, last = kind
    return f"{', '.join(most)} or {last}"


def _number(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return int(value)
    raise RulesError(f"{name} is {shown(value)}: expected a number from {low} to {high}")


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise RulesError(f"{name} is {shown(value)}: expected true or false")


def _specials(value: object) -> tuple[Card, ...]:
    expected = f"expected a list of {', '.join(card.code for card in SPECIALS)}"
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise RulesError(f"specials is {shown(value)}: {expected}")
    found: list[Card] = []
    for code in value:
        try:
            card = Card(code) if isinstance(code, str | Card) else None
        except ForetoldError:
            card = None
        if card is None or not card.is_special:
            raise RulesError(f"{shown(code)} is not a special card: {expected}")
        if card in found:
            raise RulesError(f"{card} is among the specials twice: there is one of each")
        found.append(card)
    return tuple(sorted(found))


def _rounds(value: object) -> str:
    expected = 'expected "all" or the sizes in order, such as "1-10", "1,3,5" or "1-15,14-1"'
    if not isinstance(value, str):
        raise RulesError(f"rounds is {shown(value)}: {expected}", "rounds", "rounds")
    if value == "all":
        return value
    text = value.replace(" ", "")
    # A count of commas first, so that a huge text is refused before it is looked into.
    if text.count(",") >= MAX_ROUNDS or not re.fullmatch(_SIZES, text):
        raise RulesError(f"rounds is {shown(value)}: {expected}", "rounds", "rounds")
    count = sum(1 for _ in _expand(text))
    if count > MAX_ROUNDS:
        raise RulesError(f"rounds has {count} rounds: at most {MAX_ROUNDS} are possible")
    return text


_SIZES: Final = r"[1-9][0-9]?(-[1-9][0-9]?)?(,[1-9][0-9]?(-[1-9][0-9]?)?)*"


def _expand(text: str) -> Iterable[int]:
    for part in text.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high else range(low, high - 1, -1)

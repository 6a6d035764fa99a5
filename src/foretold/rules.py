"""The options of a game, and which of them go together (RULES 2, 4, 6, 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import FrozenInstanceError
from enum import StrEnum
from functools import cached_property
from inspect import Parameter, Signature
from typing import Any, ClassVar, Final

from foretold.cards import PAIRS, VALUES, Card, full_deck
from foretold.editions import edition
from foretold.errors import RulesError
from foretold.figures import Effect
from foretold.options import (
    Exclusion,
    Option,
    choice,
    expanded,
    flag,
    number,
    round_sizes,
    special_cards,
)
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


BASE_CARDS: Final = len(full_deck(()))
OWN_CARDS: Final = VALUES + 2
"""In the monocolour game: a suit, a Wizard and a Jester."""
MAX_PLAYERS: Final = 6
PLAYERS_OF: Final = {
    Mode.STANDARD: range(3, MAX_PLAYERS + 1),
    Mode.MONOCOLOUR: range(3, 5),
    Mode.TWO_PLAYER: range(2, 3),
}
"""How many may play each game."""


class Rules:
    """Every option of a game; a combination that the rules exclude is refused.

    >>> Rules(players=3, bidding="hidden").sizes[-1]
    20

    By default `players` and `bidding` are 4 and open; in the two-player mode, 2 and secret.
    """

    # In the order of the record. What goes with what is in EXCLUSIONS.
    players = number(2, MAX_PLAYERS, "how many play")
    mode = choice(
        Mode,
        "the game: standard, each with a suit of their own, or for two",
        {
            Mode.STANDARD: "the standard game",
            Mode.MONOCOLOUR: "everyone has a suit, a Wizard and a Jester; no trump, the highest "
            "card wins",
            Mode.TWO_PLAYER: "cards used stay out until the game ends",
        },
        default=Mode.STANDARD,
        in_state=lambda mode: mode is Mode.MONOCOLOUR,
    )
    specials = special_cards(
        "the special cards added, any of them; "
        + ", ".join(f"{one.name} and {other.name} together" for one, other in PAIRS)
    )
    bidding = choice(
        Bidding,
        "bids one after another, or all at once and shown before or after the tricks",
        {
            Bidding.OPEN: "one after another, seen by all",
            Bidding.HIDDEN: "all at once, shown before the first card",
            Bidding.SECRET: "all at once, shown when the round is over",
        },
        in_state=lambda bidding: bidding is not Bidding.OPEN,
    )
    bid_rule = choice(
        BidRule,
        "whether the last bidder may make the total equal the tricks: always, never, or unless "
        "leading alone",
        {
            BidRule.FREE: "any total of the bids is fine",
            BidRule.PLUS_MINUS_ONE: "the bids may not add up to the tricks",
            BidRule.LEADER_UNEVEN: "a last bidder who leads alone may not make them add up to the "
            "tricks",
        },
        default=BidRule.FREE,
        in_state=lambda bid_rule: list(BidRule).index(bid_rule),
    )
    clairvoyance = choice(
        Clairvoyance,
        "bid seeing every hand but your own, in the one-card round or in all",
        {
            Clairvoyance.FIRST_ROUND: "in the one-card round you see all hands but your own when "
            "bidding",
            Clairvoyance.EVERY_ROUND: "in every round you see all hands but your own when bidding",
        },
        default=Clairvoyance.OFF,
    )
    dark_wizard = flag(
        "the last Wizard in a trick wins, not the first",
        {False: "the first one wins", True: "the last one in a trick wins"},
    )
    suit_after_wizard = choice(
        SuitAfterWizard,
        "whether a suit after a leading Wizard must be followed",
        {
            SuitAfterWizard.BINDING: "after a leading Wizard the first suit must still be followed",
        },
        default=SuitAfterWizard.FREE,
        in_state=lambda after: after is SuitAfterWizard.BINDING,
    )
    rounds = round_sizes("the cards dealt, round by round (examples)")
    dealer_by = choice(DealerBy, "who deals first", default=DealerBy.RANDOM)

    __signature__: ClassVar[Signature]

    def __init__(self, **options: Any) -> None:
        """Options by name; those left out have their defaults."""
        _refuse_unknown(options, OPTIONS)
        two = options.get("mode") == Mode.TWO_PLAYER
        by_mode = {"players": 2 if two else 4, "bidding": Bidding.SECRET if two else Bidding.OPEN}
        for name, option in OPTIONS.items():
            chosen = options.get(name, option.default)
            if chosen is None:
                chosen = by_mode.get(name)
            self.__dict__[name] = option.read(chosen)
        for exclusion in EXCLUSIONS:
            if exclusion.applies(self):
                message = exclusion.message(self.to_options())
                raise RulesError(message, exclusion.first, exclusion.second)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}: rules do not change, see replace")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}: rules do not change")

    def __eq__(self, other: object) -> bool:
        return self._chosen == other._chosen if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._chosen)

    @property
    def _chosen(self) -> tuple[object, ...]:
        return tuple(self.__dict__[name] for name in OPTIONS)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """From a mapping as records have it; `edition` names a preset that the others override."""
        _refuse_unknown(options, ("edition", *OPTIONS))
        given = {name: options[name] for name in OPTIONS if name in options}
        if "edition" in options:
            given = {**edition(options["edition"]).options, **given}
        for name, value in given.items():
            if value is None and OPTIONS[name].default is None:
                raise RulesError(f"{name} must not be null: leave it out for its default")
        return cls(**given)

    def to_options(self) -> dict[str, Any]:
        """Every option as records have it."""
        return {name: option.plain(getattr(self, name)) for name, option in OPTIONS.items()}

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some options changed; defaults stay defaults."""
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
            return tuple(expanded(self.rounds))
        if self.mode is Mode.STANDARD:
            return tuple(range(1, self.largest_size + 1))
        if self.mode is Mode.MONOCOLOUR:
            return tuple(range(4, self.largest_size + 1))
        return tuple(range(2, 8))

    @property
    def largest_size(self) -> int:
        """The largest round that the cards allow."""
        if self.mode is Mode.MONOCOLOUR:
            return OWN_CARDS
        return (BASE_CARDS - (self.mode is Mode.TWO_PLAYER)) // self.players

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """All cards of the game; not for the monocolour game, where everyone has their own deck."""
        return full_deck(self.specials)

    def has(self, effect: Effect) -> bool:
        """Whether a card of the game has this effect."""
        return any(card.has(effect) for card in self.specials)

    def turns_card(self, size: int) -> bool:
        """Whether a card is left to be turned up in a round of this size."""
        return self.mode is not Mode.MONOCOLOUR and len(self.deck) > self.players * size

    @cached_property
    def turned(self) -> tuple[bool, ...]:
        """By round, whether a card is left to be turned up."""
        return tuple(map(self.turns_card, self.sizes))

    def is_clairvoyant(self, size: int) -> bool:
        """Whether a round of this size is bid by players who do not see their own hand."""
        return self.clairvoyance is Clairvoyance.EVERY_ROUND or (
            self.clairvoyance is Clairvoyance.FIRST_ROUND and size == 1
        )

    def turns(self, dealer: int) -> tuple[int, ...]:
        """The seats as they bid, and play to the first trick: left of the dealer first."""
        return self.seats_from(dealer + 1)

    def seats_from(self, first: int) -> tuple[int, ...]:
        """All seats, clockwise."""
        return tuple([(first + step) % self.players for step in range(self.players)])

    @property
    def seals_bids(self) -> bool:
        """Whether all bid at once, without seeing the others' bids."""
        return self.bidding is not Bidding.OPEN

    def bids_show(self, *, all_made: bool, all_played: bool) -> bool:
        """Whether everyone may see the bids of a round."""
        return not self.seals_bids or (self.bidding is Bidding.HIDDEN and all_made) or all_played

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"


OPTIONS: Final[Mapping[str, Option[Any]]] = {
    name: option for name, option in vars(Rules).items() if isinstance(option, Option)
}
"""All options by name, in the order of the record."""

Rules.__signature__ = Signature(
    [Parameter(one, Parameter.KEYWORD_ONLY, default=OPTIONS[one].default) for one in OPTIONS]
)


def _refuse_unknown(options: Mapping[str, Any], known: Iterable[str]) -> None:
    unknown = sorted(str(name) for name in options if name not in known)
    if unknown:
        raise RulesError(f"unknown rule {shown(unknown[0])}: there are {', '.join(known)}")


def _too_large(rules: Rules) -> bool:
    if rules.mode is Mode.TWO_PLAYER:
        return 2 * sum(rules.sizes) + len(rules.sizes) > BASE_CARDS
    return max(rules.sizes) > rules.largest_size


def _players_of(mode: Mode, game: str, instead: Mode) -> Exclusion[Rules]:
    players = PLAYERS_OF[mode]
    between = {1: "", 2: f" or {players[-1]}"}.get(len(players), f" to {players[-1]}")
    count = f"{players[0]}{between} players"
    return Exclusion(
        "players",
        "mode",
        lambda r: r.mode is mode and r.players not in players,
        f"{game} is for {count}",
        f"take {count}, or mode {instead}",
    )


def _used_together(one: Card, other: Card) -> Exclusion[Rules]:
    return Exclusion(
        "specials",
        "specials",
        lambda r: (one in r.specials) != (other in r.specials),
        f"{one.name} and {other.name} are used only together",
        f"add the other of {one} and {other}, or leave both out",
    )


EXCLUSIONS: Final[tuple[Exclusion[Rules], ...]] = (
    _players_of(Mode.STANDARD, "the standard game", Mode.TWO_PLAYER),
    _players_of(Mode.MONOCOLOUR, "the monocolour game", Mode.STANDARD),
    _players_of(Mode.TWO_PLAYER, "the two-player game", Mode.STANDARD),
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
    *(_used_together(one, other) for one, other in PAIRS),
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
        lambda r: r.bid_rule is not BidRule.FREE and r.seals_bids,
        "without open bids there is no last bidder",
        "take bidding open, or bid_rule free",
    ),
    Exclusion(
        "rounds",
        "players",
        lambda r: r.mode is Mode.STANDARD and _too_large(r),
        f"a round may have at most {BASE_CARDS} cards in all",
        f"take smaller rounds ({BASE_CARDS} divided by the players), or fewer players",
    ),
    Exclusion(
        "rounds",
        "mode",
        lambda r: r.mode is Mode.MONOCOLOUR and _too_large(r),
        f"each player has {OWN_CARDS} cards",
        f"take rounds of 1 to {OWN_CARDS} cards, or mode standard",
    ),
    Exclusion(
        "rounds",
        "mode",
        lambda r: r.mode is Mode.TWO_PLAYER and _too_large(r),
        f"cards used stay out, and the {BASE_CARDS} cards must last for both hands and a trump "
        "card a round",
        "take fewer or smaller rounds",
    ),
)
"""Everything that docs/rules.md excludes; the player is told the first that applies."""

"""The rules that a record is played by: sections 2, 4, 6, 8 and 9 of RULES.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

SUITS = ["B", "G", "R", "Y"]
SUIT_CARDS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 14)]
SPECIALS = ["DR", "FA", "BO", "WE", "JU", "CL", "SH"]
EDITIONS = [
    "amigo",
    "piatnik-hu",
    "piatnik-pl",
    "piatnik-cs",
    "piatnik-sk",
    "gigamic",
    "fisher",
    "anniversary",
]
MODES = ["standard", "monocolour", "two_player"]
BIDDINGS = ["open", "hidden", "secret"]
BID_RULES = ["free", "plus_minus_one", "leader_uneven"]
CLAIRVOYANCES = ["off", "first_round", "every_round"]
SUITS_AFTER_WIZARD = ["free", "binding"]
DEALERS_BY = ["seat", "random", "high_card"]

# Section 1: every card a record may name, without announcements.
ALL_CODES = [*SUIT_CARDS, "W", "J", *SPECIALS]


class RefusedError(Exception):
    """The record breaks the rules. The message begins with the place, as RECORD.md says."""


@dataclass(frozen=True)
class Rules:
    players: int
    mode: str
    specials: list[str]
    bidding: str
    bid_rule: str
    clairvoyance: str
    dark_wizard: bool
    suit_after_wizard: str
    dealer_by: str
    rounds: str
    sizes: list[int]


def rule_defaults(edition: str | None, mode: str) -> dict[str, Any]:
    """RECORD.md: the defaults; section 9: what an edition changes; section 8: two players."""
    values: dict[str, Any] = {
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
    if edition == "anniversary":
        values["specials"] = list(SPECIALS)
    if edition == "fisher":
        values["dealer_by"] = "high_card"
    if mode == "two_player":
        values["players"] = 2
        values["bidding"] = "secret"
    return values


def largest_size(mode: str, players: int) -> int:
    """Section 2: the largest hand that fits, not counting the two-player sum."""
    if mode == "monocolour":
        return 15
    if mode == "two_player":
        return 29
    return 60 // players


def read_sizes(expression: str, mode: str, players: int) -> list[int]:
    """Section 2: the hand sizes that a `rounds` expression lists."""
    if expression == "all":
        if mode == "monocolour":
            return list(range(4, 16))
        if mode == "two_player":
            return [2, 3, 4, 5, 6, 7]
        return list(range(1, 60 // players + 1))
    sizes: list[int] = []
    for part in expression.split(","):
        match = re.fullmatch(r"([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?", part, re.ASCII)
        if match is None:
            raise RefusedError(f"rounds: {part!r} is neither a size nor a range")
        first = int(match[1])
        last = int(match[2]) if match[2] is not None else first
        step = 1 if last >= first else -1
        sizes.extend(range(first, last + step, step))
    for size in sizes:
        if not 1 <= size <= largest_size(mode, players):
            raise RefusedError(f"rounds: {size} cards do not fit {players} players in mode {mode}")
    if mode == "two_player" and 2 * sum(sizes) + len(sizes) > 60:
        raise RefusedError("rounds: the rounds need more than 60 cards in mode two_player")
    return sizes


def _one_of(values: dict[str, Any], name: str, allowed: list[str]) -> str:
    value = values[name]
    if not isinstance(value, str) or value not in allowed:
        raise RefusedError(f"rules: {name} may not be {value!r}")
    return value


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read_rules(given: object) -> Rules:
    """The rules of a record with every default filled in; refuses conflicting ones."""
    if not isinstance(given, dict):
        raise RefusedError("rules: not an object")
    edition = given.get("edition")
    if "edition" in given and (not isinstance(edition, str) or edition not in EDITIONS):
        raise RefusedError(f"rules: unknown edition {edition!r}")
    mode = given.get("mode", "standard")
    if not isinstance(mode, str) or mode not in MODES:
        raise RefusedError(f"rules: mode may not be {mode!r}")
    values = rule_defaults(edition, mode)
    for name in values:
        if name in given:
            values[name] = given[name]

    players = values["players"]
    if not is_whole(players) or not 2 <= players <= 6:
        raise RefusedError(f"rules: players may not be {players!r}")
    specials = values["specials"]
    if not isinstance(specials, list) or any(card not in SPECIALS for card in specials):
        raise RefusedError(f"rules: specials may not be {specials!r}")
    if len(set(specials)) != len(specials):
        raise RefusedError("rules: specials names a card twice")
    bidding = _one_of(values, "bidding", BIDDINGS)
    bid_rule = _one_of(values, "bid_rule", BID_RULES)
    clairvoyance = _one_of(values, "clairvoyance", CLAIRVOYANCES)
    suit_after_wizard = _one_of(values, "suit_after_wizard", SUITS_AFTER_WIZARD)
    dealer_by = _one_of(values, "dealer_by", DEALERS_BY)
    dark_wizard = values["dark_wizard"]
    if not isinstance(dark_wizard, bool):
        raise RefusedError(f"rules: dark_wizard may not be {dark_wizard!r}")
    rounds = values["rounds"]
    if not isinstance(rounds, str):
        raise RefusedError(f"rules: rounds may not be {rounds!r}")

    # Section 2: how many players each mode takes.
    allowed_players = {"standard": [3, 4, 5, 6], "monocolour": [3, 4], "two_player": [2]}[mode]
    if players not in allowed_players:
        raise RefusedError(f"rules: players {players} does not go with mode {mode}")
    # Section 6: special cards.
    if ("DR" in specials) != ("FA" in specials):
        raise RefusedError("rules: specials: DR and FA only together")
    if specials and mode != "standard":
        raise RefusedError(f"rules: specials do not go with mode {mode}")
    if specials and clairvoyance != "off":
        raise RefusedError(f"rules: specials do not go with clairvoyance {clairvoyance}")
    # Section 4: bid rules and clairvoyance.
    if clairvoyance != "off" and mode != "standard":
        raise RefusedError(f"rules: clairvoyance {clairvoyance} does not go with mode {mode}")
    if bid_rule != "free" and bidding != "open":
        raise RefusedError(f"rules: bid_rule {bid_rule} does not go with bidding {bidding}")
    # Section 8: the two-player game.
    if mode == "two_player" and bidding != "secret":
        raise RefusedError(f"rules: bidding {bidding} does not go with mode two_player")

    return Rules(
        players=players,
        mode=mode,
        specials=list(specials),
        bidding=bidding,
        bid_rule=bid_rule,
        clairvoyance=clairvoyance,
        dark_wizard=dark_wizard,
        suit_after_wizard=suit_after_wizard,
        dealer_by=dealer_by,
        rounds=rounds,
        sizes=read_sizes(rounds, mode, players),
    )

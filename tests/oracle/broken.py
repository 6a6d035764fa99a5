"""Records that must be refused, and where."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

from oracle.breaking import ANYWHERE, NOT_HERE, Breaker, Record, rules_of
from oracle.broken_actions import (
    break_announcement,
    break_bid_range,
    break_bid_total,
    break_cloud,
    break_double_bid,
    break_double_pass,
    break_dropped,
    break_extra_action,
    break_no_announcement,
    break_no_seat,
    break_not_held,
    break_order,
    break_pair,
    break_pass_not_held,
    break_phase,
    break_play_werewolf,
    break_played_again,
    break_revoke,
    break_text,
    break_trump,
    break_trump_by_dealer,
    break_twice,
    break_wrong_seat,
)
from oracle.broken_deals import (
    break_already_out,
    break_cut_inside,
    break_duplicate,
    break_extra_round,
    break_foreign_card,
    break_hand_size,
    break_mono_suit,
    break_next_deal,
    break_turned,
    break_turned_twin,
    break_unknown_card,
)
from oracle.game import replay
from oracle.rules import RefusedError

BREAKERS: list[Breaker] = [
    break_revoke,
    break_not_held,
    break_played_again,
    break_pass_not_held,
    break_wrong_seat,
    break_no_seat,
    break_order,
    break_dropped,
    break_twice,
    break_bid_range,
    break_bid_total,
    break_double_bid,
    break_double_pass,
    break_no_announcement,
    break_announcement,
    break_text,
    break_pair,
    break_phase,
    break_trump,
    break_trump_by_dealer,
    break_cloud,
    break_play_werewolf,
    break_extra_action,
    break_duplicate,
    break_hand_size,
    break_foreign_card,
    break_unknown_card,
    break_turned,
    break_turned_twin,
    break_mono_suit,
    break_already_out,
    break_extra_round,
    break_cut_inside,
    break_next_deal,
]

# Those that rarely apply are tried more often.
SELDOM: list[Breaker] = [
    break_revoke,
    break_pass_not_held,
    break_bid_total,
    break_double_bid,
    break_double_pass,
    break_no_announcement,
    break_trump,
    break_trump_by_dealer,
    break_cloud,
    break_play_werewolf,
    break_mono_suit,
    break_already_out,
    break_next_deal,
]


def refusal_of(record: Record) -> str | None:
    """The message with which the replay refuses a record, or None."""
    try:
        replay(record)
    except RefusedError as refusal:
        return str(refusal)
    return None


def location_of(message: str) -> str:
    """The place that a message names; "" if it names none."""
    match = re.match(r"(round [0-9]+(?:, action [0-9]+)?): ", message)
    return match[1] if match is not None else ""


def break_record(
    rng: random.Random, record: dict[str, Any], breaker: Breaker | None = None
) -> tuple[dict[str, Any], str]:
    """The record with one thing broken, and where it must be refused."""
    for _ in range(300 if breaker is None else 20):
        chosen = breaker if breaker is not None else rng.choice([*BREAKERS, *SELDOM, *SELDOM])
        broken = copy.deepcopy(record)
        claim = chosen(rng, broken)
        if claim == NOT_HERE:
            continue
        message = refusal_of(broken)
        if message is None:
            if claim == ANYWHERE:
                continue
            raise AssertionError(f"{chosen.__name__}: not refused at {claim}: {broken}")
        location = location_of(message)
        if not location or claim not in (ANYWHERE, location):
            raise AssertionError(f"{chosen.__name__}: {claim} expected: {message}: {broken}")
        return broken, location
    raise ValueError("found no way to break this record")


def break_setup(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """The record with a fault before its first round: refused without a place."""
    players = rules_of(record).players
    patches: list[tuple[str, Any]] = [
        ("format", "foretold/0"),
        ("format", None),
        ("first_dealer", players),
        ("first_dealer", -1),
        ("first_dealer", "0"),
        ("names", ["Ana"]),
        ("rounds", {}),
    ]
    rule_patches: list[dict[str, Any]] = [
        {"players": 7},
        {"players": 1},
        {"players": "4"},
        {"mode": "duel"},
        {"edition": "nobody"},
        {"rounds": "0"},
        {"rounds": "1-"},
        {"rounds": ""},
        {"rounds": "31"},
        {"rounds": "1,,2"},
        {"bidding": "closed"},
        {"dark_wizard": "yes"},
        {"dealer_by": "age"},
        {"specials": ["DR"]},
        {"specials": ["FA", "BO"]},
        {"specials": ["XX"]},
        {"specials": ["BO", "BO"]},
        {"specials": ["BO"], "clairvoyance": "every_round"},
        {"specials": ["SH"], "mode": "monocolour", "players": 4},
        {"specials": ["SH"], "mode": "two_player", "players": 2},
        {"clairvoyance": "first_round", "mode": "monocolour", "specials": [], "players": 4},
        {"bid_rule": "plus_minus_one", "bidding": "hidden"},
        {"bid_rule": "leader_uneven", "bidding": "secret"},
        {"mode": "standard", "players": 2, "bidding": "open"},
        {"mode": "monocolour", "players": 5, "specials": []},
        {"mode": "two_player", "players": 3, "specials": [], "bidding": "secret"},
    ]
    broken = copy.deepcopy(record)
    if rng.random() < 0.3:
        name, value = rng.choice(patches)
        broken[name] = value
    else:
        broken["rules"].update(rng.choice(rule_patches))
    message = refusal_of(broken)
    if message is None or location_of(message):
        raise AssertionError(f"not refused at set-up: {message}: {broken}")
    return broken

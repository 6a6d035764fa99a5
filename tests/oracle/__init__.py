"""A second, deliberately plain implementation of the rules, used only to test the first one.

Written from RULES.md and RECORD.md alone, without looking at the engine. Cards are their codes
("R4", "W", "JU"), hands are lists, nothing is fast. Section numbers are those of RULES.md.
"""

from __future__ import annotations

from oracle.breaking import Breaker
from oracle.broken import BREAKERS, break_record, break_setup, location_of
from oracle.cards import base_card, suit_to_follow, trick_winner
from oracle.game import legal_actions, replay, run_record
from oracle.records import random_record, random_rules
from oracle.round import Round
from oracle.rules import SPECIALS, read_rules

__all__ = [
    "BREAKERS",
    "SPECIALS",
    "Breaker",
    "Round",
    "base_card",
    "break_record",
    "break_setup",
    "legal_actions",
    "location_of",
    "random_record",
    "random_rules",
    "read_rules",
    "replay",
    "run_record",
    "suit_to_follow",
    "trick_winner",
]

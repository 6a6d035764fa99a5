"""Lessons: short games with chosen deals, played at a real table against the simple bot.

A lesson's deals come from a seed like any others; the table is ordinary, except that its seed was
chosen because the cards suit the lesson. What the coach says is up to the client.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from foretold.fair import FairDeals
from foretold.protocol.settings import TableSettings
from foretold.rules import Rules
from foretold.table.creation import changed
from foretold.table.entries import BotSeat, Created, PlayerSeat, Seat
from foretold.table.names import BOT_NAMES
from foretold.table.refusals import Refused

LEVEL: Final = "apprentice"


@dataclass(frozen=True)
class Lesson:
    """A game of one or a few short rounds; the pupil sits in seat 0."""

    name: str
    options: Mapping[str, Any]
    seed: int

    @property
    def rules(self) -> Rules:
        return Rules.from_options({"players": 3, "dealer_by": "seat", **self.options})


LESSONS: Final = {
    lesson.name: lesson
    for lesson in (
        # The introduction, in this order.
        Lesson("tricks", {"rounds": "3"}, 984),
        Lesson("trump", {"rounds": "3"}, 8),
        Lesson("wizards", {"rounds": "4"}, 103),
        Lesson("foretelling", {"rounds": "4"}, 1),
        Lesson("first_game", {"rounds": "1-3"}, 1),
        # One for each special card.
        Lesson("shapeshifter", {"rounds": "4", "specials": ["SH"]}, 42),
        Lesson("dragon", {"rounds": "4", "specials": ["DR", "FA"]}, 16),
        Lesson("fairy", {"rounds": "4", "specials": ["DR", "FA"]}, 90),
        Lesson("bomb", {"rounds": "4", "specials": ["BO"]}, 42),
        Lesson("werewolf", {"rounds": "4", "specials": ["WE"]}, 42),
        Lesson("juggler", {"rounds": "4", "specials": ["JU"]}, 42),
        Lesson("cloud", {"rounds": "4", "specials": ["CL"]}, 42),
        # One for each variant.
        Lesson("plus_minus_one", {"rounds": "3", "bid_rule": "plus_minus_one"}, 1),
        # Somebody else deals first: the pupil bids last in the second round, as the leader.
        Lesson(
            "leader_uneven",
            {"rounds": "1,3", "bid_rule": "leader_uneven", "dealer_by": "random"},
            86,
        ),
        Lesson("hidden", {"rounds": "3", "bidding": "hidden"}, 3),
        Lesson("secret", {"rounds": "3", "bidding": "secret"}, 3),
        Lesson("clairvoyance", {"rounds": "1,1", "clairvoyance": "first_round"}, 0),
        Lesson("monocolour", {"rounds": "4", "mode": "monocolour"}, 5),
        Lesson("two_players", {"rounds": "2,3", "mode": "two_player", "players": 2}, 2),
        Lesson("dark_wizard", {"rounds": "4", "dark_wizard": True}, 7),
    )
}
"""All lessons, in the order they are offered."""


def lesson_table(player: str, name: str, lesson: str) -> Created:
    """The table of a lesson, with its pupil and bots."""
    if lesson not in LESSONS:
        raise Refused("no_lesson")
    chosen = LESSONS[lesson]
    rules = chosen.rules
    deals = FairDeals.from_seed(rules, chosen.seed)
    names = [free for free in BOT_NAMES if free != name]
    seats: list[Seat] = [PlayerSeat(player, name)]
    seats += [BotSeat(names[index], LEVEL) for index in range(rules.players - 1)]
    return Created(
        seats=tuple(seats),
        rules=rules.to_options(),
        edition=None,
        settings=changed(TableSettings(), {"pace": 900, "spectators": False}),
        secrets=tuple(secret.hex() for secret in deals.secrets),
        commitments=("",) * rules.players,
        host=player,
        lesson=lesson,
    )

"""The start of an episode: who sits where, and a plausible score sheet."""

from __future__ import annotations

from typing import Final

from foretold.env.memory import ABOVE_BID, BELOW_BID, Memory
from foretold.kernel.chance import Chance, below, uniform
from foretold.kernel.compile import compiled
from foretold.kernel.layout import PLAYERS, ROUND, TOTALS
from foretold.kernel.state import State

# Who sits at a seat.
NETWORK: Final = 0
SNAPSHOT: Final = 1
BY_RULE: Final = 2  # and the number of the temper

# How the seats of a table are filled when an episode begins.
ALONE: Final = 0  # copies of the network
WITH_RULES: Final = 1  # the network, and rule-based players
WITH_SNAPSHOT: Final = 2  # the network, an older one, and sometimes a rule-based player
AS_SEATED: Final = 3  # stays as it is

POINT: Final = 10
LEAST_SKILL: Final = 0.5
MOST_SKILL: Final = 0.9
"""The share of bids that a likely player meets."""


@compiled
def write_sheet(state: State, memory: Memory, chance: Chance) -> None:
    """A random score sheet before the round, as if round n had n cards: usually of players that
    meet most of their bids, sometimes of any.
    """
    players = state[PLAYERS]
    is_likely = below(chance, 4) != 0
    for seat in range(players):
        skill = uniform(chance)
        if is_likely:
            skill = LEAST_SKILL + (MOST_SKILL - LEAST_SKILL) * skill
        tens = 0
        for number in range(state[ROUND]):
            if uniform(chance) < skill:
                tens += 2 + int(2 * (number + 1) * uniform(chance) / players)
            else:
                tens -= 1
                memory[(ABOVE_BID if below(chance, 2) == 0 else BELOW_BID) + seat] += 1
        state[TOTALS + seat] = POINT * tens


@compiled
def fill_seats(seated: State, players: int, seating: int, tempers: int, chance: Chance) -> None:
    """Draw who sits where; one seat is always the network's, at half the tables the only one."""
    if seating == AS_SEATED:
        return
    for seat in range(players):
        seated[seat] = NETWORK
    if seating == ALONE:
        return
    own = below(chance, players)
    alike = below(chance, 2) == 0
    temper = BY_RULE + below(chance, tempers)
    for seat in range(players):
        if seat == own or (not alike and below(chance, 4) == 0):
            continue
        if not alike:
            temper = BY_RULE + below(chance, tempers)
        other_network = seating == WITH_SNAPSHOT and (alike or below(chance, 4) != 0)
        seated[seat] = SNAPSHOT if other_network else temper

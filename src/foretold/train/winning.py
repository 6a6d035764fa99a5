"""The chance to win the game, as the score sheet stands after a round.

What the rounds to come bring every seat is taken for chance: of a spread that grows with the cards
dealt. Then the chance to win is a softmax of the totals, the flatter the more rounds are left; with
none left it is who has won. So a single round teaches what a lead or a gamble is worth, without
the chance of all rounds after it.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Final

import torch
from torch import Tensor

from foretold.env.observation import AT
from foretold.kernel.layout import MAX_PLAYERS
from foretold.rules import Mode, Rules

SPREAD: Final = 16.0
SPREAD_A_CARD: Final = 1.6
"""The standard deviation of a seat's points in a round of so many cards, less the others'."""
GUMBEL: Final = 0.78
"""A softmax decides as noise of Gumbel's distribution does: its scale for a deviation of 1."""
MOST_LEFT: Final = 127


@cache
def spreads(device: torch.device) -> Tensor:
    """The scale of the softmax by mode, number of players and rounds left."""
    table = torch.zeros(len(Mode), MAX_PLAYERS + 1, MOST_LEFT + 1)
    for index, mode in enumerate(Mode):
        for players in range(2, MAX_PLAYERS + 1):
            if (mode is Mode.TWO_PLAYER) != (players == 2):
                continue
            if mode is Mode.MONOCOLOUR and players > 4:
                continue
            sizes = Rules(mode=mode, players=players).sizes
            for left in range(1, MOST_LEFT + 1):
                rest = [sizes[-1 - number % len(sizes)] for number in range(left)]
                variance = sum((SPREAD + SPREAD_A_CARD * size) ** 2 for size in rest)
                table[index, players, left] = GUMBEL * sqrt(variance)
    return table.to(device)


def players_of(observations: Tensor) -> Tensor:
    """The number of players, a row an observation."""
    return 2 + observations[:, AT["players"] : AT["players"] + MAX_PLAYERS - 1].argmax(dim=1)


def win_chances(observations: Tensor, points: Tensor) -> Tensor:
    """The chance of the own seat to win, from what it saw in a round and what that round brought.

    `points` has a column a seat, the own first, then clockwise, as the totals of an observation.
    """
    mode = observations[:, AT["mode"] : AT["mode"] + len(Mode)].argmax(dim=1)
    players = players_of(observations)
    left = observations[:, AT["rounds_left"]].long()
    totals = 10.0 * observations[:, AT["totals"] : AT["totals"] + MAX_PLAYERS].float() + points
    nobody = torch.arange(MAX_PLAYERS, device=totals.device) >= players[:, None]
    totals = totals.masked_fill(nobody, -torch.inf)
    # With no rounds left a point decides: of equals all have a share.
    scale = spreads(totals.device)[mode, players, left].clamp(min=0.1)
    return torch.softmax(totals / scale[:, None], dim=1)[:, 0]

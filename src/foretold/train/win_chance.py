"""How a round changes the chances of winning the game, estimated from the score sheet alone."""

from __future__ import annotations

from math import pi, sqrt
from typing import Final

import torch
from torch import Tensor

from foretold.env.observation import AT
from foretold.rules import MAX_PLAYERS
from foretold.train.seating import POINT

_TOTALS: Final = slice(AT["totals"], AT["totals"] + MAX_PLAYERS)
_ROUNDS_LEFT: Final = AT["rounds_left"]

LIKELY_SPREAD: Final = 3.2
"""The standard deviation of the points of a round, in tens, at a table of equals."""
TEMPERATURE: Final = POINT * LIKELY_SPREAD * sqrt(6) / pi
"""Of a softmax over totals, in points, with one round left. It gives two players the chances that
normally distributed points would, and grows with the root of the rounds left.
"""
LAST: Final = 1e-3
"""Rounds "left" after the last: a softmax this cold shares the win among the leaders."""


def gains(observations: Tensor, seats: Tensor, players: Tensor, points: Tensor) -> Tensor:
    """By how much the points of a round change each seat's chance of winning, one row per game.

    `observations` are of decisions in that round, by `seats`. A sum of these over a whole game
    depends on its result alone.
    """
    seat = torch.arange(MAX_PLAYERS, device=seats.device)
    relative = (seat - seats[:, None].clamp(min=0).long()) % players[:, None]
    totals = POINT * observations[:, _TOTALS].float().gather(1, relative)
    left = observations[:, _ROUNDS_LEFT].float()[:, None]
    nobody = seat >= players[:, None]
    before = _chances(totals, left + 1, nobody)
    return _chances(totals + points, left, nobody) - before


def _chances(totals: Tensor, rounds: Tensor, nobody: Tensor) -> Tensor:
    temperature = TEMPERATURE * rounds.clamp(min=LAST).sqrt()
    return (totals / temperature).masked_fill(nobody, -torch.inf).softmax(dim=1)

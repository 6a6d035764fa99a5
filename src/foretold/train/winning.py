"""What a round was worth to whoever wants to win the game, in points.

The chance to win after the round less that before it (`foretold.bots.prospect`), over what a point
adds to it: where the sheet is even, that is the own points less those of the rivals, the likelier
winners counting more; near the end a lead is kept and a gamble taken. So a single round teaches
it, without the chance of all rounds after it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import torch
from torch import Tensor

from foretold.bots.prospect import FLATTEST, scales
from foretold.env.observation import AT
from foretold.kernel.layout import MAX_PLAYERS
from foretold.rules import Mode

LARGEST: Final = 250.0
"""In points: rare rounds that turn a game must not drown all others."""


@cache
def _scales(device: torch.device) -> Tensor:
    return torch.from_numpy(scales()).float().to(device)


def players_of(observations: Tensor) -> Tensor:
    """The number of players, a row an observation."""
    return 2 + observations[:, AT["players"] : AT["players"] + MAX_PLAYERS - 1].argmax(dim=1)


def win_values(observations: Tensor, points: Tensor) -> Tensor:
    """What a round was worth, from what a seat saw in it and the points that it brought.

    `points` has a column a seat, the own first, then clockwise, as the totals of an observation.
    """
    mode = observations[:, AT["mode"] : AT["mode"] + len(Mode)].argmax(dim=1)
    players = players_of(observations)
    left = observations[:, AT["rounds_left"]].long()
    table = _scales(observations.device)
    before, after = table[mode, players, left + 1], table[mode, players, left]
    totals = 10.0 * observations[:, AT["totals"] : AT["totals"] + MAX_PLAYERS].float()
    nobody = torch.arange(MAX_PLAYERS, device=totals.device) >= players[:, None]
    totals = totals.masked_fill(nobody, -torch.inf)
    had = torch.softmax(totals / before[:, None], dim=1)[:, 0]
    has = torch.softmax((totals + points) / after[:, None], dim=1)[:, 0]
    slope = (had * (1 - had)).clamp(min=FLATTEST) / before
    return ((has - had) / slope).clamp(-LARGEST, LARGEST)

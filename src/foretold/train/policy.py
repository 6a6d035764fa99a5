"""How decisions are drawn from what the network says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from foretold.bots.sight import POINTS
from foretold.train.network import Network, exactly


@dataclass(frozen=True)
class Curiosity:
    """How far decisions stray from the best known."""

    warmth: float = 0.0
    """An action that seems so many points worse is taken e times as seldom."""
    whim: float = 0.0
    """How often just anything is done."""


@contextmanager
def precision(device: torch.device) -> Iterator[None]:
    """Half the bits on a GPU, where that is many times as fast."""
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
        yield


def worths(network: Network, observations: Tensor) -> Tensor:
    """What every action is worth in points."""
    return exactly(network.values, network.trunk(observations)) * POINTS


def draw(
    worth: Tensor, masks: Tensor, curiosity: Curiosity, chance: torch.Generator | None
) -> Tensor:
    """A legal action a row; where nothing is legal, any."""
    illegal = masks == 0
    if curiosity.warmth > 0:
        noise = torch.empty_like(worth).exponential_(generator=chance).log_().neg_()
        worth = worth + curiosity.warmth * noise
    chosen = worth.masked_fill(illegal, -torch.inf).argmax(dim=1)
    if curiosity.whim > 0:
        anything = torch.rand(worth.shape, generator=chance, device=worth.device)
        any_one = anything.masked_fill(illegal, -1.0).argmax(dim=1)
        strays = torch.rand(len(worth), generator=chance, device=worth.device) < curiosity.whim
        chosen = torch.where(strays, any_one, chosen)
    return chosen

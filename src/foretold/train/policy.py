"""How decisions are drawn from what the network says."""

from __future__ import annotations

import torch
from torch import Tensor

from foretold.train.network import Network


def leanings(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """As logits, how likely a network takes each legal action."""
    return network.leanings(observations).masked_fill(masks == 0, -torch.inf)


def draw(logits: Tensor, chance: torch.Generator | None) -> Tensor:
    """An action a row, as likely as the logits say; the likeliest without chance."""
    if chance is not None:
        logits = logits + noise_of(logits, chance)
    return logits.argmax(dim=1)


def noise_of(logits: Tensor, chance: torch.Generator) -> Tensor:
    """With this added to the logits, each action is the highest as often as it is likely."""
    return torch.empty_like(logits).exponential_(generator=chance).log_().neg_()
